"""Memory layout of a remembered position: numbers for its pieces, then a word for each marker.

All numbers for pieces have the same width, the smallest that fits: a board of eight by eight with a
state is 128 bytes and not 512. The lowest number of that width encodes `nothing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from struct import Struct

from lawspeaker.position.position_rows import NOTHING, Row

_FORMATS = {1: "b", 2: "h", 4: "i"}
_WORD, _LONG = 4, 8
_LARGEST_FILTER = 512


@dataclass(frozen=True)
class PastRows:
    """`numbers` for the pieces, of `width` bytes each, and `markers` words; up to `most` rows."""

    width: int
    numbers: int
    markers: int
    most: int

    @property
    def filter(self) -> int:
        """The bytes of the filter over hashes: eight bits for each position, up to a limit."""
        return max(_LONG, min(_LARGEST_FILTER, 1 << (self.most - 1).bit_length()))

    @property
    def nothing(self) -> int:
        """The code of `nothing` among the numbers for pieces."""
        return -(1 << 8 * self.width - 1)

    @property
    def first_marker(self) -> int:
        """The offset of the first marker."""
        return -(-self.numbers * self.width // _WORD) * _WORD

    @property
    def size(self) -> int:
        """The bytes of a row; a multiple of 8, so that rows can be compared by words of 64 bits."""
        return -(-(self.first_marker + _WORD * self.markers) // _LONG) * _LONG

    @cached_property
    def _struct(self) -> Struct:
        padding = self.first_marker - self.numbers * self.width
        return Struct(f"<{self.numbers}{_FORMATS[self.width]}{padding}x{self.markers}i")

    def write(self, content: bytearray, at: int, row: Row) -> None:
        pieces, markers = row[: self.numbers], row[self.numbers :]
        if self.width < _WORD:
            pieces = tuple(self.nothing if each == NOTHING else each for each in pieces)
        self._struct.pack_into(content, at, *pieces, *markers)

    def read(self, content: bytearray, at: int) -> Row:
        row = self._struct.unpack_from(content, at)
        if self.width == _WORD:
            return row
        pieces = (NOTHING if each == self.nothing else each for each in row[: self.numbers])
        return (*pieces, *row[self.numbers :])
