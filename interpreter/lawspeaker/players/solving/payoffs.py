"""What a finished game is worth to a seat, when a small game is worked out.

For victory: its side's part of it, and, far behind that, how far ahead it is. For points: how far
ahead its side is of the others; with two sides half of it, which is what one wins from the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.match.match import Match
from lawspeaker.position.standing import share_of_victory

POINTS_BESIDE = 1e-4
"""What a point counts beside a victory."""


@dataclass(frozen=True, slots=True)
class Payoffs:
    points: bool

    def of(self, match: Match) -> tuple[float, ...]:
        """By seat."""
        ahead = _ahead(match)
        if self.points:
            return ahead
        shares = _shares(match)
        return tuple(
            share + POINTS_BESIDE * more for share, more in zip(shares, ahead, strict=True)
        )

    def told(self, match: Match) -> tuple[float, ...]:
        """By seat, what is told of the game: points, or the part of the victory."""
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
