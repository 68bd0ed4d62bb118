"""Extensive-form game tree with information sets, in arrays.

Chance is a player. Nodes are numbered in breadth-first order, so the children of a node are
contiguous and follow it. A *choice* is an information set; each option of a choice has a *slot*,
its index in a strategy vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lawspeaker import ir
from lawspeaker.match.decision import Option
from lawspeaker.match.match import Match
from lawspeaker.match.perft import opening
from lawspeaker.match.view import View
from lawspeaker.players.solving.knowledge import information_set_hash
from lawspeaker.players.solving.payoffs import Payoffs
from lawspeaker.players.solving.size import NotSmall

MOST_NODES = 50_000
NOBODY = -1

Reals = np.ndarray[Any, np.dtype[np.float64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class InformationSet:
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
    choices: list[InformationSet]
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


class _Growing:
    """The nodes so far, level by level, each as an entry in every list."""

    def __init__(self, program: ir.Program, players: int, payoffs: Payoffs) -> None:
        self.players = players
        self.payoffs = payoffs
        self.waiting = [opening(program, players)]
        """The matches of the last level, whose nodes are not in the lists yet."""
        self.total = 1
        self.slots = 0
        self.choices: dict[str, tuple[int, InformationSet]] = {}
        self.levels: list[slice] = []
        self.seat: list[int] = []
        self.choice: list[int] = []
        self.parent, self.slot, self.odds = [NOBODY], [NOBODY], [1.0]
        self.pays: list[Sequence[float]] = []
        self.told_ends: list[Sequence[float]] = []
        self.children: list[range] = []

    def level(self) -> None:
        """Adds the waiting nodes; their children wait then."""
        first = self.total - len(self.waiting)
        self.levels.append(slice(first, self.total))
        below: list[Match] = []
        for node, match in enumerate(self.waiting, first):
            below += self.node(node, match, self.total + len(below))
        self.waiting = below
        self.total += len(below)

    def node(self, node: int, match: Match, first: int) -> list[Match]:
        """Adds a node whose children are numbered from `first`; returns their matches."""
        decision = match.decision
        if decision is None:
            self.pays.append(self.payoffs.of(match))
            self.told_ends.append(self.payoffs.told(match))
            options: Sequence[Option] = ()
        else:
            self.pays.append((0.0,) * self.players)
            self.told_ends.append((0.0,) * self.players)
            options = decision.options
        seat = None if decision is None else decision.seat
        number = at = NOBODY
        if seat is not None:
            number, at, options = self.asked(match, seat)
        self.seat.append(NOBODY if seat is None else seat)
        self.choice.append(number)
        self.children.append(range(first, first + len(options)))
        weight = sum(option.weight for option in options)
        after: list[Match] = []
        for place, option in enumerate(options):
            after.append(match.copy())
            after[-1].choose(option)
            self.parent.append(node)
            self.slot.append(NOBODY if number == NOBODY else at + place)
            self.odds.append(option.weight / weight)
        if options and first > MOST_NODES:
            raise NotSmall
        return after

    def asked(self, match: Match, seat: int) -> tuple[int, int, Sequence[Option]]:
        """Returns the information set of a decision, its first slot, and the options."""
        view = match.view(seat)
        assert view.decision is not None
        options = view.decision.options
        texts = tuple(option.text for option in options)
        told = information_set_hash(view, all_open=False)
        if told not in self.choices:
            self.choices[told] = (
                len(self.choices),
                InformationSet(told, seat, view, texts, self.slots),
            )
            self.slots += len(texts)
        number, found = self.choices[told]
        assert found.options == texts  # else the options would leak hidden information
        return number, found.first_slot, options


def game_tree(program: ir.Program, players: int, payoffs: Payoffs) -> Tree:
    """Builds the game tree. Raises NotSmall if it is too large."""
    growing = _Growing(program, players, payoffs)
    while growing.waiting:
        growing.level()
    return Tree(
        players,
        [made for _, made in growing.choices.values()],
        growing.levels,
        np.array(growing.seat),
        np.array(growing.choice),
        np.array(growing.parent),
        np.array(growing.slot),
        np.array(growing.odds),
        np.array(growing.pays),
        np.array(growing.told_ends),
        growing.children,
    )
