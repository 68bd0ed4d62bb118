"""What a card is given, as plain data: whoever drives one needs nothing else of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

COPIES, ODD = 64, 4096
"""How many copies of its sums there are, and how many games are noted that do not fit into them."""
NONE = 0xFFFFFFFF
"""What a thread plays that plays nothing."""
WHOLE, SLICES, TURNS, TRIALS = "whole", "slices", "turns", "trials"
"""What a program is for, see `card`."""
SUMMED = 6
"""How many words are found out about an option: how often it was tried, how often to the end of the
game, the victories, the points of its side, those of all, how many were made at all."""
SHARED = 227 << 10
"""How many bytes the threads of a block share at the most on a large card."""
FREELY, IN_STEP, MEETING_UP = 0, 1, 2
"""How the threads of a block go: each for itself; beginning their games together; or waiting for
each other in long loops, too."""
GOES_ON, IS_OVER, STOPPED = 0, 1, 2
"""How a turn at a table ended."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """What a card needs for a game: the text of the program, the bytes that all threads read, how
    many bytes a thread has for itself, the words of a record, how many threads a block has best and
    how many games are best under way on a multiprocessor, whether calls go deep, what it is for,
    and how many bytes a game takes that is put aside. For turns: how many words a seat sees,
    and how many an option has."""

    source: str
    tables: bytes
    own: int
    words: int
    block: int
    under_way: int
    deep: bool
    use: str = WHOLE
    slot: int = 0
    players: int = 0
    seen: int = 0
    width: int = 0
    pieces_at: int = 0
    """Where in what a seat sees the places of pieces begin."""
    looks: tuple[int, ...] = ()
    """By piece, the number of its looks, as it is told in a row."""
    like: tuple[tuple[int, ...], ...] = ()
    """By seat, for each of these looks the one that the same piece would have if everyone sat so
    many seats further back: so that one's own come first, whoever one is."""
    places: int = 0
    told: tuple[int, int] = (0, 0)
    """Where in the tables a situation lies from which options are tried out, and where it lies how
    its gaps may be filled."""
    near: int = 0
    """How many bytes of each game lie in the memory that a block shares."""
    ways: tuple[int, ...] = (FREELY,)
    """How its threads can go; which is quickest depends on the game, and on the card."""
    sums: Mapping[str, slice] = field(default_factory=dict)
    """Which words of its sums tell what (`sums`); none: it cannot add up."""

    @property
    def said(self) -> int:
        """How many words are said of a table: who is asked, how many options there are, how the
        last turn ended, and of a game that is over the scores, and who won."""
        return 3 + 2 * self.players
