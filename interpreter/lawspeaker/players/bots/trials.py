"""Options tried out inside the compiled machine, in worlds that agree with what a seat sees.

What the seat cannot see is dealt anew from the view, again and again, inside the module; in each
such world every option is tried with the same luck, and what comes of it is added up. Where a
module cannot deal a world, one is imagined outside, and used for several tries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.images import CannotHold
from lawspeaker.machines.compiled.instance import EVERYONE, Tried
from lawspeaker.machines.compiled.unit import NEVER
from lawspeaker.match.determinization import DEALS, unseen
from lawspeaker.match.match import imagine
from lawspeaker.match.view import View
from lawspeaker.players.bots.policies import Policy
from lawspeaker.position.layout import Layout

IN_A_WORLD = 6
"""So many tries of an option in one world, at most, where the module cannot deal worlds itself:
to imagine one outside takes as long as many of them."""

_LEAST = 1e-4
"""What is less probable is as improbable as this."""


@dataclass(slots=True)
class Trial:
    """What came of one option so far: how often it was tried, how often to the end of the game, the
    victories, how far one was ahead of the others on average, the points that were made, and what
    was expected where a try broke off."""

    option: int
    playouts: int = 0
    ended: int = 0
    wins: float = 0.0
    ahead: float = 0.0
    points: float = 0.0
    expected: float = 0.0
    liked: float = 0.0
    """How much a policy likes it: the logarithm of its probability."""
    point: float = 0.0
    """What a point counts that one is ahead, where that was learned."""

    def add(self, found: Tried, layout: Layout) -> None:
        others = max(1, len(layout.sides) - 1)
        self.playouts += found.playouts
        self.ended += found.ended
        self.wins += found.wins
        worth = layout.program.goal.worth
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
        self._instance = playing_instance(view.program, view.layout.players, guided=learned)
        if policy is not None:
            self._instance.guide(policy.weights, self._guides)
        self._instance.forget()
        if practice:
            self._instance.accustom(practice)
        gaps = unseen(view)
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
        was imagined outside. Says how often."""
        if self._outside:
            rounds = min(rounds, IN_A_WORLD)
        self._imagine(seed)
        found = self._instance.explore(
            [trial.option for trial in trials],
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
            trial.add(each, self.view.layout)
        return rounds

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
