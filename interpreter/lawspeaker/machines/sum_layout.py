"""Layout of the accumulators in which a module adds up games; the code is in `sums`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lawspeaker import ir
    from lawspeaker.machines.lower.choosable import AllChoosable
    from lawspeaker.machines.purpose import Purpose
    from lawspeaker.position.layout import Layout

MOST_PLAYERS = 6
"""With more players, the least common multiple of shares in a victory would be too large."""
LENGTHS = 2048
"""Exclusive bound on the number of decisions of a game that is summed."""
LOWEST, SCORES = -512, 2048
"""The lowest score that is summed, and the number of different scores."""
LIMIT = 1 << 17
"""The largest number that is squared. The average lead of some players over others, in fractions of
a victory, never exceeds it where all scores fit."""
MOST_GAMES = 1 << 28
"""The most games to add before the sums are read: 28 bits and twice 17 bits fit into a word."""
AT_ONCE = 1 << 16
"""The most games of one call: the list of excluded games has an entry for each."""
LONG = 8


class Summed(Protocol):
    """Protocol for the facts that determine the accumulators; the memory plan of a module has
    them."""

    program: ir.Program
    layout: Layout
    purpose: Purpose
    clause_count: int
    choosable: AllChoosable


def can_sum(plan: Summed) -> bool:
    return plan.purpose.watching and plan.layout.players <= MOST_PLAYERS


def whole(players: int) -> int:
    """Returns a victory in units that any number of winners can share evenly."""
    return lcm(*range(1, players + 1))


def words(plan: Summed) -> dict[str, slice]:
    """Returns the word indices of each named sum. There is one word per clause, choosable thing,
    measure, seat, length or score."""
    players, clauses, things = plan.layout.players, plan.clause_count, plan.choosable.size
    measures = len(plan.program.measures)
    sizes = {
        "games": 1,
        "wins": players,
        "order": players,
        "started": 1,
        "margin": 2,
        "ties": 1,
        "draws": 1,
        "leads": 2,
        "options": 1,
        "fired": clauses,
        "points": clauses,
        "points_squared": clauses,
        "points_given": clauses,
        "times": things,
        "choosers": things,
        "compared": things,
        "ahead": things,
        "ahead_squared": things,
        "more": things,
        "more_squared": things,
        "measures": measures,
        "measures_squared": measures,
        "lengths": LENGTHS,
        "scores": SCORES * players,
    }
    ends = accumulate(sizes.values())
    return {
        name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)
    }


class SumRoom:
    """Addresses of the accumulators. `totals`: the sums, in words of 64 bits. `odd`: the number of
    games of a call that do not fit, then their numbers. On a GPU both lie outside of the module."""

    def __init__(self, room: Callable[[int], int], plan: Summed) -> None:
        self.words = words(plan)
        self.bytes = LONG * max(each.stop for each in self.words.values())
        inside = plan.purpose.summing
        self.totals = room(self.bytes) if inside else 0
        self.odd = room(4 + 4 * AT_ONCE) if inside else 0
