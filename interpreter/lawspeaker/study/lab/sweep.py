"""The same games under each of several values: what a number does.

All values are tried on games of the same numbers, which have the same luck as far as the rules
let them, so a change is measured from game to game. The reference is the value that the rules
have, where that is among those tried, and else the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    """`changes` are those against the reference; None for the reference itself."""

    values: Values
    measures: Measured
    changes: Measured | None


@dataclass(frozen=True, slots=True)
class Sweep:
    varied: tuple[Varied, ...]
    games: int
    reference: Values
    points: tuple[Point, ...]

    @property
    def telling(self) -> tuple[str, ...]:
        """The measures that are not 0 in all games, as points are in a game without any."""
        return tuple(
            name for name in MEASURES if any(point.measures[name].value for point in self.points)
        )


@dataclass(frozen=True, slots=True)
class Swept(Sums):
    """For each combination of values, the measures and their changes against the reference, as
    sums over games that came to their end under all of them; and those that `broke` under any:
    their numbers, which combination it was, and how."""

    games: int
    measures: tuple[Means, ...]
    changes: tuple[Means, ...]
    broke: list[tuple[int, int, str]]


def reference(all_varied: Sequence[Varied], values: Sequence[Values]) -> int:
    """Which of these combinations the others are measured against."""
    printed = tuple(each.printed or "" for each in all_varied)
    return values.index(printed) if printed in values else 0


def swept(games: Sequence[Games], reference: int) -> Swept:
    """The sums over games that were played under each combination of values."""
    ended = games[0].ended
    for each in games[1:]:
        ended = ended & each.ended
    whole = [each[ended] for each in games]
    return Swept(
        len(whole[0]),
        tuple(measured(each) for each in whole),
        tuple(changed(whole[reference], each) for each in whole),
        sorted(
            (number, at, fault) for at, each in enumerate(games) for number, fault in each.faults
        ),
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
            None if at == base else estimates(found.changes[at]),
        )
        for at, each in enumerate(values)
    )
    return Sweep(tuple(all_varied), found.games, values[base], points)
