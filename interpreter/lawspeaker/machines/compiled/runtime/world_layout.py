"""Where worlds lie in memory: a state with gaps, and what they are to be filled with.

The host writes the state as it would lie in memory (`template`), and a table of 32-bit words: a
head, then pools, values, words of frames that speak of dealt pieces, and places, as many of each
as the head says. `dealing.py` fills the gaps.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.position.layout import Layout

POOLS, VALUES, SPOKEN, PLACES, END, QUESTION, SEATS = range(0, 28, 4)
"""The head: how many of each there are, where the frames end, which question has to be asked, and
whom, a bit of 64 for each seat."""
HEAD = 32

POOL = 8
"""The bytes before the pieces of a pool: how many they are, and whether they are settled."""
PLACE = 16
"""Family, place, where its dealt pieces lie, how many."""
VALUE = 20
"""Where the value of piece 0 lies, where the piece that was dealt does (0: none), the width, the
first value, and out of how many from there one is chosen (0: none but the first)."""
SPEAKING = 8
"""Where the word of a frame lies, and where the piece that was dealt."""

MOST_SPOKEN = 256


def question_number(clause: int, pc: int) -> int:
    """The number of a question: its clause, and the operation that asks it."""
    return clause << 16 | pc


class WorldRoom:
    """Addresses: of what is dealt, and of what the host tells (`tell`)."""

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
        """Takes room for what the host tells; `most`: the bytes of a situation and its frames."""
        self.table = room(self.size)
        self.template = room(most)
