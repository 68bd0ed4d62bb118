"""Plans when the guards of an alternative are evaluated, and which can be skipped.

A guard is evaluated as soon as the parts it needs are chosen. Rules state every condition, because
each refusal has its own words: a piece goes on an *empty* place *beside a piece*, out of the open
places of a grid. But that is what an open place is, so such guards are implied during the
enumeration of options. A guard that limits the size of a set is not evaluated either: no larger
sets are enumerated. Refusals are explained elsewhere, from all guards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.ir.dependence import Dependence
from lawspeaker.ir.walk import bound_slots, everything, slots_read
from lawspeaker.machines.lower.faults import Faults
from lawspeaker.machines.lower.simplify import Simplifier


@dataclass(frozen=True, slots=True)
class GuardPlan:
    """The treatment of the guards of an alternative, by their numbers, while its options are
    listed.

    `asked` are those evaluated before the first part is chosen, after it, after the second …
    `limits` are for each part the upper bounds of its size, from guards. `again` are evaluated once
    more when a choice is made, since they bind a slot that is read later.
    """

    asked: tuple[tuple[int, ...], ...]
    limits: tuple[tuple[ir.Expr, ...], ...]
    again: tuple[int, ...]


class Guards:
    """Plans the guards of one program; with `all_of_them` none is skipped, for tracing."""

    def __init__(
        self, depends: Dependence, simplifier: Simplifier, faults: Faults, *, all_of_them: bool
    ) -> None:
        self.depends = depends
        self.simplifier = simplifier
        self.faults = faults
        self.all_of_them = all_of_them

    def plan(self, alternative: ir.Alternative, clause: int) -> GuardPlan:
        """Plans the guards of an alternative."""
        conditions = [self.simplifier.simple(guard.condition) for guard in alternative.guards]
        asked: list[list[int]] = [[] for _ in range(len(alternative.parts) + 1)]
        limits: list[list[ir.Expr]] = [[] for _ in alternative.parts]
        for number, ready in enumerate(alternative.ready):
            most = _size_limit(alternative, number, self.faults)
            if most is not None:
                limits[ready - 1].append(most)
                if not self.all_of_them:
                    continue
            part = alternative.parts[ready - 1] if ready and not self.all_of_them else None
            if part is None or part.several or not _is_idle(number, part.binder, conditions):
                asked[ready].append(number)
        again = self._again(alternative, clause)
        return GuardPlan(tuple(map(tuple, asked)), tuple(map(tuple, limits)), again)

    def _again(self, alternative: ir.Alternative, clause: int) -> tuple[int, ...]:
        inside = self.depends.reads(alternative.guards)
        read = self.depends.reads(self.depends.program.clauses[clause].body)
        return tuple(
            number
            for number, guard in enumerate(alternative.guards)
            if any(read[slot] > inside[slot] for slot in bound_slots(guard.condition))
        )


def _size_limit(alternative: ir.Alternative, number: int, faults: Faults) -> ir.Expr | None:
    """Returns the upper bound of a guard on the size of the set chosen last, if that is all it
    says."""
    ready = alternative.ready[number]
    if not ready or not alternative.parts[ready - 1].several:
        return None
    part = alternative.parts[ready - 1]
    match alternative.guards[number].condition:
        case ir.Compare(
            operator="<=",
            left=ir.Count(binder=ir.Binder(source=ir.Local(slot=slot), where=None)),
            right=most,
        ) if slot == part.set_slot and isinstance(most.type, ir.NumberType):
            own = {part.set_slot, part.binder.slot}
            apart = own.isdisjoint(slots_read(most)) and not faults.possible(most)
            names = any(isinstance(each, ir.Exists) for each in everything(most))
            return most if apart and not names else None
    return None


def _is_idle(number: int, binder: ir.Binder, conditions: Sequence[ir.Expr]) -> bool:
    """Returns whether a condition is implied, and no other one reads the names it binds."""
    condition = conditions[number]
    if not implied(binder.source, binder.slot, condition):
        return False
    all_reads, own = Counter(slots_read(tuple(conditions))), Counter(slots_read(condition))
    return all(all_reads[slot] == own[slot] for slot in bound_slots(condition))


def implied(source: ir.Expr, slot: int, test: ir.Expr) -> bool:
    """Returns whether a test of a member follows from its source: an open place is empty and beside
    an occupied one, and an occupied one is not empty. The caller checks the names that the test
    would bind."""
    match source, test:
        case ir.Occupied(), ir.Not(operand=operand):
            return _is_empty(operand, slot)
        case ir.OpenPlaces(family=family), ir.Exists(
            binder=ir.Binder(
                slot=near,
                source=ir.Around(family=other, of=ir.Local(slot=around)),
                where=ir.Not(operand=operand),
            )
        ):
            return (family, slot) == (other, around) and _is_empty(operand, near)
        case ir.OpenPlaces(), _:
            return _is_empty(test, slot)
    return False


def _is_empty(test: ir.Expr, slot: int) -> bool:
    match test:
        case ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=here))):
            return here == slot
    return False
