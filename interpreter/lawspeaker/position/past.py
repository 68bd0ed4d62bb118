"""Positions as they were: what counts in them, written down as a row of numbers.

For each place that counts there is room for all pieces that can lie in it. A piece is told by what
it looks like (its kind and its owner, counted from 1; 0 where none lies) and its states, in a heap
the lower ones first, since it has no order; so two pieces that nobody can tell apart are the same.
After the places come the markers. `nothing` is a number of its own. Two positions are equal if
their rows are: nothing is left out and nothing is boiled down.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.types import SMALLEST
from lawspeaker.position.layout import Layout
from lawspeaker.position.sizes import SizedBounds
from lawspeaker.position.state import State

NOTHING = SMALLEST - 1
"""What stands for `nothing`: no number is as small."""

Row = tuple[int, ...]


@dataclass(frozen=True)
class Recorded:
    """A position of a program for a number of players."""

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
        """How many numbers a row has."""
        places = self.layout.places_of
        return len(self.markers) + sum(
            len(places[each]) * self.capacity(each) * self.look(each)
            for each in self.position.families
        )

    def capacity(self, family: int) -> int:
        """For how many pieces there is room in a row for each place of a family."""
        return self.bounds.at_once(family)

    def look(self, family: int) -> int:
        """With how many numbers a piece is told that lies in a place of a family."""
        return 1 + len(self.layout.states[self.layout.program.families[family].holds])

    @cached_property
    def markers(self) -> tuple[int, ...]:
        """The numbers of all that its markers show."""
        return tuple(at for each in self.position.markers for at, _ in self.layout.entries(each))

    @cached_property
    def _begins(self) -> dict[int, int]:
        """Where in a row what lies in each place begins."""
        begins: dict[int, int] = {}
        at = 0
        for family in self.position.families:
            for place in self.layout.places_of[family]:
                begins[place] = at
                at += self.capacity(family) * self.look(family)
        return begins

    @cached_property
    def _changing(self) -> bool:
        """Whether anything can change about a piece that counts."""
        return any(self.look(family) > 1 for family in self.position.families)

    def row(self, state: State) -> Row:
        """The position as it is now."""
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
