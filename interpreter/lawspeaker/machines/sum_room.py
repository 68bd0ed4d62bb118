"""Where games are added up inside a module, and which word is which sum; see `sums`."""

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
"""With more, the parts of a victory would be too large."""
LENGTHS = 2048
"""A game has fewer decisions than this."""
LOWEST, SCORES = -512, 2048
"""The lowest score that fits, and the number of scores that do."""
LIMIT = 1 << 17
"""The largest number that is squared. How far some players are ahead of others on average, in parts
of a victory, is never larger where all scores fit."""
MOST_GAMES = 1 << 28
"""So many games may be added before the sums are read: 28 bits and twice 17 fit."""
AT_ONCE = 1 << 16
"""The most games of one call: each of them may be one that does not fit."""
LONG = 8


class Summed(Protocol):
    """What the sums of a module depend on; its memory plan knows all of it."""

    program: ir.Program
    layout: Layout
    purpose: Purpose
    clause_count: int
    choosable: AllChoosable


def can_sum(plan: Summed) -> bool:
    return plan.purpose.watching and plan.layout.players <= MOST_PLAYERS


def whole(players: int) -> int:
    """A victory, in parts that any number of winners can share evenly."""
    return lcm(*range(1, players + 1))


def words(plan: Summed) -> dict[str, slice]:
    """The indices of the sums of each name. There is one word for each clause, thing that can be
    chosen, measure, seat, length or score."""
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
    """`totals`: the sums, in words of 64 bits. `odd`: how many games of a call do not fit, and
    their numbers. On a GPU they lie outside of the module."""

    def __init__(self, room: Callable[[int], int], plan: Summed) -> None:
        self.words = words(plan)
        self.bytes = LONG * max(each.stop for each in self.words.values())
        inside = plan.purpose.summing
        self.totals = room(self.bytes) if inside else 0
        self.odd = room(4 + 4 * AT_ONCE) if inside else 0
