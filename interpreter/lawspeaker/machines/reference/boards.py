"""Geometry of a grid: neighbours and rays of places, occupied and open places."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.position.layout import Layout
from lawspeaker.position.state import State


class Grid:
    """The places of a grid by column and row, its last two indices. A board with lines has neither:
    its lines define the neighbours."""

    def __init__(self, layout: Layout, family: int) -> None:
        self.family = layout.program.families[family]
        places = layout.places_of[family]
        self.first, self.end = places[0], places[-1] + 1
        self.wide, self.high = len(places), 1
        if self.family.grid:
            columns, rows = layout.index_domains[family][-2:]
            self.wide, self.high = len(columns), len(rows)
        # Neighbours of each place, without and with diagonals.
        self._around: tuple[dict[int, tuple[int, ...]], ...] = ({}, {})
        self._rays: dict[tuple[int, int, int], Sequence[int]] = {}
        nothing: tuple[int, ...] = ()
        self._last = frozenset(nothing), (nothing, nothing)

    def beside(self, place: int, across: int, down: int) -> int | None:
        """Returns the place so many columns and rows away; None off the board."""
        column, row = divmod((place - self.first) % (self.wide * self.high), self.high)
        if 0 <= column + across < self.wide and 0 <= row + down < self.high:
            return place + across * self.high + down
        return None

    def around(self, place: int, diagonal: bool) -> tuple[int, ...]:
        """Returns the neighbours of a place; cached."""
        known = self._around[diagonal].get(place)
        if known is None and self.family.lines:
            joined = self.family.joined(place - self.first)
            known = self._around[diagonal][place] = tuple(self.first + each for each in joined)
        if known is None:
            found = (self.beside(place, *step) for step in self.family.steps(diagonal))
            known = tuple(sorted(each for each in found if each is not None))
            self._around[diagonal][place] = known
        return known

    def ray(self, place: int, across: int, down: int) -> Sequence[int]:
        """Returns the places on the way to the edge; none for a zero step."""
        if not across and not down:
            return ()
        known = self._rays.get((place, across, down))
        if known is None:
            column, row = divmod((place - self.first) % (self.wide * self.high), self.high)
            steps = min(_steps(column, self.wide, across), _steps(row, self.high, down))
            stride = across * self.high + down
            known = range(place + stride, place + stride * (steps + 1), stride) if steps else ()
            self._rays[place, across, down] = known
        return known

    def occupied(self, state: State) -> tuple[int, ...]:
        return self._both(state)[0]

    def open(self, state: State) -> tuple[int, ...]:
        """Returns the empty places beside occupied ones."""
        return self._both(state)[1]

    def _both(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Returns the occupied and the open places.

        They are used many times before a piece is moved, so the last result is cached, with the set
        of occupied places it belongs to.
        """
        held = state.contents
        last, answer = self._last
        if held.keys() != last:
            first, end = self.first, self.end
            taken = [place for place in held if first <= place < end]
            near = {each for place in taken for each in self.around(place, False)}
            answer = tuple(sorted(taken)), tuple(sorted(near.difference(taken)))
            self._last = frozenset(held), answer
        return answer


_NO_EDGE = 1 << 31


def _steps(at: int, size: int, step: int) -> int:
    """Returns the number of steps from a position to the edge; a large number if there is no
    step."""
    if step == 0:
        return _NO_EDGE
    return (size - 1 - at) // step if step > 0 else at // -step
