"""Generates values of expressions: leaves, numbers, comparisons, and the dispatch table.

Numbers have 32 bits; operations that may overflow are computed in 64 bits and checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from math import prod
from operator import add, ge, gt, le, lt, mul, sub

from lawspeaker import ir
from lawspeaker.ir.bounds import fits, worked
from lawspeaker.ir.dependence import Paid, PaidValue, SupposedTogether
from lawspeaker.machines.compiled.compile import (
    binders,
    grids,
    locations,
    members,
    options,
    path_lengths,
    regions,
    repetitions,
    supposing,
    value_calls,
)
from lawspeaker.machines.compiled.compile.function import Builder, Code
from lawspeaker.machines.compiled.compile.masks import bits
from lawspeaker.machines.compiled.runtime import lists
from lawspeaker.machines.compiled.runtime.plan import Column
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.fold import Unknown
from lawspeaker.machines.middle.forms import (
    I32,
    I64,
    Binary,
    Expr,
    const,
    either,
    not_,
    select,
)
from lawspeaker.machines.planned.finding import Bottom, Lowest
from lawspeaker.machines.planned.patterns import held_place
from lawspeaker.machines.planned.places import MASK_BITS
from lawspeaker.machines.planned.straight import is_apart


def local(c: Code, expr: ir.Local) -> Expr:
    return c.slot(expr.slot) if c.kept(expr) is None else members.listed(c, expr)


def marker(c: Code, expr: ir.MarkerValue) -> Expr:
    shown = Column(c.plan.markers + 4 * c.layout.marker_at[expr.marker], 4, "state.markers")
    if not expr.indices:
        return shown[const(0)]
    declared = c.program.markers[expr.marker]
    domains = c.layout.domains(declared.indices)
    return shown[locations.entry_at(c, expr.indices, domains, declared.name, expr.span)]


def score(c: Code, expr: ir.ScoreOf) -> Expr:
    return Column(c.plan.scores, 4, "state.scores")[c.seat(expr.player)]


def choice_item(c: Code, expr: ir.ChoiceItem) -> Expr:
    """Reads an item of a named list; outside it, the `beyond` value or a fault."""
    f, choice = c.f, c.program.choices[expr.choice]
    items = c.folder.choice(expr.choice)
    items = items if isinstance(items, tuple) else (items,)
    number = f.let("number", c.present(expr.at) - 1)
    item = c.plan.table([c.word(item, expr.type) for item in items])[number]
    there = number.below(len(items))
    if choice.beyond is not None:
        return either(there, item, c.known(choice.beyond, expr.type))
    c.fault_when(not_(there), messages.no_value(choice.id, len(items)), expr.span)
    return item


def number_of(c: Code, expr: ir.NumberOf) -> Expr:
    return c.present(expr.of) + 1


def column(c: Code, expr: ir.KindColumn | ir.WordColumn) -> Expr:
    """A constant attribute; if its index is not constant, all its entries are in one table."""
    if not expr.indices:
        return attribute(c, expr)
    found = c.folder.attribute(expr)
    if found is not None:
        values, of = found
        return c.lookup(c.plan.table([c.word(value, expr.type) for value in values]), of)
    rows, domains = c.folder.rows(expr)
    words = [c.word(value, expr.type) for row in rows for value in row]
    name = ir.column_of(c.program, expr).name
    row, entry = c.f.in_order(
        lambda: c.present(expr.of) * prod(map(len, domains)),
        lambda: locations.entry_at(c, expr.indices, domains, name, expr.span),
    )
    return c.plan.table(words)[row + entry]


def attribute(c: Code, expr: ir.Expr) -> Expr:
    """A constant attribute: a table lookup."""
    found = c.folder.attribute(expr)
    assert found is not None
    numbers = [getattr(expr, each.name) for each in fields(expr)]
    of_what = type(ir.plain(found[1].type)).__name__
    perhaps = isinstance(expr, ir.KindOf) and isinstance(expr.type, ir.MaybeType)
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
        # `nothing` has no kind: its entry is before those of the pieces.
        return table[c.value(found[1]) + 1]
    return c.lookup(table, found[1])


# ---------------------------------------------------------------- logic


def negation(c: Code, expr: ir.Not) -> Expr:
    return not_(c.value(expr.operand))


def truth(c: Code, expr: ir.And | ir.Or) -> Expr:
    """Evaluates a conjunction or disjunction, branch-free where planned."""
    f, settled = c.f, isinstance(expr, ir.Or)
    for one, other in ((expr.left, expr.right), (expr.right, expr.left)):
        known = c.folder.constant(c.meant(one))
        if known is not None and bool(known[0]) is not settled:
            return c.value(other)
        if known is not None and one is expr.left:
            return const(int(settled))
    right = c.straight(expr.right) if is_apart(expr.left, expr.right) else None
    if right is not None:
        left = c.value(expr.left)
        return left | right if settled else left & right
    holds = f.let("holds", 0)
    with f.block() as fails:
        c.unless(expr, fails)
        f.set(holds, 1)
    return holds


def conditional(c: Code, expr: ir.Conditional) -> Expr:
    """Evaluates a conditional, by a select where planned."""
    f, known = c.f, c.folder.constant(c.meant(expr.condition))
    if known is not None:
        return c.value(expr.then if known[0] else expr.otherwise, expr.type)
    found = _first_there(c, expr)
    if found is not None:
        return found
    if c.unit.straight.is_short(expr, c.names):
        ends = c.value(expr.then, expr.type), c.value(expr.otherwise, expr.type)
        return select(c.value(expr.condition), *ends)
    chosen = f.variable("chosen")
    with f.block() as worked_out:
        with f.block() as otherwise:
            c.unless(expr.condition, otherwise)
            f.set(chosen, c.value(expr.then, expr.type))
            f.leave(worked_out)
        f.set(chosen, c.value(expr.otherwise, expr.type))
    return chosen


def _first_there(c: Code, expr: ir.Conditional) -> Expr | None:
    """Generates `if there is a PIECE in PLACE then its attribute` as one table lookup. Where the
    pieces are a mask, the lowest bit of an empty mask is number 64, which has an entry of its own.
    An empty chain yields piece -1, whose entry is before the others."""
    match expr:
        case ir.Conditional(
            condition=ir.Exists(binder=binder), then=then, otherwise=ir.Const(value=otherwise)
        ) if isinstance(binder.source, ir.Contents):
            pass
        case _:
            return None
    depends = c.unit.depends
    if not depends.fixed(then) or depends.free(then) != {binder.slot}:
        return None
    pieces = c.layout.pieces_of[locations.family_of(c, binder.source.place.type).of.holds]
    nothing = c.word(otherwise, expr.type)
    try:
        told = [c.word(c.folder.worth(then, {binder.slot: piece}), expr.type) for piece in pieces]
    except Unknown:
        return None
    match c.unit.finding.first(binder, c.names):
        case Lowest(among):
            before = [nothing] * (pieces[0] - among.first if pieces else 0)
            after = [nothing] * (MASK_BITS + 1 - len(before) - len(told))
            return c.plan.table([*before, *told, *after])[bits(c, among).only.lowest_bit()]
        case Bottom(place):
            number = c.f.let("number", locations.bottom(c, place))
            table = c.plan.table(told).from_number(pieces[0] if pieces else 0)
            return either(number < 0, nothing, table[number])
    return None


_SIGNS: dict[str, Callable[[Expr, Expr], Expr]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def compare(c: Code, expr: ir.Compare) -> Expr:
    """Evaluates a comparison, with shortcuts for locations and holders."""
    if expr.operator != "=":
        return _SIGNS[expr.operator](*c.both(expr.left, expr.right))
    one, two = expr.left, expr.right
    if isinstance(two, ir.PlaceOf) and isinstance(one.type, ir.PlaceType):
        return _equal(c, lambda: c.value(one), lambda: c.lookup(c.plan.where, two.of))
    if isinstance(one, ir.PlaceOf) and isinstance(two.type, ir.PlaceType):
        return _equal(c, lambda: c.lookup(c.plan.where, one.of), lambda: c.value(two))
    holder = _holder_is(c, one, two)
    if holder is None and not c.unit.can_fault.possible(one):
        holder = _holder_is(c, two, one)
    if holder is not None:
        return holder
    of = _type_of_both(one.type, two.type)
    if not isinstance(of, ir.SetType):
        return _equal(c, lambda: c.value(one, of), lambda: c.value(two, of))
    sets = c.f.in_order(lambda: c.value(one, of), lambda: c.value(two, of))
    return c.f.let("same", lists.are_same(c.unit)(*sets))


def _equal(c: Code, one: Callable[[], Expr], two: Callable[[], Expr]) -> Expr:
    left, right = c.f.in_order(one, two)
    return left == right


def _holder_is(c: Code, one: ir.Expr, two: ir.Expr) -> Expr | None:
    """Returns whether a player holds a place, if a bitboard of holders is kept; else None."""
    found = held_place(c.program, one)
    if found is None or not isinstance(two.type, ir.PlayerType):
        return None
    place, by = found
    family = locations.family_of(c, place.type)
    if by not in family.held:
        return None
    here, who = c.f.in_order(lambda: c.present(place), lambda: c.value(two))
    number, words = here - family.first, family.kept.words
    held = family.held[by][who if words == 1 else who * words + (number >> 6)]
    return (held >> number).to_word() & 1


def _type_of_both(one: ir.Type, two: ir.Type) -> ir.Type:
    return two if isinstance(one, ir.NothingType) else one


# ---------------------------------------------------------------- numbers


_WORKED: dict[str, Callable[[Expr, Expr], Expr]] = {"+": add, "-": sub, "*": mul}


def arithmetic(c: Code, expr: ir.Arithmetic) -> Expr:
    """Evaluates an arithmetic operation."""
    f, sign = c.f, expr.operator
    if sign in _WORKED:
        return _worked(c, expr)
    if sign == "difference":
        return _difference(c, expr)
    one, two = (f.let("number", each) for each in c.both(expr.left, expr.right))
    if sign == "remainder":
        c.fault_when(two == 0, messages.REMAINDER_BY_ZERO, expr.span)
        # A remainder has the sign of the divisor.
        rest = f.let("rest", Binary(I32, "rem_s", one, two))
        return select((rest != 0) & ((rest ^ two) < 0), rest + two, rest)
    return select(one <= two if sign == "smaller" else one >= two, one, two)


def _worked(c: Code, expr: ir.Arithmetic) -> Expr:
    known, work = c.unit.bounds, _WORKED[expr.operator]
    if fits(worked(expr.operator, known.number(expr.left), known.number(expr.right))):
        return work(*c.both(expr.left, expr.right))
    by = c.folder.constant(expr.right)
    if by is not None and expr.operator != "*":
        return _step(c, expr, int(by[0]) if expr.operator == "+" else -int(by[0]))
    left, right = (each.to_long(signed=True) for each in c.both(expr.left, expr.right))
    wide = c.f.let("wide", work(left, right))
    c.fault_if_beyond(wide, messages.BEYOND, expr.span)
    return wide.to_word()


def _difference(c: Code, expr: ir.Arithmetic) -> Expr:
    """Subtracts the smaller number from the larger one, in 64 bits only if it could overflow."""
    f, known = c.f, c.unit.bounds
    if fits(worked(expr.operator, known.number(expr.left), known.number(expr.right))):
        one, two = (f.let("number", each) for each in c.both(expr.left, expr.right))
        return select(one <= two, two - one, one - two)
    both = c.both(expr.left, expr.right)
    one, two = (f.let("number", each.to_long(signed=True)) for each in both)
    wide = f.let("wide", select(one <= two, two - one, one - two))
    c.fault_if_beyond(wide, messages.BEYOND, expr.span)
    return wide.to_word()


def _step(c: Code, expr: ir.Arithmetic, by: int) -> Expr:
    """Adds a constant; the overflow bound is known at compile time."""
    before = c.f.let("before", c.present(expr.left))
    beyond = before > ir.LARGEST - by if by > 0 else before < ir.SMALLEST - by
    c.fault_when(beyond, messages.BEYOND, expr.span)
    return before + by


def divide(c: Code, expr: ir.Divide) -> Expr:
    """Rounds up or down; WebAssembly's division rounds towards zero."""
    by = c.folder.constant(expr.right)
    low, high = c.unit.bounds.number(expr.left)
    if by is not None and by[0] and by[0] > 0 and low >= 0 and high + by[0] <= ir.LARGEST:
        whole = int(by[0])
        return (c.present(expr.left) + (whole - 1 if expr.up else 0)) // whole
    one, two = (
        c.f.let("number", each.to_long(signed=True)) for each in c.both(expr.left, expr.right)
    )
    c.fault_when(two == 0, messages.DIVIDED_BY_ZERO, expr.span)
    # Rounded the wrong way if there is a remainder, and the true result is
    # positive (rounding up) or negative (rounding down).
    rest, signs = Binary(I64, "rem_s", one, two), one ^ two
    wrong = ((rest != 0) & (signs >= 0 if expr.up else signs < 0)).to_long()
    towards_0 = Binary(I64, "div_s", one, two)
    return (towards_0 + wrong if expr.up else towards_0 - wrong).to_word()


def paid_value(c: Code, expr: PaidValue) -> Expr:
    c.pay(expr.cost, expr.span, expr.cost)
    return c.value(expr.value, expr.type)


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
    ir.SideOf: attribute,
    ir.PlayersOf: attribute,
    ir.PartnersOf: attribute,
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
    ir.Not: negation,
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
    ir.SupposingDone: supposing.supposing_done,
    SupposedTogether: supposing.supposing_done,
    ir.Appearances: repetitions.appearances,
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
    ir.Along: grids.along,
    ir.FarEnd: grids.far_end,
    ir.PathLength: path_lengths.path_length,
    ir.Beside: grids.beside,
    ir.Occupied: members.listed,
    ir.OpenPlaces: members.listed,
    ir.Walk: members.listed,
    ir.Region: regions.listed,
    ir.Border: regions.listed,
    ir.EndOf: members.end_of_set,
    Paid: members.paid,
    PaidValue: paid_value,
}
Code.builders = BUILDERS
Code.find = staticmethod(binders.find)
