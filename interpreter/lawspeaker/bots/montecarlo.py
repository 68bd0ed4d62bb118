"""A bot that plays imagined matches to their end, inside the compiled machine.

What its seat cannot see is dealt anew from the view again and again; in each such world every
option is tried, everybody goes on at random, and what comes of it is added up. Options that do
worse are dropped by halves as the effort is spent, so that most of it goes to the best. All options
meet the same worlds and the same luck.

An option is worth the share of victories that follow it, and, since that is known only roughly,
also how far one is ahead then, as a part of the points that are made in the game at all.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import ceil, log2

from lawspeaker.bots.simple import options_of
from lawspeaker.compiled import playing_instance
from lawspeaker.decision import Option
from lawspeaker.fault import RuleFault
from lawspeaker.luck import Luck, Stream
from lawspeaker.match import Match, Reply, imagine
from lawspeaker.view import View
from lawspeaker.wasm import Instance

AT_ONCE = 6
"""So many playouts of an option in one world before the next is imagined."""


@dataclass(frozen=True, slots=True)
class Effort:
    """So many playouts for a choice; with a clock, at most so many seconds."""

    playouts: int
    seconds: float = 0.0
    clock: Callable[[], float] | None = None


@dataclass(slots=True)
class Trial:
    """What came of one option so far."""

    option: int
    playouts: int = 0
    wins: float = 0.0
    ahead: float = 0.0
    points: float = 0.0

    @property
    def worth(self) -> float:
        if not self.playouts:
            return 0.0
        # Points count by their usual size, so that no game needs to say how many are many.
        return (self.wins + self.ahead / (1 + self.points / self.playouts)) / self.playouts


class World:
    """One way the unseen may be, ready to be played out."""

    def __init__(self, view: View, seed: int, instance: Instance) -> None:
        assert view.seat is not None
        self.seat = view.seat
        self.instance = instance
        self.match: Match = imagine(view, seed)
        self.seed = seed
        self.offered = {
            each.seat: [option.reply for option in each.options]
            for each in self.match.decisions
            if each.seat is not None
        }
        self.together = self.match.asked(self.seat).kind == "together"
        instance.load(self.match.state)
        instance.keep()

    def play(self, trial: Trial, first: int, count: int) -> None:
        """Adds to a trial what comes of so many playouts."""
        if not self.together:
            self._play(trial, self.offered[self.seat][trial.option], first, count)
            return
        luck = Stream(self.seed + first)
        for number in range(first, first + count):
            # Some of those asked may have had nothing to choose: that is settled.
            given = dict(self.match.state.secret)
            given |= {seat: luck.choose(offered) for seat, offered in self.offered.items()}
            given[self.seat] = self.offered[self.seat][trial.option]
            self._play(trial, given, number, 1)

    def _play(self, trial: Trial, given: Reply | dict[int, Reply], first: int, count: int) -> None:
        instance, seat = self.instance, self.seat
        instance.write_reply(self.match.state, given)
        found = instance.playouts(self.seed, first, count, answered=True)
        own = found.scores[seat]
        players = len(found.scores)
        trial.playouts += count
        trial.wins += found.wins[seat]
        trial.ahead += own - (sum(found.scores) - own) / max(1, players - 1)
        trial.points += sum(map(abs, found.scores)) / players


class MonteCarloBot:
    name = "mc"

    def __init__(self, seed: int, effort: Effort) -> None:
        self.luck = Luck(seed).stream("monte carlo")
        self.effort = effort

    def choose(self, view: View) -> Option:
        options = options_of(view)
        if len(options) == 1:
            return options[0]
        instance = playing_instance(view.program, view.layout.players)
        clock = self.effort.clock
        began = clock() if clock is not None else 0.0
        alive = [Trial(number) for number in range(len(options))]
        halvings, halved, used = ceil(log2(len(options))), 0, 0
        spent = 0.0
        while spent < 1:
            world = World(view, self.luck.word(), instance)
            for trial in alive:
                # Rules with a hole are for the table to stumble over, not for a bot.
                with suppress(RuleFault):
                    world.play(trial, 0, AT_ONCE)
                used += AT_ONCE
            spent = used / self.effort.playouts
            if clock is not None:
                spent = max(spent, (clock() - began) / self.effort.seconds)
            while halved < halvings - 1 and spent * halvings >= halved + 1 and len(alive) > 2:
                alive = sorted(alive, key=lambda trial: -trial.worth)[: (len(alive) + 1) // 2]
                halved += 1
        best = max(trial.worth for trial in alive)
        equals = [options[trial.option] for trial in alive if trial.worth == best]
        return self.luck.choose(equals)
