"""Hashes of what lies in the places that a remembered position counts.

The hash of a family is the exclusive or of a key for each piece that lies there (Zobrist hashing).
A piece that is laid there or taken away changes it by its key, and so does a state of the piece:
so the hash of the present position is known without a look at any place. Equal positions have
equal hashes. If hashes are equal, the positions themselves are compared (see `past`).

A family has a hash if no place of it holds more than one piece, so that no order matters, and if
everybody sees all of it, so that it is never dealt anew for a world that may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawspeaker.ir.types import MaybeType, Type
from lawspeaker.machines.compiled.runtime import luck
from lawspeaker.machines.compiled.runtime.plan import Family, Plan, sentinel
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I64, Expr, Variable, long_at, select, word
from lawspeaker.position.luck import MASK, mix, weight
from lawspeaker.position.past import NOTHING


def has_hash(plan: Plan, number: int) -> bool:
    """Whether the hash of a position can be told from those of its families and its markers."""
    return all(plan.families[each].hash for each in plan.recorded[number].position.families)


def present(unit: Unit, f: Body, number: int) -> Variable:
    """The hash of the present position, of a sort that has one."""
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
    """The hash of a position that was written down at an address."""
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


def change(unit: Unit, f: Body, family: Family, piece: Expr, place: Expr) -> None:
    """A piece that looks as it does now comes to a place of a family or leaves it."""
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
    """The key of a piece in a place, of which some numbers tell all there is to tell."""
    key = f.let("key", place.to_long() * weight(0))
    for at, number in enumerate(numbers, start=1):
        f.set(key, key + number.to_long(signed=True) * weight(at))
    luck.mix(f, key)
    return key


def key(place: int, numbers: Iterable[int]) -> int:
    """The same key, for what is written into the memory of a module."""
    together = place * weight(0)
    for at, number in enumerate(numbers, start=1):
        together += number * weight(at)
    return mix(together & MASK)


def told(value: Expr, of: Type) -> Expr:
    """A value as a number that tells it in a position."""
    if not isinstance(of, MaybeType) or sentinel(of) == NOTHING:
        return value
    return select(value == sentinel(of), NOTHING, value)
