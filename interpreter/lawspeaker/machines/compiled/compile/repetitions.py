"""Generates code for remembered positions, and for counting repetitions.

The positions of each sort are in an array, the oldest first. Each is encoded as in `position.past`,
a word for each number, padded to words of 64 bits for comparison.

Hundreds of positions may be remembered, nearly all different from the present one. Where positions
have a hash (see `hashes`), they are compared only if their hashes are equal. The hashes are in an
array of their own, which no hypothetical clause can change. A state from the host has none: they
are computed on the first query. Before both arrays are two counts: of positions, and of those with
a hash.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import hashes, watching
from lawspeaker.machines.compiled.runtime.plan import LONG, Column, Plan
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Load,
    Variable,
    greater,
    long_at,
    not_,
    word,
)


def row_bytes(plan: Plan, number: int) -> int:
    """Returns the bytes of an encoded position."""
    return LONG * ((plan.recorded[number].size + 1) // 2)


def first_row(plan: Plan, number: int) -> int:
    """Returns the address of the oldest position of a sort."""
    return _kept(plan, number).base + LONG * plan.recorded[number].position.last


def _kept(plan: Plan, number: int) -> Column:
    """The hashes of the positions of a sort, the oldest first."""
    return Column(plan.past[number] + LONG, LONG)


def _counts(plan: Plan, number: int) -> tuple[Load, Load]:
    """Returns how many positions of a sort are remembered, and how many of those have a hash."""
    return word(plan.past[number]), word(plan.past[number], 4)


def remember(c: Code, deed: ir.Remember) -> None:
    """Appends the present position; drops the oldest beyond the capacity."""
    f, plan, number = c.f, c.plan, deed.position
    size, last = row_bytes(plan, number), plan.recorded[number].position.last
    (count, hashed), kept = _counts(plan, number), _kept(plan, number)
    first = first_row(plan, number)
    with f.if_(count == last):
        f.copy(first, first + size, size * (last - 1))
        f.copy(kept.base, kept.base + LONG, LONG * (last - 1))
        f.add(count, -1)
        f.set(hashed, greater(0, f.let("left", hashed - 1)))
    f.do(_write_down(c.unit, number), count * size + first)
    if hashes.has_hash(plan, number):
        with f.if_(hashed == count):
            f.set(kept[count], hashes.present(c.unit, f, number))
            f.add(hashed, 1)
    f.add(count, 1)
    watching.changed(c)


def appearances(c: Code, expr: ir.Appearances) -> Expr:
    return c.f.let("appearances", _appearances(c.unit, expr.position)())


@routine("appearances", returns=I32)
def _appearances(unit: Unit, number: int, f: Body) -> None:
    """() -> how many remembered positions equal the present one"""
    plan = unit.plan
    size, first, now = row_bytes(plan, number), first_row(plan, number), plan.present[number]
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
        f.set(kept[hashed], hashes.of_row(unit, f, number, row))
        f.add(hashed, 1)
    own = hashes.present(unit, f, number)
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
    recorded = plan.recorded[number]
    f.clear(to, row_bytes(plan, number))
    for family in recorded.position.families:
        step = 4 * recorded.capacity(family) * recorded.look(family)
        _write_family(unit, f, family, to, step)
        f.add(to, step * len(layout.places_of[family]))
    for at, marker in enumerate(recorded.markers):
        shown = word(plan.markers + 4 * marker)
        f.set(word(to, 4 * at), hashes.told(shown, layout.markers[marker].type))


def _write_family(unit: Unit, f: Body, number: int, to: Variable, step: int) -> None:
    """Encodes the contents of the places of a family, `step` bytes each."""
    plan, layout, family = unit.plan, unit.layout, unit.plan.families[number]
    looks = plan.table([look + 1 for look in layout.alike])
    of = family.of.holds
    states = list(zip(plan.states[of], layout.states[of], strict=True))
    size = 4 * (1 + len(states))
    with f.each_number("place", family.first, family.first + family.size) as place:
        begin = f.let("begin", to + (place - family.first) * step)
        at = f.let("at", begin)
        pieces = (
            f.each_bit("piece", family.masks[place], family.first_piece)
            if family.masked
            else f.each_in_chain("piece", family.bottom[place], plan.above)
        )
        with pieces as piece:
            f.set(word(at), looks[piece])
            for entry, (column, state) in enumerate(states, start=1):
                f.set(word(at, 4 * entry), hashes.told(column[piece], state.type))
            if family.heap and states:
                # Without states they are in order: equal pieces are adjacent.
                _sort_in(unit, f, begin, at, size)
            f.add(at, size)


def _sort_in(unit: Unit, f: Body, begin: Expr, last: Expr, size: int) -> None:
    """Inserts the last piece of a heap in order among those before it (insertion sort)."""
    low = f.let("low", last)
    with f.loop() as sorting:
        f.leave(sorting, low == begin)
        before = f.let("before", low - size)
        f.leave(sorting, not_(_is_less(unit, size)(low, before)))
        for at in range(0, size, 4):
            kept = f.let("kept", word(low, at))
            f.set(word(low, at), word(before, at))
            f.set(word(before, at), kept)
        f.set(low, before)


@routine("is_less", returns=I32)
def _is_less(unit: Unit, size: int, f: Body, one: Variable, other: Variable) -> None:
    """(one, other) -> whether `one` is lexicographically less"""
    for at in range(0, size, 4):
        with f.if_(word(one, at) != word(other, at)):
            f.return_(word(one, at) < word(other, at))
    f.return_(0)
