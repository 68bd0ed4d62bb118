"""Bots that play imagined matches to their end, inside the compiled machine.

What its seat cannot see is dealt anew from the view, again and again; in each such world every
option is tried, and what comes of it is added up. Options that do worse are dropped by halves as
the effort is spent, so that most of it goes to the best. All options meet the same worlds and the
same luck.

How the others go on tells the two bots apart. `mc` lets everyone take any option. `tree` remembers
what came of their replies, too, and lets everyone prefer those that did well for him: a tree of
replies grows where the playouts go (see `machines/compiled/search.py`). It sees a trap that random
players seldom walk into, and pays for it with playouts that resemble each other.

Rules that are too large for the compiled machine leave it nothing to look ahead with: then it
takes any option.

An option is worth the share of victories that follow it, and, since that is known only roughly,
also how far one is ahead then, as a part of the points that are made in the game at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2

from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.images import CannotHold
from lawspeaker.machines.compiled.instance import Tried
from lawspeaker.match.decision import Option
from lawspeaker.match.determinization import DEALS, unseen
from lawspeaker.match.match import imagine
from lawspeaker.match.view import View
from lawspeaker.players.bots.simple import options_of
from lawspeaker.position.fault import OutOfRoom, TooLargeToCompile
from lawspeaker.position.layout import Layout
from lawspeaker.position.luck import Luck

IN_A_WORLD = 6
"""So many playouts of an option in one world, at most, where the module cannot deal worlds itself:
to imagine one outside takes as long as many playouts."""
FASTER = 8
"""With a clock, the next call plays at most so many times as much as the last one."""


@dataclass(frozen=True, slots=True)
class Effort:
    """So many playouts for a choice; with a clock, at most so many seconds."""

    playouts: int
    seconds: float = 0.0
    clock: Callable[[], float] | None = None


class Spending:
    """How much of an effort is spent, as a part of it."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.part = 0.0
        self._playouts = 0
        self._began = 0.0 if effort.clock is None else effort.clock()
        self._next = 1.0

    def playouts(self, until: float) -> int:
        """How many playouts, as far as can be told, lead to a part of the effort. With a clock it
        is felt out first how long they take."""
        if self.effort.clock is None:
            return ceil(until * self.effort.playouts) - self._playouts
        return int(min(self._next, self._playouts / max(self.part, 1e-9) * (until - self.part)))

    def add(self, playouts: int) -> None:
        effort = self.effort
        self._playouts += playouts
        self._next = FASTER * playouts
        self.part = self._playouts / effort.playouts
        if effort.clock is not None:
            self.part = max(self.part, (effort.clock() - self._began) / effort.seconds)


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

    def add(self, found: Tried, layout: Layout) -> None:
        others = max(1, len(layout.sides) - 1)
        self.playouts += found.playouts
        self.wins += found.wins
        worth = layout.program.goal.worth
        self.ahead += worth * (found.own - (found.total - found.own) / others)
        self.points += found.size / layout.players


class Worlds:
    """One way after the other that the unseen may be, in which options are tried."""

    def __init__(self, view: View, deep: bool) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.deep = deep
        self._instance = playing_instance(view.program, view.layout.players)
        self._instance.forget()
        gaps = unseen(view)
        self._deals = DEALS if gaps.open else 0
        self.outside = False
        try:
            self._instance.lay_out(gaps, view.asked)
            if not gaps.open:
                self._instance.imagine(0, 0)
        except CannotHold:
            self.outside = True

    def play(self, trials: list[Trial], seed: int, rounds: int) -> None:
        """Tries each option so many times, each time in another world."""
        if self.outside:
            self._instance.load(imagine(self.view, seed).state)
            self._instance.keep()
        found = self._instance.explore(
            [trial.option for trial in trials],
            self.seat,
            seed,
            rounds,
            deep=self.deep,
            deals=0 if self.outside else self._deals,
            discreet=self.view.discreet,
        )
        for trial, each in zip(trials, found, strict=True):
            trial.add(each, self.view.layout)


class MonteCarloBot:
    def __init__(self, seed: int, effort: Effort, *, deep: bool = False) -> None:
        self.name = "tree" if deep else "mc"
        self.luck = Luck(seed).stream("monte carlo")
        self.effort = effort
        self.deep = deep

    def choose(self, view: View) -> Option:
        options = options_of(view)
        if len(options) == 1:
            return options[0]
        try:
            alive = self._tried(view, [Trial(number) for number in range(len(options))])
        except (TooLargeToCompile, OutOfRoom):
            return self.luck.choose(options)
        best = max(trial.worth for trial in alive)
        equals = [options[trial.option] for trial in alive if trial.worth == best]
        return self.luck.choose(equals)

    def _tried(self, view: View, alive: list[Trial]) -> list[Trial]:
        """The options that are left when the effort is spent."""
        spending, worlds = Spending(self.effort), Worlds(view, self.deep)
        halvings = ceil(log2(len(alive)))
        for halved in range(halvings):
            if halved:
                alive = sorted(alive, key=lambda trial: -trial.worth)[: (len(alive) + 1) // 2]
            until = (halved + 1) / halvings
            while spending.part < until:
                rounds = max(1, ceil(spending.playouts(until) / len(alive)))
                if worlds.outside:
                    rounds = min(rounds, IN_A_WORLD)
                worlds.play(alive, self.luck.word(), rounds)
                spending.add(rounds * len(alive))
        return alive
