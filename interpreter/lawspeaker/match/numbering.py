"""Renumbers pieces per viewer, so that numbers reveal no hidden identity.

Internally every piece has a number of its own, also among indistinguishable ones: it would reveal
which of two aces was laid down an hour ago. So nobody sees these numbers. Of the pieces that look
the same (`Layout.looks`), the first that a seat sees, in the order of places, gets the first of
their numbers, the next one the next. In unordered places their states decide the order, and then
whether the game refers to them. Exchanging two equal pieces then leaves every view unchanged.

`Numbering.increasing` means that equal pieces have the same order by both numbers: then lists
ordered by piece keep their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from lawspeaker.machines.reference.slot_pieces import Shape, shape_of
from lawspeaker.position.layout import Layout
from lawspeaker.position.state import State


class Numbering:
    """The numbering of pieces for a seat (None: a spectator)."""

    def __init__(
        self,
        layout: Layout,
        state: State,
        seat: int | None,
        spoken: Mapping[int, int],
        of_all: NumbersOfAll | None = None,
    ) -> None:
        self.layout = layout
        self.told: dict[int, int] = {}
        self.held: dict[int, tuple[int, ...]] = {}
        """Contents of visible places, in these numbers."""
        self.increasing = True
        if of_all is None:
            self._count(state, seat, spoken, sorted(state.contents))
        else:
            self.told, self.held = of_all.told.copy(), of_all.held.copy()
            self.increasing = of_all.increasing
            self._count(state, seat, spoken, of_all.others)

    def _count(
        self, state: State, seat: int | None, spoken: Mapping[int, int], places: Sequence[int]
    ) -> None:
        """Numbers the contents of some places that include all pieces of their looks, or none."""
        layout, told = self.layout, self.told
        sight, looks = layout.sight(seat), layout.looks
        following: dict[int, int] = {}
        last: dict[int, int] = {}
        for place in places:
            held = identifiable(layout, state, place, sight)
            if not held:
                continue
            ordered = in_order(layout, state, place, held, spoken)
            first = looks[held[0]]
            if ordered is held and layout.heap[place] and looks[held[-1]] == first:
                # Heaps are sorted by number, so all of these look the same.
                number = following.get(first, first)
                following[first] = number + len(held)
                alike = tuple(range(number, number + len(held)))
                told.update(zip(held, alike, strict=True))
                if last.get(first, -1) >= held[0]:
                    self.increasing = False
                last[first] = held[-1]
                if layout.seen[place] & sight:
                    self.held[place] = alike
                continue
            numbers = []
            for piece in ordered:
                first = looks[piece]
                number = following.get(first, first)
                following[first] = number + 1
                told[piece] = number
                numbers.append(number)
                if last.get(first, -1) >= piece:
                    self.increasing = False
                last[first] = piece
            if layout.seen[place] & sight:
                self.held[place] = tuple(numbers)

    def numbered(self, state: State, shapes: list[dict[int, Shape]]) -> State:
        """A state in the seat's numbering; unseen pieces get the remaining numbers."""
        layout, twin = self.layout, state.copy()
        number = self._of_all()
        exchange = number.__getitem__
        twin.contents = {
            place: tuple(sorted(map(exchange, held)) if layout.heap[place] else map(exchange, held))
            for place, held in state.contents.items()
        }
        for place, (under, loose) in state.loose.items():
            held = list(twin.contents[place])
            held[under : under + loose] = sorted(held[under : under + loose])
            twin.contents[place] = tuple(held)
        for piece, at in enumerate(state.where):
            twin.where[number[piece]] = at
            for first in layout.state_at[layout.piece_type[piece]]:
                twin.states[first + number[piece]] = state.states[first + piece]
        for at, shape in enumerate(marker_shapes(layout)):
            if shape is not None:
                twin.markers[at] = shape(twin.markers[at], exchange)
        for frame in twin.stack:
            for slot, shape in shapes[frame.clause].items():
                # In the compiled machine a dead slot may hold no piece.
                frame.slots[slot] = shape(frame.slots[slot], lambda each: number.get(each, each))
        twin.known = {number[piece]: seats for piece, seats in state.known.items()}
        twin.offered = None
        return twin

    def _of_all(self) -> dict[int, int]:
        """Extends the numbering to all pieces, within each look."""
        found = dict(self.told)
        taken = set(self.told.values())
        free: dict[int, list[int]] = {}
        for piece, first in enumerate(self.layout.looks):
            if piece not in taken:
                free.setdefault(first, []).append(piece)
        for piece, first in enumerate(self.layout.looks):
            if piece not in found:
                found[piece] = free[first].pop(0)
        return found


class NumbersOfAll(Numbering):
    """The part of the numbering that is equal for all viewers, computed once.

    It covers pieces whose looks occur only in places that all viewers see alike.
    """

    def __init__(self, layout: Layout, state: State, spoken: Mapping[int, int]) -> None:
        self.layout = layout
        self.told, self.held, self.increasing = {}, {}, True
        looks, contents = layout.looks.__getitem__, state.contents
        alike: list[int] = []
        apart: set[int] = set()
        for place in sorted(contents):
            if _is_told_alike(layout, state, place):
                alike.append(place)
            else:
                apart.update(map(looks, contents[place]))
        shared = alike
        while True:
            kept = [each for each in shared if apart.isdisjoint(map(looks, contents[each]))]
            if len(kept) == len(shared):
                break
            for place in set(shared).difference(kept):
                apart.update(map(looks, contents[place]))
            shared = kept
        self.others = sorted(contents.keys() - shared)
        """Places that are numbered per viewer."""
        self._count(state, None, spoken, shared)


def _is_told_alike(layout: Layout, state: State, place: int) -> bool:
    """Whether all viewers can identify the same pieces in a place."""
    seen, everyone = layout.seen[place], layout.everyone
    if seen:
        return seen == everyone
    same = (0, everyone)
    if layout.top_seen[place] not in same:
        return False
    known = state.known
    return not known or all(known.get(piece, 0) in same for piece in state.contents[place])


def identifiable(layout: Layout, state: State, place: int, sight: int) -> tuple[int, ...]:
    """The pieces in a place that a viewer, given by his bit, can identify."""
    held = state.contents[place]
    if layout.seen[place] & sight:
        return held
    known = state.known
    top = held[-1] if layout.top_seen[place] & sight else None
    if not known:
        return () if top is None else (top,)
    return tuple([piece for piece in held if piece == top or known.get(piece, 0) & sight])


def in_order(
    layout: Layout,
    state: State,
    place: int,
    held: tuple[int, ...],
    spoken: Mapping[int, int] = {},
) -> Sequence[int]:
    """Pieces in a place in canonical order, independent of the identity of equal pieces.

    `spoken`: pieces that the game refers to, by order of reference.
    """
    if not held:
        return held
    places = layout.state_at[layout.piece_type[held[0]]]
    if not places and spoken.keys().isdisjoint(held):
        return held

    def told(piece: int) -> tuple[int, str, int]:
        states = repr([state.states[at + piece] for at in places])
        return layout.alike[piece], states, spoken.get(piece, len(spoken))

    if layout.heap[place]:
        return sorted(held, key=told)
    if place in state.loose and len(held) == len(state.contents[place]):
        under, loose = state.loose[place]
        over = under + loose
        return (*held[:under], *sorted(held[under:over], key=told), *held[over:])
    return held


@lru_cache(maxsize=64)
def marker_shapes(layout: Layout) -> tuple[Shape | None, ...]:
    """For each marker entry, the function that substitutes pieces in its value."""
    return tuple(shape_of(entry.type) for entry in layout.markers)
