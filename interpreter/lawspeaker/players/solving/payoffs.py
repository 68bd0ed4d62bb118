"""Utilities of finished games for the solvers.

For victory: the side's share of it, plus its lead with a tiny weight. For points: the side's
average lead over the others; with two sides half of it, which makes the game zero-sum.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.match.match import Match
from lawspeaker.position.standing import share_of_victory

POINTS_BESIDE = 1e-4
"""Weight of a point relative to a victory."""


@dataclass(frozen=True, slots=True)
class Payoffs:
    """Utilities for victory, or for points."""

    points: bool

    def of(self, match: Match) -> tuple[float, ...]:
        """Utility of each seat."""
        ahead = _ahead(match)
        if self.points:
            return ahead
        shares = _shares(match)
        return tuple(
            share + POINTS_BESIDE * more for share, more in zip(shares, ahead, strict=True)
        )

    def told(self, match: Match) -> tuple[float, ...]:
        """Reported result of each seat: points, or the share of the victory."""
        return _ahead(match) if self.points else _shares(match)


def _shares(match: Match) -> tuple[float, ...]:
    layout = match.machine.layout
    return tuple(share_of_victory(layout, match.winners, seat) for seat in range(match.players))


def _ahead(match: Match) -> tuple[float, ...]:
    sides, worth = match.machine.layout.sides, match.program.goal.worth
    made = [sum(match.state.scores[seat] for seat in side) for side in sides]
    others = max(1, len(sides) - 1)
    by_side = [(own - (sum(made) - own) / others) / 2 * worth for own in made]
    at = {seat: number for number, side in enumerate(sides) for seat in side}
    return tuple(by_side[at[seat]] for seat in range(match.players))
