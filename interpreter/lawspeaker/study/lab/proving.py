"""Tests a bot against weaker baselines by the same rules.

Simulations are only as good as their players. So a searching bot first plays against random
players and against the next weaker bot: it takes one side and the rival all others, and each deal
is played once from every side, to cancel seat and luck. Draws are shared. In cooperative games
the bot takes every seat, the rival takes every seat of the same deals, and the teams' victories
and scores are compared deal by deal. A bot trained for points is judged by its lead in points.
These games are few, have a seed of their own, are reproducible, and count nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from lawspeaker import ir
from lawspeaker.players.bots import weaker
from lawspeaker.position.layout import sides_of
from lawspeaker.position.rng import combine, word_of
from lawspeaker.study.lab.exact_sums import Sums
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import Games, play_games
from lawspeaker.study.lab.statistics import Estimate, Mean, share

if TYPE_CHECKING:
    from lawspeaker.players.bots.policies import Lesson

FEWEST, MOST, PART = 8, 24, 5
"""Games against each rival: a fifth of those that follow, within these bounds (and whole deals)."""


@dataclass(frozen=True, slots=True)
class Bout:
    """A bot, the rival it should beat, and the number of players."""

    bot: str
    rival: str
    players: int


@dataclass(frozen=True, slots=True)
class Won(Sums):
    """Sums over finished games: victories, in units of a `victory`, and the lead in points by
    deal, since the games of one deal share their luck.

    For teams also the rival's victories (`theirs`), the difference (`gain`), and the deals with
    points (`scoring`).
    """

    games: int
    victories: int
    ahead: Mean = field(default_factory=Mean)
    theirs: int = 0
    gain: Mean = field(default_factory=Mean)
    scoring: int = 0


@dataclass(frozen=True, slots=True)
class Proof:
    """Result of a bout; `fair` is the share of an equal bot.

    `ahead` is the lead in points of a bot trained for points, which is judged by it; `learned` is
    its policy. `gain` is the team's excess over its rival, whose share is then `fair`; if both
    are equal, points decide.
    """

    bout: Bout
    games: int
    wins: Estimate
    fair: float
    ahead: Estimate | None = None
    learned: Lesson | None = None
    gain: Estimate | None = None

    @property
    def _judged(self) -> tuple[Estimate, float]:
        """The deciding estimate, and its value for an equal bot."""
        if self.gain is not None and (self.gain.value or self.ahead is None):
            return self.gain, 0.0
        return (self.wins, self.fair) if self.ahead is None else (self.ahead, 0.0)

    @property
    def beats(self) -> bool:
        found, fair = self._judged
        return found.low > fair

    @property
    def skill(self) -> Estimate:
        """Excess over the fair share, as a part of the maximum."""
        room = (1 - self.fair) or 1
        if self.gain is not None:
            return Estimate(
                *(each / room for each in (self.gain.value, self.gain.low, self.gain.high))
            )
        won = self.wins
        return Estimate(*((each - self.fair) / room for each in (won.value, won.low, won.high)))

    @property
    def loses(self) -> bool:
        found, fair = self._judged
        return found.high < fair


def bouts(tables: Iterable[Sequence[str]]) -> tuple[Bout, ...]:
    """The bouts to play for the bots at some tables."""
    found = {
        Bout(name, rival, len(bots)): None
        for bots in tables
        for name in bots
        for rival in weaker(name)
    }
    return tuple(found)


def deals_for(games: int, sides: int, least: int = FEWEST) -> int:
    """Number of deals against each rival, if so many games follow."""
    return math.ceil(max(least, min(MOST, games // PART)) / sides)


def bout_won(program: ir.Program, bout: Bout, seed: int, deal: int) -> Won:
    """Plays one deal from every side."""
    sides = sides_of(program, bout.players)
    own_luck = combine(seed, word_of("proof"))
    if len(sides) == 1:
        return _team_won(program, bout, own_luck, deal)
    found, ahead = Won(0, 0), 0
    for number, side in enumerate(sides):
        names = [bout.bot if seat in side else bout.rival for seat in range(bout.players)]
        games = play_games(program, bout.players, own_luck, range(deal, deal + 1), names)
        ended = games[games.ended]
        found += _won(ended, side[0])
        ahead += _points_ahead(ended, number)
    if found.games < len(sides):
        return found
    return replace(found, ahead=Mean(1, ahead, ahead**2, len(sides) * max(1, len(sides) - 1)))


def _team_won(program: ir.Program, bout: Bout, luck: int, deal: int) -> Won:
    """Plays one deal with a team of the bot, and with one of the rival."""
    teams = [
        play_games(program, bout.players, luck, range(deal, deal + 1), [name] * bout.players)
        for name in (bout.bot, bout.rival)
    ]
    if not all(games.ended.all() for games in teams):
        return Won(0, 0)
    won, theirs = (int((games.victors > 0).sum()) for games in teams)
    worth = program.goal.worth or 1
    made, rivals = (worth * int(games.scores[:, 0].sum()) for games in teams)
    whole = victory(bout.players)
    ahead, gain = made - rivals, won - theirs
    gained, scoring = Mean(1, gain, gain**2), int(bool(made or rivals))
    return Won(1, whole * won, Mean(1, ahead, ahead**2), whole * theirs, gained, scoring)


def _won(games: Games, seat: int) -> Won:
    """Victories of the side of a seat."""
    whole = victory(games.players)
    parts = np.where(games.victors == 0, whole // len(games.sides), games.victories()[:, seat])
    return Won(len(games), int(parts.sum()))


def _points_ahead(games: Games, side: int) -> int:
    """A side's average lead in points, times the number of others."""
    points = np.stack([games.scores[:, list(each)].sum(axis=1) for each in games.sides], axis=1)
    others = len(games.sides) - 1
    lead = (others + 1) * points[:, side].sum() - points.sum()
    return int(lead) * (games.goal.worth or 1)


def proof(
    bout: Bout,
    won: Won,
    sides: int,
    *,
    for_points: bool = False,
    learned: Lesson | None = None,
) -> Proof:
    """Estimates from the sums of a bout."""
    wins = share(won.victories / victory(bout.players), won.games)
    if sides == 1:
        fair = won.theirs / victory(bout.players) / max(1, won.games)
        points = won.ahead.estimate() if won.scoring else None
        gain = won.gain.estimate()
        return Proof(bout, won.games, wins, fair, points, learned, gain)
    ahead = won.ahead.estimate() if for_points and won.ahead.count > 1 else None
    return Proof(bout, won.games, wins, 1 / sides, ahead, learned)
