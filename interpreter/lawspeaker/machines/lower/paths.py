"""Alternatives of which each goes a step further than the one before.

That is how the checker writes a path: the shortest one, the next, and so on, each with a part for
every step. They begin alike, down to the guards that are asked on the way and what is paid for it;
only what is asked of a path as a whole, when it has come to its end, is the end's own. So a machine
can look for all of them by the code of the longest.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.ir.cost import Listing
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.lower.guards import GuardPlan


def paths(
    alternatives: Sequence[ir.Alternative], plans: Sequence[GuardPlan], costs: Listing | None
) -> list[range]:
    """The alternatives of a question by their numbers, those of a path together."""
    found: list[range] = []
    for number in range(len(alternatives)):
        if found and _goes_on(alternatives, plans, costs, number):
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found


def conditions(alternative: ir.Alternative, plan: GuardPlan) -> list[list[ir.Expr]]:
    """The guards to ask before the first part is chosen, after it, after the second …"""
    return [[alternative.guards[number].condition for number in some] for some in plan.asked]


def _goes_on(
    alternatives: Sequence[ir.Alternative],
    plans: Sequence[GuardPlan],
    costs: Listing | None,
    number: int,
) -> bool:
    """Whether an alternative goes a step further than the one before it."""
    shorter, longer = alternatives[number - 1 : number + 1]
    steps = len(shorter.parts)
    if not steps or len(longer.parts) != steps + 1 or longer.parts[:steps] != shorter.parts:
        return False
    # Of sets, and of pieces that look alike, it is the whole that is asked which of them count.
    if any(part.several or isinstance(part.binder.type, PieceType) for part in longer.parts):
        return False
    if costs is not None and costs[number - 1][: steps - 1] != costs[number][: steps - 1]:
        return False
    one, two = (conditions(alternatives[at], plans[at]) for at in (number - 1, number))
    on_the_way, at_the_end = two[steps], one[steps]
    return one[:steps] == two[:steps] and at_the_end[: len(on_the_way)] == on_the_way
