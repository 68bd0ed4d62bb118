"""How much a difference matters: paired games with it and without.

Game number i is played twice with the same seed and bots of the same luck, once by the first
telling and once with the difference. Up to the point where the difference shows, the two games
are the same, so what differs in the end is due to it. All measures are taken from the pairs:

    differs   the share of games in which anything asked, offered or scored is not the same
    outcome   the share of games that end with other scores
    winner    the share of games in which not the same players win
    score     the change of the mean score of a player
    length    the change of the number of decisions
    seats     for each seat, the change of its score and of its share of victories

Shares have Wilson's 95 % interval, changes Student's for paired differences. Each interval
stands for itself: among twenty of them, one is expected to miss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawspeaker.study.lab.exact_sums import Sums, mean
from lawspeaker.study.lab.games import Games, victory
from lawspeaker.study.lab.statistics import Estimate, Mean, share


@dataclass(frozen=True, slots=True)
class SeatEffect:
    name: str
    score: Estimate
    wins: Estimate


@dataclass(frozen=True, slots=True)
class Effect:
    """`broken` games, in which the rules have a hole, count only as differing; `holes` are the
    clauses that have them, each with why and in how many games, the most frequent first."""

    games: int
    broken: int
    holes: tuple[tuple[str, int], ...]
    differs: Estimate
    outcome: Estimate
    winner: Estimate
    score: Estimate
    length: Estimate
    seats: tuple[SeatEffect, ...]

    @property
    def detected(self) -> bool:
        """Whether any game came out otherwise at all."""
        return self.differs.value > 0

    @property
    def clear(self) -> tuple[str, ...]:
        """The measures whose intervals leave no room for `no change`."""
        found = [
            name
            for name, estimate in (("score", self.score), ("length", self.length))
            if is_clear(estimate)
        ]
        return (*found, *(seat.name for seat in self.seats if is_clear(seat.wins)))


def is_clear(estimate: Estimate) -> bool:
    """Whether 0 lies outside the interval."""
    return estimate.low > 0 or estimate.high < 0


@dataclass(frozen=True, slots=True)
class Pairs(Sums):
    """Sums over pairs of games; what is not told by its name is as in `Effect`."""

    games: int
    broken: int
    holes: Counter[str]
    differs: int
    outcome: int
    winner: int
    score: Mean
    length: Mean
    scores: tuple[Mean, ...]
    wins: tuple[Mean, ...]

    def effect(self, names: Sequence[str]) -> Effect:
        """What they say; `names` are those of the seats."""
        whole = self.games - self.broken
        seats = zip(names, self.scores, self.wins, strict=True)
        return Effect(
            self.games,
            self.broken,
            tuple(sorted(self.holes.items(), key=lambda hole: (-hole[1], hole[0]))),
            share(self.differs, self.games),
            share(self.outcome, whole),
            share(self.winner, whole),
            self.score.estimate(),
            self.length.estimate(),
            tuple(
                SeatEffect(name, score.estimate(), wins.estimate()) for name, score, wins in seats
            ),
        )


def pairs(without: Games, with_it: Games) -> Pairs:
    """The sums over games without a difference and with it, number by number."""
    assert np.array_equal(without.numbers, with_it.numbers)
    ended = without.ended & with_it.ended
    one, other = without[ended], with_it[ended]
    scores = other.scores - one.scores
    wins = other.victories() - one.victories()
    return Pairs(
        len(without),
        len(without) - len(one),
        _holes(without, with_it),
        int(np.count_nonzero(without.trail != with_it.trail)),
        int(np.count_nonzero((one.scores != other.scores).any(axis=1))),
        int(np.count_nonzero((one.winners != other.winners).any(axis=1))),
        mean(scores.sum(axis=1), one.players),
        mean(other.decisions - one.decisions),
        tuple(mean(seat) for seat in scores.T),
        tuple(mean(seat, victory(one.players)) for seat in wins.T),
    )


def _holes(without: Games, with_it: Games) -> Counter[str]:
    """In how many pairs each hole showed: once, where both games of a pair have the same."""
    found = {*without.faults, *with_it.faults}
    return Counter(fault for _, fault in found)
