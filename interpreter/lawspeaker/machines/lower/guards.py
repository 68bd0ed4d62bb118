"""When the guards of a choice are asked, and which need not be asked at all.

A guard is asked as soon as the parts are chosen that it speaks of. Rules state every condition,
because each refusal has its own words: a piece goes on an *empty* place *beside a piece*, out of
the open places of a grid. But an open place is just that, so while options are listed such guards
hold. A guard that says how many members a set may have needs no asking either: no larger sets are
tried. Refusals are explained elsewhere, from all guards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from lawspeaker import ir
from lawspeaker.ir.types import NumberType
from lawspeaker.ir.walk import bound_slots, everything, slots_read


def ordered(
    alternative: ir.Alternative,
    conditions: Sequence[ir.Expr],
    *,
    all_of_them: bool = False,
    left_out: Sequence[int] = (),
) -> list[list[ir.Expr]]:
    """The conditions to ask before the first part is chosen, after it, after the second …

    `conditions` are those of the guards, in order, in the form in which they are asked; some are
    left out by their number.
    """
    found: list[list[ir.Expr]] = [[] for _ in range(len(alternative.parts) + 1)]
    for number, (condition, ready) in enumerate(zip(conditions, alternative.ready, strict=True)):
        if number in left_out:
            continue
        part = alternative.parts[ready - 1] if ready and not all_of_them else None
        if part is None or part.several or not _is_idle(condition, part.binder, conditions):
            found[ready].append(condition)
    return found


def size_limit(
    alternative: ir.Alternative, number: int, can_fault: Callable[[ir.Expr], bool]
) -> ir.Expr | None:
    """How many members a guard allows the set that was chosen last, if that is all it says."""
    ready = alternative.ready[number]
    if not ready or not alternative.parts[ready - 1].several:
        return None
    part = alternative.parts[ready - 1]
    match alternative.guards[number].condition:
        case ir.Compare(
            operator="<=",
            left=ir.Count(binder=ir.Binder(source=ir.Local(slot=slot), where=None)),
            right=most,
        ) if slot == part.set_slot and isinstance(most.type, NumberType):
            own = {part.set_slot, part.binder.slot}
            apart = own.isdisjoint(slots_read(most)) and not can_fault(most)
            names = any(isinstance(each, ir.Exists) for each in everything(most))
            return most if apart and not names else None
    return None


def _is_idle(condition: ir.Expr, binder: ir.Binder, conditions: Sequence[ir.Expr]) -> bool:
    """Whether a condition surely holds, and no other one reads what it finds."""
    if not implied(binder.source, binder.slot, condition):
        return False
    all_reads, own = Counter(slots_read(tuple(conditions))), Counter(slots_read(condition))
    return all(all_reads[slot] == own[slot] for slot in bound_slots(condition))


def implied(source: ir.Expr, slot: int, test: ir.Expr) -> bool:
    """Whether a test of a member follows from where it comes from: an open place is empty, with a
    taken one beside it, and an occupied one is not empty. What the test would leave in slots is for
    others to look after."""
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
