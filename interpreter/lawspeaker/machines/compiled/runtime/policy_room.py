"""Where a learned policy lies in memory: its weights, and what a game is learned from.

A feature is a number of `BITS` bits, made by mixing words for what an option says and what lies on
the table; two that fall together share a weight. Features of the table alone, for what is expected,
have fewer bits and weights of their own: those of options change by so much larger steps that what
shares one with them would be drowned. Features are kept as where their weight lies. The last two
weights are no feature's: how much of a victory nobody gets on average, and what a point counts that
one is ahead.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.middle.forms import long_at, real_at, word
from lawspeaker.position.layout import Layout

BITS, TABLE_BITS = 16, 15
WEIGHTS = (1 << BITS) + (1 << TABLE_BITS) + 2
WEIGHT, SQUARES = 0, 8
FEATURE = 16
"""The bytes of a feature: its weight, and the sum of the squares of all it was changed by."""
NOBODYS, POINT = FEATURE * (WEIGHTS - 2), FEATURE * (WEIGHTS - 1)
"""Where it lies among the weights what nobody gets, and what a point counts."""

CONTEXT = 40
"""So many words at most say what lies on the table."""
MEMBERS = 8
"""Of a set that is chosen, so many members count."""
MOST_OPTIONS = 1 << 14
"""Where there are more, any is taken."""

LOG = 1 << 24
ENTRY_SIZE, CHANCE, ENTRY = 0, 8, 16
"""The head of what is noted of an option: the bytes that it has in all, with which probability it
was chosen, and then its features."""
SEAT, OPTIONS, CHOSEN, BEFORE, LEAD, HEAD = 0, 4, 8, 12, 16, 24
"""The head of what is noted of a choice: whose it was, how many options there were and which was
chosen, where the choice before it is noted, and how many points the seat was ahead. An entry for
what was expected follows, then the options."""
MOST_BYTES = 8192
"""No entry has more."""


LARGEST_BOARD = 1024
"""Grids of no more places are written down before options are looked at."""


class PolicyRoom:
    def __init__(self, room: Callable[[int], int], layout: Layout) -> None:
        players = max(1, layout.players)
        self.weights = room(FEATURE * WEIGHTS)
        # What the host says: which seats play by the policy, a bit for each, which of them take the
        # best option instead of any by its probability, and whether choices are noted.
        self.seats = long_at(room(8))
        self.best = long_at(room(8))
        self.learning = word(room(4))
        # How large steps are, how strongly a policy is drawn to taking any option, what a victory
        # and being ahead are worth, how much what comes later counts for a choice, and about how
        # many choices of a game are learned from.
        self.rate = real_at(room(8))
        self.pull = real_at(room(8))
        self.victory = real_at(room(8))
        self.ahead = real_at(room(8))
        self.lasting = real_at(room(8))
        self.most = real_at(room(8))
        # What games came to so far, to tell by how many points one usually is ahead, and how much
        # nobody gets.
        self.games = real_at(room(8))
        self.nobodys = real_at(room(8))
        self.points = real_at(room(8))
        self.choices = real_at(room(8))
        # How many surprises there were so far, and the sum of their squares.
        self.surprises = real_at(room(8))
        self.unrest = real_at(room(8))
        self.results = room(8 * players)
        # Going back through a game: what each seat expected later, and how much better it came out.
        self.later = room(8 * players)
        self.gains = room(8 * players)
        # A choice for the host: whether one is wanted, and its number.
        self.advising = word(room(4))
        self.advice = word(room(4))
        # The question at hand, and the game so far.
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
    """How many words a board has with a margin all around; none, if it is no board."""
    size = len(layout.places_of[number])
    if not layout.program.families[number].grid or size > LARGEST_BOARD:
        return 0
    wide, high = (len(each) for each in layout.index_domains[number][-2:])
    return (wide + 2) * (high + 2) * (size // (wide * high)) if min(wide, high) > 1 else 0
