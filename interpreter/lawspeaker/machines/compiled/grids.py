"""Code about grids: a place beside another one, and walks.

A place of a grid is a column and a row: its number grows with the row first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.ir.types import PlaceType, plain
from lawspeaker.machines.compiled import runs
from lawspeaker.machines.compiled.function import Code, Ray
from lawspeaker.machines.compiled.plan import NONE, Family
from lawspeaker.machines.compiled.small_boards import Step
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Expr, Variable, select

Body = Callable[[], None]


def along(c: Code, expr: ir.Along) -> Expr:
    """The list of the points of a line, or of the lines through a point."""
    family = c.plan.families[expr.family]
    of = c.present(expr.of)
    if isinstance(plain(expr.of.type), PlaceType):
        lines = [c.plan.listing(family.of.through(point)) for point in range(family.size)]
        return c.plan.table(lines).from_number(family.first)[of]
    number = c.f.let("line", of)
    count = len(family.of.lines)
    lists = [
        c.plan.listing(tuple(family.first + each for each in family.of.on_line(line)))
        for line in range(count + 1)
    ]
    return c.plan.table(lists)[select((number - 1).below(count), number, 0)]


def split(c: Code, family: Family, place: Variable, column: Variable, row: Variable) -> None:
    """The column and the row of a place, both from 0."""
    b, (wide, high) = c.b, family.grid
    offset = c.local()
    b.get(place)
    b.const(family.first)
    b.op("i32.sub")
    if family.size > wide * high:
        b.const(wide * high)
        b.op("i32.rem_u")
    b.tee(offset)
    b.const(high)
    b.op("i32.div_u")
    b.tee(column)
    b.const(-high)
    b.op("i32.mul")
    b.get(offset)
    b.op("i32.add")
    b.set(row)


def beside(c: Code, expr: ir.Beside) -> None:
    b, family = c.b, c.plan.families[expr.family]
    wide, high = family.grid
    place, column, row, across, down = (c.local() for _ in range(5))
    c.b.push(c.present(expr.of))
    b.set(place)
    c.b.push(c.present(expr.across))
    b.set(across)
    c.b.push(c.present(expr.down))
    b.set(down)
    split(c, family, place, column, row)
    _inside(c, column, across, wide)
    _inside(c, row, down, high)
    b.op("i32.and")
    found = c.local()
    b.set(found)
    if c.program.families[expr.family].grid == "grows":
        b.get(found)
        b.op("i32.eqz")
        c.fault_if(messages.OFF_THE_TABLE, expr.span)
    b.get(place)
    b.get(across)
    b.const(high)
    b.op("i32.mul", "i32.add")
    b.get(down)
    b.op("i32.add")
    b.const(NONE)
    b.get(found)
    b.op("select")


def _inside(c: Code, line: Variable, step: Variable, size: int) -> None:
    c.b.get(line)
    c.b.get(step)
    c.b.op("i32.add")
    c.b.const(size)
    c.b.op("i32.lt_u")


def each_walked(c: Code, source: ir.Walk, local: Variable, body: Body) -> None:
    """Step by step from the start, as long as the condition holds."""
    b, family = c.b, c.plan.families[source.family]
    place, slot = c.local(), c.slot(source.binder.slot)
    where = source.binder.where
    assert where is not None
    c.b.push(c.present(source.binder.source))
    b.set(place)
    step = runs.known_step(c, source)
    length = None if step is None else runs.length(c, source, step)
    if step is not None and length is not None:
        each_on_ray(c, _ray_of(c, family, place, step, length), local, body)
        return
    if step is not None and family.size <= _LONGEST:
        _walk_to_the_edge(c, family, place, step, slot, where, local, body)
        return
    wide, high = family.grid
    column, row, right, below, stride = (c.local() for _ in range(5))
    for expr, by in ((source.across, right), (source.down, below)):
        c.b.push(c.present(expr))
        b.set(by)
    with b.block() as done:
        b.get(right)
        b.get(below)
        b.op("i32.or", "i32.eqz")
        b.br_if(done)
        split(c, family, place, column, row)
        _push_stride(c, high, right, below)
        b.set(stride)
        with b.loop() as again:
            for line, by, size in ((column, right, wide), (row, below, high)):
                b.get(line)
                b.get(by)
                b.op("i32.add")
                b.tee(line)
                b.const(size)
                b.op("i32.ge_u")
                b.br_if(done)
            b.get(place)
            b.get(stride)
            b.op("i32.add")
            b.tee(place)
            b.set(slot)
            c.unless(where, done)
            b.get(place)
            b.set(local)
            body()
            b.br(again)


_LONGEST = 1 << 15
"""Grids of up to so many places have a table of how far it is to the edge."""


def _walk_to_the_edge(
    c: Code,
    family: Family,
    place: Variable,
    step: tuple[int, int],
    slot: Variable,
    where: ir.Expr,
    local: Variable,
    body: Body,
) -> None:
    """A walk in a direction that is known: how far it can lead stands in a table."""
    b, left = c.b, c.local()
    across, down = step
    if not across and not down:
        return
    _, high = family.grid
    b.get(place)
    b.const(family.first)
    b.op("i32.sub")
    c.plan.steps(family, step).load(b)
    b.set(left)
    with b.block() as done, b.loop() as again:
        b.get(left)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(left)
        b.const(1)
        b.op("i32.sub")
        b.set(left)
        b.get(place)
        b.const(across * high + down)
        b.op("i32.add")
        b.tee(place)
        b.set(slot)
        c.unless(where, done)
        b.get(place)
        b.set(local)
        body()
        b.br(again)


def _push_stride(c: Code, high: int, right: Variable, below: Variable) -> None:
    c.b.get(right)
    c.b.const(high)
    c.b.op("i32.mul")
    c.b.get(below)
    c.b.op("i32.add")


def ray(c: Code, walk: ir.Walk) -> Ray:
    """What a walk passes, without a list."""
    b, family = c.b, c.plan.families[walk.family]
    step = runs.known_step(c, walk)
    length = None if step is None else runs.length(c, walk, step)
    if step is not None and length is not None:
        start = c.local()
        c.b.push(c.present(walk.binder.source))
        b.set(start)
        return _ray_of(c, family, start, step, length)
    found = Ray(c.local(), c.local(), c.local())
    right, below, member = c.local(), c.local(), c.local()
    c.b.push(c.present(walk.binder.source))
    b.set(found.start)
    for expr, by in ((walk.across, right), (walk.down, below)):
        c.b.push(c.present(expr))
        b.set(by)
    _push_stride(c, family.grid[1], right, below)
    b.set(found.stride)
    b.const(0)
    b.set(found.count)
    from_start = ir.Local(walk.binder.source.type, c.unit.new_slot(), "start")
    c.slots[from_start.slot] = found.start
    again = replace(walk, binder=replace(walk.binder, source=from_start))

    def one_more() -> None:
        b.get(found.count)
        b.const(1)
        b.op("i32.add")
        b.set(found.count)

    each_walked(c, again, member, one_more)
    return found


def _ray_of(
    c: Code, family: Family, start: Variable, step: Step, length: Callable[[Variable], None]
) -> Ray:
    """The ray from a place of which it is known how to tell its length."""
    found = Ray(start, c.local(), c.local())
    c.b.const(step[0] * family.grid[1] + step[1])
    c.b.set(found.stride)
    length(start)
    c.b.set(found.count)
    return found


def each_on_ray(c: Code, kept: Ray, local: Variable, body: Body) -> None:
    b, left, place = c.b, c.local(), c.local()
    b.get(kept.count)
    b.set(left)
    b.get(kept.start)
    b.set(place)
    with b.block() as done, b.loop() as again:
        b.get(left)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(left)
        b.const(1)
        b.op("i32.sub")
        b.set(left)
        b.get(place)
        b.get(kept.stride)
        b.op("i32.add")
        b.tee(place)
        b.set(local)
        body()
        b.br(again)


def push_end_of_ray(c: Code, kept: Ray, last: bool) -> None:
    """The last or the first place, or nothing."""
    b = c.b
    b.get(kept.start)
    b.get(kept.stride)
    if last:
        b.get(kept.count)
        b.op("i32.mul")
    b.op("i32.add")
    b.const(NONE)
    b.get(kept.count)
    b.op("select")
