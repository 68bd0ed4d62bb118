"""Who is ahead and who has won: what points are worth by the goal.

What is said here of seats holds for sides (`Layout.sides`): who plays for himself is a side alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lawspeaker import ir
from lawspeaker.position.layout import Layout


def by_goal(layout: Layout, scores: Sequence[int]) -> tuple[int, ...]:
    """The seats that win when a game ends and its rules name nobody."""
    if layout.program.goal is ir.Goal.NAMED:
        return ()
    worths = _worths(layout, scores)
    best = max(worths)
    won = (side for side, worth in zip(layout.sides, worths, strict=True) if worth == best)
    return tuple(sorted(seat for side in won for seat in side))


def together(layout: Layout, seats: Collection[int]) -> tuple[int, ...]:
    """Those who win when these are named: nobody wins without his side."""
    if not layout.program.sides:
        return tuple(seats)
    won = (side for side in layout.sides if any(seat in side for seat in seats))
    return tuple(sorted(seat for side in won for seat in side))


def share_of_victory(layout: Layout, winners: Collection[int], seat: int) -> float:
    """The part of the victory that the side of a seat has. Where nobody has won, all have their
    part, unless there was nobody to win against."""
    if not winners:
        return 0.0 if len(layout.sides) == 1 else 1 / len(layout.sides)
    won = [side for side in layout.sides if any(each in side for each in winners)]
    return float(any(seat in side for side in won)) / len(won)


def ahead(layout: Layout, scores: Sequence[int], seat: int) -> int:
    """How far the side of a seat is ahead of the others on average, times how many they are."""
    worths, others = _worths(layout, scores), len(layout.sides) - 1
    own = next(worth for side, worth in zip(layout.sides, worths, strict=True) if seat in side)
    return own * max(1, others) - (sum(worths) - own)


def sole_leader(layout: Layout, scores: Sequence[int]) -> int | None:
    """The number of the side that is ahead of all others; None when two share the lead, or when
    there are no others."""
    worths = _worths(layout, scores)
    best = max(worths)
    several = layout.program.goal is not ir.Goal.NAMED and len(worths) > 1
    known = several and worths.count(best) == 1
    return worths.index(best) if known else None


def in_order(layout: Layout, scores: Sequence[int], winners: Collection[int]) -> list[int]:
    """All seats as a final table lists them: who has won, then by what points are worth."""
    worths = zip(layout.sides, _worths(layout, scores), strict=True)
    sides = sorted(worths, key=lambda each: (each[0][0] not in winners, -each[1]))
    return [seat for side, _ in sides for seat in side]


def _worths(layout: Layout, scores: Sequence[int]) -> list[int]:
    """What the points of each side are worth, which are kept with its first player."""
    worth = layout.program.goal.worth
    return [worth * scores[side[0]] for side in layout.sides]
