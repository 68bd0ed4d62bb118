"""Generates loops over the members of a set, one function for each plan (`planned.loops`)."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.compile import grids, members, value_calls
from lawspeaker.machines.compiled.compile.clauses import ClauseCode
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import KeptSet, Listed, Ray
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import word
from lawspeaker.machines.planned.loops import AlongLine, OccupiedOf, Resumed, Steady
from lawspeaker.machines.planned.loops import Listed as WrittenDown
from lawspeaker.machines.planned.sets import Unrolled


def for_each(c: ClauseCode, statement: ir.ForEach) -> None:
    """Generates a loop over the members of a set, as planned."""
    f, binder, slot = c.f, statement.binder, c.slot(statement.binder.slot)
    plan, cost = c.unit.loops.rounds(statement, waits=c.waits), c.cost(statement, Kind.LIST)

    def body() -> None:
        with f.block() as following:
            if binder.where is not None:
                c.unless(binder.where, following)
            c.steadily(statement.body)

    def each(several: KeptSet) -> None:
        c.pay_for_each(several.size(), cost, statement.span)
        several.each(f, slot, body)

    match plan:
        case Resumed():
            _resumed(c, statement, cost)
        case Unrolled(known):
            c.pay(len(known) * cost, statement.span, cost)
            members.unrolled(c, known, binder.slot, binder.type, body)
        case OccupiedOf(places, known):
            c.pay(len(known) * cost, statement.span, cost)
            with c.scoped():
                members.each_taken(c, c.plan.families[places.number], known, slot, body)
        case Steady(number):
            if number is not None:
                c.pay(number * cost, statement.span, cost)
            with c.scoped():
                if number is None:
                    c.pay_for_each(members.size(c, binder.source), cost, statement.span)
                members.each(c, binder.source, slot, body)
        case AlongLine():
            with c.scoped():
                each(_line(c, binder.source))
        case WrittenDown():
            with c.scoped():
                each(Listed(f.let("listed", c.value(binder.source))))


def _resumed(c: ClauseCode, statement: ir.ForEach, cost: int) -> None:
    """A resumable loop over a list: it continues behind the member at which it was suspended."""
    f, binder = c.f, statement.binder
    slot, listed, index = (
        c.slot(binder.slot),
        c.slot(statement.list_slot),
        c.slot(statement.index_slot),
    )
    before = f.let("top", c.unit.top)
    with f.if_(c.target == 0):
        f.set(listed, c.value(binder.source))
        c.pay_for_each(word(listed), cost, statement.span)
        f.set(index, 0)
    with f.loop() as going:
        with f.if_(c.target == 0), f.loop() as looking:
            f.leave(going, index >= word(listed))
            f.add(index, 1)
            f.set(slot, word(listed + (index << 2)))
            if binder.where is None:
                f.leave(looking)
            else:
                c.when(binder.where, looking)
        c.block(statement.body)
    c.clear(statement.list_slot)
    c.clear(statement.index_slot)
    f.set(c.unit.top, before)


def _line(c: Code, expr: ir.Expr) -> Ray:
    """Returns a set that is planned as places in a line (`planned.walks`)."""
    f = c.f
    match expr:
        case ir.Walk():
            return grids.ray(c, expr)
        case ir.Local():
            kept = c.kept(expr)
            assert isinstance(kept, Ray)
            return kept
        case ir.CallFunction():
            opened = value_calls.opened(c, expr)
            assert opened is not None
            return _line(*opened)
    start, stride, count = f.variable("start"), f.variable("stride"), f.let("count", 0)

    def take_over(expr: ir.Expr) -> None:
        if expr != ir.ListOf(expr.type, ()):
            other = _line(c, expr)
            f.set(start, other.start)
            f.set(stride, other.stride)
            f.set(count, other.count)

    if isinstance(expr, ir.Conditional):
        with f.block() as chosen:
            with f.block() as otherwise:
                c.unless(expr.condition, otherwise)
                take_over(expr.then)
                f.leave(chosen)
            take_over(expr.otherwise)
    return Ray(start, stride, count)
