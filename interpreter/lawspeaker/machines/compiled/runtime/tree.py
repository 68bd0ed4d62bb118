"""Where the tree of a search lies in memory.

A node stands for the replies that lead to it, and is found by a word made of them. It knows how
often it was gone through, how often it could have been, and what came of it for the seat whose
reply leads to it. There is room for so many nodes; when it is full the tree grows no more.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.middle.forms import long_at, real_at, word

NODES = 1 << 17
SLOTS = 1 << 18
"""Twice as many slots as nodes, so that a search for a free one is short."""

KEY, VISITS, OFFERED, WORTH = 0, 8, 12, 16
NODE = 24
"""The bytes of a node."""

HABITS = 1 << 12
HABIT = 16
"""The bytes of a habit: how often a reply was given, and how much better it did than is usual."""
MOST_HELD = 1 << 11
"""Of so many replies of a playout it is noted how they turned out."""

DEEPEST = 256
"""A tree is not deeper; further replies are left to luck."""
NEXT_STEP = 8
"""The bytes of a step on the way down: a node, and the seat that chose it."""

SEED, OPTIONS, FIRST, LAST, SEAT, DEEP, HABITUAL, REACH, DEALS, DISCREET, BUDGET, TURNS = (
    0,
    *range(8, 52, 4),
)
ORDER = 56
"""The bytes of what is to be tried: with which luck, how many options, from which playout to which,
for whom, whether with a tree, whether players have habits, after how many replies it is enough, how
often a world may be dealt (0: there is only one), whether those are asked who have nothing to
choose, how many steps may be taken, and the how manyeth turn of the one who searches is left to
what he expects by then (`SCORED`: the first one after points were made; `LEAF`: the first turn of
anyone behind the tree). The options follow."""
LEAF, SCORED = -1, -2

OPTION, TRIED, ENDED, WINS, OWN, TOTAL, SIZE, EXPECTED = 0, 4, 8, *range(16, 56, 8)
TRIAL = 56
"""The bytes of what is noted about an option that is tried: its number, how often it was, how often
to the end of the game, the victories, the points of its side, those of all, how many were made
at all, signs left out, and what was expected where a playout broke off."""

SHARE = 5040
"""A victory is counted as so much, shared among the sides that win; up to ten share it evenly."""


class TreeRoom:
    """Where everything is. What lies before `end` is cleared for each decision. `flat`: there is
    neither a tree nor any habit, and no room for them."""

    def __init__(self, room: Callable[[int], int], players: int, *, flat: bool = False) -> None:
        grown = 0 if flat else 1
        self.slots = room(4 * SLOTS * grown)
        self.used = word(room(4))
        # What playouts came to so far: how many there were, points, and by seat.
        self.count = real_at(room(8))
        self.points = real_at(room(8))
        self.squares = real_at(room(8))
        self.sums = room(8 * players)
        self.usual = room(8 * players)
        self.urge = real_at(room(8))
        self.habits = room(HABIT * HABITS * grown)
        self.end = room(0)
        self.nodes = room(NODE * (NODES + 1) * grown)
        # The playout at hand: its way through the tree, and what it came to by seat.
        self.way = room(NEXT_STEP * DEEPEST * grown)
        self.steps = word(room(4))
        self.path = long_at(room(8))
        self.joint = long_at(room(8))
        self.rewards = room(8 * players)
        # The habits that were followed in it, and by whom.
        self.holding = room(NEXT_STEP * MOST_HELD * grown)
        self.held = word(room(4))
        # What is tried, and for whom.
        self.seat = word(room(4))
        self.deep = word(room(4))
        self.habitual = word(room(4))
        self.reach = word(room(4))
        self.forced = word(room(4))
        self.opening = word(room(4))
        self.leaving = word(room(4))
        self.guiding = word(room(4))
        # How many more turns the one who searches has before it is told what is expected; and of
        # a playout that has broken off, one more than the seat that tells it.
        self.turns = word(room(4))
        self.last_turn = word(room(4))
        self.judge = word(room(4))
        # A word for the points that all had before the playout.
        self.scores = long_at(room(8))
        # Who was asked first, a bit for each seat, and whether it was something else.
        self.asked = long_at(room(8))
        self.elsewhere = word(room(4))
        self.current = word(room(4))
        # The question at hand, and the best answer so far.
        self.fresh = word(room(4))
        self.base = long_at(room(8))
        self.hope = real_at(room(8))
        self.ties = word(room(4))
        self.key = long_at(room(8))
        self.node = word(room(4))
        self.number = word(room(4))
