"""Code about grids: what lies beside a place, which places are taken, walks.

A place of a grid is a column and a row: its number grows with the row first. A survey, a bit for
each place in which there is something, tells which places are taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.wasm import runs
from lawspeaker.wasm.code import Code, Ray
from lawspeaker.wasm.fields import Step
from lawspeaker.wasm.plan import NONE, Family

Body = Callable[[], None]


def split(c: Code, family: Family, place: int, column: int, row: int) -> None:
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


def each_around(c: Code, source: ir.Around, local: int, body: Body) -> None:
    """Through the neighbours in the order of their numbers: column by column."""
    b, family = c.b, c.plan.families[source.family]
    wide, high = family.grid
    place, column, row, step = c.local(), c.local(), c.local(), c.local()
    c.present(source.of)
    b.set(place)
    split(c, family, place, column, row)
    steps = [(-1, 0), (0, -1), (0, 1), (1, 0)]
    if source.diagonal:
        steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    table = c.plan.table([value for x, y in steps for value in (x, y, x * high + y)])
    b.const(0)
    b.set(step)
    with b.loop() as again:
        with b.block() as following:
            for at, (line, size) in enumerate(((column, wide), (row, high))):
                b.get(line)
                _entry(c, step, at)
                table.load(b)
                b.op("i32.add")
                b.const(size)
                b.op("i32.ge_u")
                b.br_if(following)
            b.get(place)
            _entry(c, step, 2)
            table.load(b)
            b.op("i32.add")
            b.set(local)
            body()
        _entry(c, step, 3)
        b.tee(step)
        b.const(3 * len(steps))
        b.op("i32.lt_s")
        b.br_if(again)


def _entry(c: Code, step: int, at: int) -> None:
    c.b.get(step)
    if at:
        c.b.const(at)
        c.b.op("i32.add")


def beside(c: Code, expr: ir.Beside) -> None:
    b, family = c.b, c.plan.families[expr.family]
    wide, high = family.grid
    place, column, row, across, down = (c.local() for _ in range(5))
    c.present(expr.of)
    b.set(place)
    c.present(expr.across)
    b.set(across)
    c.present(expr.down)
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
        c.fault_if("the table does not stretch so far", expr.span)
    b.get(place)
    b.get(across)
    b.const(high)
    b.op("i32.mul", "i32.add")
    b.get(down)
    b.op("i32.add")
    b.const(NONE)
    b.get(found)
    b.op("select")


def _inside(c: Code, line: int, step: int, size: int) -> None:
    c.b.get(line)
    c.b.get(step)
    c.b.op("i32.add")
    c.b.const(size)
    c.b.op("i32.lt_u")


def each_walked(c: Code, source: ir.Walk, local: int, body: Body) -> None:
    """Step by step from the start, as long as the condition holds."""
    b, family = c.b, c.plan.families[source.family]
    place, slot = c.local(), c.slot(source.binder.slot)
    where = source.binder.where
    assert where is not None
    c.present(source.binder.source)
    b.set(place)
    step = runs.known_step(c, source)
    if step is not None and family.size <= _LONGEST:
        length = runs.length(c, source, step)
        if length is None:
            _walk_to_the_edge(c, family, place, step, slot, where, local, body)
        else:
            each_on_ray(c, _ray_of(c, family, place, step, length), local, body)
        return
    wide, high = family.grid
    column, row, right, below, stride = (c.local() for _ in range(5))
    for expr, by in ((source.across, right), (source.down, below)):
        c.present(expr)
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
    place: int,
    step: tuple[int, int],
    slot: int,
    where: ir.Expr,
    local: int,
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


def _push_stride(c: Code, high: int, right: int, below: int) -> None:
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
        c.present(walk.binder.source)
        b.set(start)
        return _ray_of(c, family, start, step, length)
    found = Ray(c.local(), c.local(), c.local())
    right, below, member = c.local(), c.local(), c.local()
    c.present(walk.binder.source)
    b.set(found.start)
    for expr, by in ((walk.across, right), (walk.down, below)):
        c.present(expr)
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


def _ray_of(c: Code, family: Family, start: int, step: Step, length: Callable[[int], None]) -> Ray:
    """The ray from a place of which it is known how to tell its length."""
    found = Ray(start, c.local(), c.local())
    c.b.const(step[0] * family.grid[1] + step[1])
    c.b.set(found.stride)
    length(start)
    c.b.set(found.count)
    return found


def each_on_ray(c: Code, kept: Ray, local: int, body: Body) -> None:
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


def each_occupied(c: Code, source: ir.Occupied, local: int, body: Body) -> None:
    family, survey = c.plan.families[source.family], c.local()
    c.b.const(family.occupied)
    c.b.set(survey)
    first, last = _push_range(c, family, 0)
    _each_surveyed(c, family, (survey, first, last), local, body)


def _push_range(c: Code, family: Family, margin: int) -> tuple[int, int]:
    """The first and the last word of a survey in which anything can be, and some more beside."""
    b, first, last = c.b, c.local(), c.local()
    words = -(-family.size // 64)
    for at, (line, step, bound) in enumerate(((first, -margin, 0), (last, margin, words - 1))):
        b.const(0)
        b.load(family.spread + 4 * at)
        b.const(step)
        b.op("i32.add")
        b.tee(line)
        b.const(bound)
        b.get(line)
        b.const(bound)
        b.op("i32.lt_s" if at else "i32.gt_s", "select")
        b.set(line)
    return first, last


def _each_surveyed(
    c: Code, family: Family, survey_range: tuple[int, int, int], local: int, body: Body
) -> None:
    """Through the places whose bits are set, in the order of their numbers; in locals are the
    address of the survey, and its first and last word that count."""
    b, bits = c.b, c.long()
    survey, word, last = survey_range
    with b.block() as nothing, b.loop() as following:
        b.get(word)
        b.get(last)
        b.op("i32.gt_s")
        b.br_if(nothing)
        b.get(survey)
        b.get(word)
        b.const(3)
        b.op("i32.shl", "i32.add")
        b.load(0, "i64.load")
        b.set(bits)
        with b.block() as done, b.loop() as again:
            b.get(bits)
            b.op("i64.eqz")
            b.br_if(done)
            b.get(bits)
            b.op("i64.ctz", "i32.wrap_i64")
            b.get(word)
            b.const(6)
            b.op("i32.shl", "i32.add")
            if family.first:
                b.const(family.first)
                b.op("i32.add")
            b.set(local)
            b.get(bits)
            b.get(bits)
            b.long(1)
            b.op("i64.sub", "i64.and")
            b.set(bits)
            body()
            b.br(again)
        b.get(word)
        b.const(1)
        b.op("i32.add")
        b.set(word)
        b.br(following)


def each_open(c: Code, source: ir.OpenPlaces, local: int, body: Body) -> None:
    """Through the empty places beside taken ones: they are marked in a second survey first,
    which lies in the arena."""
    b, family = c.b, c.plan.families[source.family]
    words = -(-family.size // 64)
    at = c.reserve(2 * words + 1)
    survey = c.local()
    b.get(at)
    b.const(7)
    b.op("i32.add")
    b.const(-8)
    b.op("i32.and")
    b.set(survey)
    first, last = _push_range(c, family, family.grid[1] // 64 + 1)
    _clear(c, survey, first, last)
    taken, near = c.local(), c.local()
    slot = ir.Local(source.type, c.unit.new_slot(), "taken")
    inner = c.inner(c.clause)
    inner.slots[slot.slot] = taken

    def mark() -> None:
        _mark(c, family, survey, near)

    around = ir.Around(source.type, source.family, slot, False)
    each_occupied(
        c,
        ir.Occupied(source.type, source.family),
        taken,
        lambda: each_around(inner, around, near, mark),
    )
    _each_surveyed(c, family, (survey, first, last), local, body)


def _clear(c: Code, survey: int, first: int, last: int) -> None:
    """Empties a survey, as far as it counts."""
    b, at = c.b, c.local()
    b.get(first)
    b.set(at)
    with b.block() as done, b.loop() as again:
        b.get(at)
        b.get(last)
        b.op("i32.gt_s")
        b.br_if(done)
        b.get(survey)
        b.get(at)
        b.const(3)
        b.op("i32.shl", "i32.add")
        b.long(0)
        b.store(0, "i64.store")
        b.get(at)
        b.const(1)
        b.op("i32.add")
        b.set(at)
        b.br(again)


def _mark(c: Code, family: Family, survey: int, place: int) -> None:
    """Sets the bit of a place in a survey, unless it is taken."""
    b, word, offset = c.b, c.local(), c.local()
    b.get(place)
    b.const(family.first)
    b.op("i32.sub")
    b.tee(offset)
    b.const(6)
    b.op("i32.shr_u")
    b.const(3)
    b.op("i32.shl")
    b.set(word)
    b.get(survey)
    b.get(word)
    b.op("i32.add")
    b.get(survey)
    b.get(word)
    b.op("i32.add")
    b.load(0, "i64.load")
    b.long(1)
    b.get(offset)
    b.op("i64.extend_i32_u", "i64.shl", "i64.or")
    b.get(word)
    b.load(family.occupied, "i64.load")
    b.long(-1)
    b.op("i64.xor", "i64.and")
    b.store(0, "i64.store")
