"""Memory layout of the search tree, playout habits, and trial parameters.

A node stands for the sequence of replies that leads to it, and is found by their hash. It has a
visit count, an availability count, and the sum of rewards for the seat whose reply leads to it. The
capacity is fixed; a full tree grows no more.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.middle.forms import long_at, real_at, word

NODES = 1 << 17
SLOTS = 1 << 18
"""Slots of the hash table: twice the nodes, so that probing is short."""

KEY, VISITS, OFFERED, WORTH = 0, 8, 12, 16
NODE = 24
"""Bytes of a node."""

HABITS = 1 << 12
HABIT = 16
"""Bytes of a habit: how often a reply was given, and its sum of advantages."""
MOST_HELD = 1 << 11
"""The most replies of a playout that update habits."""

DEEPEST = 256
"""The depth limit of the tree; the playout policy gives further replies."""
NEXT_STEP = 8
"""Bytes of a step on the path: a node, and the seat that chose it."""

SEED, OPTIONS, FIRST, LAST, SEAT, DEEP, HABITUAL, REACH, DEALS, DISCREET, BUDGET, TURNS = (
    0,
    *range(8, 52, 4),
)
ORDER = 56
"""Bytes of the parameters of a search: seed, number of options, first and last playout, seat,
whether to use the tree, whether to use habits, the cut-off in replies, the most deals of a world
(0: there is only one), whether seats without a choice are asked, the step budget, and the turn of
the searching seat at which its value estimate replaces the rest (`SCORED`: the first one after
points were made; `LEAF`: the first turn of anyone outside the tree). The options follow."""
LEAF, SCORED = -1, -2

OPTION, TRIED, ENDED, WINS, OWN, TOTAL, SIZE, EXPECTED = 0, 4, 8, *range(16, 56, 8)
TRIAL = 56
"""Bytes of the statistics of an option: its number, the playouts, those that reached the end, the
victories, the points of its side, those of all, the absolute points, and the expected value of
playouts that were cut off."""

SHARE = 5040
"""Units of a victory, shared among the winning sides; up to ten share it evenly."""


class TreeRoom:
    """Addresses of the search. The memory before `end` is cleared for each decision. `flat`:
    allocates neither a tree nor habits."""

    def __init__(self, room: Callable[[int], int], players: int, *, flat: bool = False) -> None:
        grown = 0 if flat else 1
        self.slots = room(4 * SLOTS * grown)
        self.used = word(room(4))
        # Statistics of playouts: their number, points, and rewards by seat.
        self.count = real_at(room(8))
        self.points = real_at(room(8))
        self.squares = real_at(room(8))
        self.sums = room(8 * players)
        self.usual = room(8 * players)
        self.urge = real_at(room(8))
        self.habits = room(HABIT * HABITS * grown)
        self.end = room(0)
        self.nodes = room(NODE * (NODES + 1) * grown)
        # The current playout: its path in the tree, and the rewards by seat.
        self.way = room(NEXT_STEP * DEEPEST * grown)
        self.steps = word(room(4))
        self.path = long_at(room(8))
        self.joint = long_at(room(8))
        self.rewards = room(8 * players)
        # The habits used in it, and by whom.
        self.holding = room(NEXT_STEP * MOST_HELD * grown)
        self.held = word(room(4))
        # The parameters of the current playout.
        self.seat = word(room(4))
        self.deep = word(room(4))
        self.habitual = word(room(4))
        self.reach = word(room(4))
        self.forced = word(room(4))
        self.opening = word(room(4))
        self.leaving = word(room(4))
        self.guiding = word(room(4))
        # The remaining turns of the searching seat before its value estimate is taken; and after a
        # cut-off, one more than the seat whose estimate it is.
        self.turns = word(room(4))
        self.last_turn = word(room(4))
        self.judge = word(room(4))
        # A hash of all points before the playout.
        self.scores = long_at(room(8))
        # The seats asked first, a bit for each, and whether the question was another one.
        self.asked = long_at(room(8))
        self.elsewhere = word(room(4))
        self.current = word(room(4))
        # The current question, and the best answer so far.
        self.fresh = word(room(4))
        self.base = long_at(room(8))
        self.hope = real_at(room(8))
        self.ties = word(room(4))
        self.key = long_at(room(8))
        self.node = word(room(4))
        self.number = word(room(4))
