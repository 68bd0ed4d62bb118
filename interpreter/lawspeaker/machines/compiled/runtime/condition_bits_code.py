"""Generates updates and run-length queries of `condition_bits`."""

from __future__ import annotations

from lawspeaker.machines.compiled.runtime.plan import Column, PlaceMemory
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Expr, Variable, const, long_at
from lawspeaker.machines.planned import condition_bits
from lawspeaker.machines.planned.walks import InRun

_SURE = 57
"""The least number of valid bits after a word is shifted to the begin of a run."""


def _bit(f: Body, family: PlaceMemory, place: Expr, along: int) -> Expr:
    """Returns the bit index of a place in the bitboard along columns or rows."""
    wide, high = family.grid
    _, (_, wider) = condition_bits.lines(family)
    offset = f.let("offset", place - family.first)
    column = f.let("column", offset // high)
    if along == 0:
        # Each line is a column and one more bit.
        return column + offset + condition_bits.BEFORE
    line = column + column // wide if family.size > wide * high else column
    return line + (offset - column * high) * wider + condition_bits.BEFORE


def renew(unit: Unit, f: Body, family: PlaceMemory, place: Expr) -> None:
    """Updates the bits of a place whose top piece has changed."""
    if family.condition_bits:
        f.do(_renewed(unit, family), place)


@routine("mark")
def _renewed(unit: Unit, family: PlaceMemory, f: Body, place: Variable) -> None:
    """(place): updates its bits"""
    top = f.let("top", _top(family, place))
    for along in (0, 1):
        bit = f.let("bit", _bit(f, family, place, along))
        for tops, bitboards in family.condition_bits.items():
            holds = f.let("holds", unit.plan.table(_entries(unit, family, tops))[top])
            of_eight = Column(bitboards[along], 1)[bit >> 3]
            without = of_eight & ~(const(1) << (bit & 7))
            f.set(of_eight, without | (holds << (bit & 7)))


def _top(family: PlaceMemory, place: Expr) -> Expr:
    """Returns the number of the top piece of a place from 1 on: among all pieces, or among those of
    its type where they are a mask; 0 if the place is empty."""
    if family.masked:
        return 64 - family.masks[place].leading_zeros()
    return family.top[place] + 1


def _entries(unit: Unit, family: PlaceMemory, tops: condition_bits.Tops) -> list[int]:
    if not family.masked:
        return list(map(int, tops))
    pieces = unit.layout.pieces_of[family.of.holds]
    return [int(tops[0]), *(int(tops[1 + piece]) for piece in pieces)]


def length(f: Body, family: PlaceMemory, plan: InRun, start: Variable) -> Expr:
    """Returns the length of the run of places, from a place, whose top pieces meet the
    condition."""
    bitboards, step = family.condition_bits[plan.tops], plan.step
    along, forth = int(step[1] == 0), sum(step) > 0
    before = _bit(f, family, start, along)
    bit = f.let("bit", before + (1 if forth else -1))
    count = f.let("count", 0)
    with f.loop() as run:
        ended = ~_ahead(bitboards[along], bit, forth)
        more = f.let("more", ended.lowest_bit() if forth else ended.leading_zeros())
        f.add(count, more)
        f.set(bit, bit + more if forth else bit - more)
        # If all valid bits of this word are set, the run may go on behind it.
        f.leave(run, more.below(_SURE))
    return count


def _ahead(bitboard: int, bit: Expr, forth: bool) -> Expr:
    """Returns the bits from one on, or up to it, shifted to the end of a word where counting
    begins."""
    if forth:
        return long_at(bit >> 3, bitboard) >> (bit & 7)
    return long_at(bit >> 3, bitboard - 7) << (~bit & 7)
