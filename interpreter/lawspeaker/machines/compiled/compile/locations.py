"""Generates code about pieces and places: locations, contents, hypothetical moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import moving
from lawspeaker.machines.compiled.runtime.plan import NONE, PlaceMemory
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Expr, const, not_, select, word


def family_of(c: Code, of: ir.Type) -> PlaceMemory:
    """Returns the memory layout of the places of a type."""
    of = ir.plain(of)
    assert isinstance(of, ir.PlaceType), of
    return c.plan.families[of.index]


# ---------------------------------------------------------------- contents of a place


def mask_in(family: PlaceMemory, place: Expr) -> Expr:
    """Returns the pieces in a place, as a mask."""
    return family.masks[place]


def is_empty_in(family: PlaceMemory, place: Expr) -> Expr:
    return mask_in(family, place) == 0 if family.masked else family.top[place] < 0


def bottom(c: Code, place: ir.Expr) -> Expr:
    """Returns the first piece of a chain, or a negative number if it is empty."""
    return family_of(c, place.type).bottom[c.present(place)]


def count_in(family: PlaceMemory, place: Expr) -> Expr:
    """Returns the number of pieces in a place."""
    return mask_in(family, place).count_bits() if family.masked else family.count[place]


# ---------------------------------------------------------------- expressions


def piece_state(c: Code, expr: ir.PieceState) -> Expr:
    """Reads a state of a piece."""
    column = c.plan.first_column(expr.piece, expr.state)
    if not expr.indices:
        return c.lookup(column, expr.of)
    state = c.program.pieces[expr.piece].states[expr.state]
    domains = c.layout.domains(state.indices)
    piece, entry = c.f.in_order(
        lambda: c.present(expr.of),
        lambda: entry_at(c, expr.indices, domains, state.name, expr.span),
    )
    return column[piece + entry * len(c.layout.pieces_of[expr.piece])]


def entry_at(
    c: Code,
    indices: Sequence[ir.Expr],
    domains: Sequence[Sequence[int]],
    name: str,
    span: Span,
) -> Expr:
    """Returns the index of an entry of an indexed value. A player who takes no part is a fault."""
    return _number_of(c, indices, domains, messages.no_place_there(name), messages.ABSENT, span)


def _number_of(
    c: Code,
    indices: Sequence[ir.Expr],
    domains: Sequence[Sequence[int]],
    outside: str,
    absent: str,
    span: Span,
) -> Expr:
    def position(index: ir.Expr, domain: Sequence[int]) -> Expr:
        found = c.present(index) - (int(domain[0]) if domain else 0)
        if c.unit.analyses.harmless.within(index, domain):
            return found
        found = c.f.let("position", found)
        missing = absent if isinstance(ir.plain(index.type), ir.PlayerType) else outside
        where = index.span if missing == messages.ABSENT else span
        c.fault_when(not_(found.below(len(domain))), missing, where)
        return found

    pairs = list(zip(indices, domains, strict=True))
    number: Expr = const(0)
    for at, found in enumerate(c.f.in_order(*(partial(position, *pair) for pair in pairs))):
        number = number * len(domains[at]) + found if at else found
    return number


def place_at(c: Code, expr: ir.PlaceAt) -> Expr:
    family, places = c.program.families[expr.family], c.layout.places_of[expr.family]
    if not expr.indices:
        return const(places[0])
    domains = c.layout.index_domains[expr.family]
    outside = messages.no_place_there(family.name)
    number = _number_of(c, expr.indices, domains, outside, outside, expr.span)
    return number + places[0] if places else number


def place_of(c: Code, expr: ir.PlaceOf) -> Expr:
    """Returns the place of a piece, or nothing if it is not in this family."""
    places = c.layout.places_of[expr.family]
    here = c.f.let("here", c.lookup(c.plan.where, expr.of))
    first = places[0] if places else 0
    return select((here - first).below(len(places)), here, NONE)


def item_of(c: Code, expr: ir.ItemOf) -> Expr:
    """Returns the piece with a number, from 1, of those in a place."""
    if isinstance(expr.place.type, ir.SetType):
        return _member_of_set(c, expr)
    f, family = c.f, family_of(c, expr.place.type)
    place = f.let("place", c.present(expr.place))
    number = f.let("number", c.present(expr.at) - 1)
    there = number.below(count_in(family, place))
    c.fault_when(not_(there), messages.NO_SUCH_PIECE, expr.span)
    if family.loose is not None and family.under is not None:
        loose = (number - family.under[place]).below(family.loose[place])
        c.fault_when(loose, messages.SHUFFLED, expr.span)
    if family.items is not None:
        return family.items[place * family.room + number]
    if family.masked:
        mask = f.let("mask", mask_in(family, place))
        with f.down_to_0(number):
            f.set(mask, mask & mask - 1)
        return mask.lowest_bit() + family.first_piece
    piece = f.let("piece", family.bottom[place])
    with f.down_to_0(number):
        f.set(piece, c.plan.above[piece])
    return piece


def _member_of_set(c: Code, expr: ir.ItemOf) -> Expr:
    members = c.f.let("members", c.value(expr.place))
    number = c.f.let("number", c.present(expr.at))
    there = (number - 1).below(word(members))
    c.fault_when(not_(there), messages.NO_SUCH_MEMBER, expr.span)
    return word(members + (number << 2))


def top_of(c: Code, expr: ir.TopOf) -> Expr:
    """Returns the top piece of a place, or nothing; a shuffled top is a fault."""
    f, family = c.f, family_of(c, expr.place.type)
    if family.masked:
        mask = f.let("mask", mask_in(family, c.present(expr.place)))
        return select(mask == 0, NONE, 63 + family.first_piece - mask.leading_zeros())
    if family.loose is None or family.under is None:
        return family.top[c.present(expr.place)]
    place = f.let("place", c.present(expr.place))
    loose = family.loose[place]
    on_top = loose + family.under[place] == family.count[place]
    with f.if_(loose != 0):
        c.fault_when(on_top, messages.SHUFFLED_TOP, expr.span)
    return family.top[place]


def supposing(c: Code, expr: ir.Supposing) -> Expr:
    """Makes a hypothetical move of a piece, evaluates the condition, and undoes the move."""
    f, unit, of = c.f, c.unit, ir.plain(expr.piece.type)
    piece = f.let("piece", c.present(expr.piece))
    place = f.let("place", c.present(expr.place))
    origin = f.let("origin", c.plan.where[piece])
    before = moving.remember(unit, f, of, piece, origin)
    f.do(moving.lift(unit, of), piece)
    f.do(moving.lay(unit, family_of(c, expr.place.type), under=False), piece, place)
    with c.sharing(None):
        answer = f.let("answer", c.scoped_value(expr.condition))
    f.do(moving.lift(unit, of), piece)
    moving.put_back(unit, f, of, piece, origin, before)
    return answer
