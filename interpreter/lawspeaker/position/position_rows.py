"""Encodes recorded positions as rows of integers, for comparing with earlier positions.

Each place that counts has room for all pieces that can lie in it. A piece is encoded by its
appearance (kind and owner, from 1; 0 for an empty slot) and its states; in a heap, which has no
order, pieces are sorted. So indistinguishable pieces are equal. Markers follow the places.
`nothing` has a code of its own. Rows are exact, not hashes: equal rows mean equal positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lawspeaker import ir
from lawspeaker.position.layout import Layout
from lawspeaker.position.sizes import SizedBounds
from lawspeaker.position.state import State

NOTHING = ir.SMALLEST - 1
"""Code of `nothing`, below every number."""

Row = tuple[int, ...]


@dataclass(frozen=True)
class Recorded:
    """Encoder of one kind of recorded position."""

    layout: Layout
    number: int

    @cached_property
    def position(self) -> ir.Position:
        return self.layout.program.positions[self.number]

    @cached_property
    def bounds(self) -> SizedBounds:
        return SizedBounds(self.layout)

    @cached_property
    def size(self) -> int:
        """Length of a row."""
        places = self.layout.places_of
        return len(self.markers) + sum(
            len(places[each]) * self.capacity(each) * self.look(each)
            for each in self.position.families
        )

    def capacity(self, family: int) -> int:
        """Piece slots per place of a family."""
        return self.bounds.at_once(family)

    def look(self, family: int) -> int:
        """Integers per piece in a place of a family."""
        return 1 + len(self.layout.states[self.layout.program.families[family].holds])

    @cached_property
    def markers(self) -> tuple[int, ...]:
        """Positions of all marker entries that count."""
        return tuple(at for each in self.position.markers for at, _ in self.layout.entries(each))

    @cached_property
    def _begins(self) -> dict[int, int]:
        """Offset of each place in a row."""
        begins: dict[int, int] = {}
        at = 0
        for family in self.position.families:
            for place in self.layout.places_of[family]:
                begins[place] = at
                at += self.capacity(family) * self.look(family)
        return begins

    @cached_property
    def _changing(self) -> bool:
        """Whether any piece that counts has states."""
        return any(self.look(family) > 1 for family in self.position.families)

    def row(self, state: State) -> Row:
        """Encodes the current position."""
        row = [0] * (self.size - len(self.markers))
        row += [_word(state.markers[at]) for at in self.markers]
        begins, alike, changing = self._begins, self.layout.alike, self._changing
        for place, held in state.contents.items():
            at = begins.get(place)
            if at is None:
                continue
            if len(held) == 1 and not changing:
                row[at] = alike[held[0]] + 1
                continue
            looks = [self._told(state, piece) for piece in held]
            if len(held) > 1 and self.layout.heap[place]:
                looks.sort()
            for look in looks:
                row[at : at + len(look)] = look
                at += len(look)
        return tuple(row)

    def _told(self, state: State, piece: int) -> Row:
        layout = self.layout
        states = layout.state_at[layout.piece_type[piece]]
        return layout.alike[piece] + 1, *(_word(state.states[at + piece]) for at in states)


def _word(value: Any) -> int:
    return NOTHING if value is None else int(value)
