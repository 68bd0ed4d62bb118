"""Generates code for grids: neighbouring places, and walks in a direction.

A place of a grid is a column and a row; places are numbered column by column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.machines.compiled.compile import small_boards
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Ray
from lawspeaker.machines.compiled.runtime import condition_bits_code
from lawspeaker.machines.compiled.runtime.plan import NONE, PlaceMemory
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.fold import along as joined
from lawspeaker.machines.lower.fold import first_of
from lawspeaker.machines.middle.building import Body as Written
from lawspeaker.machines.middle.forms import Expr, Label, Variable, const, not_, select
from lawspeaker.machines.planned.fields import Step
from lawspeaker.machines.planned.walks import InField, InRun, Stepwise, ToTheEdge

Body = Callable[[], None]
GoOn = Callable[[Expr | int, Label], None]
"""Emits one step of a walk by a stride; branches to the label where its condition is false."""


def along(c: Code, expr: ir.Along) -> Expr:
    """Returns the list of what a connection joins, or of the connections of a joined thing."""
    domain = c.layout.domain(ir.plain(expr.of.type))
    lists = [c.plan.listing(joined(c.layout, expr, each)) for each in domain]
    number = c.f.let("number", c.present(expr.of) - domain[0])
    if not isinstance(ir.plain(expr.of.type), ir.NumberType):
        return c.plan.table(lists)[number]
    lists.append(c.plan.listing(()))  # any other number has no line
    return c.plan.table(lists)[select(number.below(len(domain)), number, len(domain))]


def far_end(c: Code, expr: ir.FarEnd) -> Expr:
    """Returns the other end of a connection, or nothing if `of` is not one of its ends."""
    f, network = c.f, c.program.networks[expr.network]
    of, first = f.let("of", c.present(expr.of)), first_of(c.layout, expr.of.type)
    connection = f.let("connection", c.present(expr.connection))
    start = first_of(c.layout, expr.connection.type)
    ends = [[first + each[at] for each in network.ends] for at in (0, 1)]
    one, other = (f.let("end", c.plan.table(e).from_number(start)[connection]) for e in ends)
    return select(of == one, other, select(of == other, one, NONE))


def split(f: Written, family: PlaceMemory, place: Expr) -> tuple[Variable, Variable]:
    """Returns the column and the row of a place, both from 0."""
    wide, high = family.grid
    offset = place - family.first
    if family.size > wide * high:
        offset = offset % (wide * high)
    offset = f.let("offset", offset)
    column = f.let("column", offset // high)
    return column, f.let("row", offset - column * high)


def beside(c: Code, expr: ir.Beside) -> Expr:
    """Returns the place so many columns and rows away, or nothing off the board."""
    f, family = c.f, c.plan.families[expr.family]
    wide, high = family.grid
    place = f.let("place", c.present(expr.of))
    across, down = f.let("across", c.present(expr.across)), f.let("down", c.present(expr.down))
    column, row = split(f, family, place)
    there = f.let("there", (column + across).below(wide) & (row + down).below(high))
    if c.program.families[expr.family].grows:
        c.fault_when(not_(there), messages.OFF_THE_TABLE, expr.span)
    return select(there, place + across * high + down, NONE)


# ---------------------------------------------------------------- walks


def each_walked(c: Code, source: ir.Walk, local: Variable, body: Body) -> None:
    """Iterates over the places of a walk, as long as the condition holds."""
    f, where, plan = c.f, source.binder.where, c.unit.walks.walked(source, c.names)
    assert where is not None
    place = f.let("place", c.present(source.binder.source))

    def go_on(stride: Expr | int, walking: Label) -> None:
        f.add(place, stride)
        f.set(c.slot(source.binder.slot), place)
        c.unless(where, walking)
        f.set(local, place)
        body()

    match plan:
        case InField() | InRun():
            _measured(c, source, plan, place).each(f, local, body)
        case ToTheEdge(step):
            _walk_to_the_edge(c, c.plan.families[source.family], place, step, go_on)
        case Stepwise():
            _walk_by_columns_and_rows(c, source, place, go_on)


def _walk_to_the_edge(
    c: Code, family: PlaceMemory, place: Variable, step: Step, go_on: GoOn
) -> None:
    """Walks in a constant direction; the distance to the edge is in a table."""
    f = c.f
    if step == (0, 0):
        return
    far = c.plan.steps(family, step).from_number(family.first)
    left = f.let("left", far[place])
    with f.while_(left != 0) as walking:
        f.add(left, -1)
        go_on(_stride(family, step), walking)


def _walk_by_columns_and_rows(c: Code, source: ir.Walk, place: Variable, go_on: GoOn) -> None:
    f, family = c.f, c.plan.families[source.family]
    wide, high = family.grid
    right, below = f.let("right", c.present(source.across)), f.let("below", c.present(source.down))
    with f.if_((right | below) != 0):
        column, row = split(f, family, place)
        stride = f.let("stride", right * high + below)
        with f.loop() as walking:
            for line, by, size in ((column, right, wide), (row, below, high)):
                f.add(line, by)
                f.leave(walking, not_(line.below(size)))
            go_on(stride, walking)


def _stride(family: PlaceMemory, step: Step) -> int:
    return step[0] * family.grid[1] + step[1]


def ray(c: Code, walk: ir.Walk) -> Ray:
    """Returns the places of a walk as start, stride and count, without a list."""
    f, family, plan = c.f, c.plan.families[walk.family], c.unit.walks.walked(walk, c.names)
    start = f.let("start", c.present(walk.binder.source))
    if isinstance(plan, InField | InRun):
        return _measured(c, walk, plan, start)
    right, below = f.let("right", c.present(walk.across)), f.let("below", c.present(walk.down))
    stride, count = f.let("stride", right * family.grid[1] + below), f.let("count", 0)
    from_start = ir.Local(walk.binder.source.type, c.unit.new_slot(), "start")
    c.slots[from_start.slot] = start
    again = replace(walk, binder=replace(walk.binder, source=from_start))
    each_walked(c, again, c.local(), lambda: f.add(count, 1))
    return Ray(start, stride, count)


def _measured(c: Code, walk: ir.Walk, plan: InField | InRun, start: Variable) -> Ray:
    """Returns the places of a walk whose length is computed without iterating."""
    f, family = c.f, c.plan.families[walk.family]
    if isinstance(plan, InRun):
        length = condition_bits_code.length(f, family, plan, start)
    else:
        length = small_boards.length(c, plan, start)
    return Ray(start, const(_stride(family, plan.step)), f.let("count", length))
