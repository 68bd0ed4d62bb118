"""Memory layout of a learned policy: weights, hyperparameters, and the log of a game.

A feature is a hash of `BITS` bits; colliding features share a weight. Features of the table alone,
for the value estimate, have fewer bits and weights of their own: option weights change by so much
larger steps that they would drown a shared one. Features are stored as the offset of their weight.
The last two weights belong to no feature: the average share of a victory that nobody gets, and the
value of a point of lead.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.middle.forms import long_at, real_at, word
from lawspeaker.position.layout import Layout

BITS, TABLE_BITS = 16, 15
WEIGHTS = (1 << BITS) + (1 << TABLE_BITS) + 2
WEIGHT, SQUARES = 0, 8
FEATURE = 16
"""Bytes of a feature: its weight, and the sum of the squares of its updates."""
NOBODYS, POINT = FEATURE * (WEIGHTS - 2), FEATURE * (WEIGHTS - 1)
"""Offsets of the two extra weights: the share that nobody gets, and the value of a point."""

CONTEXT = 40
"""The most words for the table."""
MEMBERS = 8
"""The most members of a chosen set that have features."""
MOST_OPTIONS = 1 << 14
"""With more options, the choice is uniform."""

LOG = 1 << 24
ENTRY_SIZE, CHANCE, ENTRY = 0, 8, 16
"""Head of a logged option: its size in bytes, its probability, and then its features."""
SEAT, OPTIONS, CHOSEN, BEFORE, LEAD, HEAD = 0, 4, 8, 12, 16, 24
"""Head of a logged choice: seat, number of options, the chosen one, address of the previous choice,
and the seat's lead. An entry for the value estimate follows, then the options."""
MOST_BYTES = 8192
"""The greatest size of an entry."""


LARGEST_BOARD = 1024
"""The words of grids with at most so many places are precomputed per question."""


class PolicyRoom:
    """Addresses of a learned policy."""

    def __init__(self, room: Callable[[int], int], layout: Layout) -> None:
        players = max(1, layout.players)
        self.weights = room(FEATURE * WEIGHTS)
        # Set by the host: the seats that play by the policy, a bit for each, those that play
        # greedily, and whether choices are logged.
        self.seats = long_at(room(8))
        self.best = long_at(room(8))
        self.learning = word(room(4))
        # Hyperparameters, see `Learning`.
        self.rate = real_at(room(8))
        self.pull = real_at(room(8))
        self.victory = real_at(room(8))
        self.ahead = real_at(room(8))
        self.lasting = real_at(room(8))
        self.most = real_at(room(8))
        # Running sums of results: for the usual lead in points, and the share that nobody gets.
        self.games = real_at(room(8))
        self.nobodys = real_at(room(8))
        self.points = real_at(room(8))
        self.choices = real_at(room(8))
        # The number of surprises so far, and the sum of their squares.
        self.surprises = real_at(room(8))
        self.unrest = real_at(room(8))
        self.results = room(8 * players)
        # For the backward pass: each seat's later estimate, and its decayed surprise.
        self.later = room(8 * players)
        self.gains = room(8 * players)
        # Advice for the host: whether it is wanted, and the option.
        self.advising = word(room(4))
        self.advice = word(room(4))
        # The current question, and the log of the game.
        self.context = room(4 * (1 + CONTEXT))
        self.boards = {
            number: room(4 * words)
            for number in range(len(layout.program.families))
            if (words := _board(layout, number))
        }
        self.holdings = room(4 * players)
        self.sorts = room(4 * (1 + max(layout.alike, default=0)))
        self.worths = room(8 * MOST_OPTIONS)
        self.noted = word(room(4))
        self.last = word(room(4))
        self.log = room(LOG)
        self.log_end = self.log + LOG
        self.scratch = room(2 * MOST_BYTES)


def _board(layout: Layout, number: int) -> int:
    """Returns the words of a board with a margin all around; 0 if it is no board."""
    size = len(layout.places_of[number])
    if not layout.program.families[number].grid or size > LARGEST_BOARD:
        return 0
    wide, high = (len(each) for each in layout.index_domains[number][-2:])
    return (wide + 2) * (high + 2) * (size // (wide * high)) if min(wide, high) > 1 else 0
