"""Scoring by the goal: winners, leads and final ranking.

Results for seats hold for their sides (`Layout.sides`); a player without a team is a side alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lawspeaker import ir
from lawspeaker.position.layout import Layout


def by_goal(layout: Layout, scores: Sequence[int]) -> tuple[int, ...]:
    """The winning seats at the end of a game whose rules name no winner."""
    if layout.program.goal is ir.Goal.NAMED:
        return ()
    worths = _worths(layout, scores)
    best = max(worths)
    won = (side for side, worth in zip(layout.sides, worths, strict=True) if worth == best)
    return tuple(sorted(seat for side in won for seat in side))


def whole_sides(layout: Layout, seats: Collection[int]) -> tuple[int, ...]:
    """Extends named winners to their whole sides."""
    if not layout.program.sides:
        return tuple(seats)
    won = (side for side in layout.sides if any(seat in side for seat in seats))
    return tuple(sorted(seat for side in won for seat in side))


def share_of_victory(layout: Layout, winners: Collection[int], seat: int) -> float:
    """A seat's share of the victory. Without a winner all sides share it, unless there is only
    one side.
    """
    if not winners:
        return 0.0 if len(layout.sides) == 1 else 1 / len(layout.sides)
    won = [side for side in layout.sides if any(each in side for each in winners)]
    return float(any(seat in side for side in won)) / len(won)


def ahead(layout: Layout, scores: Sequence[int], seat: int) -> int:
    """A side's average lead over the others, times their number."""
    worths, others = _worths(layout, scores), len(layout.sides) - 1
    own = next(worth for side, worth in zip(layout.sides, worths, strict=True) if seat in side)
    return own * max(1, others) - (sum(worths) - own)


def sole_leader(layout: Layout, scores: Sequence[int]) -> int | None:
    """The number of the side in sole lead; None if the lead is shared or there is only one side."""
    worths = _worths(layout, scores)
    best = max(worths)
    several = layout.program.goal is not ir.Goal.NAMED and len(worths) > 1
    known = several and worths.count(best) == 1
    return worths.index(best) if known else None


def in_order(layout: Layout, scores: Sequence[int], winners: Collection[int]) -> list[int]:
    """All seats in the order of the final ranking: winners first, then by the value of points."""
    worths = zip(layout.sides, _worths(layout, scores), strict=True)
    sides = sorted(worths, key=lambda each: (each[0][0] not in winners, -each[1]))
    return [seat for side, _ in sides for seat in side]


def _worths(layout: Layout, scores: Sequence[int]) -> list[int]:
    """The value of each side's points, which are stored with its first player."""
    worth = layout.program.goal.worth
    return [worth * scores[side[0]] for side in layout.sides]
