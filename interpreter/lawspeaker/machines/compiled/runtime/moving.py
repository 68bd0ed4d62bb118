"""Routines that remove a piece from a place and insert it into another.

`lift` removes it, `lay` inserts it on top of a place or at the bottom. Heaps have no order; those
kept as chains are kept sorted. In a place with a loose (shuffled) middle the counts are updated: a
piece laid at the bottom is below the loose ones, one laid on top is above them, and removing a
piece shrinks its part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_

from lawspeaker.ir.types import PieceType, Type
from lawspeaker.machines.compiled.runtime import condition_bits_code, hashes
from lawspeaker.machines.compiled.runtime.plan import LONG, NONE, Column, PlaceMemory
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Function,
    Variable,
    const,
    either,
    greater,
    lesser,
    long,
    long_at,
    select,
    word,
)
from lawspeaker.machines.planned.patterns import KIND, OWNER


def groups(unit: Unit, of: Type) -> list[list[PlaceMemory]]:
    """Groups the families that hold a type of piece by memory representation."""
    assert isinstance(of, PieceType), of
    found: dict[tuple[object, ...], list[PlaceMemory]] = {}
    for family in unit.plan.families:
        if family.of.holds == of.index and family.size:
            key: tuple[object, ...] = (
                family.masked,
                family.mask if family.masked else family.top.base,
            )
            if (
                family.occupied
                or family.hash
                or family.condition_bits
                or family.loose is not None
                or family.items is not None
            ):
                key = (*key, family.of.name)
            found.setdefault(key, []).append(family)
    return sorted(found.values(), key=len)


def by_family(
    unit: Unit, f: Body, of: Type, place: Expr, build: Callable[[PlaceMemory], None]
) -> None:
    """Dispatches on the representation of a place's family."""
    _choose(f, place, groups(unit, of), build)


def _choose(
    f: Body, place: Expr, left: Sequence[list[PlaceMemory]], build: Callable[[PlaceMemory], None]
) -> None:
    if not left:
        return
    if len(left) == 1:
        build(left[0][0])
        return
    with f.if_(reduce(or_, (has(family, place) for family in left[0]))):
        build(left[0][0])
    with f.else_():
        _choose(f, place, left[1:], build)


def has(family: PlaceMemory, place: Expr) -> Expr:
    """Returns whether a place belongs to a family."""
    return (place - family.first).below(family.size)


def only(family: PlaceMemory, place: Expr) -> Expr:
    """Returns the constant place of a family with one place only, so that addresses become
    constant."""
    return const(family.first) if family.size == 1 else place


# ---------------------------------------------------------------- derived bitboards


def bit_of(family: PlaceMemory, piece: Expr) -> Expr:
    """Returns the bit of a piece in the mask of a place."""
    return long(1) << (piece - family.first_piece)


def _joined(mask: Expr, family: PlaceMemory, place: Expr, *, taken: bool) -> Expr:
    """Adds a place to a mask, or removes it."""
    bit = long(1) << (place - family.first)
    return mask | bit if taken else mask & ~bit


def mark_occupied(f: Body, family: PlaceMemory, place: Expr, *, taken: bool) -> None:
    """Updates the bitboard of occupied places of a family."""
    if not family.occupied:
        return
    if family.size <= 64:
        board = long_at(family.occupied)
        f.set(board, _joined(board, family, place, taken=taken))
        return  # one word needs no range
    at = f.let("at", (place - family.first) >> 6)
    board = Column(family.occupied, LONG)[at]
    f.set(board, _joined(board, family, place, taken=taken))
    if taken:
        # The range of words ever used; it only grows.
        first, last = word(family.spread), word(family.spread, 4)
        f.set(first, lesser(at, first))
        f.set(last, greater(at, last))


def mark_owned(
    unit: Unit, f: Body, family: PlaceMemory, piece: Expr, place: Expr, *, taken: bool
) -> None:
    """Updates the bitboards of places by owner, and by shown kind or word."""
    for by, held in family.held.items():
        if by == OWNER:
            owners = [-1 if seat is None else seat for seat in unit.layout.piece_owner]
            who = unit.plan.table(owners)[piece]
        elif by == KIND:
            who = unit.plan.table(list(unit.layout.piece_kind))[piece]
        else:
            who = unit.plan.first_column(family.of.holds, by)[piece]
        mark_holder(f, family, held, who, place, taken=taken)


def mark_holder(
    f: Body, family: PlaceMemory, held: Column, who: Expr, place: Expr, *, taken: bool
) -> None:
    """Sets or clears the bit of a place in a player's bitboard."""
    words, who = family.kept.words, f.let("who", who)
    places = held[who if words == 1 else who * words + ((place - family.first) >> 6)]
    f.set(places, _joined(places, family, place, taken=taken))


# ---------------------------------------------------------------- removing


def lift(unit: Unit, of: Type) -> Function:
    """(piece) -> the place it was removed from."""
    assert isinstance(of, PieceType), of
    return _lift(unit, of.index)


@routine("lift", returns=I32)
def _lift(unit: Unit, number: int, f: Body, piece: Variable) -> None:
    of = PieceType(unit.program.pieces[number].name, number)
    origin = f.let("origin", unit.plan.where[piece])
    by_family(unit, f, of, origin, lambda family: lift_from(unit, f, family, piece, origin))
    f.return_(origin)


@routine("take_out")
def take_out(unit: Unit, family: PlaceMemory, f: Body, piece: Variable, place: Variable) -> None:
    """(piece, place of the family): removes the piece"""
    lift_from(unit, f, family, piece, only(family, place))


def lift_from(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, origin: Expr) -> None:
    """Removes a piece from a place."""
    if not family.masked:
        _unchain(unit, f, family, piece, origin)
        return
    mask = f.let("mask", family.masks[origin] ^ bit_of(family, piece))
    f.set(family.masks[origin], mask)
    _left(unit, f, family, piece, origin, mask == 0)


def _left(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, origin: Expr, empty: Expr) -> None:
    """Updates bitboards and hashes after a piece was removed."""
    if family.occupied:
        with f.if_(empty):
            mark_occupied(f, family, origin, taken=False)
        mark_owned(unit, f, family, piece, origin, taken=False)
    hashes.change(unit, f, family, piece, origin)
    condition_bits_code.renew(unit, f, family, origin)


def _unchain(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, origin: Expr) -> None:
    if family.loose is not None:
        with f.if_(family.loose[origin]):
            _count_loose(unit, f, family, piece, origin)
            f.set(unit.plan.waiting[piece], 0)
    unlink(unit, f, family, piece, origin)


def loosen(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, origin: Expr) -> None:
    """Decrements the number of loose pieces before one of them is removed."""
    under, loose = family.loose_part
    left = f.let("left", loose[origin] - 1)
    f.set(loose[origin], left)
    f.set(unit.plan.waiting[piece], 0)
    # Without loose pieces, the number of pieces below them is 0 as well.
    f.set(under[origin], select(left, under[origin], 0))


def unlink(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, origin: Expr) -> None:
    """Removes a piece from a chain (doubly linked list)."""
    plan = unit.plan
    if _is_single(family):
        for end in (family.bottom, family.top):
            f.set(end[origin], NONE)
        f.set(family.count[origin], 0)
        _left(unit, f, family, piece, origin, const(1))
        return
    below = f.let("below", plan.below[piece])
    above = f.let("above", plan.above[piece])
    _link(unit, f, plan.above, family.bottom, origin, below, above)
    _link(unit, f, plan.below, family.top, origin, above, below)
    count = f.let("count", family.count[origin] - 1)
    f.set(family.count[origin], count)
    if family.items is not None:
        with f.if_(above >= 0):
            f.do(count_out(unit, family), origin)
    _left(unit, f, family, piece, origin, count == 0)


def _link(
    unit: Unit, f: Body, side: Column, end: Column, place: Expr, neighbour: Expr, to: Expr
) -> None:
    """Sets the link of a neighbour on one side, or that end of the place, to `to`.

    The choice is unpredictable, so the address is selected without a branch; ends follow the links
    in memory, with the same width. On a GPU each is set by itself, since
    `native/shared_memory` may move either array.
    """
    if unit.plan.sizes.together:
        with f.if_(neighbour < 0):
            f.set(end[place], to)
        with f.else_():
            f.set(side[neighbour], to)
        return
    assert side.width == end.width
    at_end = place * end.width + (end.base - side.base)
    f.set(side.scaled(select(neighbour < 0, at_end, neighbour * side.width)), to)


def _count_loose(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, origin: Expr) -> None:
    """Shrinks the part of a place with loose pieces that a removed piece belonged to."""
    under, loose = family.loose_part
    with f.block() as done:
        with f.if_(loose[origin] == family.count[origin]):
            # All pieces are loose.
            f.add(loose[origin], -1)
            f.leave(done)
        each = f.let("each", family.bottom[origin])
        at = f.let("at", 0)
        with f.while_(each != piece):
            f.set(each, unit.plan.above[each])
            f.add(at, 1)
        with f.if_(at < under[origin]):
            f.add(under[origin], -1)
            f.leave(done)
        with f.if_(at < under[origin] + loose[origin]):
            f.add(loose[origin], -1)
            with f.if_(loose[origin] == 0):
                f.set(under[origin], 0)


# ---------------------------------------------------------------- inserting


def lay(unit: Unit, family: PlaceMemory, *, under: bool) -> Function:
    """(removed piece, place): inserts the piece"""
    return _lay(unit, family, under and not family.heap)


@routine("lay")
def _lay(
    unit: Unit, family: PlaceMemory, under: bool, f: Body, piece: Variable, place: Variable
) -> None:
    """(removed piece, place): inserts the piece"""
    f.set(unit.plan.where[piece], place)
    if family.masked:
        _set_bit(f, family, piece, place)
    elif _is_single(family):
        _put_alone(unit, f, family, piece, place)
    elif family.heap:
        _insert(unit, f, family, piece, place)
    elif under:
        _chain_under(unit, f, family, piece, place)
    else:
        _chain_on_top(unit, f, family, piece, place)
    mark_owned(unit, f, family, piece, place, taken=True)
    hashes.change(unit, f, family, piece, place)
    condition_bits_code.renew(unit, f, family, place)


def _set_bit(f: Body, family: PlaceMemory, piece: Expr, place: Expr) -> None:
    f.set(family.masks[place], family.masks[place] | bit_of(family, piece))
    mark_occupied(f, family, place, taken=True)


def _grow(f: Body, family: PlaceMemory, place: Expr) -> None:
    f.add(family.count[place], 1)
    mark_occupied(f, family, place, taken=True)


@routine("count_out")
def count_out(unit: Unit, family: PlaceMemory, f: Body, place: Variable) -> None:
    """(place): rebuilds the array of its pieces in order"""
    items = family.items
    assert items is not None
    at = f.let("at", place * family.room)
    with f.each_in_chain("piece", family.bottom[place], unit.plan.above) as piece:
        f.set(items[at], piece)
        f.add(at, 1)


def _count_out_again(unit: Unit, f: Body, family: PlaceMemory, place: Expr) -> None:
    if family.items is not None:
        f.do(count_out(unit, family), place)


def _chain_on_top(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, place: Expr) -> None:
    if family.items is not None:
        f.set(family.items[place * family.room + family.count[place]], piece)
    top = f.let("top", family.top[place])
    f.set(unit.plan.below[piece], top)
    f.set(unit.plan.above[piece], NONE)
    _link(unit, f, unit.plan.above, family.bottom, place, top, piece)
    f.set(family.top[place], piece)
    _grow(f, family, place)


def _chain_under(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, place: Expr) -> None:
    bottom = f.let("bottom", family.bottom[place])
    f.set(unit.plan.above[piece], bottom)
    f.set(unit.plan.below[piece], NONE)
    _link(unit, f, unit.plan.below, family.top, place, bottom, piece)
    f.set(family.bottom[place], piece)
    _grow(f, family, place)
    if family.loose is not None:
        under, loose = family.loose_part
        with f.if_(loose[place]):
            f.add(under[place], 1)
    _count_out_again(unit, f, family, place)


def _is_single(family: PlaceMemory) -> bool:
    """Returns whether a place never holds more than one piece, not even in a supposition."""
    return family.indexed and family.loose is None and family.items is None


def _put_alone(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, place: Expr) -> None:
    """Makes a piece the only one of a place."""
    for link in (unit.plan.below, unit.plan.above):
        f.set(link[piece], NONE)
    for end in (family.bottom, family.top):
        f.set(end[place], piece)
    f.set(family.count[place], 1)
    mark_occupied(f, family, place, taken=True)


def _insert(unit: Unit, f: Body, family: PlaceMemory, piece: Expr, place: Expr) -> None:
    """Inserts into a sorted chain, searching from the top."""
    below = f.let("below", family.top[place])
    with f.while_(below >= piece):
        f.set(below, unit.plan.below[below])
    _chain_after(unit, f, family, piece, place, below)
    _grow(f, family, place)
    _count_out_again(unit, f, family, place)


def _chain_after(
    unit: Unit, f: Body, family: PlaceMemory, piece: Expr, place: Expr, below: Expr
) -> None:
    """Links a piece into a chain right above another, or as the bottom."""
    plan = unit.plan
    above = f.let("above", either(below < 0, family.bottom[place], plan.above[below]))
    f.set(plan.below[piece], below)
    f.set(plan.above[piece], above)
    _link(unit, f, plan.above, family.bottom, place, below, piece)
    _link(unit, f, plan.below, family.top, place, above, piece)


# ---------------------------------------------------------------- undo

Before = tuple[Variable, Variable, Variable]
"""State to undo a move: the piece below, the number of pieces below the loose ones, and the number
of loose ones."""


def remember(unit: Unit, f: Body, of: Type, piece: Expr, origin: Expr) -> Before:
    """Saves what is needed to put a piece back exactly where it was."""
    below = f.let("below", unit.plan.below[piece])
    under, loose = f.let("under", 0), f.let("loose", 0)

    def build(family: PlaceMemory) -> None:
        if not family.masked and family.loose is not None:
            for kept, column in zip((under, loose), family.loose_part, strict=True):
                f.set(kept, column[origin])

    by_family(unit, f, of, origin, build)
    return below, under, loose


def put_back(unit: Unit, f: Body, of: Type, piece: Expr, origin: Expr, before: Before) -> None:
    """Puts a removed piece back exactly where it was."""
    below, *counts = before

    def build(family: PlaceMemory) -> None:
        mark_owned(unit, f, family, piece, origin, taken=True)
        hashes.change(unit, f, family, piece, origin)
        if family.masked:
            _set_bit(f, family, piece, origin)
        else:
            _chain_after(unit, f, family, piece, origin, below)
            _grow(f, family, origin)
            _count_out_again(unit, f, family, origin)
            if family.loose is not None:
                for kept, column in zip(counts, family.loose_part, strict=True):
                    f.set(column[origin], kept)
        condition_bits_code.renew(unit, f, family, origin)

    f.set(unit.plan.where[piece], origin)
    by_family(unit, f, of, origin, build)


MOVE = 12
"""Bytes of a logged move: the piece, its place before, and the piece below it there."""


def log(unit: Unit, f: Body, piece: Expr) -> None:
    """Logs where a piece lies before it is moved."""
    f.set(word(unit.log), piece)
    f.set(word(unit.log, 4), unit.plan.where[piece])
    f.set(word(unit.log, 8), unit.plan.below[piece])
    f.add(unit.log, MOVE)


@routine("put all back")
def put_all_back(unit: Unit, f: Body, start: Variable) -> None:
    """(begin of the log): puts logged pieces back, the last one first"""
    with f.while_(unit.log != start):
        f.add(unit.log, -MOVE)
        piece, origin = f.let("piece", word(unit.log)), f.let("origin", word(unit.log, 4))
        before = f.let("below", word(unit.log, 8)), f.let("under", 0), f.let("loose", 0)
        for number in sorted(unit.write_sets.logged):
            own = unit.layout.pieces_of[number]
            of = PieceType(unit.program.pieces[number].name, number)
            with f.if_((piece - own[0]).below(len(own))):
                f.do(lift(unit, of), piece)
                put_back(unit, f, of, piece, origin, before)
