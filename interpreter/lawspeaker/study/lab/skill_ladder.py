"""A ladder of bots: how often each wins against the one below it.

Each deal is played once from every side, and is one observation, since its games share their luck.
A step is also told as a difference of Elo points: 400 times the decimal logarithm of the odds of
winning, as a multiple of the odds of an equal player. A game in which nobody can play better than
another has steps of 0. Where all play together, teams play the same deals, and a step is the
difference of their victories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10

from lawspeaker.study.lab.exact_sums import fractions
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.proving import Won
from lawspeaker.study.lab.statistics import Estimate, Mean

LADDER = ("random", "greedy", "mc:50", "mc:200", "mc:800")
"""The usual rungs, from below."""
POINTS = 400
"""Elo points of a factor of ten in the odds."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a bot wins against the one below: share of victories, or where all play together, the
    excess over the other team; `fair` is the value of an equal, `elo` the difference in points.
    """

    bot: str
    rival: str
    deals: int
    games: int
    wins: Estimate
    fair: float
    elo: Estimate | None

    @property
    def clear(self) -> bool:
        return self.wins.low > self.fair


@dataclass(frozen=True, slots=True)
class Ladder:
    """The steps from below, with simultaneous intervals; `clear` of them surely win."""

    players: int
    sides: int
    steps: tuple[Step, ...]

    @property
    def clear(self) -> int:
        return sum(each.clear for each in self.steps)


def step(bot: str, rival: str, found: Sequence[Won], players: int, sides: int, among: int) -> Step:
    """The step over deals, with an interval for so many together; aborted deals do not count."""
    told = [each for each in found if each.games == (1 if sides == 1 else sides)]
    games = sum(each.games for each in told)
    if sides == 1:
        gain = sum((each.gain for each in told), Mean())
        return Step(bot, rival, len(told), games, gain.estimate(among, within=1), 0.0, None)
    shares = [each.victories / (victory(players) * each.games) for each in told]
    wins, fair = fractions(shares, among), 1 / sides
    elo = Estimate(*(_points(each, fair) for each in (wins.value, wins.low, wins.high)))
    return Step(bot, rival, len(told), games, wins, fair, elo)


def _points(wins: float, fair: float) -> float:
    """The Elo difference that a share of victories stands for."""
    if wins <= 0 or wins >= 1:
        return -inf if wins <= 0 else inf
    return POINTS * log10(wins * (1 - fair) / ((1 - wins) * fair))
