"""In which manner one thinks best with what was learned: found out in matches. An edge.

Whether it is worth the time to let everyone in imagined matches play by what was learned, or to
break them off early for what is expected then, differs from game to game. So each manner takes a
seat against `mc` in all others, with as many tries as take the same time (see `pacing.py`); those
that win less are dropped by halves. Where there is not the time for some games of each, only those
take part that make the most tries. The best of many is so by luck, too. So the last one plays other
games, for as long as all of that took or longer, and only if it wins beyond doubt more than a fair
share of these it is used: else the manner is the `plain` one, which is what `mc` does. So it is
where games take so long that nothing could be shown: then none is played. How long they take is
known only of `mc` against itself. One who plays better ends a game sooner, and one who does not has
shown enough when it goes on and on: a game is broken off after a while, and counts for nobody.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from lawspeaker.match.match import Match
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.equipment import equip
from lawspeaker.outside.pacing import MOST, Paces, measured
from lawspeaker.outside.training import Course, Learned
from lawspeaker.players.bots import seat_seed
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from lawspeaker.players.bots.policies import MANNERS, PLAIN, lent, unpacked
from lawspeaker.position.fault import OutOfRoom, RuleFault
from lawspeaker.position.layout import layout_for
from lawspeaker.position.luck import combine, word_of
from lawspeaker.position.standing import share_of_victory
from lawspeaker.study.lab.statistics import Estimate, share

PACING, PROVING = 0.1, 0.5
"""The part of the time in which paces are measured, at most, and the one in which the last manner
proves itself, at least; between them all others are dropped."""
DEALS = 2
"""There must be time for so many with each manner that takes part."""
WANTED = ((300, 50), (40, 12))
"""So many games are to be played: for that a choice has fewer playouts of `mc` than usual, but no
fewer than so many, unless there would be time for few games only."""
FEWEST_GAMES = 8
"""Nobody proves himself in fewer: there is time for these, however long they take; on a machine
that has other work to do, even if it takes longer than was said."""
SOONER = 10
"""Games that would take so many times as long as there is time for are not tried."""


@dataclass(slots=True)
class Tally:
    """How one manner did: in how many games, and how many of them were won. `pace`: how many tries
    it makes in the time of one playout of `mc`. `content`: what was learned, with the manner, as it
    is given to who plays."""

    manner: str
    pace: float
    content: bytes
    games: int = 0
    victories: float = 0.0

    @property
    def share(self) -> float:
        return self.victories / max(1, self.games)


@dataclass(frozen=True, slots=True)
class Found:
    """What was learned, with the manner to think in and its pace, and what share the best one won
    of so many games of its own against `mc` with so many playouts for a choice, and as much time;
    none, if there was no time."""

    learned: Learned
    games: int = 0
    playouts: int = 0
    won: Estimate | None = None


def best_manner(learned: Learned, crew: Crew, seconds: float) -> Found:
    """Tries manners for about so long: all, if there is time for a deal each."""
    return _Trying(learned, crew).found(seconds)


class _Trying:
    def __init__(self, learned: Learned, crew: Crew) -> None:
        self.learned = learned
        self.crew = crew
        self.number = 0
        self.playouts = MOST
        self.patience = 0.0
        self.deals = -(-crew.hands // learned.course.players)
        """So many are played at once, that everyone has something to do."""

    def found(self, seconds: float) -> Found:
        began = time.monotonic()
        paces = measured(self.learned, seconds * PACING)
        for games, fewest in WANTED:
            room = seconds * self.crew.hands / games
            while self.playouts > fewest and paces.game(self.playouts) > room:
                self.playouts //= 2
        dropping = seconds * (1 - PACING - PROVING)
        deal = self.learned.course.players * paces.game(self.playouts) / self.crew.hands
        rivals = [
            Tally(manner, paces.pace(manner), paces.with_manner(self.learned, manner).content)
            for manner in _by_pace(paces)[: max(1, int(dropping / (DEALS * deal)))]
        ]
        proving = seconds * PROVING if len(rivals) > 1 else seconds * (1 - PACING)
        self.patience = proving * min(self.crew.hands, FEWEST_GAMES) / FEWEST_GAMES
        if paces.game(self.playouts) > self.patience * SOONER:
            return Found(paces.with_manner(self.learned, PLAIN))
        best = self._best_of(rivals, time.monotonic(), began + seconds * (1 - PROVING))
        last = replace(best, games=0, victories=0.0)
        while last.games < FEWEST_GAMES or time.monotonic() < began + seconds:
            self._play([last] * self.deals)
        won = share(last.victories, last.games)
        fair = 1 / len(self.learned.course.sides)
        if fair == 1:  # a team does better than one that thinks as `mc` does, or not
            plain = Tally(PLAIN, 1.0, paces.with_manner(self.learned, PLAIN).content)
            while plain.games < last.games:
                self._play([plain] * self.deals)
            fair = plain.share
        better = won.low > fair
        manner = last.manner if better else PLAIN
        return Found(paces.with_manner(self.learned, manner), last.games, self.playouts, won)

    def _best_of(self, rivals: list[Tally], start: float, end: float) -> Tally:
        """Deal after deal for all who are left. Their number is halved again and again as time
        goes by, so that there is one in the end. Of equals, as where all win always, those stay
        who make more tries: they have more of a longer time."""
        alive = rivals
        while len(alive) > 1:
            for at in range(0, len(alive), self.deals):
                self._play(alive[at : at + self.deals])
                if time.monotonic() >= end:
                    break
            left = min(1.0, max(0.0, (end - time.monotonic()) / max(1e-9, end - start)))
            # Who has not played, since there was no time, comes after who has lost.
            alive.sort(key=lambda each: (each.games > 0, each.share, each.pace), reverse=True)
            alive = alive[: max(1, int(len(rivals) ** left))]
        return alive[0]

    def _play(self, some: Sequence[Tally]) -> None:
        """The next deals, one for each of them, who plays it from every seat."""
        course = self.learned.course
        jobs, whose = [], []
        for each in some:
            for number in range(self.number, self.number + course.players):
                jobs.append((course, each.content, number, self.playouts, self.patience))
                whose.append(each)
            self.number += course.players
        for tally, victory in zip(whose, self.crew.spread(duel, jobs), strict=True):
            tally.games += 1
            tally.victories += victory


def _by_pace(paces: Paces) -> list[str]:
    """All manners but the plain one, those first that make the most tries in the same time."""
    return sorted(MANNERS.keys() - {PLAIN}, key=lambda each: (-paces.pace(each), each))


def duel(
    course: Course, content: bytes, number: int, playouts: int, patience: float = inf
) -> float:
    """Plays a game, in which one seat thinks by what was learned and all others as `mc` does, with
    the time of so many playouts for each choice; the share of the victory that the one has. Where
    all play together, all think so. A game that the rules break off, or that takes longer than so
    many seconds of the processor, is one that nobody won."""
    equip()
    policy, players = unpacked(content, "it"), course.players
    deal, own = divmod(number, players)
    layout = layout_for(course.program, players)
    together = len(layout.sides) == 1
    seed, until = combine(course.seed, word_of("trying")), time.process_time() + patience
    with lent(policy) as file:
        bots = [
            MonteCarloBot("mc", seat_seed(combine(seed, number), seat), Effort(playouts), theirs)
            for seat, theirs in enumerate(
                file if together or at == own else None for at in range(players)
            )
        ]
        try:
            match = Match(course.program, players, combine(seed, deal) >> 1)
            while (decision := match.decision) and time.process_time() < until:
                assert decision.seat is not None
                option = bots[decision.seat].choose(match.view(decision.seat))
                match.choose(option, seat=decision.seat)
            won = match.winners
        except (RuleFault, OutOfRoom):
            won = ()
    return share_of_victory(layout, won, own)
