"""Sweep: the same games under each of several values.

Games of equal numbers have common random numbers as far as the rules allow, so changes are
measured pairwise. The reference is the unchanged rules, which are played even if their values are
not asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.exact_sums import Sums
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.measures import (
    SKILL,
    USUAL,
    Means,
    Measured,
    Measures,
    changed,
    changes,
    measured,
    shares,
)
from lawspeaker.study.lab.sequential import Look
from lawspeaker.study.lab.statistics import share
from lawspeaker.study.lab.varying import Values, Varied, printed


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """Results for one combination of values, over finished `games`.

    `changes` are those against the reference, over finished `pairs`; None for the reference
    itself, and where there is no such pair.
    """

    values: Values
    games: int
    pairs: int
    measures: Measured
    changes: Measured | None


@dataclass(frozen=True, slots=True)
class Sweep:
    """Results of a sweep: a point for each combination of values."""

    varied: tuple[Varied, ...]
    games: int
    reference: Values
    measures: Measures
    points: tuple[SweepPoint, ...]
    """Values with finished games, to which all results refer."""
    broken: tuple[tuple[Values, Broken], ...]
    """Values under which games aborted."""
    look: Look
    """What the intervals are corrected for."""

    @property
    def compared(self) -> bool:
        """Whether games of the unchanged rules finished."""
        return any(point.values == self.reference for point in self.points)

    @property
    def telling(self) -> Measures:
        """Measures that are not 0 everywhere, and those asked for by name."""
        return tuple(
            each
            for each in self.measures
            if each not in USUAL or any(point.measures[each.name].value for point in self.points)
        )

    @property
    def precision(self) -> float:
        """Half of the widest interval of a change of a share in the same games; of a share where
        there is no change.
        """
        changed = [each for each in self.points if each.changes]
        widths = [
            # What differed in no pair may differ in others.
            each.changes[name].half or share(0, each.pairs, self.look.among).high
            for each in changed
            for name in self.in_percent
            if each.changes
        ]
        alone = [each.measures[name].half for each in self.points for name in self.in_percent]
        return max(widths if changed else alone, default=0.0)

    @property
    def in_percent(self) -> tuple[str, ...]:
        """The shares among the telling measures, without those of games of their own."""
        told = (each for each in self.telling if each.share and each.what != SKILL)
        return tuple(each.name for each in told)


@dataclass(frozen=True, slots=True)
class Swept(Sums):
    """Sums for each combination of values: measures, paired changes against the reference,
    aborted games.
    """

    games: int
    measures: tuple[Means, ...]
    changes: tuple[Means, ...]
    broke: tuple[Broken, ...]


def reference(all_varied: Sequence[Varied], values: Sequence[Values]) -> int:
    """Index of the combination that others are compared with."""
    as_they_are = printed(all_varied)
    return values.index(as_they_are) if as_they_are in values else 0


def swept(
    games: Sequence[Games], reference: int, measures: Sequence[Measures] | None = None
) -> Swept:
    """Sums over games played under each combination; `measures` are the same ones by index in
    each.
    """
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
    look: Look | None = None,
) -> Sweep:
    """Estimates from the sums, for games between so many sides, with the intervals of a look."""
    look = look or Look(found.games, planned=1)
    base = reference(all_varied, values)
    points = tuple(
        SweepPoint(
            each,
            found.measures[at][0].count,
            found.changes[at][0].count,
            shares(found.measures[at], sides, measures, look.among),
            changes(found.changes[at], measures, look.among)
            if at != base and found.changes[at][0].count
            else None,
        )
        for at, each in enumerate(values)
        if found.measures[at][0].count
    )
    broken = tuple(each for each in zip(values, found.broke, strict=True) if each[1].games)
    return Sweep(tuple(all_varied), found.games, values[base], measures, points, broken, look)
