"""Code about pieces and places: where a piece is, what lies in a place, what if."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.types import PlaceType, PlayerType, SetType, Type, plain
from lawspeaker.machines.compiled import moving
from lawspeaker.machines.compiled.binary import I32
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import NONE, Family
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Variable


def family_of(c: Code, of: Type) -> Family:
    """How the places of a type are kept."""
    of = plain(of)
    assert isinstance(of, PlaceType), of
    return c.plan.families[of.index]


# ---------------------------------------------------------------- what lies in a place
# The place is on the stack.


def mask_in(c: Code, family: Family) -> None:
    c.b.const(3)
    c.b.op("i32.shl")
    c.b.load(family.mask, "i64.load")


def is_empty_in(c: Code, family: Family) -> None:
    if family.masked:
        mask_in(c, family)
        c.b.op("i64.eqz")
    else:
        family.top.load(c.b)
        c.b.const(0)
        c.b.op("i32.lt_s")


def count_in(c: Code, family: Family) -> None:
    if family.masked:
        mask_in(c, family)
        c.b.op("i64.popcnt", "i32.wrap_i64")
    else:
        family.count.load(c.b)


def lowest(c: Code, first: int) -> None:
    """The lowest member of the mask on the stack; bit 0 is number `first`."""
    c.b.op("i64.ctz", "i32.wrap_i64")
    if first:
        c.b.const(first)
        c.b.op("i32.add")


# ---------------------------------------------------------------- expressions


def piece_state(c: Code, expr: ir.PieceState) -> None:
    column = c.plan.first_column(expr.piece, expr.state)
    if not expr.indices:
        c.lookup(column, expr.of)
        return
    state = c.program.pieces[expr.piece].states[expr.state]
    c.present(expr.of)
    entry_at(c, expr.indices, c.layout.domains(state.indices), state.name, expr.span)
    c.b.const(len(c.layout.pieces_of[expr.piece]))
    c.b.op("i32.mul", "i32.add")
    column.load(c.b)


def entry_at(
    c: Code,
    indices: Sequence[ir.Expr],
    domains: Sequence[Sequence[int]],
    name: str,
    span: Span,
) -> None:
    """The number of an entry among those told apart by indices. Of a player who does not take part
    there is none."""
    _number_of(c, indices, domains, messages.no_place_there(name), messages.ABSENT, span)


def _number_of(
    c: Code,
    indices: Sequence[ir.Expr],
    domains: Sequence[Sequence[int]],
    outside: str,
    absent: str,
    span: Span,
) -> None:
    b = c.b
    for at, (index, domain) in enumerate(zip(indices, domains, strict=True)):
        if at:
            b.const(len(domain))
            b.op("i32.mul")
        position = c.local()
        c.present(index)
        low = int(domain[0]) if domain else 0
        if low:
            b.const(low)
            b.op("i32.sub")
        if not within(c, index, domain):
            b.tee(position)
            b.const(len(domain))
            b.op("i32.ge_u")
            missing = absent if isinstance(plain(index.type), PlayerType) else outside
            c.fault_if(missing, index.span if missing == messages.ABSENT else span)
            b.get(position)
        if at:
            b.op("i32.add")


def place_at(c: Code, expr: ir.PlaceAt) -> None:
    b, layout = c.b, c.layout
    family = c.program.families[expr.family]
    domains, places = layout.index_domains[expr.family], layout.places_of[expr.family]
    if not expr.indices:
        b.const(places[0])
        return
    outside = messages.no_place_there(family.name)
    _number_of(c, expr.indices, domains, outside, outside, expr.span)
    if places and places[0]:
        b.const(places[0])
        b.op("i32.add")


def within(c: Code, index: ir.Expr, domain: Sequence[int]) -> bool:
    """Whether an index surely is one of those there are."""
    fixed = c.folder.constant(index)
    if fixed is not None:
        return fixed[0] in domain
    of = plain(index.type)
    if isinstance(of, PlaceType):
        return True
    known = c.folder.domain(of)
    if known is None:
        return False
    return bool(domain) and known.start >= domain[0] and known.stop <= domain[-1] + 1


def place_of(c: Code, expr: ir.PlaceOf) -> None:
    b, places = c.b, c.layout.places_of[expr.family]
    here = c.local()
    c.lookup(c.plan.where, expr.of)
    b.tee(here)
    b.const(NONE)
    b.get(here)
    b.const(places[0] if places else 0)
    b.op("i32.sub")
    b.const(len(places))
    b.op("i32.lt_u", "select")


def item_of(c: Code, expr: ir.ItemOf) -> None:
    if isinstance(expr.place.type, SetType):
        _member_of_set(c, expr)
        return
    b, number = c.b, c.local()
    family, place = family_of(c, expr.place.type), c.local()
    c.present(expr.place)
    b.set(place)
    c.present(expr.at)
    b.tee(number)
    b.const(1)
    b.op("i32.sub")
    b.get(place)
    count_in(c, family)
    b.op("i32.ge_u")
    c.fault_if(messages.NO_SUCH_PIECE, expr.span)
    if family.loose is not None and family.under is not None:
        b.get(number)
        b.const(1)
        b.op("i32.sub")
        b.get(place)
        family.under.load(b)
        b.op("i32.sub")
        b.get(place)
        family.loose.load(b)
        b.op("i32.lt_u")
        c.fault_if(messages.SHUFFLED, expr.span)
    _push_item(c, family, place, number)


def _member_of_set(c: Code, expr: ir.ItemOf) -> None:
    b, number, members = c.b, c.local(), c.local()
    c.value(expr.place)
    b.set(members)
    c.present(expr.at)
    b.tee(number)
    b.const(1)
    b.op("i32.sub")
    b.get(members)
    b.load()
    b.op("i32.ge_u")
    c.fault_if(messages.NO_SUCH_MEMBER, expr.span)
    b.get(members)
    b.get(number)
    b.const(2)
    b.op("i32.shl", "i32.add")
    b.load()


def _push_item(c: Code, family: Family, place: Variable, number: Variable) -> None:
    """The piece with a number, from 1, of those in a place; there are so many."""
    b = c.b
    if family.items is not None:
        b.get(place)
        b.const(family.room)
        b.op("i32.mul")
        b.get(number)
        b.op("i32.add")
        b.const(1)
        b.op("i32.sub")
        family.items.load(b)
        return
    piece, mask = c.local(), c.long()
    b.get(place)
    if family.masked:
        mask_in(c, family)
        b.set(mask)
    else:
        family.bottom.load(b)
        b.set(piece)
    with b.block() as reached, b.loop() as again:
        _count_down(c, number)
        b.op("i32.eqz")
        b.br_if(reached)
        if family.masked:
            _without_lowest(c, mask)
        else:
            b.get(piece)
            c.plan.above.load(b)
            b.set(piece)
        b.br(again)
    if family.masked:
        b.get(mask)
        lowest(c, family.first_piece)
    else:
        b.get(piece)


def _count_down(c: Code, number: Variable) -> None:
    c.b.get(number)
    c.b.const(1)
    c.b.op("i32.sub")
    c.b.tee(number)


def _without_lowest(c: Code, mask: Variable) -> None:
    c.b.get(mask)
    c.b.get(mask)
    c.b.long(1)
    c.b.op("i64.sub", "i64.and")
    c.b.set(mask)


def top_of(c: Code, expr: ir.TopOf) -> None:
    b, family, place = c.b, family_of(c, expr.place.type), c.local()
    c.present(expr.place)
    if family.masked:
        mask = c.long()
        mask_in(c, family)
        b.tee(mask)
        b.op("i64.eqz")
        with b.if_(I32):
            b.const(NONE)
            b.else_()
            b.const(63 + family.first_piece)
            b.get(mask)
            b.op("i64.clz", "i32.wrap_i64", "i32.sub")
        return
    if family.loose is None or family.under is None:
        family.top.load(b)
        return
    b.tee(place)
    family.loose.load(b)
    with b.if_():
        b.get(place)
        family.loose.load(b)
        b.get(place)
        family.under.load(b)
        b.op("i32.add")
        b.get(place)
        family.count.load(b)
        b.op("i32.eq")
        c.fault_if(messages.SHUFFLED_TOP, expr.span)
    b.get(place)
    family.top.load(b)


def supposing(c: Code, expr: ir.Supposing) -> None:
    """Moves the piece, asks, and puts everything back as it was."""
    b, piece, place, origin = c.b, c.local(), c.local(), c.local()
    answer = c.local()
    target = family_of(c, expr.place.type)
    c.present(expr.piece)
    b.set(piece)
    c.present(expr.place)
    b.set(place)
    b.get(piece)
    c.plan.where.load(b)
    b.set(origin)
    of = plain(expr.piece.type)
    f = b.f
    before = moving.remember(c.unit, f, of, piece, origin)
    b.get(piece)
    b.call(moving.lift(c.unit, of))
    b.op("drop")
    b.get(piece)
    b.get(place)
    b.call(moving.lay(c.unit, target, under=False))
    c.scoped_value(expr.condition)
    b.set(answer)
    b.get(piece)
    b.call(moving.lift(c.unit, of))
    b.op("drop")
    f = b.f
    moving.put_back(c.unit, f, of, piece, origin, before)
    b.get(answer)
