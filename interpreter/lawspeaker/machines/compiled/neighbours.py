"""Code that asks something of all neighbours of a place.

In which directions a place has neighbours stands in a table, so that nobody has to take its number
apart. A short condition is worked out for all of them one after the other, without a branch, where
there is no edge near; which is nearly always so on a board that grows.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.machines.compiled.binary import I32
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import Family
from lawspeaker.machines.compiled.small_boards import Fields
from lawspeaker.machines.middle.forms import Expr, Variable

Body = Callable[[], None]


def _strides(family: Family, source: ir.Around) -> list[int]:
    steps = family.of.steps(source.diagonal)
    return [across * family.grid[1] + down for across, down in steps]


def _push_sides(c: Code, family: Family, source: ir.Around, place: Variable) -> None:
    """A bit for each step that leads to a neighbour of the place in a local."""
    c.b.get(place)
    table = c.plan.sides(family, family.of.steps(source.diagonal))
    c.b.load(table - family.first, "i32.load8_u")


def each_around(c: Code, source: ir.Around, local: Variable, body: Body) -> None:
    """Through the neighbours in the order of their numbers."""
    b, family = c.b, c.plan.families[source.family]
    if family.of.lines:
        joined = [family.of.joined(point) for point in range(family.size)]
        lists = [c.plan.listing(tuple(family.first + each for each in near)) for near in joined]
        listed = c.plan.table(lists).from_number(family.first)[c.present(source.of)]
        with c.f.each_listed("near", listed) as near:
            c.f.set(local, near)
            body()
        return
    place, sides = c.local(), c.local()
    c.b.push(c.present(source.of))
    b.set(place)
    _push_sides(c, family, source, place)
    b.set(sides)
    table = c.plan.table(_strides(family, source))
    with b.block() as done, b.loop() as again:
        b.get(sides)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(sides)
        b.op("i32.ctz")
        table.load(b)
        b.get(place)
        b.op("i32.add")
        b.set(local)
        b.get(sides)
        b.get(sides)
        b.const(1)
        b.op("i32.sub", "i32.and")
        b.set(sides)
        body()
        b.br(again)


def of_all(fields: Fields, source: ir.Around, places: Expr) -> Expr:
    """The places around any of those in a word of bits of a small board."""
    near: Expr | None = None
    for step in fields.family.of.steps(source.diagonal):
        stride = fields.stride(step)
        there = (places >> stride if stride > 0 else places << -stride) & fields.on_board(step)
        near = there if near is None else near | there
    assert near is not None
    return near


def some(c: Code, source: ir.Around, slot: int, test: ir.Expr, otherwise: Body) -> bool:
    """Leaves whether any neighbour passes a test on the stack, where the test is short; else
    nothing is written. The one tested is in the slot; `otherwise` leaves the same for a place at
    the edge."""
    b, family = c.b, c.plan.families[source.family]
    if family.of.lines:
        return False
    mark = c.f.mark()
    short = c.straight(test) is not None
    mark.undo()
    if not short:
        return False
    place = c.local()
    c.b.push(c.present(source.of))
    b.set(place)
    _push_sides(c, family, source, place)
    b.const((1 << len(family.of.steps(source.diagonal))) - 1)
    b.op("i32.eq")
    with b.if_(I32):
        for at, stride in enumerate(_strides(family, source)):
            b.get(place)
            b.const(stride)
            b.op("i32.add")
            b.set(c.slot(slot))
            c.b.push(c.value(test))
            if at:
                b.op("i32.or")
        b.else_()
        otherwise()
    return True
