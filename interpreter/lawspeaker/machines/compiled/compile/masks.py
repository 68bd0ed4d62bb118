"""Generates bit-set code for the plans `Mask` and `Board` (see `planned.sets`).

The pieces in a heap are a mask. For a small family with at most one piece per place, the bitboards
of occupied places, and of those held by each player, are updated incrementally
(`plan.Family.occupied` and `held`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import PaidValue
from lawspeaker.machines.compiled.compile import locations
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Bits
from lawspeaker.machines.compiled.compile.small_boards import Writer, entry_of
from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.compiled.runtime.plan import LONG, Column
from lawspeaker.machines.middle.forms import Expr, Variable, const
from lawspeaker.machines.planned.sets import Board, ByField, ByTable, ByValue, Mask, Masked

Body = Callable[[], None]
_WIDEST = 4096


def whole_mask(c: Code, binder: ir.Binder) -> Masked | None:
    """Returns a plan that finds all members as a mask; None if members need further tests."""
    return c.unit.sets.whole(binder, c.names)


def members(c: Code, plan: Masked) -> Bits:
    """Evaluates the members as a bit set."""
    return Bits(plan.first, bits(c, plan))


def bits(c: Code, plan: Masked) -> wide.WideBits:
    return wide.WideBits(_pieces(c, plan)) if isinstance(plan, Mask) else _places(c, plan)


def _pieces(c: Code, plan: Mask) -> Expr:
    family = locations.family_of(c, plan.place.type)
    all_there = locations.mask_in(family, c.present(plan.place))
    if isinstance(plan.by, ByTable):
        return all_there & _entry(c, plan.by, 1).only
    return all_there if plan.by is None else _narrowed(c, wide.WideBits(all_there), plan.by).only


def _places(c: Code, plan: Board) -> wide.WideBits:
    if plan.paid is not None:
        c.pay(plan.members * plan.paid.each, plan.paid.span, plan.paid.each)
    found, asked = _asked(c, plan)
    for mask, paid in asked:
        c.pay_for_each(wide.count(mask), paid.cost, paid.span)
    return found


def _asked(c: Code, plan: Board) -> tuple[wide.WideBits, list[tuple[wide.WideBits, PaidValue]]]:
    """Returns the places that pass, and for each test with a cost the places it was applied to."""
    fields = [step.field for step in plan.by if isinstance(step, ByField)]
    writer = Writer(c, plan.fields, [plan.start, *fields])
    source = None if plan.source is None else wide.let(c.f, "source", _source(c, plan.source))
    found: wide.WideBits = writer.bits(plan.start)
    asked: list[tuple[wide.WideBits, PaidValue]] = []
    if source is not None:
        found = source & found
    if plan.table is not None:
        found = found & _entry(c, plan.table, plan.places.words)
    for step in plan.by:
        if isinstance(step, ByValue):
            found = _narrowed(c, found, step)
            continue
        if step.cost is not None:
            found = wide.let(c.f, "asked", found)
            asked.append((found, step.cost))
        found = found & writer.bits(step.field)
    return found, asked


def _source(c: Code, source: ir.Expr) -> wide.WideBits:
    """Returns the bits of a set of places."""
    kept = c.kept(source)
    if isinstance(kept, Bits):
        return kept.mask
    return AS_BITS[type(source)](c, source)


AS_BITS: dict[type[ir.Expr], Callable[[Code, Any], wide.WideBits]] = {}
"""Evaluators of place sets as bits; filled by the modules that define them."""


def each(c: Code, plan: Masked, local: Variable, body: Body) -> None:
    """Emits the body for each member. Where planned so, the cost of the tests of the members up to
    it is charged first."""
    if isinstance(plan, Mask) or not plan.in_order:
        members(c, plan).each(c.f, local, body)
        return
    f = c.f
    if plan.paid is not None:
        c.pay(plan.members * plan.paid.each, plan.paid.span, plan.paid.each)
    found, asked = _asked(c, plan)
    words = plan.places.words
    paid = wide.let(f, "paid", wide.known(0, words))  # the members that are paid for

    def pay(upto: wide.WideBits) -> None:
        left = c.unit.left
        due = [wide.count(mask & upto & ~paid).to_long() * by.cost for mask, by in asked]
        whole = f.let("due", reduce(add, due))

        def pay_each() -> None:
            for mask, by in asked:
                with f.if_(wide.has(mask, member)):
                    c.pay(by.cost, by.span, by.cost)

        # If the budget runs out here, charge one by one, to fault at the right test.
        with f.if_(left < whole):
            member = f.variable("member")
            wide.each(f, member, upto & ~paid, 0, pay_each)
        f.set(left, left - whole)
        wide.set_to(f, paid, upto)

    def pay_before() -> None:
        pay(wide.let(f, "upto", wide.upto(local - plan.first, words)))
        body()

    wide.each(f, local, found, plan.first, pay_before)
    pay(wide.known(-1, words))


def _entry(c: Code, table: ByTable, words: int) -> wide.WideBits:
    if not table.slots:
        return wide.known(table.masks[0], words)
    if words == 1:
        column = Column(c.plan.words(list(table.masks)), LONG)
        return wide.WideBits(c.entry(column, table.slots, table.domains))
    number: Expr = const(0)
    for at, (slot, domain) in enumerate(zip(table.slots, table.domains, strict=True)):
        value = c.value(slot) - domain.start
        number = number * len(domain) + value if at else value
    return entry_of(c, table.masks, words, number)


def _narrowed(c: Code, mask: wide.WideBits, by: ByValue) -> wide.WideBits:
    """Narrows a mask to the members with the wanted value, which is evaluated only if the mask is
    not empty."""
    f, own = c.f, [c.word(value, by.of) for value in by.values]
    words = len(mask.each)
    low, high = (min(own), max(own)) if own else (0, -1)
    if high - low > _WIDEST:
        low, high = 0, -1
    masks = [
        sum(1 << at for at, value in enumerate(own) if value == each)
        for each in range(low, high + 1)
    ]
    mask, narrowed = wide.let(f, "mask", mask), wide.let(f, "narrowed", wide.known(0, words))
    with f.if_(wide.some(mask)):
        index = f.let("index", c.value(by.wanted, by.of) - low)
        with f.if_(index.below(len(masks))):
            wide.set_to(f, narrowed, entry_of(c, masks, words, index) & mask)
    return narrowed
