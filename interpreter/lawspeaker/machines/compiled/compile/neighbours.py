"""Generates iteration over, and tests of, the neighbours of a place.

A table of bit sets says in which directions a place has neighbours, so its number need not be split
into column and row. Away from an edge (nearly always, on a board that grows) a short condition is
evaluated for all neighbours without a branch.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from operator import or_

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Listed
from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.compiled.runtime.plan import PlaceMemory
from lawspeaker.machines.middle.forms import I32, Expr, Load, Variable
from lawspeaker.machines.planned.fields import Fields

Body = Callable[[], None]


def _strides(family: PlaceMemory, source: ir.Around) -> list[int]:
    steps = family.of.steps(source.diagonal)
    return [across * family.grid[1] + down for across, down in steps]


def _sides(c: Code, family: PlaceMemory, source: ir.Around, place: Expr) -> Expr:
    """Returns the bit set of the steps that lead to a neighbour of a place."""
    table = c.plan.sides(family, family.of.steps(source.diagonal))
    return Load(I32, 1, place, table - family.first, signed=False)


def each_around(c: Code, source: ir.Around, local: Variable, body: Body) -> None:
    """Iterates over the neighbours in the order of their numbers."""
    f, family = c.f, c.plan.families[source.family]
    if family.of.lines:
        joined = [family.of.joined(point) for point in range(family.size)]
        lists = [c.plan.listing(tuple(family.first + each for each in near)) for near in joined]
        near = c.plan.table(lists).from_number(family.first)[c.present(source.of)]
        Listed(near).each(f, local, body)
        return
    place = f.let("place", c.present(source.of))
    strides = c.plan.table(_strides(family, source))
    with f.each_bit("side", _sides(c, family, source, place)) as side:
        f.set(local, strides[side] + place)
        body()


def of_all(fields: Fields, source: ir.Around, places: wide.WideBits) -> wide.WideBits:
    """Returns the places around any place of a small board's bitboard."""
    steps = fields.places.of.steps(source.diagonal)
    return reduce(or_, (fields.reached_from(step, places) for step in steps))


def some(
    c: Code, source: ir.Around, slot: int, test: ir.Expr, otherwise: Callable[[], Expr]
) -> Expr:
    """Returns whether any neighbour passes a short test. The one tested is in the slot; `otherwise`
    evaluates the same for a place at the edge."""
    f, family = c.f, c.plan.families[source.family]
    place, found = f.let("place", c.present(source.of)), f.variable("found")

    def passes(stride: int) -> Expr:
        f.set(c.slot(slot), place + stride)
        return c.value(test)

    all_sides = (1 << len(family.of.steps(source.diagonal))) - 1
    with f.if_(_sides(c, family, source, place) == all_sides):
        each = (partial(passes, stride) for stride in _strides(family, source))
        f.set(found, reduce(or_, c.f.in_order(*each)))
    with f.else_():
        f.set(found, otherwise())
    return found
