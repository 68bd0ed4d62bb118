"""All that can happen in a small game, and what its seats can tell apart.

Luck is asked like a player. Nodes are numbered level by level, so the children of a node lie side
by side and behind it. A *choice* is all nodes at which a seat knows the same (an information set);
each option of a choice has a *slot*, the place of its probability in a strategy.
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
    """What a seat knows, its view at the first node at which it does, and its options."""

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
    """By node: the seat that is asked (`NOBODY`: luck, or the end), the number of its choice, its
    parent, the slot that leads to it, and the odds where luck does."""

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
    """By choice, how many options it has."""
    owners: Numbers = field(init=False)
    """By slot, the seat that decides."""
    even: Reals = field(init=False)
    """The strategy of those who take any option."""

    def __post_init__(self) -> None:
        self.counts = np.array([len(each.options) for each in self.choices])
        self.owners = np.repeat([each.seat for each in self.choices], self.counts)
        self.even = np.repeat(1 / self.counts, self.counts)

    @property
    def slots(self) -> int:
        return len(self.even)

    def normal(self, weights: Reals) -> Reals:
        """Weights as probabilities, choice by choice; where all are 0, any option is as good."""
        starts = np.cumsum(self.counts) - self.counts
        totals = np.repeat(np.add.reduceat(weights, starts), self.counts)
        some = totals > 0
        return np.where(some, weights / np.where(some, totals, 1.0), self.even)

    def expected(self, strategy: Reals, worths: Reals | None = None) -> Reals:
        """What each seat may expect at each node, if all play by a strategy. `worths`: by node and
        seat, what ends are worth, if not what they pay."""
        found = (self.payoffs if worths is None else worths).copy()
        chances = self.chances(strategy)
        for level in reversed(self.levels[1:]):
            np.add.at(found, self.parent[level], chances[level, None] * found[level])
        return found

    def chances(self, strategy: Reals) -> Reals:
        """The probability of each node, once its parent is reached."""
        led = self.slot >= 0
        return np.where(led, strategy[np.where(led, self.slot, 0)], self.odds)

    def reaches(self, strategy: Reals) -> Reals:
        """By node, what each seat, and behind the seats luck, does to bring it about."""
        found = np.ones((len(self.seat), self.players + 1))
        chances = self.chances(strategy)
        for level in self.levels[1:]:
            parents = self.parent[level]
            found[level] = found[parents]
            who = self.seat[parents]  # luck is the last column
            found[np.arange(level.start, level.stop), who] *= chances[level]
        return found


def grown(program: ir.Program, players: int, payoffs: Payoffs) -> Tree:
    """Raises NotSmall for a game that has too large a tree."""
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
                assert found.options == texts  # else what is offered would tell a secret
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
