"""Code for everything that has a value: leaves, numbers, comparisons, and the table of all.

Numbers have 32 bits; whatever could grow too large for them is worked out in 64 and checked.
"""

from __future__ import annotations

from dataclasses import fields
from math import prod

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.bounds import fits, worked
from lawspeaker.ir.dependence import Paid, PaidValue
from lawspeaker.ir.types import (
    LARGEST,
    SMALLEST,
    MaybeType,
    NothingType,
    PlaceType,
    PlayerType,
    SetType,
    Type,
    plain,
)
from lawspeaker.ir.walk import bound_slots, everything, slots_read
from lawspeaker.machines.compiled import (
    binders,
    grids,
    lists,
    locations,
    members,
    options,
    value_calls,
)
from lawspeaker.machines.compiled.binary import I32
from lawspeaker.machines.compiled.function import Bits, Builder, Chosen, Code, Ray
from lawspeaker.machines.compiled.masks import whole_mask
from lawspeaker.machines.compiled.patterns import held_place
from lawspeaker.machines.compiled.plan import MASK_BITS
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.fold import Unknown
from lawspeaker.machines.middle.forms import Variable


def local(c: Code, expr: ir.Local) -> None:
    found = c.slots.get(expr.slot)
    if isinstance(found, Bits | Chosen | Ray):
        members.listed(c, expr)
    else:
        c.b.get(c.slot(expr.slot))


def marker(c: Code, expr: ir.MarkerValue) -> None:
    at = c.plan.markers + 4 * c.layout.marker_at[expr.marker]
    if not expr.indices:
        c.b.const(0)
    else:
        declared = c.program.markers[expr.marker]
        domains = c.layout.domains(declared.indices)
        locations.entry_at(c, expr.indices, domains, declared.name, expr.span)
        c.b.const(2)
        c.b.op("i32.shl")
    c.b.load(at)


def score(c: Code, expr: ir.ScoreOf) -> None:
    c.seat(expr.player)
    c.b.const(2)
    c.b.op("i32.shl")
    c.b.load(c.plan.scores)


def choice_item(c: Code, expr: ir.ChoiceItem) -> None:
    b, number = c.b, c.local()
    choice = c.program.choices[expr.choice]
    items = c.folder.choice(expr.choice)
    items = items if isinstance(items, tuple) else (items,)
    c.present(expr.at)
    b.const(1)
    b.op("i32.sub")
    b.tee(number)
    b.const(len(items))
    b.op("i32.lt_u")
    with b.if_(I32):
        b.get(number)
        c.plan.table([c.word(item, expr.type) for item in items]).load(b)
        b.else_()
        if choice.beyond is None:
            message = messages.no_value(choice.id, len(items))
            c.fault(message, expr.span)
        else:
            c.known(choice.beyond, expr.type)


def number_of(c: Code, expr: ir.NumberOf) -> None:
    c.present(expr.of)
    c.b.const(1)
    c.b.op("i32.add")


def column(c: Code, expr: ir.KindColumn | ir.WordColumn) -> None:
    """A fixed attribute; where it is not known which of its entries, all of them lie in a row."""
    if not expr.indices:
        attribute(c, expr)
        return
    b = c.b
    found = c.folder.attribute(expr)
    if found is not None:
        values, of = found
        c.lookup(c.plan.table([c.word(value, expr.type) for value in values]), of)
        return
    rows, domains = c.folder.rows(expr)
    words = [c.word(value, expr.type) for row in rows for value in row]
    c.present(expr.of)
    b.const(prod(map(len, domains)))
    b.op("i32.mul")
    name = ir.column_of(c.program, expr).name
    locations.entry_at(c, expr.indices, domains, name, expr.span)
    b.op("i32.add")
    c.plan.table(words).load(b)


def attribute(c: Code, expr: ir.Expr) -> None:
    """A fixed attribute: a look into a table."""
    found = c.folder.attribute(expr)
    assert found is not None
    numbers = [getattr(expr, each.name) for each in fields(expr)]
    of_what = type(plain(found[1].type)).__name__
    perhaps = isinstance(expr, ir.KindOf) and isinstance(expr.type, MaybeType)
    values = [None, *found[0]] if perhaps else found[0]
    table = c.unit.table(
        (
            type(expr).__name__,
            of_what,
            perhaps,
            *(each for each in numbers if isinstance(each, int)),
        ),
        lambda: [c.word(value, expr.type) for value in values],
    )
    if perhaps:
        # Nothing is of no kind: that is the entry before those of the pieces.
        c.value(found[1])
        c.b.const(1)
        c.b.op("i32.add")
        table.load(c.b)
        return
    c.lookup(table, found[1])


# ---------------------------------------------------------------- logic


def not_(c: Code, expr: ir.Not) -> None:
    c.value(expr.operand)
    c.b.op("i32.eqz")


def truth(c: Code, expr: ir.And | ir.Or) -> None:
    b, settled = c.b, isinstance(expr, ir.Or)
    for one, other in ((expr.left, expr.right), (expr.right, expr.left)):
        known = c.folder.constant(c.meant(one))
        if known is not None and bool(known[0]) is not settled:
            c.value(other)
            return
        if known is not None and one is expr.left:
            b.const(int(settled))
            return
    if _apart(expr.left, expr.right) and c.straight(expr.right):
        c.value(expr.left)
        b.op("i32.and" if isinstance(expr, ir.And) else "i32.or")
        return
    with b.block(I32) as answered:
        with b.block() as fails:
            c.unless(expr, fails)
            b.const(1)
            b.br(answered)
        b.const(0)


def conditional(c: Code, expr: ir.Conditional) -> None:
    b, known = c.b, c.folder.constant(c.meant(expr.condition))
    if known is not None:
        c.value(expr.then if known[0] else expr.otherwise, expr.type)
        return
    if _first_there(c, expr) or _either(c, expr):
        return
    with b.block(I32) as worked_out:
        with b.block() as otherwise:
            c.unless(expr.condition, otherwise)
            c.value(expr.then, expr.type)
            b.br(worked_out)
        c.value(expr.otherwise, expr.type)


def _either(c: Code, expr: ir.Conditional) -> bool:
    """Works both values out and selects one, where that is short; else nothing is written."""

    def write() -> None:
        c.value(expr.then, expr.type)
        c.value(expr.otherwise, expr.type)
        c.value(expr.condition)
        c.b.op("select")

    apart = _apart(expr.condition, expr.then) and _apart(expr.condition, expr.otherwise)
    return not isinstance(expr.type, SetType) and apart and c.straightly(expr, write)


def _apart(condition: ir.Expr, other: ir.Expr) -> bool:
    """Whether something can be worked out without knowing that a condition holds: it reads no
    name that the condition finds, or that might stand for nothing but for the condition."""
    unsure = {
        part.slot
        for part in everything(condition)
        if isinstance(part, ir.Local) and isinstance(part.type, MaybeType)
    }
    unsure |= bound_slots(condition)
    return unsure.isdisjoint(slots_read(other))


def _first_there(c: Code, expr: ir.Conditional) -> bool:
    """`if there is a PIECE in PLACE then its attribute`, where the pieces there are a mask: the
    lowest bit of an empty one is number 64, which has an entry of its own."""
    match expr:
        case ir.Conditional(
            condition=ir.Exists(binder=binder), then=then, otherwise=ir.Const(value=otherwise)
        ) if isinstance(binder.source, ir.Contents):
            pass
        case _:
            return False
    mask = whole_mask(c, binder)
    depends = c.unit.depends
    if mask is None or not depends.fixed(then) or depends.free(then) != {binder.slot}:
        return False
    words = [c.word(otherwise, expr.type)] * (MASK_BITS + 1)
    pieces = c.layout.pieces_of[locations.family_of(c, binder.source.place.type).of.holds]
    for piece in pieces:
        try:
            words[piece - mask.first] = c.word(
                c.folder.worth(then, {binder.slot: piece}), expr.type
            )
        except Unknown:
            return False
    mask.push()
    c.b.op("i64.ctz", "i32.wrap_i64")
    c.plan.table(words).load(c.b)
    return True


_SIGNS = {"<": "i32.lt_s", "<=": "i32.le_s", ">": "i32.gt_s", ">=": "i32.ge_s"}


def compare(c: Code, expr: ir.Compare) -> None:
    if expr.operator != "=":
        c.present(expr.left)
        c.present(expr.right)
        c.b.op(_SIGNS[expr.operator])
        return
    one, two = expr.left, expr.right
    if isinstance(two, ir.PlaceOf) and isinstance(one.type, PlaceType):
        c.value(one)
        c.lookup(c.plan.where, two.of)
        c.b.op("i32.eq")
        return
    if isinstance(one, ir.PlaceOf) and isinstance(two.type, PlaceType):
        c.lookup(c.plan.where, one.of)
        c.value(two)
        c.b.op("i32.eq")
        return
    if _holder_is(c, one, two):
        return
    if not c.unit.can_fault.possible(one) and _holder_is(c, two, one):
        return
    of = _type_of_both(one.type, two.type)
    c.value(one, of)
    c.value(two, of)
    if isinstance(of, SetType):
        c.b.call(lists.are_same(c.unit))
    else:
        c.b.op("i32.eq")


def _holder_is(c: Code, one: ir.Expr, two: ir.Expr) -> bool:
    """Whether a player holds a place, where that is kept as a mask; or nothing is written."""
    found = held_place(c.program, one)
    if found is None or not isinstance(two.type, PlayerType):
        return False
    place, by = found
    family = locations.family_of(c, place.type)
    if by not in family.held:
        return False
    b, here = c.b, c.local()
    c.present(place)
    b.set(here)
    c.value(two)
    b.const(3)
    b.op("i32.shl")
    b.load(family.held[by], "i64.load")
    b.get(here)
    b.const(family.first)
    b.op("i32.sub", "i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
    b.const(1)
    b.op("i32.and")
    return True


def _type_of_both(one: Type, two: Type) -> Type:
    return two if isinstance(one, NothingType) else one


# ---------------------------------------------------------------- numbers


def arithmetic(c: Code, expr: ir.Arithmetic) -> None:
    b, sign = c.b, expr.operator
    if sign in ("+", "-", "*"):
        name = {"+": "add", "-": "sub", "*": "mul"}[sign]
        known = c.unit.bounds
        if fits(worked(sign, known.number(expr.left), known.number(expr.right))):
            c.present(expr.left)
            c.present(expr.right)
            b.op(f"i32.{name}")
            return
        if sign in ("+", "-") and (by := c.folder.constant(expr.right)) is not None:
            _step(c, expr, int(by[0]) if sign == "+" else -int(by[0]))
            return
        c.present(expr.left)
        b.op("i64.extend_i32_s")
        c.present(expr.right)
        b.op("i64.extend_i32_s", f"i64.{name}")
        _narrow(c, expr.span)
        return
    one, two = c.local(), c.local()
    c.present(expr.left)
    b.set(one)
    c.present(expr.right)
    b.set(two)
    if sign == "remainder":
        b.get(two)
        b.op("i32.eqz")
        c.fault_if(messages.REMAINDER_BY_ZERO, expr.span)
        _remainder(c, one, two)
        return
    b.get(one)
    b.get(two)
    b.get(one)
    b.get(two)
    b.op("i32.le_s" if sign == "smaller" else "i32.ge_s", "select")


def _step(c: Code, expr: ir.Arithmetic, by: int) -> None:
    """A fixed number more or less: from where on that goes too far is known beforehand."""
    b, before = c.b, c.local()
    c.present(expr.left)
    b.tee(before)
    b.const(LARGEST - by if by > 0 else SMALLEST - by)
    b.op("i32.gt_s" if by > 0 else "i32.lt_s")
    c.fault_if(messages.BEYOND, expr.span)
    b.get(before)
    b.const(by)
    b.op("i32.add")


def _remainder(c: Code, one: Variable, two: Variable) -> None:
    """A remainder has the sign of the divisor."""
    b, rest = c.b, c.local()
    b.get(one)
    b.get(two)
    b.op("i32.rem_s")
    b.tee(rest)
    b.get(two)
    b.op("i32.add")
    b.get(rest)
    b.get(rest)
    b.op("i32.eqz", "i32.eqz")
    b.get(rest)
    b.get(two)
    b.op("i32.xor")
    b.const(0)
    b.op("i32.lt_s", "i32.and", "select")


def _narrow(c: Code, span: Span) -> None:
    """The number of 64 bits on the stack as one of 32; a fault if it is larger."""
    b, wide = c.b, c.long()
    b.set(wide)
    c.fault_if_beyond(wide, messages.BEYOND, span)
    b.get(wide)
    b.op("i32.wrap_i64")


def divide(c: Code, expr: ir.Divide) -> None:
    """Rounds up or down; the division of the module rounds towards zero."""
    b, one, two = c.b, c.long(), c.long()
    by = c.folder.constant(expr.right)
    low, high = c.unit.bounds.number(expr.left)
    if by is not None and by[0] and by[0] > 0 and low >= 0 and high + by[0] <= LARGEST:
        c.present(expr.left)
        if expr.up:
            b.const(by[0] - 1)
            b.op("i32.add")
        b.const(by[0])
        b.op("i32.div_u")
        return
    c.present(expr.left)
    b.op("i64.extend_i32_s")
    b.set(one)
    c.present(expr.right)
    b.op("i64.extend_i32_s")
    b.tee(two)
    b.op("i64.eqz")
    c.fault_if(messages.DIVIDED_BY_ZERO, expr.span)
    b.get(one)
    b.get(two)
    b.op("i64.div_s")
    # Rounded the wrong way when there is a rest, and the true result is
    # positive (rounding up) or negative (rounding down).
    b.get(one)
    b.get(two)
    b.op("i64.rem_s", "i64.eqz", "i32.eqz")
    b.get(one)
    b.get(two)
    b.op("i64.xor")
    b.long(0)
    b.op("i64.ge_s" if expr.up else "i64.lt_s", "i32.and", "i64.extend_i32_u")
    b.op("i64.add" if expr.up else "i64.sub", "i32.wrap_i64")


def paid_value(c: Code, expr: PaidValue) -> None:
    c.pay(expr.cost, expr.span)
    c.value(expr.value, expr.type)


BUILDERS: dict[type[ir.Expr], Builder] = {
    ir.Local: local,
    ir.MarkerValue: marker,
    ir.ScoreOf: score,
    ir.ChoiceItem: choice_item,
    ir.WordColumn: column,
    ir.KindColumn: column,
    ir.KindOf: attribute,
    ir.OwnerOf: attribute,
    ir.PlaceIndex: attribute,
    ir.Neighbour: attribute,
    ir.Playing: attribute,
    ir.PlayersFrom: attribute,
    ir.PieceState: locations.piece_state,
    ir.PlaceAt: locations.place_at,
    ir.PlaceOf: locations.place_of,
    ir.Contents: members.listed,
    ir.ItemOf: locations.item_of,
    ir.TopOf: locations.top_of,
    ir.NumberOf: number_of,
    ir.Range: members.listed,
    ir.ListOf: members.list_of,
    ir.CallFunction: value_calls.call,
    ir.Not: not_,
    ir.And: truth,
    ir.Or: truth,
    ir.Compare: compare,
    ir.Arithmetic: arithmetic,
    ir.Divide: divide,
    ir.Conditional: conditional,
    ir.Combine: members.listed,
    ir.Includes: members.includes,
    ir.IsEmpty: members.is_empty,
    ir.Supposing: locations.supposing,
    ir.Possible: options.possible,
    ir.Exists: binders.exists,
    ir.Every: binders.every,
    ir.Count: binders.count,
    ir.SumOf: binders.sum_of,
    ir.Extreme: binders.extreme,
    ir.Filter: members.listed,
    ir.Collect: members.listed,
    ir.The: binders.the,
    ir.Around: members.listed,
    ir.Beside: grids.beside,
    ir.Occupied: members.listed,
    ir.OpenPlaces: members.listed,
    ir.Walk: members.listed,
    ir.EndOf: members.end_of,
    Paid: members.paid,
    PaidValue: paid_value,
}
Code.builders = BUILDERS
Code.find = staticmethod(binders.find)
