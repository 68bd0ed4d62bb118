"""The same games under each of several values: what a number does.

All values are tried on games of the same numbers, which have the same luck as far as the rules
let them, so a change is measured from game to game. The reference is the value that the rules
have, where that is among those tried, and else the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lawspeaker.lab.measures import Measured, changed, measured
from lawspeaker.lab.record import Record
from lawspeaker.lab.varying import Values, Varied


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


def sweep(all_varied: Sequence[Varied], games: Mapping[Values, Sequence[Record]]) -> Sweep:
    """Sums up the games played under each combination of values."""
    printed = tuple(each.printed or "" for each in all_varied)
    reference = printed if printed in games else next(iter(games))
    base = games[reference]
    points = tuple(
        Point(values, measured(found), None if values == reference else changed(base, found))
        for values, found in games.items()
    )
    return Sweep(tuple(all_varied), len(base), reference, points)
