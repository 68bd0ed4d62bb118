"""Expressions about grids: what lies beside a place, which places are taken, walks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.layout import Layout, Value
from lawspeaker.state import State

if TYPE_CHECKING:
    from lawspeaker.machine.evaluate import Eval, Evaluator, Slots

SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
CORNERS = ((1, -1), (1, 1), (-1, 1), (-1, -1))


class Grid:
    """The places of a grid by column and row; its last two indices are those."""

    def __init__(self, layout: Layout, family: int) -> None:
        places = layout.places_of[family]
        columns, rows = layout.index_domains[family][-2:]
        self.first, self.end = places[0], places[-1] + 1
        self.wide, self.high = len(columns), len(rows)
        self._around: dict[tuple[int, bool], tuple[int, ...]] = {}

    def beside(self, place: int, across: int, down: int) -> int | None:
        """The place so many columns and rows away; None off the board."""
        column, row = divmod((place - self.first) % (self.wide * self.high), self.high)
        if 0 <= column + across < self.wide and 0 <= row + down < self.high:
            return place + across * self.high + down
        return None

    def around(self, place: int, diagonal: bool) -> tuple[int, ...]:
        known = self._around.get((place, diagonal))
        if known is None:
            steps = SIDES + CORNERS if diagonal else SIDES
            found = (self.beside(place, across, down) for across, down in steps)
            known = tuple(sorted(each for each in found if each is not None))
            self._around[place, diagonal] = known
        return known

    def occupied(self, state: State) -> tuple[int, ...]:
        first, end = self.first, self.end
        return tuple(sorted(place for place in state.contents if first <= place < end))


def around(ev: Evaluator, expr: ir.Around) -> Eval:
    grid, place, diagonal = Grid(ev.layout, expr.family), ev.present(expr.of), expr.diagonal
    return lambda s, f: grid.around(place(s, f), diagonal)


def beside(ev: Evaluator, expr: ir.Beside) -> Eval:
    grid, place = Grid(ev.layout, expr.family), ev.present(expr.of)
    across, down = ev.present(expr.across), ev.present(expr.down)
    if ev.program.families[expr.family].grid != "grows":
        return lambda s, f: grid.beside(place(s, f), across(s, f), down(s, f))
    fault = ev.fault("the table does not stretch so far", expr.span)

    def on_the_table(s: State, f: Slots) -> Value:
        found = grid.beside(place(s, f), across(s, f), down(s, f))
        if found is None:
            raise fault()
        return found

    return on_the_table


def occupied(ev: Evaluator, expr: ir.Occupied) -> Eval:
    grid = Grid(ev.layout, expr.family)
    return lambda s, f: grid.occupied(s)


def open_places(ev: Evaluator, expr: ir.OpenPlaces) -> Eval:
    grid = Grid(ev.layout, expr.family)

    def open_now(s: State, f: Slots) -> Value:
        held = s.contents
        found = {
            each
            for place in grid.occupied(s)
            for each in grid.around(place, False)
            if each not in held
        }
        return tuple(sorted(found))

    return open_now


def walk(ev: Evaluator, expr: ir.Walk) -> Eval:
    grid, start = Grid(ev.layout, expr.family), ev.present(expr.binder.source)
    across, down = ev.present(expr.across), ev.present(expr.down)
    assert expr.binder.where is not None
    goes_on, slot = ev.compile(expr.binder.where), expr.binder.slot

    def steps(s: State, f: Slots) -> Value:
        place: int | None = start(s, f)
        right, below = across(s, f), down(s, f)
        found: list[int] = []
        if right == below == 0:
            return ()
        while place is not None:
            place = grid.beside(place, right, below)
            f[slot] = place
            if place is None or not goes_on(s, f):
                break
            found.append(place)
        s.left -= len(found)
        return tuple(found)

    return steps


def end_of(ev: Evaluator, expr: ir.EndOf) -> Eval:
    members, at = ev.compile(expr.set), -1 if expr.last else 0

    def end(s: State, f: Slots) -> Value:
        found = members(s, f)
        return found[at] if found else None

    return end
