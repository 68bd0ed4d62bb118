"""Options tried out inside the compiled machine, in worlds that agree with what a seat sees.

What the seat cannot see is dealt anew from the view, again and again, inside the module; in each
such world every option is tried with the same luck, and what comes of it is added up. Where a
module cannot deal a world, one is imagined outside, and used for several tries.

Where nothing is remembered from one try to the next, somebody else may make them, with the same
outcome: see `try_out_with`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Protocol

from lawspeaker import ir
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.host.images import CannotHold
from lawspeaker.machines.compiled.host.instance import EVERYONE, Instance, Tried
from lawspeaker.machines.compiled.runtime.unit import NEVER
from lawspeaker.machines.purpose import Purpose
from lawspeaker.match.determinization import DEALS, unseen
from lawspeaker.match.match import imagine
from lawspeaker.match.view import View
from lawspeaker.players.bots.policies import Policy
from lawspeaker.position.fault import NoMachine
from lawspeaker.position.layout import Layout
from lawspeaker.position.unseen import Unseen

IN_A_WORLD = 6
"""So many tries of an option in one world, at most, where the module cannot deal worlds itself:
to imagine one outside takes as long as many of them."""

SHORTER, SHORTEST = 64, 8
"""Where most tries end in a fault, since random games do not end within the rounds that there may
be, they are made again and break off after so many replies, and count by their points or progress;
where most of these end so, too, sooner."""

_LEAST = 1e-4
"""What is less probable is as improbable as this."""


class Explorer(Protocol):
    """Who can try options out as an `Instance` does. Raises `NoMachine` where it gives up."""

    def lay_out(self, unseen: Unseen, seats: tuple[int, ...]) -> None: ...

    def explore(
        self,
        instance: Instance,
        options: Sequence[int],
        seat: int,
        seed: int,
        rounds: int,
        *,
        reach: int,
        deals: int,
        discreet: bool,
    ) -> list[Tried]: ...


Explorers = Callable[[ir.Program, int, int], Explorer | None]
"""Who makes so many tries in a game of so many players, if anybody is at hand."""

_explorers: Explorers | None = None


def try_out_with(explorers: Explorers | None) -> None:
    """From here on these are asked first when options are to be tried out; the edges say who."""
    global _explorers  # noqa: PLW0603
    _explorers = explorers


@dataclass(slots=True)
class Trial:
    """What came of one option so far: how often it was tried, how often to the end of the game, the
    victories, how often points were `counted` and how far one was ahead of the others then on
    average, the points that were made, and what was expected where a try broke off."""

    option: int
    playouts: int = 0
    ended: int = 0
    wins: float = 0.0
    counted: int = 0
    ahead: float = 0.0
    points: float = 0.0
    expected: float = 0.0
    liked: float = 0.0
    """How much a policy likes it: the logarithm of its probability."""
    point: float = 0.0
    """What a point counts that one is ahead, where that was learned."""
    lead: float = 1.0
    """So many times it counts to be ahead."""

    def add(self, found: Tried, layout: Layout, worth: int, *, expecting: bool = False) -> None:
        """`worth`: what it is worth to be ahead by one point, or by one step of progress.
        `expecting`: of tries that broke off it is told what was expected, and no points."""
        others = max(1, len(layout.sides) - 1)
        self.playouts += found.playouts
        self.ended += found.ended
        self.counted += found.ended if expecting else found.playouts
        self.wins += found.wins
        self.ahead += worth * (found.own - (found.total - found.own) / others)
        self.points += found.size / layout.players
        self.expected += found.expected


class Worlds:
    """One way after the other that the unseen may be, in which options are tried.

    `deep`: with a tree of replies. `habits`: players have habits, and `practice`: those which they
    have from the beginning. `reach`: a try breaks off after so many replies. `policy`: what was
    learned, and `guided`: everyone plays by it. `turns`: a try breaks off when the seat is asked
    for so many times more (`SCORED`: for the first time after points were made; `LEAF`: when anyone
    is asked behind the tree); what was learned to be expected counts.
    """

    def __init__(
        self,
        view: View,
        *,
        deep: bool = False,
        habits: bool = False,
        practice: bytes = b"",
        reach: int = NEVER,
        policy: Policy | None = None,
        guided: bool = True,
        turns: int = 0,
    ) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.deep = deep
        self.habits = habits
        self.reach = reach
        self.turns = turns
        self._guides = EVERYONE if guided else 0
        learned = policy is not None
        purpose = Purpose(guided=learned)
        self._instance = playing_instance(view.program, view.layout.players, purpose)
        if policy is not None:
            self._instance.guide(policy.weights, self._guides)
        self._instance.forget()
        if practice:
            self._instance.accustom(practice)
        gaps = self._gaps = unseen(view)
        self._plain = not (deep or habits or learned)
        self._explorer: Explorer | None = None  # for whom it is laid out
        self._deals = DEALS if gaps.open else 0
        self._outside = False
        try:
            self._instance.lay_out(gaps, view.asked)
            if not gaps.open:
                self._instance.imagine(0, 0)
        except CannotHold:
            self._outside = True

    def play(self, trials: list[Trial], seed: int, rounds: int) -> int:
        """Tries each option so many times, each time in another world; or less often, in one that
        was imagined outside. Says how often, with those that had to be made again."""
        if self._outside:
            rounds = min(rounds, IN_A_WORLD)
        self._imagine(seed)
        played, informative = 0, False
        while not informative:
            finished = self._try_out(trials, seed, rounds)
            played += rounds
            informative = self.reach <= SHORTEST or 2 * finished >= rounds * len(trials)
            if not informative:
                self.reach = SHORTER if self.reach > SHORTER else self.reach // 2
        return played

    def _try_out(self, trials: list[Trial], seed: int, rounds: int) -> int:
        """Tries each option so many times, and says how many tries did not end in a fault."""
        options, layout = [trial.option for trial in trials], self.view.layout
        found = self._explored(options, seed, rounds) or self._instance.explore(
            options,
            self.seat,
            seed,
            rounds,
            deep=self.deep,
            habits=self.habits,
            reach=self.reach,
            turns=self.turns,
            deals=0 if self._outside else self._deals,
            discreet=self.view.discreet,
        )
        for trial, each in zip(trials, found, strict=True):
            trial.add(each, layout, self._instance.lead_worth, expecting=bool(self.turns))
        return sum(each.playouts for each in found)

    def _explored(self, options: list[int], seed: int, rounds: int) -> list[Tried]:
        """What somebody else finds out, if anybody does."""
        if _explorers is None or not self._plain or self._outside:
            return []
        layout = self.view.layout
        explorer = _explorers(self.view.program, layout.players, rounds * len(options))
        if explorer is None:
            return []
        try:
            if explorer is not self._explorer:
                explorer.lay_out(self._gaps, self.view.asked)
                self._explorer = explorer
            return explorer.explore(
                self._instance,
                options,
                self.seat,
                seed,
                rounds,
                reach=self.reach,
                deals=self._deals,
                discreet=self.view.discreet,
            )
        except (CannotHold, NoMachine):
            return []

    def advice(self, policy: Policy, seed: int) -> int:
        """Which option a policy takes, in any of the worlds: it looks only at what the seat sees.
        What comes of it is nobody's interest."""
        self._instance.guide(policy.weights, 0, 1 << self.seat if policy.best else 0)
        self._imagine(seed)
        deals = 0 if self._outside else self._deals
        return self._instance.advise(self.seat, seed, deals=deals, discreet=self.view.discreet)

    def chances(self, policy: Policy, options: int) -> list[float]:
        """With which probability a policy takes each of so many options."""
        self.advice(policy, 0)
        return self._instance.advised(options)

    def likings(self, policy: Policy, options: int) -> list[float]:
        """The logarithms of these probabilities, mixed also where the policy takes the best."""
        mixing = replace(policy, about=replace(policy.about, best=False))
        chances = self.chances(mixing, options)
        self._instance.guide(policy.weights, self._guides)
        return [log(max(chance, _LEAST)) for chance in chances]

    def _imagine(self, seed: int) -> None:
        """Where the module cannot deal worlds, one is put into it."""
        if self._outside:
            self._instance.load(imagine(self.view, seed).state)
            self._instance.keep()
