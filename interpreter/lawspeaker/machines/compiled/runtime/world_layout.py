"""Memory layout for dealing worlds: a position with gaps, and the table to fill them.

The host writes the state as it would be in memory (`template`), and a table of 32-bit words: a
head, then pools, values, frame words that refer to dealt pieces, and places, as many of each as the
head says. `dealing.py` fills the gaps.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.position.layout import Layout

POOLS, VALUES, SPOKEN, PLACES, END, QUESTION, SEATS = range(0, 28, 4)
"""The head: the number of entries of each sort, the end of the frames, the expected question, and
the seats asked, a bit of 64 for each."""
HEAD = 32

POOL = 8
"""Bytes before the pieces of a pool: their number, and whether they are fixed."""
PLACE = 16
"""Bytes of a place: family, place, address of its dealt pieces, their number."""
VALUE = 20
"""Bytes of a value: its address for piece 0, the address of the dealt piece (0: none), the width,
the first value, and the number of values to choose from (0: none but the first)."""
SPEAKING = 8
"""Bytes of a reference: the address of the frame word, and that of the dealt piece."""

MOST_SPOKEN = 256


def question_number(clause: int, pc: int) -> int:
    """Returns the number of a question: its clause and operation."""
    return clause << 16 | pc


class WorldRoom:
    """Addresses of dealt pieces, and of the host's input (`tell`)."""

    def __init__(self, room: Callable[[int], int], layout: Layout) -> None:
        pieces, families = len(layout.piece_type), layout.program.families
        places = sum(
            len(layout.places_of[number])
            for number, family in enumerate(families)
            if family.seen_by != "everyone"
        )
        self.size = (
            HEAD
            + POOL * len(layout.program.pieces)
            + 4 * pieces
            + PLACE * places
            + VALUE * (len(layout.first_states) + len(layout.first_markers))
            + SPEAKING * MOST_SPOKEN
        )
        self.dealt = room(4 * pieces)
        self.luck = room(8)
        self.table = self.template = 0

    def tell(self, room: Callable[[int], int], most: int) -> None:
        """Allocates the host's input; `most`: the bytes of a position and its frames."""
        self.table = room(self.size)
        self.template = room(most)
