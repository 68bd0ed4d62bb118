"""Encodes a view as a fixed-length vector of integers.

In this order:

    the clause that asks this seat, counted from 1 (0: it is not asked)
    for each seat, counted from the own one: its score, whether it is asked, whether it is this one
    for each marker and seat: its value, or UNKNOWN
    for each kind of piece (of each owner), the places of those that are seen, lowest first,
        counted from 1; the rest are 0: not seen
    the states of those pieces in the same order, or UNKNOWN
    for each place that is not on a grid, how many hidden pieces lie in it

Indistinguishable pieces are sorted, so hidden information cannot leak through their order.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.written import Text

UNKNOWN = -(2**31)

Numbers = NDArray[np.int32]


class Observer:
    """Encodes views of one game for a fixed number of players."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        families = layout.program.families
        self._counted = [
            place for place, family in enumerate(layout.place_family) if not families[family].grid
        ]
        self._first: dict[int, int] = {}
        for piece, look in enumerate(layout.alike):
            self._first.setdefault(look, piece)
        self._pieces = len(layout.alike)
        self.length = (
            1
            + 3 * layout.players
            + len(layout.first_markers)
            + self._pieces
            + len(layout.first_states)
            + len(self._counted)
        )

    def numbers(self, view: View) -> Numbers:
        values = [0 if view.decision is None else view.decision.clause.index + 1]
        values += self._seats(view)
        values += [UNKNOWN if each is None else number(each[0]) for each in view.markers]
        values += self._pieces_and_states(view)
        hidden = Counter(
            {place: sum(1 for piece in held if piece < 0) for place, held in view.contents.items()}
        )
        values += [hidden[place] for place in self._counted]
        return np.array(values, dtype=np.int32)

    def _seats(self, view: View) -> list[int]:
        players = self.layout.players
        own = view.seat or 0
        values = []
        for step in range(players):
            seat = (own + step) % players
            values += [view.points[seat], int(seat in view.asked), int(step == 0)]
        return values

    def _pieces_and_states(self, view: View) -> list[int]:
        layout = self.layout
        seen: dict[int, list[tuple[int, list[int]]]] = {}
        for place, held in view.contents.items():
            for piece in held:
                if piece >= 0:
                    states = [number(each) for each in view.states.get(piece, ())]
                    seen.setdefault(layout.alike[piece], []).append((place + 1, states))
        places = [0] * self._pieces
        values = [UNKNOWN] * len(layout.first_states)
        for look, found in seen.items():
            first = self._first[look]
            offsets = layout.state_at[layout.piece_type[first]]
            for at, (place, states) in enumerate(sorted(found), first):
                places[at] = place
                for offset, state in zip(offsets, states, strict=False):
                    values[offset + at] = state
        return places + values


def number(value: Value) -> int:
    """Encodes one value; `nothing` and texts that are not in the rules are UNKNOWN."""
    return UNKNOWN if value is None or isinstance(value, Text) else int(value)
