"""Measures the worth of cards, options and rules: what a seat loses without them.

Paired games: number i is played twice with the same seed and bots, with and without an
intervention for one seat (see `interventions`). The worth is the mean loss of that seat in
victories and points. Intervals are simultaneous over everything looked at (`paired_changes`).
Another seed alone changes the winner, too: between random players each pair has a control
(`compare/control`), and `beyond` is the excess of changed winners over that.

The games without an intervention are the same for all, so more of them are played than pairs, as a
control variate (`control_variates`). Games can be looked at in between, and stop when a worth is
known well enough (`sequential`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawspeaker.study.compare.effect import Pairs
from lawspeaker.study.lab.control_variates import FEWEST_PAIRS, Controlled, controlled
from lawspeaker.study.lab.exact_sums import Numbers, Sums, mean
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.paired_changes import FEWEST, MeasuredChange
from lawspeaker.study.lab.sequential import Look
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
    known_from: int = 0
    """Number of games without the intervention, if more than pairs; 0 if these were of no use."""
    looks: int = 1

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


@dataclass(frozen=True, slots=True)
class Taken(Sums):
    """Sums over pairs of games with and without something, and over victories and points of the
    seat that does without.
    """

    pairs: Pairs
    wins: Controlled
    points: Controlled

    def lost(self, known: Known | None, among: float) -> tuple[MeasuredChange, MeasuredChange]:
        """The loss of victories and of points, among so many interventions."""
        own = None if known is None or self.pairs.broken or known.broken else known
        wins, points = (None, None) if own is None else (own.wins, own.points)
        looked_at, found = 2 * among, self.pairs
        return (
            _lost(self.wins, wins, looked_at, found.winner, 1),
            _lost(self.points, points, looked_at, found.outcome),
        )


@dataclass(frozen=True, slots=True)
class Known(Sums):
    """Victories and points of a seat over many games as they are, with the number of aborted
    ones.
    """

    wins: Mean
    points: Mean
    broken: int


def taken(pairs: Pairs, without: Games, with_it: Games, seat: int) -> Taken:
    """Sums over the same pairs for a seat."""
    ended = without.ended & with_it.ended
    one, other = without[ended], with_it[ended]
    unit, keeper = victory(one.players), one.keepers[seat]
    wins = controlled(one.victories()[:, seat], other.victories()[:, seat], unit)
    return Taken(pairs, wins, controlled(one.scores[:, keeper], other.scores[:, keeper]))


def known_over(games: Games, seat: int) -> Known:
    """Sums over games as they are."""
    ended = games[games.ended]
    wins = mean(ended.victories()[:, seat], victory(games.players))
    return Known(wins, mean(ended.scores[:, games.keepers[seat]]), len(games) - len(ended))


def worth(
    sort: str,
    name: str,
    bots: tuple[str, ...],
    found: Taken,
    known: Known | None,
    look: Look,
    among: float,
) -> Worth:
    """Estimates from sums over pairs, among so many interventions, each with victories and
    points, at a look.
    """
    effect = found.pairs.effect(bots, among * look.among)
    victories, points = found.lost(known, among * look.among)
    pairs = found.pairs.games - found.pairs.broken
    usable = known is not None and not found.pairs.broken and not known.broken
    more = known.wins.count if known is not None and usable else 0
    return Worth(
        sort,
        name,
        bots,
        pairs,
        found.pairs.broken,
        found.pairs.differs / max(1, found.pairs.games),
        victories,
        points,
        effect.control,
        effect.beyond,
        known_from=more if more > pairs >= FEWEST_PAIRS else 0,
        looks=look.number,
    )


def ranked(found: list[Worth]) -> list[Worth]:
    """Sorts by victories, then points, most worth first; unmeasured ones last."""

    def weight(each: Worth) -> tuple[bool, float, float, str]:
        return not each.measured, -each.victories.value, -each.points.value, each.name

    return sorted(found, key=weight)


def _lost(
    gained: Controlled,
    known: Mean | None,
    among: float,
    differing: int,
    within: int | None = None,
) -> MeasuredChange:
    """The loss with its simultaneous interval."""
    wide = gained.estimate(known, among, within)
    clear = differing >= FEWEST and (wide.low > 0 or wide.high < 0)
    return MeasuredChange(0.0 - wide.value, -wide.high, -wide.low, clear)
