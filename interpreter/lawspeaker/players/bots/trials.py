"""Tries options in playouts over determinizations of a view, inside the compiled machine.

The module itself deals what the seat cannot see anew for each playout; each option is tried with
the same seed in the same determinization, and results are summed. If a module cannot deal them,
determinizations are made outside, and each is used for several playouts.

Playouts without memory may be delegated to another back end with equal results: see
`try_out_with`.
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
"""Maximum playouts of an option per determinization made outside, which is as slow as many
playouts.
"""

SHORTER, SHORTEST = 64, 8
"""Playout lengths after cut-offs: if most playouts fault, because random games exceed the round
limit, they are repeated with so many replies and count by points or progress; then halved
down to a limit.
"""

_LEAST = 1e-4
"""Lower bound of probabilities, so that logarithms are finite."""


class Explorer(Protocol):
    """Protocol for playout back ends; raises `NoMachine` on failure."""

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
"""Factory of playout back ends by program, players and number of playouts; None if not worth it."""

_explorers: Explorers | None = None


def try_out_with(explorers: Explorers | None) -> None:
    """Installs a factory of playout back ends, supplied by the I/O layer."""
    global _explorers  # noqa: PLW0603
    _explorers = explorers


@dataclass(slots=True)
class OptionTrial:
    """Playout statistics of one option.

    Counts playouts, those that `ended` the game, victories, those whose points were `counted`,
    and sums of leads, of points, and of value estimates at cut-offs.
    """

    option: int
    playouts: int = 0
    ended: int = 0
    wins: float = 0.0
    counted: int = 0
    ahead: float = 0.0
    points: float = 0.0
    expected: float = 0.0
    liked: float = 0.0
    """Prior: logarithm of the policy's probability."""
    point: float = 0.0
    """Learned value of a lead of one point, if any."""
    lead: float = 1.0
    """Weight of the lead."""

    def add(self, found: Tried, layout: Layout, worth: int, *, expecting: bool = False) -> None:
        """Adds results. `worth`: value of a lead of one point or step of progress. `expecting`:
        cut-off playouts report value estimates and no points.
        """
        others = max(1, len(layout.sides) - 1)
        self.playouts += found.playouts
        self.ended += found.ended
        self.counted += found.ended if expecting else found.playouts
        self.wins += found.wins
        self.ahead += worth * (found.own - (found.total - found.own) / others)
        self.points += found.size / layout.players
        self.expected += found.expected


class Worlds:
    """Determinizations of a view, in which options are tried.

    `deep`: use a search tree. `habits`: use habits in playouts, starting from `practice`.
    `reach`: cut off after so many replies. `policy`: the policy, followed by everyone if
    `guided`. `turns`: cut off at the seat's n-th own turn (`SCORED`: the first after points were
    made; `LEAF`: anyone's first below the tree) and use the value estimate.
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
        self._explorer: Explorer | None = None  # the back end that holds this position
        self._deals = DEALS if gaps.open else 0
        self._outside = False
        try:
            self._instance.lay_out(gaps, view.asked)
            if not gaps.open:
                self._instance.imagine(0, 0)
        except CannotHold:
            self._outside = True

    def play(self, trials: list[OptionTrial], seed: int, rounds: int) -> int:
        """Tries each option in so many determinizations, or fewer if they are made outside.

        Returns the playouts per option, including repeated ones.
        """
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

    def _try_out(self, trials: list[OptionTrial], seed: int, rounds: int) -> int:
        """Tries each option so many times; returns the playouts that did not fault."""
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
        """Delegates playouts to another back end; empty if there is none."""
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
        """The option that a policy takes, in any determinization, as it depends only on the
        view.
        """
        self._instance.guide(policy.weights, 0, 1 << self.seat if policy.best else 0)
        self._imagine(seed)
        deals = 0 if self._outside else self._deals
        return self._instance.advise(self.seat, seed, deals=deals, discreet=self.view.discreet)

    def chances(self, policy: Policy, options: int) -> list[float]:
        """A policy's probability of each option."""
        self.advice(policy, 0)
        return self._instance.advised(options)

    def likings(self, policy: Policy, options: int) -> list[float]:
        """Log-probabilities of the options, sampled also for policies that take the best."""
        mixing = replace(policy, about=replace(policy.about, best=False))
        chances = self.chances(mixing, options)
        self._instance.guide(policy.weights, self._guides)
        return [log(max(chance, _LEAST)) for chance in chances]

    def _imagine(self, seed: int) -> None:
        """Loads a determinization made outside, if the module cannot deal."""
        if self._outside:
            self._instance.load(imagine(self.view, seed).state)
            self._instance.keep()
