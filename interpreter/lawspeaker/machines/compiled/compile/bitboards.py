"""Generates code for bitboards of large boards: a bit per occupied place, in words of 64.

A board that grows is nearly empty, so only the words between the first and the last one ever used
are scanned (`PlaceMemory.spread`). Neighbours of occupied places are computed for a word at a time:
the neighbours in one direction are the same bitboard, shifted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime.plan import PlaceMemory
from lawspeaker.machines.middle.forms import (
    Expr,
    Variable,
    greater,
    lesser,
    long_at,
    word,
)

Body = Callable[[], None]


def each_occupied(c: Code, source: ir.Occupied, local: Variable, body: Body) -> None:
    """Iterates over the occupied places, in the order of their numbers."""
    family = c.plan.families[source.family]
    _each_surveyed(c, family, 0, lambda at: long_at(at, family.occupied), local, body)


def each_open(c: Code, source: ir.OpenPlaces, local: Variable, body: Body) -> None:
    """Iterates over the empty places beside occupied ones, in the order of their numbers."""
    family = c.plan.families[source.family]
    margin = family.grid[1] // 64 + 1

    def open_places(at: Variable) -> Expr:
        near = (
            _shifted(family, at, across * family.grid[1] + down)
            & long_at(at, c.plan.inside(family, (across, down)))
            for across, down in family.of.steps(False)
        )
        return reduce(or_, near) & ~long_at(at, family.occupied)

    _each_surveyed(c, family, margin, open_places, local, body)


def _shifted(family: PlaceMemory, at: Variable, stride: int) -> Expr:
    """Returns the bitboard word at byte offset `at`, shifted by `stride` places. Bits from beyond
    the board are garbage: the caller masks them out."""
    words, bits = divmod(stride, 64)
    lower = long_at(at, family.occupied + 8 * words)
    if not bits:
        return lower
    return lower >> bits | long_at(at, family.occupied + 8 * (words + 1)) << 64 - bits


def _each_surveyed(
    c: Code,
    family: PlaceMemory,
    margin: int,
    places: Callable[[Variable], Expr],
    local: Variable,
    body: Body,
) -> None:
    """Iterates over the set bits word by word, by byte offset. `margin` extends the range of words
    that were ever used."""
    f = c.f
    words = -(-family.size // 64)
    first, last = f.let("first", word(family.spread)), f.let("last", word(family.spread + 4))
    if margin:
        f.set(first, greater(0, f.let("first", first - margin)))
        f.set(last, lesser(words - 1, f.let("last", last + margin)))
    at, end = f.let("at", first << 3), f.let("end", last << 3)
    with f.while_(at <= end):
        number = f.let("number", (at << 3) + family.first)
        with f.each_bit(local, places(at), number):
            body()
        f.add(at, 8)
