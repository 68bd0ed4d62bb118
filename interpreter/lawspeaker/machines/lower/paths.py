"""Groups alternatives that extend each other by one step: the paths of different lengths.

The checker writes a path as alternatives: the shortest one, the next, and so on, each with a part
for every step. They share a prefix, including the guards on the way and their costs; only the
guards of a path as a whole belong to its end. So one search by the code of the longest finds all of
them.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.ir.cost import Listing
from lawspeaker.machines.lower.guards import GuardPlan


def paths(
    alternatives: Sequence[ir.Alternative], plans: Sequence[GuardPlan], costs: Listing | None
) -> list[range]:
    """Returns the alternatives of a question by number, those of a path together."""
    found: list[range] = []
    for number in range(len(alternatives)):
        if found and _goes_on(alternatives, plans, costs, number):
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found


def conditions(alternative: ir.Alternative, plan: GuardPlan) -> list[list[ir.Expr]]:
    """Returns the guards to evaluate before the first part is chosen, after it, after the second
    …"""
    return [[alternative.guards[number].condition for number in some] for some in plan.asked]


def _goes_on(
    alternatives: Sequence[ir.Alternative],
    plans: Sequence[GuardPlan],
    costs: Listing | None,
    number: int,
) -> bool:
    """Returns whether an alternative extends the one before it by a step."""
    shorter, longer = alternatives[number - 1 : number + 1]
    steps = len(shorter.parts)
    if not steps or len(longer.parts) != steps + 1 or longer.parts[:steps] != shorter.parts:
        return False
    # For sets, and for pieces that look alike, deduplication depends on the whole.
    if any(part.several or isinstance(part.binder.type, ir.PieceType) for part in longer.parts):
        return False
    if costs is not None and costs[number - 1][: steps - 1] != costs[number][: steps - 1]:
        return False
    one, two = (conditions(alternatives[at], plans[at]) for at in (number - 1, number))
    on_the_way, at_the_end = two[steps], one[steps]
    return one[:steps] == two[:steps] and at_the_end[: len(on_the_way)] == on_the_way
