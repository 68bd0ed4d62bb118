"""Generates loops over the members that a binder finds: exists, every, count, sum, extreme, the.

`planned.sets` plans how the members are found; each plan has a function here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import add as plus
from operator import mul

from lawspeaker import ir
from lawspeaker.ir.bounds import added, fits
from lawspeaker.machines.compiled.compile import combinations, locations, masks, members, neighbours
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.masks import whole_mask
from lawspeaker.machines.compiled.compile.members import Body
from lawspeaker.machines.compiled.compile.set_forms import Listed
from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Expr, Label, Variable, const, greater, lesser, not_
from lawspeaker.machines.planned.finding import Bottom, First, Lowest, Nearby, OneByOne
from lawspeaker.machines.planned.sets import (
    Board,
    Loop,
    Mask,
    MemberTable,
    Tests,
    Unrolled,
    Use,
    as_one,
)
from lawspeaker.position.layout import Value

Counting = Callable[[Expr], None]
"""Emits the loop body branch-free: its argument is 1 for a member found and 0 for the others."""


def found(
    c: Code,
    binder: ir.Binder,
    body: Body,
    value: ir.Expr | None = None,
    weight: int = 0,
    *,
    counting: Counting | None = None,
    to_the_end: bool = False,
) -> None:
    """Emits the body for each member that the binder finds; the member is in the binder's slot.

    `value` is the expression that the body evaluates per member, if any, and `weight` its other
    code size. `counting` emits the body for every member, with 1 for those found and 0 for the
    others; it is used where the tests are short. `to_the_end`: the body never exits the loop.
    """
    f = c.f
    use = Use(
        c.unit.rooms.weight_of((binder.where, value)) + weight,
        counting is not None,
        to_the_end,
    )
    plan = c.unit.sets.found(binder, c.names, use)
    tested = partial(_tested, c, plan.rest, body, counting)
    slot = c.local() if combinations.of(binder.source) else c.slot(binder.slot)
    match plan:
        case Mask() | Board():
            masks.each(c, plan, slot, tested)
        case MemberTable():
            Listed(listed(c, binder, plan)).each(f, slot, tested)
        case Unrolled(members=known):
            members.unrolled(c, known, binder.slot, binder.type, tested)
        case Loop(source=source) if combinations.of(source) is not None:
            combinations.each(c, source, binder.slot, tested)
        case Loop(source=source):
            members.each(c, source, slot, tested)


def each_of_few(
    c: Code, binder: ir.Binder, known: tuple[Value, ...], body: Body, counting: Counting | None
) -> None:
    """Unrolls `found` over known members."""
    tested = partial(_tested, c, c.unit.sets.tests(binder, c.names), body, counting)
    members.unrolled(c, known, binder.slot, binder.type, tested)


def _tested(c: Code, tests: Tests, body: Body, counting: Counting | None) -> None:
    """Emits the body, guarded by the remaining tests of a member."""
    if counting is not None and tests and (holds := c.straight(as_one(tests))) is not None:
        counting(holds)
        return
    with c.f.block() as following:
        for test in tests:
            c.unless(test, following)
        body()


def listed(c: Code, binder: ir.Binder, table: MemberTable) -> Expr:
    """Returns the address of the precomputed list."""
    of, entries = binder.type, table.entries

    def words(entry: tuple[Value, ...]) -> int:
        return c.plan.listing(tuple(c.word(member, of) for member in entry))

    if not table.slots:
        return const(words(entries[0]))
    key = "lists", id(entries), of
    lists = c.unit.table(key, lambda: [words(entry) for entry in entries])
    return c.entry(lists, table.slots, table.domains)


def fixed_list(c: Code, binder: ir.Binder) -> Expr | None:
    """Returns the address of the precomputed list of all members of a binder; None if there is
    none."""
    table = c.unit.sets.listed(binder, c.names)
    return None if table is None else listed(c, binder, table)


def each_found(c: Code, source: ir.Filter, local: Variable, body: Body) -> None:
    """Iterates over the members of a filter."""

    def hand_over() -> None:
        c.f.set(local, c.slot(source.binder.slot))
        body()

    found(c, source.binder, hand_over)


def each_collected(c: Code, source: ir.Collect, local: Variable, body: Body) -> None:
    """Iterates over the values of a collection."""
    if source.different:
        members.kept(c, source).each(c.f, local, body)
        return

    def hand_over() -> None:
        c.f.set(local, c.value(source.value))
        body()

    found(c, source.binder, hand_over, source.value)


members.SOURCES[ir.Filter] = each_found
members.SOURCES[ir.Collect] = each_collected


# ---------------------------------------------------------------- finding


def find(c: Code, binder: ir.Binder, away: Label, *, which: bool = False) -> None:
    """Branches to `away` as soon as the binder finds a member. The member is in its slot if it is
    used elsewhere or if `which` is set."""
    plan = c.unit.finding.first(binder, c.names, which=which)
    if isinstance(plan, OneByOne):
        found(c, _whole(c, binder), lambda: c.f.leave(away))
    else:
        c.f.leave(away, _any(c, binder, plan))


def exists(c: Code, expr: ir.Exists) -> Expr:
    return _any(c, expr.binder, c.unit.finding.first(expr.binder, c.names))


def _any(c: Code, binder: ir.Binder, plan: First) -> Expr:
    """Returns whether a binder finds a member."""
    f = c.f
    match plan:
        case Lowest(among):
            bits = wide.let(f, "bits", masks.bits(c, among))
            f.set(c.slot(binder.slot), wide.lowest(bits) + among.first)
            return wide.some(bits)
        case Bottom(place):
            f.set(c.slot(binder.slot), locations.bottom(c, place))
            return c.slot(binder.slot) >= 0
        case Nearby(around, test):
            at_edge = partial(_any, c, binder, OneByOne())
            return neighbours.some(c, around, binder.slot, test, at_edge)
    any_found = f.let("any", 1)
    with f.block() as there:
        found(c, _whole(c, binder), lambda: f.leave(there))
        f.set(any_found, 0)
    return any_found


def _whole(c: Code, binder: ir.Binder) -> ir.Binder:
    return replace(binder, source=members.whole(c, binder.source))


def the(c: Code, expr: ir.The) -> Expr:
    """Returns the first member; faults if there is none."""
    if combinations.of(expr.binder.source) is not None:
        return _the_combination(c, expr)
    with c.f.block() as there:
        find(c, expr.binder, there, which=True)
        c.fault(messages.no_such(expr.binder.name), expr.span)
    return c.slot(expr.binder.slot)


def _the_combination(c: Code, expr: ir.The) -> Expr:
    """Returns the address of the list of the first combination found."""
    f, binder, several = c.f, expr.binder, c.f.variable("several")
    members_of_it = ir.Local(binder.type, binder.slot, binder.name)

    def keep() -> None:
        f.set(several, c.value(members_of_it))
        f.leave(there)

    with f.block() as there:
        found(c, binder, keep)
        c.fault(messages.no_such(binder.name), expr.span)
    return several


def every(c: Code, expr: ir.Every) -> Expr:
    """Returns whether a condition holds for every member."""
    f, holds = c.f, c.f.let("holds", 0)
    with f.block() as fails:
        binder = _whole(c, expr.binder)
        found(c, binder, lambda: c.unless(expr.condition, fails), expr.condition)
        f.set(holds, 1)
    return holds


# ---------------------------------------------------------------- aggregates


def count(c: Code, expr: ir.Count) -> Expr:
    """Counts members, by population count where they are bits."""
    f, binder = c.f, expr.binder
    if binder.where is None:
        return members.size(c, binder.source)
    mask = whole_mask(c, binder)
    if mask is not None:
        return masks.members(c, mask).size()
    number = f.let("number", 0)
    found(c, binder, lambda: f.add(number, 1), counting=lambda holds: f.add(number, holds))
    return number


def sum_of(c: Code, expr: ir.SumOf) -> Expr:
    """Adds or multiplies values; checks overflow unless bounds exclude it."""
    f, known = c.f, c.unit.bounds
    most = known.members(expr.binder.source)
    safe = fits(added(known.number(expr.value), most, expr.product))
    total, together = f.let("total", int(expr.product)), mul if expr.product else plus

    def add() -> None:
        more = f.let("more", c.scoped_present(expr.value))
        if not safe:
            wide = f.let("wide", together(total.to_long(signed=True), more.to_long(signed=True)))
            c.fault_if_beyond(wide, messages.BEYOND, expr.span)
        f.set(total, together(total, more))

    found(c, expr.binder, add, expr.value)
    return total


def extreme(c: Code, expr: ir.Extreme) -> Expr:
    """Computes the highest or lowest value."""
    f, known = c.f, c.folder.constant(c.meant(expr.binder.source))
    surely = known is not None and bool(known[0]) and expr.binder.where is None
    best = f.let("best", ir.SMALLEST if expr.highest else ir.LARGEST)
    any_found = f.let("any", int(surely))

    def compare() -> None:
        here = f.let("here", c.scoped_present(expr.value))
        f.set(best, greater(here, best) if expr.highest else lesser(here, best))
        if not surely:
            f.set(any_found, 1)

    found(c, expr.binder, compare, expr.value)
    if surely:
        return best
    with f.if_(not_(any_found)):
        if expr.otherwise is None:
            c.fault(messages.nothing_to_compare(expr.binder.name), expr.span)
        else:
            f.set(best, c.value(expr.otherwise, expr.type))
    return best
