"""Loops over the members of sets, and what is said of a set as a whole.

A set is only written down as a list where it has to be: whoever needs its members goes through
its source directly. What takes members one by one with a condition is in `binders`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.bounds import LONGEST, is_of_numbers
from lawspeaker.ir.dependence import Paid
from lawspeaker.ir.types import NUMBER, TRUTH, SetType, Type
from lawspeaker.machines.compiled import (
    bitboards,
    grids,
    lines,
    lists,
    locations,
    neighbours,
    value_calls,
)
from lawspeaker.machines.compiled.arena import FOUND_ON_THE_WAY
from lawspeaker.machines.compiled.binary import I32
from lawspeaker.machines.compiled.function import Bits, Chosen, Code, Ray
from lawspeaker.machines.compiled.plan import Family
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Variable
from lawspeaker.position.layout import Value

Body = Callable[[], None]
_RUN = 3
"""A fixed list of at least so many following numbers is counted through, not read."""
_FEW = 8
_MOST_WRITTEN = 2500


# ---------------------------------------------------------------- going through a set


def each(c: Code, source: ir.Expr, local: Variable, body: Body) -> None:
    """Does the body for each member, which is in the local then."""
    source = c.meant(source)
    known = c.folder.constant(source)
    if known is not None:
        of = source.type.of if isinstance(source.type, SetType) else source.type
        each_known(c, tuple(c.word(member, of) for member in known[0]), local, body)
        return
    write = SOURCES.get(type(source))
    kept = c.slots.get(source.slot) if isinstance(source, ir.Local) else None
    if isinstance(kept, Bits):
        c.b.get(kept.mask)
        each_bit(c, kept.first, local, body)
    elif isinstance(kept, Chosen):
        _each_chosen(c, kept, local, body)
    elif isinstance(kept, Ray):
        grids.each_on_ray(c, kept, local, body)
    elif write is None:
        c.b.push(c.value(source))
        each_listed(c, local, body)
    else:
        write(c, source, local, body)


def whole(c: Code, source: ir.Expr) -> ir.Expr:
    """A set that is not gone through to its end. If it can be a fault, all of it is worked out
    before, and a name for it is returned."""
    source = c.meant(source)
    if not isinstance(source, FOUND_ON_THE_WAY) or not c.unit.can_fault.possible(source):
        return source
    slot = c.unit.new_slot()
    c.b.push(c.value(source))
    c.b.set(c.slot(slot))
    return ir.Local(source.type, slot, "members", span=source.span)


def each_known(c: Code, members: Sequence[int], local: Variable, body: Body) -> None:
    following = all(b == a + 1 for a, b in pairwise(members))
    if members and following and len(members) >= _RUN:
        c.b.const(members[0])
        c.b.const(members[-1] + 1)
        each_number(c, local, body)
    elif len(members) == 1:
        c.b.const(members[0])
        c.b.set(local)
        with c.b.block():
            body()
    elif members:
        c.b.const(c.plan.listing(tuple(members)))
        each_listed(c, local, body)


def unrolled(c: Code, members: Sequence[Value], slot: int, of: Type, body: Body) -> None:
    """Writes the body once for each of a few members, which are then known in it."""
    before = c.meanings.get(slot)
    for member in members:
        c.unit.count_work()
        c.meanings[slot] = ir.Const(of, member)
        c.b.push(c.known(member, of))
        c.b.set(c.slot(slot))
        body()
    del c.meanings[slot]
    if before is not None:
        c.meanings[slot] = before


def few(members: Sequence[Value], weight: int) -> bool:
    """Whether a body of so many nodes is worth being written once for each member."""
    return 0 < len(members) <= _FEW and len(members) * weight <= _MOST_WRITTEN


def each_number(c: Code, local: Variable, body: Body) -> None:
    """From the lower number on the stack up to, not including, the one above it."""
    b, at, end = c.b, c.local(), c.local()
    b.set(end)
    b.set(at)
    with b.block() as done, b.loop() as again:
        b.get(at)
        b.get(end)
        b.op("i32.ge_s")
        b.br_if(done)
        b.get(at)
        b.set(local)
        b.get(at)
        b.const(1)
        b.op("i32.add")
        b.set(at)
        body()
        b.br(again)


def so_often(c: Code, left: Variable, body: Body) -> None:
    """As often as the number in a local says, which is counted down."""
    b = c.b
    with b.block() as done, b.loop() as again:
        b.get(left)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(left)
        b.const(1)
        b.op("i32.sub")
        b.set(left)
        body()
        b.br(again)


def take_lowest(c: Code, first: int, bits: Variable, local: Variable) -> None:
    """Puts the lowest member of a mask in a local into another, and takes it out of the mask."""
    b = c.b
    c.f.set(local, bits.lowest_bit() + first)
    b.get(bits)
    b.get(bits)
    b.long(1)
    b.op("i64.sub", "i64.and")
    b.set(bits)


def each_listed(c: Code, local: Variable, body: Body) -> None:
    """Through the list whose address is on the stack."""
    b, at, end = c.b, c.local(), c.local()
    b.tee(at)
    b.get(at)
    b.load()
    b.const(2)
    b.op("i32.shl", "i32.add")
    b.set(end)
    with b.block() as done, b.loop() as again:
        b.get(at)
        b.get(end)
        b.op("i32.ge_u")
        b.br_if(done)
        b.get(at)
        b.load(4)
        b.set(local)
        b.get(at)
        b.const(4)
        b.op("i32.add")
        b.set(at)
        body()
        b.br(again)


def each_bit(c: Code, first: int, local: Variable, body: Body) -> None:
    """Through the members of the mask on the stack; bit 0 is number `first`."""
    b, mask = c.b, c.long()
    b.set(mask)
    with b.block() as done, b.loop() as again:
        b.get(mask)
        b.op("i64.eqz")
        b.br_if(done)
        take_lowest(c, first, mask, local)
        body()
        b.br(again)


def each_taken(
    c: Code, family: Family, members: Sequence[int], local: Variable, body: Body
) -> None:
    """Through those of some places, in order, in which a piece lies when it is their turn."""
    b, ahead, bits = c.b, c.long(), c.long()
    b.long(sum(1 << (member - family.first) for member in members))
    b.set(ahead)
    with b.block() as done, b.loop() as again:
        b.const(0)
        b.load(family.occupied, "i64.load")
        b.get(ahead)
        b.op("i64.and")
        b.tee(bits)
        b.op("i64.eqz")
        b.br_if(done)
        c.f.set(local, bits.lowest_bit() + family.first)
        # Ahead is what lies above the lowest bit.
        b.get(ahead)
        b.long(-2)
        b.get(bits)
        b.op("i64.ctz", "i64.shl", "i64.and")
        b.set(ahead)
        body()
        b.br(again)


def _each_chosen(c: Code, chosen: Chosen, local: Variable, body: Body) -> None:
    b, mask, at = c.b, c.long(), c.long()
    b.get(chosen.mask)
    b.set(mask)
    with b.block() as done, b.loop() as again:
        b.get(mask)
        b.op("i64.eqz")
        b.br_if(done)
        b.get(chosen.listed)
        b.get(mask)
        b.op("i64.clz")
        b.tee(at)
        b.op("i32.wrap_i64")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.load(4)
        b.set(local)
        b.get(mask)
        b.long(-1 << 63)
        b.get(at)
        b.op("i64.shr_u", "i64.xor")
        b.set(mask)
        body()
        b.br(again)


def _each_in_place(c: Code, source: ir.Contents, local: Variable, body: Body) -> None:
    b, family, piece = c.b, locations.family_of(c, source.place.type), c.local()
    c.b.push(c.present(source.place))
    if family.masked:
        b.push(locations.mask_in(family, b.pop()))
        each_bit(c, family.first_piece, local, body)
        return
    family.bottom.load(b)
    b.set(piece)
    with b.block() as done, b.loop() as again:
        b.get(piece)
        b.const(0)
        b.op("i32.lt_s")
        b.br_if(done)
        b.get(piece)
        b.set(local)
        b.get(piece)
        c.plan.above.load(b)
        b.set(piece)
        body()
        b.br(again)


def _each_in_range(c: Code, source: ir.Range, local: Variable, body: Body) -> None:
    b, number, left = c.b, c.local(), c.local()
    low, _ = _ends(c, source)
    b.set(left)
    b.get(low)
    b.set(number)

    def following() -> None:
        b.get(number)
        b.set(local)
        b.get(number)
        b.const(1)
        b.op("i32.add")
        b.set(number)
        body()

    so_often(c, left, following)


def _ends(c: Code, source: ir.Range) -> tuple[Variable, Variable]:
    """The locals of the first and the last number of a range, and on the stack how many there are,
    which are not too many."""
    b, low, high, count = c.b, c.local(), c.local(), c.local()
    for part, local in ((source.low, low), (source.high, high)):
        c.b.push(c.present(part))
        b.set(local)
    first, last = (c.unit.bounds.number(part) for part in (source.low, source.high))
    if last[1] - first[0] >= LONGEST:
        number = c.long()
        for local in (high, low):
            b.get(local)
            b.op("i64.extend_i32_s")
        b.op("i64.sub")
        b.tee(number)
        b.long(LONGEST)
        b.op("i64.ge_s")
        c.fault_if(messages.TOO_WIDE, source.span)
        b.get(number)
        b.long(-1)
        b.get(number)
        b.long(-1)
        b.op("i64.gt_s", "select", "i32.wrap_i64")
    else:
        b.get(high)
        b.get(low)
        b.op("i32.sub")
    b.const(1)
    b.op("i32.add")
    b.tee(count)
    b.const(0)
    b.get(count)
    b.const(0)
    b.op("i32.gt_s", "select")
    return low, high


def _each_player(c: Code, source: ir.PlayersFrom, local: Variable, body: Body) -> None:
    found = c.folder.attribute(source)
    assert found is not None
    lists = [c.plan.listing(seats) for seats in found[0]]
    c.b.push(c.lookup(c.plan.table(lists), found[1]))
    each_listed(c, local, body)


def _each_of_function(c: Code, source: ir.CallFunction, local: Variable, body: Body) -> None:
    opened = value_calls.opened(c, source)
    if opened is None:
        c.b.push(c.value(source))
        each_listed(c, local, body)
    else:
        each(*opened, local, body)


def _each_without(c: Code, source: ir.Combine, local: Variable, body: Body) -> None:
    if not source.without:
        c.b.push(c.value(source))
        each_listed(c, local, body)
        return
    b, gone, first = c.b, c.local(), c.local()
    # The left set comes first, if it can be told: where it cannot be a fault it is gone through
    # while it is found.
    listed = c.unit.can_fault.possible(source.left)
    if listed:
        c.b.push(c.value(source.left))
        b.set(first)
    c.b.push(c.value(source.right))
    b.set(gone)

    def unless_gone() -> None:
        with b.block() as following:
            b.get(gone)
            b.get(local)
            b.call(lists.includes(c.unit))
            b.br_if(following)
            body()

    if listed:
        b.get(first)
        each_listed(c, local, unless_gone)
    else:
        each(c, source.left, local, unless_gone)


# ---------------------------------------------------------------- lists


def add_one(c: Code, number: Variable) -> None:
    c.b.get(number)
    c.b.const(1)
    c.b.op("i32.add")
    c.b.set(number)


def listed(c: Code, expr: ir.Expr) -> None:
    """Writes a set down; leaves its address on the stack."""
    b = c.b
    different = isinstance(expr, ir.Collect) and expr.different
    bounds = c.unit.bounds
    room, limited = bounds.members(expr), False
    if isinstance(expr, ir.Combine) and not expr.without and is_of_numbers(expr.type):
        limited = bounds.members(expr.left) + bounds.members(expr.right) > LONGEST
    at, number, member = c.reserve(room), c.local(), c.local()
    b.const(0)
    b.set(number)

    def add() -> None:
        _append(c, at, number, member, limited, different, expr.span)

    match expr:
        case ir.Combine(left=left, right=right, without=False):
            parts = lines.apart(c, expr)
            different = parts is None
            for part in parts or (left, right):
                each(c, part, member, add)
        case ir.Collect(binder=binder, value=value):
            each(c, ir.Collect(expr.type, binder, value, span=expr.span), member, add)
        case _:
            each(c, expr, member, add)
    _close_list(c, at, number)
    b.get(at)


def _append(
    c: Code,
    at: Variable,
    number: Variable,
    member: Variable,
    limited: bool,
    different: bool,
    span: Span,
) -> None:
    """Adds a member to a list, unless it has to be another one than those before. Where the list is
    limited, there may not be too many."""
    b = c.b
    with b.block() as there:
        if different:
            b.get(at)
            b.get(number)
            b.store()
            b.get(at)
            b.get(member)
            b.call(lists.includes(c.unit))
            b.br_if(there)
        if limited:
            b.get(number)
            b.const(LONGEST)
            b.op("i32.ge_s")
            c.fault_if(messages.TOO_MANY_NUMBERS, span)
        b.get(at)
        b.get(number)
        b.const(1)
        b.op("i32.add")
        b.tee(number)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.get(member)
        b.store()


def _close_list(c: Code, at: Variable, number: Variable) -> None:
    """Writes how many members there are, and gives back the room that was not needed."""
    b = c.b
    b.get(at)
    b.get(number)
    b.store()
    b.get(at)
    b.get(number)
    b.const(1)
    b.op("i32.add")
    b.const(2)
    b.op("i32.shl", "i32.add")
    b.set(c.unit.top)


def list_of(c: Code, expr: ir.ListOf) -> None:
    b, at = c.b, c.reserve(len(expr.items))
    of = expr.type.of if isinstance(expr.type, SetType) else expr.type
    b.get(at)
    b.const(len(expr.items))
    b.store()
    for number, item in enumerate(expr.items):
        b.get(at)
        c.b.push(c.value(item, of))
        b.store(4 * (number + 1))
    b.get(at)


# ---------------------------------------------------------------- about a whole set


def size(c: Code, expr: ir.Expr) -> None:
    """How many members a set has."""
    expr = c.meant(expr)
    b, known = c.b, c.folder.constant(expr)
    if known is not None:
        b.const(len(known[0]))
        return
    match expr:
        case ir.Contents(place=place):
            b.push(locations.count_in(locations.family_of(c, place.type), c.present(place)))
        case ir.Filter(binder=binder):
            c.b.push(c.value(ir.Count(NUMBER, binder, span=expr.span)))
        case ir.Range():
            _ends(c, expr)
        case ir.PlayersFrom(start=start):
            _look_at(c, (start,))
            b.const(c.layout.players)
        case ir.Walk():
            b.get(grids.ray(c, expr).count)
        case ir.ListOf(items=items):
            _look_at(c, items)
            b.const(len(items))
        case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
            c.b.push(c.value(condition))
            with b.if_(I32):
                size(c, then)
                b.else_()
                size(c, otherwise)
        case ir.Local(slot=slot) if isinstance(kept := c.slots.get(slot), Bits | Chosen):
            b.get(kept.mask)
            b.op("i64.popcnt", "i32.wrap_i64")
        case ir.Local(slot=slot) if isinstance(kept := c.slots.get(slot), Ray):
            b.get(kept.count)
        case ir.Combine(without=False) if (parts := lines.apart(c, expr)) is not None:
            for at, part in enumerate(parts):
                size(c, part)
                if at:
                    b.op("i32.add")
        case ir.Local() | ir.Combine(without=False) | ir.Collect(different=True):
            c.b.push(c.value(expr))
            b.load()
        case ir.CallFunction() if (opened := value_calls.opened(c, expr)) is not None:
            size(*opened)
        case ir.CallFunction():
            c.b.push(c.value(expr))
            b.load()
        case _ if type(expr) in SIZES:
            SIZES[type(expr)](c, expr)
        case _:
            number, member = c.local(), c.local()
            b.const(0)
            b.set(number)
            each(c, expr, member, lambda: add_one(c, number))
            b.get(number)


def _look_at(c: Code, items: Sequence[ir.Expr]) -> None:
    """What cannot be worked out is a fault, though nobody needs its value."""
    for item in items:
        if not isinstance(item, ir.Local | ir.Const):
            c.b.push(c.value(item))
            c.b.op("drop")


def is_empty(c: Code, expr: ir.IsEmpty) -> None:
    empty(c, expr.set)


def empty(c: Code, expr: ir.Expr) -> None:
    """Whether a set has no members."""
    expr = c.meant(expr)
    b, known = c.b, c.folder.constant(expr)
    if known is not None:
        b.const(int(not known[0]))
        return
    match expr:
        case ir.Contents(place=place):
            b.push(locations.is_empty_in(locations.family_of(c, place.type), c.present(place)))
        case ir.Filter() | ir.Collect() | ir.Combine() if c.unit.can_fault.possible(expr):
            c.b.push(c.value(expr))
            b.load()
            b.op("i32.eqz")
        case ir.Filter(binder=binder):
            c.b.push(c.value(ir.Exists(TRUTH, binder, span=expr.span)))
            b.op("i32.eqz")
        case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
            c.b.push(c.value(condition))
            with b.if_(I32):
                empty(c, then)
                b.else_()
                empty(c, otherwise)
        case ir.CallFunction() if (opened := value_calls.opened(c, expr)) is not None:
            empty(*opened)
        case ir.Local(slot=slot) if isinstance(kept := c.slots.get(slot), Bits | Chosen):
            b.get(kept.mask)
            b.op("i64.eqz")
        case ir.Local(slot=slot) if isinstance(kept := c.slots.get(slot), Ray):
            b.get(kept.count)
            b.op("i32.eqz")
        case ir.Local() | ir.CallFunction():
            c.b.push(c.value(expr))
            b.load()
            b.op("i32.eqz")
        case ir.Combine(left=left, right=right, without=False):
            empty(c, left)
            with b.if_(I32):
                empty(c, right)
                b.else_()
                b.const(0)
        case _:
            with b.block(I32) as answered:
                member = c.local()
                with b.block() as there:
                    each(c, expr, member, lambda: b.br(there))
                    b.const(1)
                    b.br(answered)
                b.const(0)


def end_of(c: Code, expr: ir.EndOf) -> None:
    """The first or last member, or nothing."""
    expr = replace(expr, set=whole(c, expr.set))
    kept = c.slots.get(expr.set.slot) if isinstance(expr.set, ir.Local) else None
    if isinstance(kept, Ray):
        grids.push_end_of_ray(c, kept, expr.last)
        return
    b, end = c.b, c.local()
    of = expr.set.type.of if isinstance(expr.set.type, SetType) else expr.set.type
    b.const(c.word(None, of))
    b.set(end)
    if isinstance(expr.set, ir.Local) and isinstance(c.slots.get(expr.set.slot), Variable):
        members = c.local()
        c.b.push(c.value(expr.set))
        b.tee(members)
        b.load()
        with b.if_():
            b.get(members)
            if expr.last:
                b.get(members)
                b.load()
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.load()
            else:
                b.load(4)
            b.set(end)
    elif expr.last:
        each(c, expr.set, end, lambda: None)
    else:
        with b.block() as there:
            each(c, expr.set, end, lambda: b.br(there))
    b.get(end)


def includes(c: Code, expr: ir.Includes) -> None:
    b, of = c.b, expr.set.type
    inner = of.of if isinstance(of, SetType) else of
    if isinstance(expr.set, ir.Contents):
        c.b.push(c.lookup(c.plan.where, expr.item))
        c.b.push(c.present(expr.set.place))
        b.op("i32.eq")
    elif isinstance(expr.set, ir.Range):
        number = c.local()
        c.b.push(c.value(expr.item))
        b.set(number)
        low, high = _ends(c, expr.set)
        b.op("drop")
        b.get(low)
        b.get(number)
        b.op("i32.le_s")
        b.get(number)
        b.get(high)
        b.op("i32.le_s", "i32.and")
    else:
        item = c.local()
        c.b.push(c.value(expr.item, inner))
        b.set(item)
        several, looks = c.meant(expr.set), c
        if isinstance(several, ir.CallFunction):
            looks, several = value_calls.opened(c, several) or (c, several)
        look_up = LOOKED_UP.get(type(several))
        if look_up is not None:
            look_up(looks, several, item)
            return
        c.b.push(looks.value(several, of))
        b.get(item)
        b.call(lists.includes(c.unit))


def paid(c: Code, expr: Paid) -> None:
    """Lists a set and pays for its members; leaves its address on the stack."""
    listed = c.local()
    c.b.push(c.value(expr.set))
    c.b.tee(listed)
    c.b.load()
    c.pay_for_each(expr.each, expr.span)
    c.b.get(listed)


def _each_paid(c: Code, source: Paid, local: Variable, body: Body) -> None:
    paid(c, source)
    each_listed(c, local, body)


SOURCES: dict[type[ir.Expr], Callable[[Code, Any, Variable, Body], None]] = {
    ir.Contents: _each_in_place,
    ir.Range: _each_in_range,
    ir.PlayersFrom: _each_player,
    ir.CallFunction: _each_of_function,
    ir.Combine: _each_without,
    ir.Around: neighbours.each_around,
    ir.Occupied: bitboards.each_occupied,
    ir.OpenPlaces: bitboards.each_open,
    ir.Walk: grids.each_walked,
    Paid: _each_paid,
}

SIZES: dict[type[ir.Expr], Callable[[Code, Any], None]] = {}
"""What knows how many members it has without going through them."""
LOOKED_UP: dict[type[ir.Expr], Callable[[Code, Any, Variable], None]] = {}
"""What knows whether it has a member. These tables are filled by the files that know more sets."""
