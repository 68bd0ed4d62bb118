"""Measures the worth of cards, options and rules: what a seat loses without them.

Paired games: number i is played twice with the same seed and bots, with and without an
intervention for one seat (see `interventions`). The worth is the mean loss of that seat in
victories and points. Intervals are simultaneous over everything looked at (`paired_changes`).
Another seed alone changes the winner, too: between random players each pair has a control
(`compare/control`), and `beyond` is the excess of changed winners over that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawspeaker.study.compare.effect import Pairs
from lawspeaker.study.lab.exact_sums import Numbers
from lawspeaker.study.lab.paired_changes import MeasuredChange, change
from lawspeaker.study.lab.statistics import Estimate, Mean, deviations, student

FEWEST_ON_A_LINE = 4
"""Minimum number of cards with a cost."""


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of a thing between these bots, over pairs of games.

    In parts of a victory and in points; `differs` is the share of pairs that are not identical;
    `broken` pairs, in which a game aborts, do not count.
    """

    sort: str
    name: str
    bots: tuple[str, ...]
    games: int
    broken: int
    differs: float
    victories: MeasuredChange
    points: MeasuredChange
    control: Estimate | None = None
    beyond: MeasuredChange | None = None
    cost: int | None = None

    @property
    def measured(self) -> bool:
        """Whether most pairs finished."""
        return self.games > self.broken


@dataclass(frozen=True, slots=True)
class OffTheLine:
    """A card whose worth is off the line of the others: by how much, in the unit of the line, with
    a simultaneous interval, and whether that is clear.
    """

    name: str
    cost: int
    worth: float
    expected: float
    apart: Estimate

    @property
    def clear(self) -> bool:
        return self.apart.low > 0 or self.apart.high < 0


def by_cost(found: Sequence[Worth], *, points: bool) -> tuple[OffTheLine, ...]:
    """Cards with a cost against the line through the others (weighted least squares), most off
    first; empty if there are too few to say.

    The line of the others leaves this one out, so a card cannot hide by pulling the line to it.
    If the others scatter about their line more than chance does, the interval is wider by that.
    """
    cards = [each for each in found if each.cost is not None and each.measured]
    if len(cards) < FEWEST_ON_A_LINE:
        return ()
    looked_at = deviations(2 * len(found))
    changes = [each.points if points else each.victories for each in cards]
    xs = np.array([float(each.cost or 0) for each in cards])
    ys = np.array([each.value for each in changes])
    errors = np.array([max(1e-9, (each.high - each.low) / 2 / looked_at) for each in changes])
    off = []
    for at, each in enumerate(cards):
        others = np.arange(len(cards)) != at
        if len(set(xs[others])) < 2:
            continue
        expected, half = _line(xs[others], ys[others], errors[others], xs[at], errors[at])
        apart = float(ys[at] - expected)
        estimate = Estimate(apart, apart - half, apart + half)
        off.append(OffTheLine(each.name, each.cost or 0, float(ys[at]), float(expected), estimate))
    return tuple(sorted(off, key=lambda each: -abs(each.apart.value)))


def _line(xs: Numbers, ys: Numbers, errors: Numbers, at: float, own: float) -> tuple[float, float]:
    """The value of the line through some points, and half of the interval of another point.

    The errors of the points are known; what they scatter beyond these is estimated from the few
    of them, so that part has Student's quantile.
    """
    weights = 1 / errors**2
    matrix = np.stack([np.ones(len(xs)), xs], axis=1)
    inverse = np.linalg.inv(matrix.T @ (weights[:, None] * matrix))
    line = inverse @ (matrix.T @ (weights * ys))
    freedom = max(1, len(xs) - 2)
    scatter = float((weights * (ys - matrix @ line) ** 2).sum()) / freedom
    here = np.array([1.0, at])
    error, z = float(here @ inverse @ here), deviations(len(xs) + 1)
    known = z * (error + own**2) ** 0.5
    scattered = student(freedom, z) * (scatter * (error + max(own**2, np.mean(errors**2)))) ** 0.5
    return float(here @ line), float(max(known, scattered))


def worth(
    sort: str, name: str, bots: tuple[str, ...], found: Pairs, seat: int, among: int
) -> Worth:
    """Estimates from sums over pairs, among so many interventions, each with victories and
    points.
    """
    effect = found.effect(bots, among)
    looked_at = 2 * among
    victories = _lost(found.wins[seat], looked_at, found.winner, 1)
    points = _lost(found.scores[seat], looked_at, found.outcome)
    return Worth(
        sort,
        name,
        bots,
        found.games - found.broken,
        found.broken,
        found.differs / max(1, found.games),
        victories,
        points,
        effect.control,
        effect.beyond,
    )


def ranked(found: list[Worth]) -> list[Worth]:
    """Sorts by victories, then points, most worth first; unmeasured ones last."""

    def weight(each: Worth) -> tuple[bool, float, float, str]:
        return not each.measured, -each.victories.value, -each.points.value, each.name

    return sorted(found, key=weight)


def _lost(gained: Mean, among: int, differing: int, within: int | None = None) -> MeasuredChange:
    """The loss with its simultaneous interval."""
    clear = change(gained, among, differing, within).clear
    wide = gained.estimate(among, within)
    return MeasuredChange(0.0 - gained.value, -wide.high, -wide.low, clear)
