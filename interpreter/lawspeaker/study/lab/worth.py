"""What cards, options and rules are worth: what a seat loses that has to do without them.

Paired games: number i is played twice with the same seed and bots of the same luck, once as it is
and once without something for one seat (see `interventions`). The worth is what that seat then wins
and scores less, on average. Everything that is looked at is one family, and intervals are so wide
that all of them hold together (`changing`). New luck alone changes who wins, too: between random
players each pair has a control (`compare/control`), and `beyond` is by how much oftener somebody
else wins in the pairs than in their controls.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.study.compare.effect import Pairs
from lawspeaker.study.lab.changing import Change, change
from lawspeaker.study.lab.statistics import Estimate, Mean


@dataclass(frozen=True, slots=True)
class Worth:
    """Of something of a sort, between these bots, over so many pairs of games of which so many are
    not the same: in parts of a victory and in points; `broken` pairs in which a game has no end
    without it count for nothing."""

    sort: str
    name: str
    bots: tuple[str, ...]
    games: int
    broken: int
    differs: float
    victories: Change
    points: Change
    control: Estimate | None = None
    beyond: Change | None = None

    @property
    def measured(self) -> bool:
        """Whether most pairs have two games that come to their end."""
        return self.games > self.broken


def worth(
    sort: str, name: str, bots: tuple[str, ...], found: Pairs, seat: int, among: int
) -> Worth:
    """What sums over pairs say, among so many interventions; of each, victories and points."""
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
    """The most worth first: by victories, and of equals by points; what was not measured last."""

    def weight(each: Worth) -> tuple[bool, float, float, str]:
        return not each.measured, -each.victories.value, -each.points.value, each.name

    return sorted(found, key=weight)


def _lost(gained: Mean, among: int, differing: int, within: int | None = None) -> Change:
    """What is lost, with the interval that holds together with all others."""
    clear = change(gained, among, differing, within).clear
    wide = gained.estimate(among, within)
    return Change(0.0 - gained.value, -wide.high, -wide.low, clear)
