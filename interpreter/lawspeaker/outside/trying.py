"""In which manner one thinks best with what was learned: found out in matches. An edge.

Whether it is worth the time to let everyone in imagined matches play by what was learned, or to
break them off early for what is expected then, differs from game to game. So each manner takes a
seat against `mc` in all others, with the same processor time for a choice; those that win less are
dropped by halves, and the last one plays other games, which tell how good it is. If it has not won
more than a fair share of all, the manner is the `plain` one, which is what `mc` does.

On the way it shows how many tries of each manner take as long as a playout of `mc`. So a bot can be
given as much effort as `mc` without a clock, and plays the same on every machine.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lawspeaker.machines.adapter import playing_instance
from lawspeaker.match.match import Match
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.modules import keep_modules
from lawspeaker.outside.training import Course, Learned
from lawspeaker.players.bots import MOST_PLAYOUTS, seat_seed
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from lawspeaker.players.bots.policies import FASTEST, MANNERS, PLAIN, lent, unpacked
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.luck import combine, word_of
from lawspeaker.study.lab.statistics import Estimate, share

PLAYOUTS, LONGEST, CHOICES = 200, 0.005, 8
"""A choice has the time of so many playouts of `mc`, but no more than so many seconds; it is
measured at so many choices, or fewer where that takes long."""
HALVINGS = 3
"""In so many parts of the time all but one are dropped; in one more the last proves itself."""
FEWEST_DEALS = 3
"""So many deals are played in each part, unless that takes twice as long."""


@dataclass(slots=True)
class Tally:
    """How somebody did: games and victories, and how many tries he made in how many seconds."""

    manner: str
    games: int = 0
    victories: float = 0.0
    tries: int = 0
    seconds: float = 0.0

    @property
    def share(self) -> float:
        return self.victories / max(1, self.games)

    @property
    def speed(self) -> float:
        return max(1, self.tries) / max(1e-6, self.seconds)

    def join(self, other: Tally) -> None:
        self.games += other.games
        self.victories += other.victories
        self.tries += other.tries
        self.seconds += other.seconds


@dataclass(frozen=True, slots=True)
class Found:
    """The manner that did best, how many tries it makes in the time of a playout, and what share it
    won of so many games of its own against `mc` with the same time."""

    manner: str
    pace: float
    won: Estimate
    games: int


def best_manner(learned: Learned, crew: Crew, seconds: float) -> Found:
    """Tries all manners for about so long: a deal each at least."""
    return _Trying(learned, crew).found(seconds)


class _Trying:
    def __init__(self, learned: Learned, crew: Crew) -> None:
        self.learned = learned
        self.crew = crew
        self.rivals = Tally(PLAIN)
        self.number = 0
        self.each = choice_time(learned.course)

    def found(self, seconds: float) -> Found:
        alive = [Tally(manner) for manner in MANNERS if manner != PLAIN]
        began, part = time.monotonic(), seconds / (HALVINGS + 1)
        for halved in range(HALVINGS):
            self._deals(alive, began + part * (halved + 1))
            alive.sort(key=lambda each: each.share, reverse=True)
            alive = alive[: (len(alive) + 1) // 2 if halved < HALVINGS - 1 else 1]
        best, last = alive[0], Tally(alive[0].manner)
        self._deals([last], began + seconds)
        won = share(last.victories, last.games)
        best.join(last)
        if best.share <= 1 / len(self.learned.course.sides):
            return Found(PLAIN, 1.0, won, last.games)
        pace = min(FASTEST, best.speed / self.rivals.speed)
        return Found(best.manner, pace, won, last.games)

    def _deals(self, alive: Sequence[Tally], until: float) -> None:
        """Deal after deal, each played from every seat of everyone who is left."""
        course, start, deals = self.learned.course, time.monotonic(), 0
        contents = [replace(self.learned, manner=each.manner).content for each in alive]
        while True:
            began = time.monotonic()
            numbers = range(self.number, self.number + course.players)
            self.number += course.players
            jobs = [(course, each, at, self.each) for each in contents for at in numbers]
            whose = [each for each in alive for _ in numbers]
            for tally, (own, rivals) in zip(whose, self.crew.spread(duel, jobs), strict=True):
                tally.join(own)
                self.rivals.join(rivals)
            now, deals = time.monotonic(), deals + 1
            beyond = now + (now - began) / 2 > until
            if beyond and (deals >= FEWEST_DEALS or now - start > 2 * (until - start)):
                return


def duel(course: Course, content: bytes, number: int, seconds: float) -> tuple[Tally, Tally]:
    """Plays a game, in which one seat thinks by what was learned and all others as `mc` does, so
    long for each choice. One that the rules break off counts as a fair share."""
    keep_modules()
    policy, players = unpacked(content, "it"), course.players
    deal, own = divmod(number, players)
    seed = combine(course.seed, word_of("trying"))
    effort, spent = Effort(MOST_PLAYOUTS, seconds, time.process_time), [0.0] * players
    for guided in (False, True):  # to compile is no thinking
        playing_instance(course.program, players, guided=guided)
    with lent(policy) as file:
        bots = [
            MonteCarloBot("mc", seat_seed(combine(seed, number), seat), effort, theirs)
            for seat, theirs in enumerate(file if at == own else None for at in range(players))
        ]
        try:
            match = Match(course.program, players, combine(seed, deal) >> 1)
            while decision := match.decision:
                assert decision.seat is not None
                view, began = match.view(decision.seat), time.process_time()
                option = bots[decision.seat].choose(view)
                spent[decision.seat] += time.process_time() - began
                match.choose(option, seat=decision.seat)
            won = match.winners
        except RuleFault:
            won = ()
    # Where nobody has won, all have their part.
    won = won or tuple(range(players))
    manner, victory = policy.about.manner, (own in won) / len(won)
    tries = sum(each.tries for each in bots) - bots[own].tries
    return (
        Tally(manner, 1, victory, bots[own].tries, spent[own]),
        Tally(PLAIN, 1, 1 - victory, tries, sum(spent) - spent[own]),
    )


def choice_time(course: Course) -> float:
    """How many seconds a choice may take: as long as so many playouts, early in a game."""
    keep_modules()
    playing_instance(course.program, course.players)  # to compile it is no thinking
    match = Match(course.program, course.players, course.seed)
    bot, spent = MonteCarloBot("mc", 1, Effort(PLAYOUTS)), 0.0
    while bot.choices < CHOICES and spent < CHOICES * LONGEST and (decision := match.decision):
        assert decision.seat is not None
        view, before = match.view(decision.seat), bot.choices
        began = time.process_time()
        option = bot.choose(view)
        if bot.choices > before:
            spent += time.process_time() - began
        match.choose(option, seat=decision.seat)
    return min(LONGEST, spent / max(1, bot.choices)) or LONGEST
