"""The same games under each of several values: what a number does.

All values are tried on games of the same numbers, which have the same luck as far as the rules
let them, so a change is measured from game to game. The reference is the value that the rules
have, where that is among those tried, and else the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.exact_sums import Sums
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.measures import (
    MEASURES,
    Means,
    Measured,
    changed,
    estimates,
    measured,
    shares,
)
from lawspeaker.study.lab.varying import Values, Varied


@dataclass(frozen=True, slots=True)
class Point:
    """`changes` are those against the reference; None for the reference itself, and where no game
    came to its end under both."""

    values: Values
    measures: Measured
    changes: Measured | None


@dataclass(frozen=True, slots=True)
class Sweep:
    varied: tuple[Varied, ...]
    games: int
    reference: Values
    points: tuple[Point, ...]
    """For the values under which games came to their end; all is told of these games."""
    broken: tuple[tuple[Values, Broken], ...]
    """The values under which games broke off."""

    @property
    def telling(self) -> tuple[str, ...]:
        """The measures that are not 0 in all games, as points are in a game without any."""
        return tuple(
            name for name in MEASURES if any(point.measures[name].value for point in self.points)
        )


@dataclass(frozen=True, slots=True)
class Swept(Sums):
    """For each combination of values, the measures, as sums over games that came to their end under
    it, their changes against the reference, over those that did so under both, and the games that
    `broke`."""

    games: int
    measures: tuple[Means, ...]
    changes: tuple[Means, ...]
    broke: tuple[Broken, ...]


def reference(all_varied: Sequence[Varied], values: Sequence[Values]) -> int:
    """Which of these combinations the others are measured against."""
    printed = tuple(each.printed or "" for each in all_varied)
    return values.index(printed) if printed in values else 0


def swept(games: Sequence[Games], reference: int) -> Swept:
    """The sums over games that were played under each combination of values."""
    base = games[reference]
    both = [base.ended & each.ended for each in games]
    return Swept(
        len(base),
        tuple(measured(each[each.ended]) for each in games),
        tuple(changed(base[rows], each[rows]) for each, rows in zip(games, both, strict=True)),
        tuple(Broken.of(each.faults) for each in games),
    )


def sweep(
    all_varied: Sequence[Varied], values: Sequence[Values], found: Swept, sides: int
) -> Sweep:
    """What the sums say of games between so many sides."""
    base = reference(all_varied, values)
    points = tuple(
        Point(
            each,
            shares(found.measures[at], sides),
            estimates(found.changes[at]) if at != base and found.changes[at][0].count else None,
        )
        for at, each in enumerate(values)
        if found.measures[at][0].count
    )
    broken = tuple(each for each in zip(values, found.broke, strict=True) if each[1].games)
    return Sweep(tuple(all_varied), found.games, values[base], points, broken)
