"""Functions that go through the subsets of some members: by size, then in the order listed.

Members that look the same are interchangeable: one is only taken if all equal ones before it are.
A search keeps what it needs in the arena:

    0 members   1 size   2 largest size   3 depth   4 position   5 going on   6 the list   7 room
    8 the result as a mask   10 what is left out   12 who looks like the one before
    14 whether arithmetic will do
    then, each with so much room: the equal one before (or -1), whether taken, the positions
    taken, and the result as a list

Few members that are only interchangeable with the one right before are gone through by
arithmetic on masks (`_next_mask`): of all masks of a size the next lower one, in which the highest
bit stands for the first member. That is the order wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate, combinations
from math import comb

from lawspeaker.ir.cost import MOST_OPTIONS
from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import Column, Plan
from lawspeaker.machines.compiled.unit import Unit

_HEAD = 16
NUMBER, SIZE, HIGH, DEPTH, POSITION, GOING, LISTED, ROOM = (4 * at for at in range(8))
MASK, LEFT_OUT, EQUAL, BY_MASKS = 32, 40, 48, 56
_FEW = 14
"""Up to so many members are gone through by arithmetic."""


_COUNTED = 15
"""How many subsets there are of up to so many members stands in a table: these are not yet too many
options."""
SMALL = 6
"""All subsets of up to so many members stand in a table."""


def tables(plan: Plan) -> tuple[int, Column]:
    """The subsets of 0, 1, 2 … members in their order, a byte each with the first member in the
    highest bit; and where those of each number of members and each size begin."""
    masks: list[int] = []
    starts: list[int] = []
    for number in range(SMALL + 1):
        for size in range(SMALL + 2):
            starts.append(len(masks))
            for positions in combinations(range(number), size):
                masks.append(sum(128 >> position for position in positions))
    return plan.constant(bytes(masks), 1), plan.table(starts)


def words(room: int) -> int:
    return _HEAD + 4 * room + 1


def push_result(c: Code, control: int) -> None:
    """The address of the subset that was found."""
    b = c.b
    b.get(control)
    b.get(control)
    b.load(ROOM)
    b.const(12)
    b.op("i32.mul", "i32.add")
    b.const(4 * _HEAD)
    b.op("i32.add")


class _Search:
    """Small steps on the search whose address is in local 0."""

    def __init__(self, b: Function) -> None:
        self.b = b

    def get(self, field: int) -> None:
        self.b.get(0)
        self.b.load(field)

    def set(self, field: int, value: Callable[[], None]) -> None:
        self.b.get(0)
        value()
        self.b.store(field)

    def entry(self, array: int, at: Callable[[], None]) -> None:
        """The address of an entry of an array, which is loaded or stored past the head."""
        b = self.b
        b.get(0)
        if array:
            self.get(ROOM)
            b.const(4 * array)
            b.op("i32.mul", "i32.add")
        at()
        b.const(2)
        b.op("i32.shl", "i32.add")


def begin(unit: Unit, of: int | None) -> Function:
    """(search, list, low, high, room)"""

    def write(b: Function) -> None:
        search, at, other = _Search(b), b.local(), b.local()
        b.get(0)
        b.long(0)
        b.store(EQUAL, "i64.store")
        b.get(0)
        _load(b, 1)
        b.const(_FEW)
        b.op("i32.le_s")
        b.store(BY_MASKS)
        for field, value in ((SIZE, 2), (HIGH, 3), (LISTED, 1), (ROOM, 4)):
            search.set(field, partial(b.get, value))
        search.set(NUMBER, lambda: _load(b, 1))
        search.set(GOING, lambda: b.const(0))
        b.const(0)
        b.set(at)
        with b.block() as done, b.loop() as again:
            b.get(at)
            search.get(NUMBER)
            b.op("i32.ge_s")
            b.br_if(done)
            search.entry(1, lambda: b.get(at))
            b.const(0)
            b.store(4 * _HEAD)
            search.entry(0, lambda: b.get(at))
            b.const(-1)
            b.store(4 * _HEAD)
            if of is not None:
                _find_equal(unit, b, search, of, at, other)
            b.get(at)
            b.const(1)
            b.op("i32.add")
            b.set(at)
            b.br(again)

    return unit.made(("subsets", of), 5, 0, write)


def _load(b: Function, address: int) -> None:
    b.get(address)
    b.load()


def _find_equal(unit: Unit, b: Function, search: _Search, of: int, at: int, other: int) -> None:
    """Looks backwards for the nearest member that looks like the one at a position."""
    b.get(at)
    b.set(other)
    with b.block() as none, b.loop() as further:
        b.get(other)
        b.op("i32.eqz")
        b.br_if(none)
        b.get(other)
        b.const(1)
        b.op("i32.sub")
        b.set(other)
        for position in (other, at):
            b.get(1)
            b.get(position)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.load(4)
        b.call(look_alike(unit, of))
        b.op("i32.eqz")
        b.br_if(further)
        search.entry(0, lambda: b.get(at))
        b.get(other)
        b.store(4 * _HEAD)
        _mark_equal(b, search, at, other)


def _mark_equal(b: Function, search: _Search, at: int, other: int) -> None:
    """Marks a position as equal to the one right before it; if it is another one that is equal,
    arithmetic will not do."""
    b.get(other)
    b.const(1)
    b.op("i32.add")
    b.get(at)
    b.op("i32.ne")
    with b.if_():
        search.set(BY_MASKS, lambda: b.const(0))
        b.else_()
        b.get(0)
        b.get(0)
        b.load(EQUAL, "i64.load")
        b.long(1)
        search.get(NUMBER)
        b.const(1)
        b.op("i32.sub")
        b.get(at)
        b.op("i32.sub", "i64.extend_i32_u", "i64.shl", "i64.or")
        b.store(EQUAL, "i64.store")


def push_mask(c: Code, control: int) -> None:
    """The subset that was found, its first member in the highest bit."""
    c.b.get(control)
    c.b.load(MASK, "i64.load")


def following_mask(unit: Unit) -> Function:
    """(search) -> whether there is another subset, as a mask"""

    def write(b: Function) -> None:
        search = _Search(b)
        search.get(BY_MASKS)
        with b.if_():
            _next_mask(b, search)
        b.get(0)
        b.call(following(unit))
        b.op("i32.eqz")
        with b.if_():
            b.const(0)
            b.op("return")
        _mask_of_positions(b, search)
        b.const(1)

    return unit.made(("next_mask",), 1, 1, write)


def _next_mask(b: Function, search: _Search) -> None:
    """Returns with the next mask, or with none.

    `left` has a bit for each member that is left out. The next higher number with as many bits is
    found in the usual way: the lowest run of ones is moved up by one, the rest of it to the end.
    """
    left, taken, low, higher, number = (b.local(I64) for _ in range(5))
    search.get(NUMBER)
    b.op("i64.extend_i32_u")
    b.set(number)
    with b.loop() as again:
        search.get(GOING)
        with b.if_():
            b.get(0)
            b.load(LEFT_OUT, "i64.load")
            b.tee(left)
            b.op("i64.eqz")
            with b.if_():
                _larger(b, search)
                b.br(again)
            b.get(left)
            b.long(0)
            b.get(left)
            b.op("i64.sub", "i64.and")
            b.tee(low)
            b.get(left)
            b.op("i64.add")
            b.tee(higher)
            b.get(left)
            b.get(higher)
            b.op("i64.xor")
            b.long(2)
            b.op("i64.shr_u")
            b.get(low)
            b.op("i64.ctz", "i64.shr_u", "i64.or")
            b.tee(left)
            b.get(number)
            b.op("i64.shr_u", "i64.eqz", "i32.eqz")
            with b.if_():
                _larger(b, search)
                b.br(again)
            b.else_()
            search.get(SIZE)
            search.get(HIGH)
            b.op("i32.gt_s")
            with b.if_():
                b.const(0)
                b.op("return")
            search.set(GOING, lambda: b.const(1))
            b.long(1)
            b.get(number)
            search.get(SIZE)
            b.op("i64.extend_i32_u", "i64.sub", "i64.shl")
            b.long(1)
            b.op("i64.sub")
            b.set(left)
        b.get(0)
        b.get(left)
        b.store(LEFT_OUT, "i64.store")
        b.get(left)
        b.long(1)
        b.get(number)
        b.op("i64.shl")
        b.long(1)
        b.op("i64.sub", "i64.xor")
        b.tee(taken)
        b.get(0)
        b.load(EQUAL, "i64.load")
        b.op("i64.and")
        b.get(taken)
        b.long(1)
        b.op("i64.shr_u")
        b.long(-1)
        b.op("i64.xor", "i64.and", "i64.eqz", "i32.eqz")
        b.br_if(again)
    b.get(0)
    b.get(taken)
    b.long(64)
    b.get(number)
    b.op("i64.sub", "i64.shl")
    b.store(MASK, "i64.store")
    b.const(1)
    b.op("return")


def _larger(b: Function, search: _Search) -> None:
    """All subsets of a size are done."""

    def one_more() -> None:
        search.get(SIZE)
        b.const(1)
        b.op("i32.add")

    search.set(SIZE, one_more)
    search.set(GOING, lambda: b.const(0))


def _mask_of_positions(b: Function, search: _Search) -> None:
    mask, at = b.local(I64), b.local()
    b.long(0)
    b.set(mask)
    search.entry(3, lambda: b.const(0))
    b.load(4 * _HEAD)
    b.set(at)
    with b.block() as done, b.loop() as again:
        b.get(at)
        b.op("i32.eqz")
        b.br_if(done)
        _minus_one(b, at)
        b.set(at)
        b.get(mask)
        b.long(-1 << 63)
        search.entry(2, lambda: b.get(at))
        b.load(4 * _HEAD)
        b.op("i64.extend_i32_u", "i64.shr_u", "i64.or")
        b.set(mask)
        b.br(again)
    b.get(0)
    b.get(mask)
    b.store(MASK, "i64.store")


def following(unit: Unit) -> Function:
    """(search) -> whether there is another subset"""

    def write(b: Function) -> None:
        search = _Search(b)
        at, depth, size = b.local(), b.local(), b.local()
        with b.loop() as larger:
            search.get(SIZE)
            b.set(size)
            search.get(GOING)
            b.op("i32.eqz")
            with b.if_():
                b.get(size)
                search.get(HIGH)
                b.op("i32.gt_s")
                with b.if_():
                    b.const(0)
                    b.op("return")
                b.get(size)
                b.op("i32.eqz")
                with b.if_():
                    _empty_result(b, search)
                    search.set(SIZE, lambda: b.const(1))
                    b.const(1)
                    b.op("return")
                search.set(GOING, lambda: b.const(1))
                search.set(DEPTH, lambda: b.const(0))
                search.set(POSITION, lambda: b.const(0))
            search.get(POSITION)
            b.set(at)
            search.get(DEPTH)
            b.set(depth)
            with b.loop() as on:
                b.get(at)
                search.get(NUMBER)
                b.get(size)
                b.get(depth)
                b.op("i32.sub", "i32.sub", "i32.gt_s")
                with b.if_():
                    _go_back(b, search, at, depth, size)
                    b.get(depth)
                    b.const(0)
                    b.op("i32.lt_s")
                    b.br_if(larger)
                    b.br(on)
                _skip_unless_free(b, search, at)
                with b.if_():
                    _step(b, at)
                    b.br(on)
                _take(b, search, at, depth)
                b.get(depth)
                b.const(1)
                b.op("i32.add")
                b.tee(depth)
                b.get(size)
                b.op("i32.lt_s")
                with b.if_():
                    _step(b, at)
                    b.br(on)
            _write_result(b, search, size)
            search.entry(1, lambda: b.get(at))
            b.const(0)
            b.store(4 * _HEAD)
            search.set(POSITION, lambda: _plus_one(b, at))
            search.set(DEPTH, lambda: _minus_one(b, depth))
        b.const(1)

    return unit.made(("next_subset",), 1, 1, write)


def _plus_one(b: Function, local: int) -> None:
    b.get(local)
    b.const(1)
    b.op("i32.add")


def _minus_one(b: Function, local: int) -> None:
    b.get(local)
    b.const(1)
    b.op("i32.sub")


def _step(b: Function, at: int) -> None:
    _plus_one(b, at)
    b.set(at)


def _go_back(b: Function, search: _Search, at: int, depth: int, size: int) -> None:
    """Gives up the last position taken; above the first, the size is done."""
    _minus_one(b, depth)
    b.tee(depth)
    b.const(0)
    b.op("i32.lt_s")
    with b.if_():
        search.set(SIZE, lambda: _plus_one(b, size))
        search.set(GOING, lambda: b.const(0))
        b.else_()
        search.entry(2, lambda: b.get(depth))
        b.load(4 * _HEAD)
        b.set(at)
        search.entry(1, lambda: b.get(at))
        b.const(0)
        b.store(4 * _HEAD)
        _step(b, at)


def _skip_unless_free(b: Function, search: _Search, at: int) -> None:
    """Whether an equal member before this position is not taken."""
    before = b.local()
    search.entry(0, lambda: b.get(at))
    b.load(4 * _HEAD)
    b.tee(before)
    b.const(0)
    b.op("i32.ge_s")
    with b.if_(I32):
        search.entry(1, lambda: b.get(before))
        b.load(4 * _HEAD)
        b.op("i32.eqz")
        b.else_()
        b.const(0)


def _take(b: Function, search: _Search, at: int, depth: int) -> None:
    search.entry(2, lambda: b.get(depth))
    b.get(at)
    b.store(4 * _HEAD)
    search.entry(1, lambda: b.get(at))
    b.const(1)
    b.store(4 * _HEAD)


def _empty_result(b: Function, search: _Search) -> None:
    search.entry(3, lambda: b.const(0))
    b.const(0)
    b.store(4 * _HEAD)


def _write_result(b: Function, search: _Search, size: int) -> None:
    at = b.local()
    search.entry(3, lambda: b.const(0))
    b.get(size)
    b.store(4 * _HEAD)
    b.const(0)
    b.set(at)
    with b.loop() as again:
        search.entry(3, lambda: b.get(at))
        search.get(LISTED)
        search.entry(2, lambda: b.get(at))
        b.load(4 * _HEAD)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.load(4)
        b.store(4 * _HEAD + 4)
        _plus_one(b, at)
        b.tee(at)
        b.get(size)
        b.op("i32.lt_s")
        b.br_if(again)


def look_alike(unit: Unit, of: int) -> Function:
    """(piece, piece) -> whether nobody can tell them apart: in a row the position does"""

    def write(b: Function) -> None:
        plan, layout = unit.plan, unit.layout
        families = [f for f in plan.families if f.of.holds == of]
        alike = plan.table(layout.alike)
        for column in (alike, plan.where, *plan.states[of]):
            for piece in (0, 1):
                b.get(piece)
                column.load(b)
            b.op("i32.ne")
            with b.if_():
                b.const(0)
                b.op("return")
        for family in families:
            if family.of.arranged == "row":
                b.get(0)
                plan.where.load(b)
                b.const(family.first)
                b.op("i32.sub")
                b.const(family.size)
                b.op("i32.lt_u")
                with b.if_():
                    b.const(0)
                    b.op("return")
        b.const(1)

    return unit.made(("look_alike", of), 2, 1, write)


def ways(unit: Unit) -> Function:
    """(members, least, most) -> how many subsets there are, or one more than the most options"""
    rows = [[comb(number, size) for size in range(_COUNTED + 1)] for number in range(_COUNTED + 1)]
    smaller = unit.plan.table([each for row in rows for each in accumulate(row, initial=0)])

    def write(b: Function) -> None:
        members, size, most = 0, 1, 2
        total, found, taken, at = b.local(I64), b.local(I64), b.local(), b.local()
        _smaller(b, most, members)
        b.get(size)
        b.get(most)
        b.op("i32.gt_s")
        with b.if_():
            b.const(0)
            b.op("return")
        b.get(members)
        b.const(_COUNTED)
        b.op("i32.le_s")
        with b.if_():
            for limit, more in ((most, 1), (size, 0)):
                b.get(members)
                b.const(_COUNTED + 2)
                b.op("i32.mul")
                b.get(limit)
                b.op("i32.add")
                b.const(more)
                b.op("i32.add")
                smaller.load(b)
            b.op("i32.sub")
            b.op("return")
        with b.block() as done, b.loop() as again:
            b.get(size)
            b.get(most)
            b.op("i32.gt_s")
            b.br_if(done)
            b.long(1)
            b.set(found)
            b.get(members)
            b.get(size)
            b.op("i32.sub")
            b.set(taken)
            _smaller(b, taken, size)
            b.const(0)
            b.set(at)
            with b.block() as counted, b.loop() as further:
                b.get(at)
                b.get(taken)
                b.op("i32.ge_s")
                b.br_if(counted)
                b.get(found)
                b.get(members)
                b.get(at)
                b.op("i32.sub", "i64.extend_i32_s", "i64.mul")
                b.get(at)
                b.const(1)
                b.op("i32.add")
                b.tee(at)
                b.op("i64.extend_i32_s", "i64.div_s")
                b.tee(found)
                b.long(MOST_OPTIONS)
                b.op("i64.gt_s")
                with b.if_():
                    b.const(MOST_OPTIONS + 1)
                    b.op("return")
                b.br(further)
            b.get(total)
            b.get(found)
            b.op("i64.add")
            b.tee(total)
            b.long(MOST_OPTIONS)
            b.op("i64.gt_s")
            with b.if_():
                b.const(MOST_OPTIONS + 1)
                b.op("return")
            b.get(size)
            b.const(1)
            b.op("i32.add")
            b.set(size)
            b.br(again)
        b.get(total)
        b.op("i32.wrap_i64")

    return unit.made(("ways",), 3, 1, write)


def _smaller(b: Function, one: int, other: int) -> None:
    """A local becomes the smaller of two."""
    for each in (one, other, one, other):
        b.get(each)
    b.op("i32.lt_s", "select")
    b.set(one)
