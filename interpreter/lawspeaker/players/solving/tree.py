"""Extensive-form game tree with information sets, in arrays.

Chance is a player. Nodes are numbered in breadth-first order, so the children of a node are
contiguous and follow it. A *choice* is an information set; each option of a choice has a *slot*,
its index in a strategy vector.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lawspeaker import ir
from lawspeaker.match.match import Match
from lawspeaker.match.perft import opening
from lawspeaker.match.view import View
from lawspeaker.players.solving.knowledge import known
from lawspeaker.players.solving.payoffs import Payoffs
from lawspeaker.players.solving.size import NotSmall

MOST_NODES = 50_000
NOBODY = -1

Reals = np.ndarray[Any, np.dtype[np.float64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Choice:
    """Information set: key, seat, the view at its first node, and its options."""

    known: str
    seat: int
    view: View
    options: tuple[str, ...]
    first_slot: int

    @property
    def slots(self) -> slice:
        return slice(self.first_slot, self.first_slot + len(self.options))


@dataclass(slots=True)
class Tree:
    """Node arrays: seat to move (`NOBODY`: chance or the end), choice, parent, slot of the
    incoming edge, and its odds if chance moves.
    """

    players: int
    choices: list[Choice]
    levels: list[slice]
    seat: Numbers
    choice: Numbers
    parent: Numbers
    slot: Numbers
    odds: Reals
    payoffs: Reals
    told: Reals
    children: list[range] = field(repr=False)
    counts: Numbers = field(init=False)
    """Number of options by choice."""
    owners: Numbers = field(init=False)
    """Seat to move by slot."""
    even: Reals = field(init=False)
    """The uniform strategy."""

    def __post_init__(self) -> None:
        self.counts = np.array([len(each.options) for each in self.choices])
        self.owners = np.repeat([each.seat for each in self.choices], self.counts)
        self.even = np.repeat(1 / self.counts, self.counts)

    @property
    def slots(self) -> int:
        return len(self.even)

    def normal(self, weights: Reals) -> Reals:
        """Normalises weights to probabilities per choice; uniform where all are 0."""
        starts = np.cumsum(self.counts) - self.counts
        totals = np.repeat(np.add.reduceat(weights, starts), self.counts)
        some = totals > 0
        return np.where(some, weights / np.where(some, totals, 1.0), self.even)

    def expected(self, strategy: Reals, worths: Reals | None = None) -> Reals:
        """Expected utility of each seat at each node under a strategy.

        `worths` replaces the utilities of leaves, by node and seat.
        """
        found = (self.payoffs if worths is None else worths).copy()
        chances = self.chances(strategy)
        for level in reversed(self.levels[1:]):
            np.add.at(found, self.parent[level], chances[level, None] * found[level])
        return found

    def chances(self, strategy: Reals) -> Reals:
        """Probability of each node given its parent."""
        led = self.slot >= 0
        return np.where(led, strategy[np.where(led, self.slot, 0)], self.odds)

    def reaches(self, strategy: Reals) -> Reals:
        """By node, each seat's contribution to the reach probability; chance is the last column."""
        found = np.ones((len(self.seat), self.players + 1))
        chances = self.chances(strategy)
        for level in self.levels[1:]:
            parents = self.parent[level]
            found[level] = found[parents]
            who = self.seat[parents]  # chance is the last column
            found[np.arange(level.start, level.stop), who] *= chances[level]
        return found


def grown(program: ir.Program, players: int, payoffs: Payoffs) -> Tree:
    """Builds the game tree. Raises NotSmall if it is too large."""
    choices: dict[str, tuple[int, Choice]] = {}
    waiting: list[Match] = [opening(program, players)]
    seat, choice, parent, slot, odds = [], [], [NOBODY], [NOBODY], [1.0]
    pays, told_ends, children = [], [], []
    levels, slots, total = [], 0, 1
    nothing = (0.0,) * players
    while waiting:
        levels.append(slice(total - len(waiting), total))
        next_level: list[Match] = []
        for node, match in enumerate(waiting, total - len(waiting)):
            first = total + len(next_level)
            decision = match.decision
            if decision is None:
                seat.append(NOBODY)
                choice.append(NOBODY)
                pays.append(payoffs.of(match))
                told_ends.append(payoffs.told(match))
                children.append(range(0))
                continue
            pays.append(nothing)
            told_ends.append(nothing)
            options, number, at = decision.options, NOBODY, NOBODY
            if decision.seat is not None:
                view = match.view(decision.seat)
                assert view.decision is not None
                options = view.decision.options
                texts = tuple(option.text for option in options)
                told = known(view, all_open=False)
                if told not in choices:
                    choices[told] = len(choices), Choice(told, decision.seat, view, texts, slots)
                    slots += len(texts)
                number, found = choices[told]
                assert found.options == texts  # else the options would leak hidden information
                at = found.first_slot
            seat.append(NOBODY if decision.seat is None else decision.seat)
            choice.append(number)
            weight = sum(option.weight for option in options)
            for place, option in enumerate(options):
                after = match.copy()
                after.choose(option)
                next_level.append(after)
                parent.append(node)
                slot.append(NOBODY if number == NOBODY else at + place)
                odds.append(option.weight / weight)
            children.append(range(first, first + len(options)))
            if first > MOST_NODES:
                raise NotSmall
        waiting = next_level
        total += len(waiting)
    return Tree(
        players,
        [made for _, made in choices.values()],
        levels,
        np.array(seat),
        np.array(choice),
        np.array(parent),
        np.array(slot),
        np.array(odds),
        np.array(pays),
        np.array(told_ends),
        children,
    )
