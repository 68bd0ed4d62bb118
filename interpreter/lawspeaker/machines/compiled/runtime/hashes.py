"""Zobrist hashes of the places that a remembered position covers.

The hash of a family is the exclusive or of a key for each piece there. Adding or removing a piece,
or changing its state, updates the hash incrementally, so the hash of the present position needs no
scan. Equal positions have equal hashes; if hashes are equal, the positions are compared (see
`repetitions`).

A family has a hash if none of its places holds more than one piece, so that order does not matter,
and if everybody sees all of it, so that it is never dealt for a determinization.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawspeaker.ir.types import MaybeType, Type
from lawspeaker.machines.compiled.runtime import rng
from lawspeaker.machines.compiled.runtime.past_rows import PastRows
from lawspeaker.machines.compiled.runtime.plan import PlaceMemory, Plan, sentinel
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    I64,
    Expr,
    Load,
    Variable,
    load,
    long_at,
    select,
    word,
)
from lawspeaker.position.position_rows import NOTHING
from lawspeaker.position.rng import MASK, mix, weight


def has_hash(plan: Plan, number: int) -> bool:
    """Returns whether the hash of a position follows from those of its families and its markers."""
    return all(plan.families[each].hash for each in plan.recorded[number].position.families)


def present(unit: Unit, f: Body, number: int) -> Variable:
    """Returns the hash of the present position, of a sort that has one."""
    plan, recorded = unit.plan, unit.plan.recorded[number]
    found = f.let("hash", 0, I64)
    for family in recorded.position.families:
        f.set(found, found ^ long_at(plan.families[family].hash))
    shown = [
        told(word(plan.markers + 4 * at), unit.layout.markers[at].type) for at in recorded.markers
    ]
    _add_markers(f, found, shown)
    return found


def of_row(unit: Unit, f: Body, number: int, row: Variable) -> Variable:
    """Returns the hash of an encoded position at an address."""
    plan, recorded, rows = unit.plan, unit.plan.recorded[number], unit.plan.past_rows[number]
    found, at = f.let("hash", 0, I64), f.let("at", row)
    for each in recorded.position.families:
        family, look = plan.families[each], recorded.look(each)
        with f.each_number("place", family.first, family.first + family.size) as place:
            with f.if_(entry(rows, at) != 0):
                numbers: list[Expr] = [entry(rows, at)]
                for position, state in enumerate(unit.layout.states[family.of.holds], start=1):
                    numbers.append(_untold(entry(rows, at, position), state.type, rows))
                f.set(found, found ^ _key(f, place, numbers))
            f.add(at, rows.width * look)
    markers = row + rows.first_marker
    shown = [word(markers, 4 * position) for position in range(len(recorded.markers))]
    _add_markers(f, found, shown)
    return found


def entry(rows: PastRows, at: Expr, number: int = 0) -> Load:
    """The memory location of a number for a piece in a remembered position."""
    return load(I32, rows.width, at, number * rows.width)


def _untold(value: Expr, of: Type, rows: PastRows) -> Expr:
    """Decodes a number for a piece: the code of `nothing` differs by width."""
    if not isinstance(of, MaybeType) or rows.nothing == NOTHING:
        return value
    return select(value == rows.nothing, NOTHING, value)


def _add_markers(f: Body, found: Variable, shown: Sequence[Expr]) -> None:
    for at, value in enumerate(shown):
        f.set(found, found + value.to_long(signed=True) * (weight(at) << 31 | 1))


def change(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, place: Expr) -> None:
    """Toggles a piece, in its present state, in the hash of a family."""
    if not family.hash:
        return
    plan, layout, of = unit.plan, unit.layout, family.of.holds
    numbers = [plan.table([look + 1 for look in layout.alike])[piece]]
    for column, state in zip(plan.states[of], layout.states[of], strict=True):
        numbers.append(told(column[piece], state.type))
    hash = long_at(family.hash)
    f.set(hash, hash ^ _key(f, place, numbers))


def _key(f: Body, place: Expr, numbers: Iterable[Expr]) -> Variable:
    """Returns the key of a piece in a place; `numbers` are its looks and states."""
    key = f.let("key", place.to_long() * weight(0))
    for at, number in enumerate(numbers, start=1):
        f.set(key, key + number.to_long(signed=True) * weight(at))
    rng.mix(f, key)
    return key


def key(place: int, numbers: Iterable[int]) -> int:
    """Computes the same key on the host, for the memory image."""
    together = place * weight(0)
    for at, number in enumerate(numbers, start=1):
        together += number * weight(at)
    return mix(together & MASK)


def told(value: Expr, of: Type, nothing: int = NOTHING) -> Expr:
    """Encodes a value as in a remembered position."""
    if not isinstance(of, MaybeType) or sentinel(of) == nothing:
        return value
    return select(value == sentinel(of), nothing, value)
