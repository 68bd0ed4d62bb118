"""Code for members that are found as bits of one word (see `planned.sets`: `Mask` and `Board`).

The pieces of a heap are a mask. So are the places of a small family in which at most one piece
lies: those that are taken, and those that are taken by a player's piece, are kept as masks while
the game goes on (`plan.Family.occupied` and `held`).
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled import locations
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Bits
from lawspeaker.machines.compiled.plan import LONG, Column
from lawspeaker.machines.compiled.small_boards import bits_of
from lawspeaker.machines.middle.forms import I64, Expr, either, long
from lawspeaker.machines.planned.fields import Fields
from lawspeaker.machines.planned.sets import Board, ByField, ByTable, ByValue, Mask, Masked

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
    found = bits_of(c, plan.fields, plan.start)
    if plan.table is not None:
        found = found & _entry(c, plan.table)
    for step in plan.by:
        if isinstance(step, ByField):
            found = _asked_of_all(c, plan.fields, step, found)
        else:
            found = _narrowed(c, found, step)
    return found


def _entry(c: Code, table: ByTable) -> Expr:
    if not table.slots:
        return long(table.masks[0])
    return c.entry(Column(c.plan.words(list(table.masks)), LONG), table.slots, table.domains)


def _asked_of_all(c: Code, fields: Fields, step: ByField, mask: Expr) -> Expr:
    """A mask narrowed to a field; each bit that it had is paid for, if that costs anything."""
    if step.cost is not None:
        mask = c.f.let("asked", mask)
        c.pay_for_each(mask.count_bits(), step.cost.cost, step.cost.span)
    return mask & bits_of(c, fields, step.field)


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
