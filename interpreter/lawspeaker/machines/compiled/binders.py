"""Code that takes the members of a set one by one: there is, every, count, sum, all, the.

The first conditions of a binder are often fixed (`card is king`, `row of field = row`): then the
members that pass are worked out beforehand, as lists or as masks (see `masks`), one for each value
of the slots the condition depends on. What remains of the condition is asked in the loop.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.bounds import fits
from lawspeaker.ir.types import LARGEST, SMALLEST, TRUTH, SetType
from lawspeaker.machines.compiled import members, neighbours, value_calls
from lawspeaker.machines.compiled.binary import I32
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.masks import Mask, leaves_names, mask_of, tests_of, whole_mask
from lawspeaker.machines.compiled.members import Body
from lawspeaker.machines.compiled.stack import Label
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Variable

_AT_ONCE = 4
"""So few members are looked at one after the other rather than chosen from a table."""


def found(
    c: Code,
    binder: ir.Binder,
    body: Body,
    value: ir.Expr | None = None,
    weight: int = 0,
    *,
    counting: Body | None = None,
) -> None:
    """Does the body for each member the binder finds, which is in its slot then.

    `value` is what the body works out for each of them, if anything, and `weight` how long the
    body is otherwise. `counting` is a way to do the body for every member, with 1 on the stack for
    those that are found and 0 for the others: it is taken where the tests are short.
    """
    binder = _meant(c, binder)
    b, slot = c.b, c.slot(binder.slot)
    tests = tests_of(c, binder)

    def tested() -> None:
        left = tests[passed:]
        if counting is not None and left and (holds := c.straight(all_of(left))) is not None:
            b.push(holds)
            counting()
            return
        with b.block() as following:
            for test in left:
                c.unless(test, following)
            body()

    passed = 0
    mask = mask_of(c, binder)
    if mask is not None:
        passed = mask.passed
        mask.push()
        members.each_bit(c, mask.first, slot, tested)
        return
    known = c.folder.constant(binder.source)
    at_once = counting is not None and known is not None and len(known[0]) <= _AT_ONCE
    chosen = None if at_once else _chosen_beforehand(c, binder, tests)
    if chosen is not None:
        passed, push = chosen
        push()
        members.each_listed(c, slot, tested)
        return
    if known is not None:
        total = value_calls.written_weight(c.unit, binder.where, value) + weight
        if members.few(known[0], total):
            members.unrolled(c, known[0], binder.slot, binder.type, tested)
            return
    members.each(c, binder.source, slot, tested)


def all_of(tests: list[ir.Expr]) -> ir.Expr:
    """One condition for several; the last one outermost, so that each counts on those before."""
    return reduce(lambda one, two: ir.And(two.type, one, two, span=two.span), tests)


def _meant(c: Code, binder: ir.Binder) -> ir.Binder:
    """A binder whose source is what is meant by it."""
    source = c.meant(binder.source)
    return binder if source is binder.source else replace(binder, source=source)


def _chosen_beforehand(c: Code, binder: ir.Binder, tests: list[ir.Expr]) -> tuple[int, Body] | None:
    """For a fixed source: how many tests were made beforehand, and code for the list left."""
    known = c.folder.constant(binder.source)
    if known is None or not tests:
        return None
    found = c.folder.passing(tests, binder.slot, known[0])
    if found is None:
        return None
    count, slots, domains, entries = found
    of = binder.type
    lists = [c.plan.listing(tuple(c.word(member, of) for member in entry)) for entry in entries]

    def push() -> None:
        if not slots:
            c.b.const(lists[0])
        else:
            c.b.push(c.entry(c.plan.table(lists), slots, domains))

    return count, push


def push_fixed_list(c: Code, binder: ir.Binder) -> bool:
    """Leaves the address of a list of all that a binder finds on the stack, where it was made
    beforehand; else nothing is written."""
    binder = _meant(c, binder)
    tests = tests_of(c, binder)
    known = c.folder.constant(binder.source)
    if known is not None and not tests:
        c.b.push(c.known(known[0], SetType(binder.type)))
        return True
    chosen = _chosen_beforehand(c, binder, tests)
    if chosen is None or chosen[0] < len(tests):
        return False
    chosen[1]()
    return True


def each_found(c: Code, source: ir.Filter, local: Variable, body: Body) -> None:
    def hand_over() -> None:
        c.b.get(c.slot(source.binder.slot))
        c.b.set(local)
        body()

    found(c, source.binder, hand_over)


def each_collected(c: Code, source: ir.Collect, local: Variable, body: Body) -> None:
    if source.different:
        c.b.push(c.value(source))
        members.each_listed(c, local, body)
        return

    def hand_over() -> None:
        c.b.push(c.value(source.value))
        c.b.set(local)
        body()

    found(c, source.binder, hand_over, source.value)


members.SOURCES[ir.Filter] = each_found
members.SOURCES[ir.Collect] = each_collected


# ---------------------------------------------------------------- finding


def find(c: Code, binder: ir.Binder, away: Label) -> None:
    """Goes away if the binder finds something, which is in its slot then if anybody speaks of it
    elsewhere."""
    if whole_mask(c, binder) is None and _some_nearby(c, binder):
        c.b.br_if(away)
    else:
        _find_one(c, binder, away)


def _find_one(c: Code, binder: ir.Binder, away: Label) -> None:
    """Goes away as soon as the binder finds something, which is in its slot then."""
    b = c.b
    mask = whole_mask(c, binder)
    if mask is None:
        found(c, _whole(c, binder), lambda: b.br(away))
        return
    _lowest_of(c, mask, binder.slot)
    b.br_if(away)


def _whole(c: Code, binder: ir.Binder) -> ir.Binder:
    return replace(binder, source=members.whole(c, binder.source))


def _some_nearby(c: Code, binder: ir.Binder) -> bool:
    """Leaves whether a neighbour of a place passes on the stack, where nobody asks which one and
    that is short; else nothing is written."""
    source, tests = c.meant(binder.source), tests_of(c, binder)
    if not isinstance(source, ir.Around) or not tests or _is_named(c, binder):
        return False

    def one_by_one() -> None:
        _any_found(c, binder)

    return neighbours.some(c, source, binder.slot, all_of(tests), one_by_one)


def _is_named(c: Code, binder: ir.Binder) -> bool:
    """Whether what a binder finds is spoken of outside its own condition."""
    return leaves_names(c, ir.Exists(TRUTH, binder), [])


def _lowest_of(c: Code, mask: Mask, slot: int) -> None:
    """Whether there is any in a mask; the lowest, if so, is in the slot."""
    b, bits = c.b, c.long()
    mask.push()
    b.set(bits)
    c.f.set(c.slot(slot), bits.lowest_bit() + mask.first)
    b.get(bits)
    b.long(0)
    b.op("i64.ne")


def exists(c: Code, expr: ir.Exists) -> None:
    mask = whole_mask(c, expr.binder)
    if mask is not None:
        _lowest_of(c, mask, expr.binder.slot)
    elif not _some_nearby(c, expr.binder):
        _any_found(c, expr.binder)


def _any_found(c: Code, binder: ir.Binder) -> None:
    """Whether a binder finds something."""
    b = c.b
    with b.block(I32) as answered:
        with b.block() as there:
            _find_one(c, binder, there)
            b.const(0)
            b.br(answered)
        b.const(1)


def the(c: Code, expr: ir.The) -> None:
    with c.b.block() as there:
        _find_one(c, expr.binder, there)
        c.fault(messages.no_such(expr.binder.name), expr.span)
    c.b.get(c.slot(expr.binder.slot))


def every(c: Code, expr: ir.Every) -> None:
    b = c.b
    with b.block(I32) as answered:
        with b.block() as fails:
            binder = _whole(c, expr.binder)
            found(c, binder, lambda: c.unless(expr.condition, fails), expr.condition)
            b.const(1)
            b.br(answered)
        b.const(0)


# ---------------------------------------------------------------- adding up


def count(c: Code, expr: ir.Count) -> None:
    b, binder = c.b, expr.binder
    if binder.where is None:
        members.size(c, binder.source)
        return
    mask = whole_mask(c, binder)
    if mask is not None:
        mask.push()
        b.op("i64.popcnt", "i32.wrap_i64")
        return
    number = c.local()
    b.const(0)
    b.set(number)

    def add() -> None:
        b.get(number)
        b.op("i32.add")
        b.set(number)

    found(c, binder, lambda: members.add_one(c, number), counting=add)
    b.get(number)


def sum_of(c: Code, expr: ir.SumOf) -> None:
    b, total = c.b, c.local()
    known = c.unit.bounds
    low, high = known.number(expr.value)
    most = known.members(expr.binder.source)
    safe = fits((low * most, high * most))
    b.const(0)
    b.set(total)

    def add() -> None:
        with_value = c.local()
        c.b.push(c.scoped_present(expr.value))
        b.set(with_value)
        if not safe:
            check_sum(c, total, with_value, expr.span)
        b.get(total)
        b.get(with_value)
        b.op("i32.add")
        b.set(total)

    found(c, expr.binder, add, expr.value)
    b.get(total)


def check_sum(c: Code, one: Variable, two: Variable, span: Span) -> None:
    """A fault if the sum of two locals is no number any more."""
    b, total = c.b, c.long()
    b.get(one)
    b.op("i64.extend_i32_s")
    b.get(two)
    b.op("i64.extend_i32_s", "i64.add")
    b.set(total)
    c.fault_if_beyond(total, messages.BEYOND, span)


def extreme(c: Code, expr: ir.Extreme) -> None:
    b, best, any_found, here = c.b, c.local(), c.local(), c.local()
    known = c.folder.constant(c.meant(expr.binder.source))
    surely = known is not None and bool(known[0]) and expr.binder.where is None
    b.const(SMALLEST if expr.highest else LARGEST)
    b.set(best)
    if not surely:
        b.const(0)
        b.set(any_found)

    def compare() -> None:
        c.b.push(c.scoped_present(expr.value))
        b.tee(here)
        b.get(best)
        b.get(here)
        b.get(best)
        b.op("i32.gt_s" if expr.highest else "i32.lt_s", "select")
        b.set(best)
        if not surely:
            b.const(1)
            b.set(any_found)

    found(c, expr.binder, compare, expr.value)
    if surely:
        b.get(best)
        return
    b.get(any_found)
    with b.if_(I32):
        b.get(best)
        b.else_()
        if expr.otherwise is None:
            c.fault(messages.nothing_to_compare(expr.binder.name), expr.span)
        else:
            c.b.push(c.value(expr.otherwise, expr.type))
