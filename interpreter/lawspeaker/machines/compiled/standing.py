"""Code for who is ahead and who has won, by the goal of a game and its sides.

What `position/standing.py` says of a state, said of memory. A side of one has its points as they
are kept; those of several are added, and so are long.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.unit import Unit


def by_goal(unit: Unit) -> Function:
    """() -> the list of those who win if nobody is named, which lies in a place of its own"""
    plan, sides = unit.plan, unit.layout.sides

    def write(b: Function) -> None:
        if unit.program.goal is ir.Goal.NAMED:
            b.const(plan.listing(()))
            return
        best, number = b.local(kind(unit)), b.local()
        points(unit, b, 0)
        b.set(best)
        for side in range(1, len(sides)):
            points(unit, b, side)
            b.get(best)
            points(unit, b, side)
            b.get(best)
            is_better(unit, b)
            b.op("select")
            b.set(best)
        for seat in unit.layout.seats:
            points(unit, b, _side(unit, seat))
            b.get(best)
            is_equal(unit, b)
            with b.if_():
                _list_one(unit, b, number, seat)
        _close_list(unit, b, number)

    return unit.made(("by_goal",), 0, 1, write)


def together(unit: Unit) -> Function:
    """(the list of those who are named) -> that of those who win, who are all on their sides"""
    seats = unit.layout.seats

    def write(b: Function) -> None:
        at, named, number = b.local(), b.local(I64), b.local()
        with b.block() as done, b.loop() as again:
            b.get(at)
            b.get(0)
            b.load()
            b.op("i32.ge_s")
            b.br_if(done)
            b.get(named)
            b.long(1)
            b.get(0)
            b.get(at)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.load(4)
            b.op("i64.extend_i32_u", "i64.shl", "i64.or")
            b.set(named)
            b.get(at)
            b.const(1)
            b.op("i32.add")
            b.set(at)
            b.br(again)
        for seat in seats:
            b.get(named)
            b.long(_mask(unit, _side(unit, seat)))
            b.op("i64.and", "i64.eqz", "i32.eqz")
            with b.if_():
                _list_one(unit, b, number, seat)
        _close_list(unit, b, number)

    return unit.made(("together",), 1, 1, write)


def winning_sides(unit: Unit) -> Function:
    """() -> how many sides share the victory"""
    firsts = sum(1 << side[0] for side in unit.layout.sides)

    def write(b: Function) -> None:
        at, found = b.local(), b.local()
        with b.block() as done, b.loop() as again:
            b.get(at)
            b.const(0)
            b.load(unit.plan.winner_count)
            b.op("i32.ge_s")
            b.br_if(done)
            b.long(firsts)
            b.get(at)
            b.const(2)
            b.op("i32.shl")
            b.load(unit.plan.winner_count + 4)
            b.op("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
            b.const(1)
            b.op("i32.and")
            b.get(found)
            b.op("i32.add")
            b.set(found)
            b.get(at)
            b.const(1)
            b.op("i32.add")
            b.set(at)
            b.br(again)
        b.get(found)

    return unit.made(("winning_sides",), 0, 1, write)


def victors(unit: Unit, b: Function) -> None:
    """How many share the victory: those who have won, or their sides."""
    if unit.program.sides:
        b.call(winning_sides(unit))
    else:
        b.const(0)
        b.load(unit.plan.winner_count)


def points(unit: Unit, b: Function, side: int) -> None:
    """The points of a side."""
    for at, seat in enumerate(unit.layout.sides[side]):
        b.const(0)
        b.load(unit.plan.scores + 4 * seat)
        if unit.program.sides:
            b.op("i64.extend_i32_s")
        if at:
            b.op("i64.add")


def long_points(unit: Unit, b: Function, side: int) -> None:
    """The points of a side as a long number."""
    points(unit, b, side)
    if not unit.program.sides:
        b.op("i64.extend_i32_s")


def points_of_side(unit: Unit, b: Function, seat: int) -> None:
    """The points, long, of the side of the seat that is in a local variable."""
    if not unit.program.sides:
        b.get(seat)
        b.const(2)
        b.op("i32.shl")
        b.load(unit.plan.scores)
        b.op("i64.extend_i32_s")
        return
    for side in range(len(unit.layout.sides)):
        points(unit, b, side)
        b.long(0)
        b.long(_mask(unit, side))
        b.get(seat)
        b.op("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
        b.const(1)
        b.op("i32.and", "select")
        if side:
            b.op("i64.add")


def is_better(unit: Unit, b: Function) -> None:
    """Whether the first of two sides' points are better for it than the others."""
    order = "lt_s" if unit.program.goal is ir.Goal.FEWEST else "gt_s"
    b.op(f"i64.{order}" if unit.program.sides else f"i32.{order}")


def is_equal(unit: Unit, b: Function) -> None:
    """Whether two sides have the same points."""
    b.op("i64.eq" if unit.program.sides else "i32.eq")


def kind(unit: Unit) -> int:
    """Of which sort the points of a side are."""
    return I64 if unit.program.sides else I32


def _side(unit: Unit, seat: int) -> int:
    return next(at for at, side in enumerate(unit.layout.sides) if seat in side)


def _mask(unit: Unit, side: int) -> int:
    """A bit for each seat of a side."""
    return sum(1 << seat for seat in unit.layout.sides[side])


def _list_one(unit: Unit, b: Function, number: int, seat: int) -> None:
    """Puts a seat into the list; `number` is how many bytes there are by now."""
    b.get(number)
    b.const(4)
    b.op("i32.add")
    b.tee(number)
    b.const(seat)
    b.store(unit.plan.scratch)


def _close_list(unit: Unit, b: Function, number: int) -> None:
    """Its size stands before the list, whose address is left."""
    b.const(0)
    b.get(number)
    b.const(2)
    b.op("i32.shr_u")
    b.store(unit.plan.scratch)
    b.const(unit.plan.scratch)
