"""In which manner one thinks best with what was learned: found out in matches. An edge.

Whether it is worth the time to let everyone in imagined matches play by what was learned, or to
break them off early for what is expected then, differs from game to game. So each manner takes a
seat against `mc` in all others, with as many tries as take the same time (see `pacing.py`); those
that win less are dropped by halves. The best of many is so by luck, too. So the last one plays
other games, for as long as all of that took, and only if it wins beyond doubt more than a fair
share of these it is used: else the manner is the `plain` one, which is what `mc` does.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, log2

from lawspeaker.match.match import Match
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.modules import keep_modules
from lawspeaker.outside.pacing import MOST, measured
from lawspeaker.outside.training import Course, Learned
from lawspeaker.players.bots import seat_seed
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from lawspeaker.players.bots.policies import MANNERS, PLAIN, lent, unpacked
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.luck import combine, word_of
from lawspeaker.study.lab.statistics import Estimate, share

PACING, PROVING = 0.1, 0.5
"""The part of the time in which paces are measured, and the one in which the last manner proves
itself; between them all others are dropped."""
GAMES, FEWEST_PLAYOUTS = 300, 50
"""So many games are to be played: for that a choice has fewer playouts of `mc` than usual, but no
fewer than so many."""
FEWEST_DEALS = 2
"""So many deals are played in each part, unless that takes twice as long."""


@dataclass(slots=True)
class Tally:
    """How one manner did: with its pace, in how many games, and how many of them were won."""

    manner: str
    pace: float
    start: float
    games: int = 0
    victories: float = 0.0

    @property
    def share(self) -> float:
        return self.victories / max(1, self.games)


@dataclass(frozen=True, slots=True)
class Found:
    """The manner to think in, its pace, and what share the best one won of so many games of its own
    against `mc` with the same time."""

    manner: str
    pace: float
    start: float
    won: Estimate
    games: int


def best_manner(learned: Learned, crew: Crew, seconds: float) -> Found:
    """Tries all manners for about so long: a deal each at least."""
    return _Trying(learned, crew).found(seconds)


class _Trying:
    def __init__(self, learned: Learned, crew: Crew) -> None:
        self.learned = learned
        self.crew = crew
        self.number = 0
        self.playouts = MOST

    def found(self, seconds: float) -> Found:
        began = time.monotonic()
        paces = measured(self.learned, seconds * PACING)
        room = seconds * self.crew.hands / GAMES
        while self.playouts > FEWEST_PLAYOUTS and paces.game(self.playouts) > room:
            self.playouts //= 2
        alive = [
            Tally(manner, paces.pace(manner), paces.start(manner))
            for manner in MANNERS
            if manner != PLAIN
        ]
        halvings = ceil(log2(len(alive)))
        part = (1 - PACING - PROVING) / halvings
        for halved in range(halvings):
            self._deals(alive, began + seconds * (PACING + part * (halved + 1)))
            alive.sort(key=lambda each: each.share, reverse=True)
            alive = alive[: (len(alive) + 1) // 2]
        last = replace(alive[0], games=0, victories=0.0)
        self._deals([last], began + seconds)
        won = share(last.victories, last.games)
        if won.low <= 1 / len(self.learned.course.sides):
            return Found(PLAIN, 1.0, 0.0, won, last.games)
        return Found(last.manner, last.pace, last.start, won, last.games)

    def _deals(self, alive: Sequence[Tally], until: float) -> None:
        """Deal after deal, each played from every seat of everyone who is left."""
        course, start, deals = self.learned.course, time.monotonic(), 0
        contents = [
            replace(self.learned, manner=each.manner, pace=each.pace, start=each.start).content
            for each in alive
        ]
        while True:
            began = time.monotonic()
            numbers = range(self.number, self.number + course.players)
            self.number += course.players
            jobs = [(course, each, at, self.playouts) for each in contents for at in numbers]
            whose = [each for each in alive for _ in numbers]
            for tally, victory in zip(whose, self.crew.spread(duel, jobs), strict=True):
                tally.games += 1
                tally.victories += victory
            now, deals = time.monotonic(), deals + 1
            beyond = now + (now - began) / 2 > until
            if beyond and (deals >= FEWEST_DEALS or now - start > 2 * (until - start)):
                return


def duel(course: Course, content: bytes, number: int, playouts: int) -> float:
    """Plays a game, in which one seat thinks by what was learned and all others as `mc` does, with
    the time of so many playouts for each choice; the share of the victory that the one has. One
    that the rules break off counts as a fair share."""
    keep_modules()
    policy, players = unpacked(content, "it"), course.players
    deal, own = divmod(number, players)
    seed = combine(course.seed, word_of("trying"))
    with lent(policy) as file:
        bots = [
            MonteCarloBot("mc", seat_seed(combine(seed, number), seat), Effort(playouts), theirs)
            for seat, theirs in enumerate(file if at == own else None for at in range(players))
        ]
        try:
            match = Match(course.program, players, combine(seed, deal) >> 1)
            while decision := match.decision:
                assert decision.seat is not None
                option = bots[decision.seat].choose(match.view(decision.seat))
                match.choose(option, seat=decision.seat)
            won = match.winners
        except RuleFault:
            won = ()
    # Where nobody has won, all have their part.
    won = won or tuple(range(players))
    return (own in won) / len(won)
