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
from lawspeaker.machines.compiled.runtime.plan import PlaceMemory, Plan, sentinel
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I64, Expr, Variable, long_at, select, word
from lawspeaker.position.past import NOTHING
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
    plan, recorded = unit.plan, unit.plan.recorded[number]
    found, at = f.let("hash", 0, I64), f.let("at", row)
    for each in recorded.position.families:
        family, look = plan.families[each], recorded.look(each)
        with f.each_number("place", family.first, family.first + family.size) as place:
            with f.if_(word(at) != 0):
                _change(f, found, place, [word(at, 4 * entry) for entry in range(look)])
            f.add(at, 4 * look)
    _add_markers(f, found, [word(at, 4 * entry) for entry in range(len(recorded.markers))])
    return found


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


def _change(f: Body, found: Variable, place: Expr, numbers: Sequence[Expr]) -> None:
    f.set(found, found ^ _key(f, place, numbers))


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


def told(value: Expr, of: Type) -> Expr:
    """Encodes a value as in a remembered position."""
    if not isinstance(of, MaybeType) or sentinel(of) == NOTHING:
        return value
    return select(value == sentinel(of), NOTHING, value)
