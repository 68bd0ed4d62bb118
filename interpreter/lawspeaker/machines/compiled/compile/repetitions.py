"""Generates code for remembered positions, and for counting repetitions.

The positions of each sort are in an array, the oldest first. Each is encoded as in `position.past`,
with the layout of `runtime/past_rows`.

Hundreds of positions may be remembered, nearly all different from the present one. Where positions
have a hash (see `hashes`), they are compared only if their hashes are equal. The hashes are in an
array of their own, which no hypothetical clause can change. A state from the host has none: they
are computed on the first query. Before both arrays are two counts, of positions and of those with a
hash, and a filter: a bit for the lowest bits of each hash. If the bit of a hash is not set, no
position has it. Bits of forgotten positions stay until the filter is cleared, for a new game.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import hashes, watching
from lawspeaker.machines.compiled.runtime.past_rows import PastRows
from lawspeaker.machines.compiled.runtime.plan import LONG, Column, PlaceMemory, Plan
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Load,
    Variable,
    const,
    greater,
    load,
    long_at,
    not_,
    word,
)


def first_row(plan: Plan, number: int) -> int:
    """Returns the address of the oldest position of a sort."""
    return _kept(plan, number).base + LONG * plan.recorded[number].position.last


def _kept(plan: Plan, number: int) -> Column:
    """The hashes of the positions of a sort, the oldest first."""
    return Column(_filter(plan, number) + plan.past_rows[number].filter, LONG)


def _filter(plan: Plan, number: int) -> int:
    """Returns the address of the filter of a sort."""
    return plan.past[number] + LONG


def _filtered(plan: Plan, number: int, hash: Expr) -> tuple[Load, Expr]:
    """Returns the byte of the filter that a hash belongs to, and its bit there."""
    at = (hash >> 3 & (plan.past_rows[number].filter - 1)).to_word()
    return load(I32, 1, at, _filter(plan, number)), const(1) << (hash & 7).to_word()


def _set_hash(plan: Plan, number: int, f: Body, at: Expr, hash: Variable) -> None:
    """Stores the hash of a position, and marks it in the filter."""
    f.set(_kept(plan, number)[at], hash)
    byte, bit = _filtered(plan, number, hash)
    f.set(byte, byte | bit)


def _counts(plan: Plan, number: int) -> tuple[Load, Load]:
    """Returns how many positions of a sort are remembered, and how many of those have a hash."""
    return word(plan.past[number]), word(plan.past[number], 4)


def remember(c: Code, statement: ir.Remember) -> None:
    """Appends the present position; drops the oldest beyond the capacity."""
    f, plan, number = c.f, c.plan, statement.position
    size, last = plan.past_rows[number].size, plan.recorded[number].position.last
    (count, hashed), kept = _counts(plan, number), _kept(plan, number)
    first = first_row(plan, number)
    with f.if_(count == last):
        f.copy(first, first + size, size * (last - 1))
        f.copy(kept.base, kept.base + LONG, LONG * (last - 1))
        f.add(count, -1)
        f.set(hashed, greater(0, f.let("left", hashed - 1)))
    f.do(_write_down(c.unit, number), count * size + first)
    if hashes.has_hash(plan, number):
        with f.if_(count == 0):
            f.clear(_filter(plan, number), plan.past_rows[number].filter)
        with f.if_(hashed == count):
            _set_hash(plan, number, f, count, hashes.present(c.unit, f, number))
            f.add(hashed, 1)
    f.add(count, 1)
    watching.changed(c)


def appearances(c: Code, expr: ir.Appearances) -> Expr:
    return c.f.let("appearances", _appearances(c.unit, expr.position)())


@routine("appearances", returns=I32)
def _appearances(unit: Unit, number: int, f: Body) -> None:
    """() -> how many remembered positions equal the present one"""
    plan = unit.plan
    size, first, now = plan.past_rows[number].size, first_row(plan, number), plan.present[number]
    (count, hashed), found = _counts(plan, number), f.let("found", 0)
    if not hashes.has_hash(plan, number):
        f.do(_write_down(unit, number), now)
        with f.each_number("at", 0, count) as at:
            f.add(found, _same(unit, size)(at * size + first, now))
        f.return_(found)
        return
    kept, written = _kept(plan, number), f.let("written", 0)
    with f.while_(hashed < count):
        row = f.let("row", hashed * size + first)
        _set_hash(plan, number, f, hashed, hashes.of_row(unit, f, number, row))
        f.add(hashed, 1)
    own = hashes.present(unit, f, number)
    byte, bit = _filtered(plan, number, own)
    with f.if_((byte & bit) == 0):
        f.return_(0)
    with f.each_number("at", 0, count) as at, f.if_(kept[at] == own):
        with f.if_(not_(written)):
            f.do(_write_down(unit, number), now)
            f.set(written, 1)
        f.add(found, _same(unit, size)(at * size + first, now))
    f.return_(found)


@routine("same", returns=I32)
def _same(unit: Unit, size: int, f: Body, one: Variable, other: Variable) -> None:
    """(one, other) -> whether `size` bytes are equal"""
    end = f.let("end", one + size)
    with f.while_(one != end):
        with f.if_(long_at(one) != long_at(other)):
            f.return_(0)
        f.add(one, LONG)
        f.add(other, LONG)
    f.return_(1)


@routine("write_down")
def _write_down(unit: Unit, number: int, f: Body, to: Variable) -> None:
    """(address): encodes the present position there"""
    plan, layout = unit.plan, unit.layout
    recorded, rows = plan.recorded[number], plan.past_rows[number]
    f.clear(to, rows.size)
    at = 0
    for family in recorded.position.families:
        step = rows.width * recorded.capacity(family) * recorded.look(family)
        _write_family(unit, f, rows, plan.families[family], to + at, step)
        at += step * len(layout.places_of[family])
    for entry, marker in enumerate(recorded.markers):
        shown = word(plan.markers + 4 * marker)
        told = hashes.told(shown, layout.markers[marker].type)
        f.set(word(to, rows.first_marker + 4 * entry), told)


def _write_family(
    unit: Unit, f: Body, rows: PastRows, family: PlaceMemory, first: Expr, step: int
) -> None:
    """Encodes the contents of the places of a family, `step` bytes each."""
    plan, layout = unit.plan, unit.layout
    looks = plan.table([look + 1 for look in layout.alike])
    of, begin, at = family.of.holds, f.variable("begin"), f.variable("at")
    states = list(zip(plan.states[of], layout.states[of], strict=True))
    size = rows.width * (1 + len(states))
    with _each_filled(f, family) as place:
        f.set(begin, first + (place - family.first) * step)
        f.set(at, begin)
        pieces = (
            f.each_bit("piece", family.masks[place], family.first_piece)
            if family.masked
            else f.each_in_chain("piece", family.bottom[place], plan.above)
        )
        with pieces as piece:
            f.set(hashes.entry(rows, at), looks[piece])
            for number, (column, state) in enumerate(states, start=1):
                told = hashes.told(column[piece], state.type, rows.nothing)
                f.set(hashes.entry(rows, at, number), told)
            if family.heap and states and step > size:
                # Without states they are in order: equal pieces are adjacent.
                _sort_in(unit, f, rows.width, begin, at, size)
            f.add(at, size)


@contextmanager
def _each_filled(f: Body, family: PlaceMemory) -> Iterator[Variable]:
    """Loops over the occupied places of a family, or over all if those are not known."""
    if not family.occupied:
        with f.each_number("place", family.first, family.first + family.size) as place:
            yield place
    elif family.size <= 64:
        with f.each_bit("place", long_at(family.occupied), family.first) as place:
            yield place
    else:
        with f.each_number("part", 0, -(-family.size // 64)) as part:
            occupied, first = long_at(part << 3, family.occupied), family.first + (part << 6)
            with f.each_bit("place", occupied, first) as place:
                yield place


def _sort_in(unit: Unit, f: Body, width: int, begin: Expr, last: Expr, size: int) -> None:
    """Inserts the last piece of a heap in order among those before it (insertion sort)."""
    low = f.let("low", last)
    with f.loop() as sorting:
        f.leave(sorting, low == begin)
        before = f.let("before", low - size)
        f.leave(sorting, not_(_is_less(unit, size, width)(low, before)))
        for at in range(0, size, width):
            kept = f.let("kept", load(I32, width, low, at))
            f.set(load(I32, width, low, at), load(I32, width, before, at))
            f.set(load(I32, width, before, at), kept)
        f.set(low, before)


@routine("is_less", returns=I32)
def _is_less(unit: Unit, size: int, width: int, f: Body, one: Variable, other: Variable) -> None:
    """(one, other) -> whether `one` is lexicographically less"""
    for at in range(0, size, width):
        left, right = load(I32, width, one, at), load(I32, width, other, at)
        with f.if_(left != right):
            f.return_(left < right)
    f.return_(0)
