"""Pieces as a seat tells them: those that look the same are counted where they lie.

Inside a game every piece has a number of its own, also where nobody could tell it from another:
with it one would know again which of two aces was laid down an hour ago. So nobody is shown these
numbers. Of the pieces that look the same (`Layout.looks`), the first that a seat sees, going
through the places in order, is told by the first number of them, the next one by the next. Where a
place has no order, their states tell which comes first, and then whether the game speaks of one
just now. Two equal pieces can then change places without any view becoming another.

`Numbering.increasing` says that pieces which look the same come in the same order by both numbers:
then whatever is listed in the order of pieces is listed in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from lawspeaker.machines.reference.slot_pieces import Shape, shape_of
from lawspeaker.position.layout import Layout
from lawspeaker.position.state import State


class Numbering:
    """The numbers by which a seat (None: a spectator) tells the pieces that it sees."""

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
        """By place that the seat sees, what lies in it, by these numbers."""
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
        """Numbers what lies in some places, which have all that looks like it, or nothing."""
        layout, told = self.layout, self.told
        sight, looks = layout.sight(seat), layout.looks
        following: dict[int, int] = {}
        last: dict[int, int] = {}
        for place in places:
            held = told_apart(layout, state, place, sight)
            if not held:
                continue
            ordered = in_order(layout, state, place, held, spoken)
            first = looks[held[0]]
            if ordered is held and layout.heap[place] and looks[held[-1]] == first:
                # In a heap pieces lie by their numbers, so that all of these look the same.
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
        """A state in which every piece has the number by which the seat tells it; those that it
        does not see have the others."""
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
                # What no longer matters may be no piece, on the compiled machine.
                frame.slots[slot] = shape(frame.slots[slot], lambda each: number.get(each, each))
        twin.known = {number[piece]: seats for piece, seats in state.known.items()}
        twin.offered = None
        return twin

    def _of_all(self) -> dict[int, int]:
        """For every piece a number of one that looks the same."""
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
    """The numbers that are the same for everybody, worked out once for all: of pieces of which
    nothing that looks the same lies where some see more of it than others."""

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
        """The places whose pieces everybody has numbers of his own for."""
        self._count(state, None, spoken, shared)


def _is_told_alike(layout: Layout, state: State, place: int) -> bool:
    """Whether everybody can tell the same pieces in a place."""
    seen, everyone = layout.seen[place], layout.everyone
    if seen:
        return seen == everyone
    same = (0, everyone)
    if layout.top_seen[place] not in same:
        return False
    known = state.known
    return not known or all(known.get(piece, 0) in same for piece in state.contents[place])


def told_apart(layout: Layout, state: State, place: int, sight: int) -> tuple[int, ...]:
    """The pieces in a place of which somebody, by his bit, can tell which they are."""
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
    """Pieces in a place, in an order in which it does not matter which of two equals is which.

    `spoken`: those that the game speaks of, by when it does.
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
    """For all that markers show, in order, how to exchange the pieces in it."""
    return tuple(shape_of(entry.type) for entry in layout.markers)
