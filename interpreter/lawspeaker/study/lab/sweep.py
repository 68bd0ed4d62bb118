"""The same games under each of several values: what a number does.

All values are tried on games of the same numbers, which have the same luck as far as the rules
let them, so a change is measured from game to game. The reference are the rules as they are: they
are tried, too, where their values are not among those asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.exact_sums import Sums
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.measures import (
    USUAL,
    Means,
    Measured,
    Measures,
    changed,
    changes,
    measured,
    shares,
)
from lawspeaker.study.lab.varying import Values, Varied, printed


@dataclass(frozen=True, slots=True)
class Point:
    """So many `games` came to their end under these values. `changes` are those against the
    reference, over so many `pairs` of games that did so under both; None for the reference itself,
    and where there is no such pair."""

    values: Values
    games: int
    pairs: int
    measures: Measured
    changes: Measured | None


@dataclass(frozen=True, slots=True)
class Sweep:
    varied: tuple[Varied, ...]
    games: int
    reference: Values
    measures: Measures
    points: tuple[Point, ...]
    """For the values under which games came to their end; all is told of these games."""
    broken: tuple[tuple[Values, Broken], ...]
    """The values under which games broke off."""

    @property
    def compared(self) -> bool:
        """Whether games came to their end under the rules as they are."""
        return any(point.values == self.reference for point in self.points)

    @property
    def telling(self) -> Measures:
        """The measures that are not 0 in all games, as points are in a game without any, and those
        that were asked for by name."""
        return tuple(
            each
            for each in self.measures
            if each not in USUAL or any(point.measures[each.name].value for point in self.points)
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
    as_they_are = printed(all_varied)
    return values.index(as_they_are) if as_they_are in values else 0


def swept(
    games: Sequence[Games], reference: int, measures: Sequence[Measures] | None = None
) -> Swept:
    """The sums over games that were played under each combination of values. `measures` are the
    same in all of them, by their numbers in each."""
    base, of = games[reference], measures or [USUAL] * len(games)
    pairs = list(zip(games, of, strict=True))
    return Swept(
        len(base),
        tuple(measured(each, own) for each, own in pairs),
        tuple(changed(base, each, of[reference], own) for each, own in pairs),
        tuple(Broken.of(each.faults) for each in games),
    )


def sweep(
    all_varied: Sequence[Varied],
    values: Sequence[Values],
    found: Swept,
    sides: int,
    measures: Measures = USUAL,
) -> Sweep:
    """What the sums say of games between so many sides."""
    base = reference(all_varied, values)
    points = tuple(
        Point(
            each,
            found.measures[at][0].count,
            found.changes[at][0].count,
            shares(found.measures[at], sides, measures),
            changes(found.changes[at], measures)
            if at != base and found.changes[at][0].count
            else None,
        )
        for at, each in enumerate(values)
        if found.measures[at][0].count
    )
    broken = tuple(each for each in zip(values, found.broke, strict=True) if each[1].games)
    return Sweep(tuple(all_varied), found.games, values[base], measures, points, broken)
