"""Closures for grids: neighbours of a place, occupied and open places, walks."""

from __future__ import annotations

from functools import cache

from lawspeaker import ir
from lawspeaker.ir.dependence import plain_local
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.fold import along as joined
from lawspeaker.machines.lower.fold import far_end as beyond
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State


def around(ev: Evaluator, expr: ir.Around) -> Eval:
    near, place, diagonal = ev.grid(expr.family).around, ev.present(expr.of), expr.diagonal
    if plain_local(expr.of):
        slot = expr.of.slot
        return lambda s, f: near(f[slot], diagonal)
    return lambda s, f: near(place(s, f), diagonal)


def along(ev: Evaluator, expr: ir.Along) -> Eval:
    of, layout = ev.present(expr.of), ev.layout
    known = cache(lambda thing: joined(layout, expr, thing))
    if plain_local(expr.of):
        slot = expr.of.slot
        return lambda s, f: known(f[slot])
    return lambda s, f: known(of(s, f))


def far_end(ev: Evaluator, expr: ir.FarEnd) -> Eval:
    of, connection, layout = ev.present(expr.of), ev.present(expr.connection), ev.layout
    known = cache(lambda end, joins: beyond(layout, expr, end, joins))
    if plain_local(expr.of) and plain_local(expr.connection):
        end, joins = expr.of.slot, expr.connection.slot
        return lambda s, f: known(f[end], f[joins])
    return lambda s, f: known(of(s, f), connection(s, f))


def beside(ev: Evaluator, expr: ir.Beside) -> Eval:
    """Compiles the place so many columns and rows away."""
    grid, place = ev.grid(expr.family), ev.present(expr.of)
    across, down = ev.present(expr.across), ev.present(expr.down)
    if not ev.program.families[expr.family].grows:
        return lambda s, f: grid.beside(place(s, f), across(s, f), down(s, f))
    fault = ev.fault(messages.OFF_THE_TABLE, expr.span)

    def on_the_table(s: State, f: Slots) -> Value:
        found = grid.beside(place(s, f), across(s, f), down(s, f))
        if found is None:
            raise fault()
        return found

    return on_the_table


def occupied(ev: Evaluator, expr: ir.Occupied) -> Eval:
    grid = ev.grid(expr.family)
    return lambda s, f: grid.occupied(s)


def open_places(ev: Evaluator, expr: ir.OpenPlaces) -> Eval:
    grid = ev.grid(expr.family)
    return lambda s, f: grid.open(s)


def walk(ev: Evaluator, expr: ir.Walk) -> Eval:
    """Compiles a walk: the places of a ray while the condition holds."""
    grid, start = ev.grid(expr.family), ev.present(expr.binder.source)
    across, down = ev.present(expr.across), ev.present(expr.down)
    assert expr.binder.where is not None
    goes_on, slot = ev.compile(expr.binder.where), expr.binder.slot

    def steps(s: State, f: Slots) -> Value:
        found: list[int] = []
        for place in grid.ray(start(s, f), across(s, f), down(s, f)):
            f[slot] = place
            if not goes_on(s, f):
                break
            found.append(place)
        return tuple(found)

    return steps


def end_of(ev: Evaluator, expr: ir.EndOf) -> Eval:
    members, at = ev.compile(expr.set), -1 if expr.last else 0

    def end(s: State, f: Slots) -> Value:
        found = members(s, f)
        return found[at] if found else None

    return end
