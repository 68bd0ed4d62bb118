"""Code for members that are found as bits of one word (see `planned.sets`: `Mask` and `Board`).

The pieces of a heap are a mask. So are the places of a small family in which at most one piece
lies: those that are taken, and those that are taken by a player's piece, are kept as masks while
the game goes on (`plan.Family.occupied` and `held`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add

from lawspeaker import ir
from lawspeaker.ir.dependence import PaidValue
from lawspeaker.machines.compiled import locations
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Bits
from lawspeaker.machines.compiled.plan import LONG, Column
from lawspeaker.machines.compiled.small_boards import Writer
from lawspeaker.machines.middle.forms import I64, Expr, Variable, either, long
from lawspeaker.machines.planned.sets import Board, ByField, ByTable, ByValue, Mask, Masked

Body = Callable[[], None]
_WIDEST = 4096


def whole_mask(c: Code, binder: ir.Binder) -> Masked | None:
    """All that the binder finds as a mask; None when there is more to ask of a member."""
    return c.unit.sets.whole(binder, c.names)


def members(c: Code, plan: Masked) -> Bits:
    """The members, worked out."""
    return Bits(plan.first, bits(c, plan))


def bits(c: Code, plan: Masked) -> Expr:
    return _pieces(c, plan) if isinstance(plan, Mask) else _places(c, plan)


def _pieces(c: Code, plan: Mask) -> Expr:
    family = locations.family_of(c, plan.place.type)
    all_there = locations.mask_in(family, c.present(plan.place))
    if isinstance(plan.by, ByTable):
        return all_there & _entry(c, plan.by)
    return all_there if plan.by is None else _narrowed(c, all_there, plan.by)


def _places(c: Code, plan: Board) -> Expr:
    if plan.paid is not None:
        c.pay(plan.members * plan.paid.each, plan.paid.span, plan.paid.each)
    found, asked = _asked(c, plan)
    for mask, paid in asked:
        c.pay_for_each(mask.count_bits(), paid.cost, paid.span)
    return found


def _asked(c: Code, plan: Board) -> tuple[Expr, list[tuple[Variable, PaidValue]]]:
    """The places that pass, and those that were asked tests that are paid for."""
    fields = [step.field for step in plan.by if isinstance(step, ByField)]
    writer = Writer(c, plan.fields, [plan.start, *fields])
    found, asked = writer.bits(plan.start), []
    if plan.table is not None:
        found = found & _entry(c, plan.table)
    for step in plan.by:
        if isinstance(step, ByValue):
            found = _narrowed(c, found, step)
            continue
        if step.cost is not None:
            found = c.f.let("asked", found)
            asked.append((found, step.cost))
        found = found & writer.bits(step.field)
    return found, asked


def each(c: Code, plan: Masked, local: Variable, body: Body) -> None:
    """Does the body for each member. Where that is planned, what tests of the members so far cost
    is paid before it."""
    if isinstance(plan, Mask) or not plan.in_order:
        members(c, plan).each(c.f, local, body)
        return
    f = c.f
    if plan.paid is not None:
        c.pay(plan.members * plan.paid.each, plan.paid.span)
    found, asked = _asked(c, plan)
    paid = f.let("paid", 0, I64)  # the members up to the last that was paid for

    def pay(upto: Expr) -> None:
        due = [(mask & upto & ~paid).count_bits().to_long() * by.cost for mask, by in asked]
        whole, left = f.let("due", reduce(add, due)), c.unit.left
        # If the budget ends here: at which of them, only paying for one after the other tells.
        with f.if_(left < whole), f.each_bit("member", upto & ~paid) as member:
            for mask, by in asked:
                with f.if_((mask >> member & 1) != 0):
                    c.pay(by.cost, by.span)
        f.set(left, left - whole)
        f.set(paid, upto)

    bits = f.let("bits", found)
    with f.while_(bits != 0):
        f.set(local, bits.lowest_bit() + plan.first)
        pay(f.let("upto", bits ^ bits - 1))
        f.set(bits, bits & bits - 1)
        body()
    pay(long(-1))


def _entry(c: Code, table: ByTable) -> Expr:
    if not table.slots:
        return long(table.masks[0])
    return c.entry(Column(c.plan.words(list(table.masks)), LONG), table.slots, table.domains)


def _narrowed(c: Code, mask: Expr, by: ByValue) -> Expr:
    """A mask narrowed to the members with the wanted value, which is only worked out when there is
    any."""
    f, own = c.f, [c.word(value, by.of) for value in by.values]
    low, high = (min(own), max(own)) if own else (0, -1)
    if high - low > _WIDEST:
        low, high = 0, -1
    masks = [
        sum(1 << at for at, value in enumerate(own) if value == each)
        for each in range(low, high + 1)
    ]
    having = Column(c.plan.words(masks), LONG)
    mask, narrowed = f.let("mask", mask), f.let("narrowed", 0, I64)
    with f.if_(mask != 0):
        index = f.let("index", c.value(by.wanted, by.of) - low)
        f.set(narrowed, either(index.below(len(masks)), having[index] & mask, 0))
    return narrowed
