"""Shuffling a place, and drawing from it, by the RNG.

If the host decides chance nodes, a draw waits unless all possible outcomes look the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_

from lawspeaker.machines.compiled.runtime import rng
from lawspeaker.machines.compiled.runtime.moving import count_out, lift_from, loosen, only, unlink
from lawspeaker.machines.compiled.runtime.plan import LONG, Column, PlaceMemory
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, I64, Expr, Variable, long, not_, select


@contextmanager
def each_in_pool(
    unit: Unit, f: Body, family: PlaceMemory, below: bool, place: Expr
) -> Iterator[Variable]:
    """Iterates over the pieces that the next draw may yield; with `below`, a draw from the
    bottom."""
    if family.masked:
        with f.each_bit("piece", family.masks[place], family.first_piece) as piece:
            yield piece
    elif below:
        piece, left = f.variable("piece"), f.let("left", _loose_below(family, place))
        f.set(piece, family.bottom[place])
        with f.loop() as through:
            yield piece
            f.add(left, -1)
            f.leave(through, left <= 0)
            f.set(piece, unit.plan.above[piece])
    else:
        first = first_of_pool(unit, f, family, below, place)
        with f.each_in_chain("piece", first, unit.plan.above) as piece:
            yield piece


def first_of_pool(unit: Unit, f: Body, family: PlaceMemory, below: bool, place: Expr) -> Expr:
    """Returns the lowest piece that the next draw may yield: of a heap the first, of a chain the
    top, or the lowest loose one; with `below` the bottom."""
    if family.masked:
        return family.masks[place].lowest_bit() + family.first_piece
    if family.heap or below:
        return family.bottom[place]
    piece = f.let("piece", family.top[place])
    with f.if_(_is_loose_on_top(family, place)):
        under = f.let("under", family.loose_part[0][place])
        f.set(piece, family.bottom[place])
        with f.down_to_0(under):
            f.set(piece, unit.plan.above[piece])
    return piece


def _is_loose_on_top(family: PlaceMemory, place: Expr) -> Expr:
    """Returns whether the loose pieces of a chain, if there are any, reach to the top."""
    under, loose = family.loose_part
    return under[place] + loose[place] == family.count[place]


def _loose_below(family: PlaceMemory, place: Expr) -> Expr:
    """Returns the number of loose pieces at the bottom of a chain; 0, if others are below them."""
    under, loose = family.loose_part
    return select(under[place], 0, loose[place])


def _shuffles(family: PlaceMemory) -> Column:
    """The array of shuffle counts."""
    assert family.shuffles is not None
    return family.shuffles


def _stroke(unit: Unit, family: PlaceMemory, place: Expr) -> Expr:
    """Returns the random word of all draws from a place until it is shuffled again."""
    names = unit.plan.words([unit.layout.place_word[each] for each in family.places])
    name = Column(names, LONG, "fixed.luck")[place - family.first]
    return rng.stroke(unit, name, _shuffles(family)[place])


# ---------------------------------------------------------------- drawing


@routine("draw", returns=I32)
def draw(unit: Unit, family: PlaceMemory, below: bool, f: Body, place: Variable) -> None:
    """(place that is not empty) -> the drawn piece, or with `below` one from the bottom, by the
    seed

    Modules that never wait for the host also remove it from the place.
    """
    out = not unit.purpose.stepping
    at = only(family, place)
    if family.order is not None:
        piece = _drawn_in_order(unit, f, family, family.order, below, at, out=out)
    else:
        piece = _drawn(unit, f, family, below, at)
        if out:
            lift_from(unit, f, family, piece, at)
    f.return_(piece)


def _drawn(unit: Unit, f: Body, family: PlaceMemory, below: bool, place: Expr) -> Variable:
    """Returns the only candidate, or the best of several."""
    piece = f.let("piece", first_of_pool(unit, f, family, below, place))
    if family.masked:
        several = family.masks[place].count_bits() != 1
    else:
        several = _loose_below(family, place) > 1 if below else piece != family.top[place]
    with f.if_(several):
        best = rng.Best(f, _stroke(unit, family, place))
        if family.heap:
            f.add(_shuffles(family)[place], 1)
        with each_in_pool(unit, f, family, below, place) as each:
            best.consider(f, each, rng.piece_word(unit, each))
        f.set(piece, best.found)
    return piece


def _drawn_in_order(
    unit: Unit, f: Body, family: PlaceMemory, order: Column, below: bool, place: Expr, *, out: bool
) -> Variable:
    """Draws from a chain: a loose piece if these reach to the top, or else the top; with `below`,
    the same for the bottom."""
    piece = f.let("piece", (family.bottom if below else family.top)[place])
    loose = _loose_below(family, place) if below else _is_loose_on_top(family, place)
    with f.if_(loose):
        f.set(piece, _next_in_order(unit, f, family, order, below, place))
        if out:
            loosen(unit, f, family, piece, place)
    if below and out:
        under = family.loose_part[0]
        with f.else_(), f.if_(under[place]):
            f.add(under[place], -1)
    if out:
        unlink(unit, f, family, piece, place)
    return piece


def _next_in_order(
    unit: Unit, f: Body, family: PlaceMemory, order: Column, below: bool, place: Expr
) -> Variable:
    """Returns the loose piece with the highest key. The order is computed once for each shuffle;
    pieces that have left since are skipped."""
    keyed, reached = family.keyed, family.reached
    assert keyed is not None
    shuffle = _shuffles(family)[place] + 1
    with f.if_(keyed[place] != shuffle):
        f.set(keyed[place], shuffle)
        start = f.let("start", place * family.room * order.width)
        f.set(reached[place], start)
        _put_in_order(unit, f, family, order, below, place, start)
    at = f.let("at", reached[place])
    with f.loop() as gone:
        piece = f.let("waiting", order.scaled(at))
        f.add(at, order.width)
        f.leave(gone, unit.plan.waiting[piece])
    f.set(reached[place], at)
    return piece


def _put_in_order(
    unit: Unit, f: Body, family: PlaceMemory, order: Column, below: bool, place: Expr, start: Expr
) -> None:
    """Sorts the loose pieces by descending key, equal keys by number (bucket sort).

    Keys are uniform, so each of the 64 buckets, by the highest bits, seldom has more than one;
    those in a bucket are a sorted linked list.
    """
    plan = unit.plan
    keys, heads, following = plan.keys, plan.heads, plan.following
    stroke = f.let("stroke", _stroke(unit, family, place))
    taken = f.let("taken", 0, I64)
    with each_in_pool(unit, f, family, below, place) as piece:
        key = f.let("key", rng.piece_word(unit, piece) ^ stroke)
        rng.mix(f, key)
        f.set(keys[piece], key)
        f.set(plan.waiting[piece], 1)
        bucket = f.let("bucket", (key >> 58).to_word())
        # A link is an offset from `heads`, whether it is a head or behind a piece.
        link = f.let("link", bucket * heads.width)
        after = f.let("after", -1)
        with f.if_((taken >> bucket).to_word() & 1), f.loop() as found:
            f.set(after, heads.scaled(link))
            f.leave(found, after < 0)
            f.leave(found, keys[after].below(key))
            f.set(link, after * following.width + (following.base - heads.base))
        f.set(following[piece], after)
        f.set(heads.scaled(link), piece)
        f.set(taken, taken | (long(1) << bucket))
    end = f.let("end", start)
    with f.while_(taken != 0):
        bucket = f.let("bucket", 63 - taken.leading_zeros())
        f.set(taken, taken ^ (long(1) << bucket))
        piece = f.let("piece", heads[bucket])
        with f.loop() as chained:
            f.set(order.scaled(end), piece)
            f.add(end, order.width)
            f.set(piece, following[piece])
            f.leave(chained, piece < 0)


@routine("is_open", returns=I32)
def is_open(unit: Unit, family: PlaceMemory, below: bool, f: Body, place: Variable) -> None:
    """(place that is not empty) -> whether there are distinguishable outcomes of a draw"""
    first = f.let("first", -1)
    with each_in_pool(unit, f, family, below, place) as piece:
        with f.if_(first < 0):
            f.set(first, piece)
        with f.if_(differ(unit, family.of.holds, first, piece)):
            f.return_(1)
    f.return_(0)


def differ(unit: Unit, holds: int, one: Expr, two: Expr) -> Expr:
    """Returns whether two pieces of a type can be distinguished regardless of place."""
    columns = (unit.plan.table(unit.layout.alike), *unit.plan.states[holds])
    return reduce(or_, (column[one] != column[two] for column in columns))


# ---------------------------------------------------------------- shuffling


@routine("shuffle")
def shuffle(unit: Unit, family: PlaceMemory, f: Body, place: Variable) -> None:
    """(place): counts the shuffle; the pieces in a chain become loose, and are sorted by number.
    Does nothing if all of them are loose already."""
    if family.heap:
        f.add(_shuffles(family)[place], 1)
        return
    loose = family.loose_part[1][place]
    with f.if_(not_((loose == family.count[place]) & (loose != 0))):
        f.add(_shuffles(family)[place], 1)
        _loosen_all(unit, f, family, place)


def _loosen_all(unit: Unit, f: Body, family: PlaceMemory, place: Expr) -> None:
    plan, pieces = unit.plan, unit.layout.pieces_of[family.of.holds]
    first, end = (pieces[0], pieces[-1] + 1) if pieces else (0, 0)
    last = f.let("last", -1)
    with f.each_number("piece", first, end) as piece, f.if_(plan.where[piece] == place):
        f.set(plan.below[piece], last)
        with f.if_(last < 0):
            f.set(family.bottom[place], piece)
        with f.else_():
            f.set(plan.above[last], piece)
        f.set(last, piece)
    with f.if_(last >= 0):
        under, loose = family.loose_part
        f.set(plan.above[last], -1)
        f.set(family.top[place], last)
        f.set(under[place], 0)
        f.set(loose[place], family.count[place])
        if family.items is not None:
            f.do(count_out(unit, family), place)
