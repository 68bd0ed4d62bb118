"""Measures the worth of cards, options and rules: what a seat loses without them.

Paired games: number i is played twice with the same seed and bots, with and without an
intervention for one seat (see `interventions`). The worth is the mean loss of that seat in
victories and points. Intervals are simultaneous over everything looked at (`paired_changes`).
Another seed alone changes the winner, too: between random players each pair has a control
(`compare/control`), and `beyond` is the excess of changed winners over that.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.study.compare.effect import Pairs
from lawspeaker.study.lab.paired_changes import MeasuredChange, change
from lawspeaker.study.lab.statistics import Estimate, Mean


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

    @property
    def measured(self) -> bool:
        """Whether most pairs finished."""
        return self.games > self.broken


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
