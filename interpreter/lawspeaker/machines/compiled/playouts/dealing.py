"""Deals determinizations inside the module: fills the gaps in a seat's knowledge.

`deal` uses the RNG exactly as `determinization.dealt` does, and deals the same world: it shuffles
pools, chooses open values, and puts the pieces of each place there in its order. The result goes
into the snapshot, not the working state, since many playouts start from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lawspeaker.machines.compiled.runtime import rng
from lawspeaker.machines.compiled.runtime.moving import bit_of
from lawspeaker.machines.compiled.runtime.plan import Column, PlaceMemory
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.compiled.runtime.world_layout import (
    END,
    HEAD,
    PLACE,
    PLACES,
    POOL,
    POOLS,
    SPEAKING,
    SPOKEN,
    VALUE,
    VALUES,
)
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, I64, Expr, Variable, load, long_at, word
from lawspeaker.position.rng import GOLDEN, word_of


@routine("take_up_luck")
def take_up_luck(unit: Unit, f: Body, seed: Long, number: Variable) -> None:
    """(seed, number): seeds the RNG of the world with this number"""
    world = rng.combined(unit, seed, word_of("world"), number.to_long())
    f.set(long_at(unit.plan.worlds.luck), rng.combined(unit, world, word_of("imagine")))


@routine("deal")
def deal(unit: Unit, f: Body) -> None:
    """(): deals a world, by the next words of the RNG"""
    plan, room = unit.plan, unit.plan.worlds
    f.copy(plan.snapshot, room.template, word(room.table + END) - plan.state)
    f.set(word(plan.sums), word(room.table + END))
    at = f.let("at", room.table + HEAD)
    dealt = f.let("dealt", room.dealt)
    with f.down_to_0(f.let("pools", word(room.table + POOLS))):
        _shuffle_pool(unit, f, at, dealt)
    with f.down_to_0(f.let("values", word(room.table + VALUES))):
        _choose_value(unit, f, at)
    with f.down_to_0(f.let("spoken", word(room.table + SPOKEN))):
        # A word of a frame refers to a dealt piece.
        f.set(word(word(at)), word(word(at, 4)))
        f.add(at, SPEAKING)
    # Last, since unordered pieces are sorted in place here.
    with f.down_to_0(f.let("places", word(room.table + PLACES))):
        _fill_place(unit, f, at)


@routine("world_below", returns=I32)
def _below(unit: Unit, f: Body, bound: Variable) -> None:
    """(bound) -> a number below it, by the next word of the RNG"""
    state = long_at(unit.plan.worlds.luck)
    following = f.let("following", state + GOLDEN)
    f.set(state, following)
    rng.mix(f, following)
    f.return_(rng.below(following, bound))


# ---------------------------------------------------------------- pieces


def _shuffle_pool(unit: Unit, f: Body, at: Variable, dealt: Variable) -> None:
    """Shuffles the pool at an address; its pieces are appended to those dealt before."""
    number = f.let("number", word(at))
    bytes, last = number << 2, number - 1
    f.copy(dealt, at + POOL, bytes)
    with f.if_(word(at, 4)):
        # The pool is fixed: advance the RNG as if it had been shuffled.
        f.add(long_at(unit.plan.worlds.luck), last.to_long() * GOLDEN)
    with f.else_():
        f.do(_shuffle(unit), dealt, last)
    f.add(dealt, bytes)
    f.add(at, bytes + POOL)


@routine("shuffle_words")
def _shuffle(unit: Unit, f: Body, address: Variable, last: Variable) -> None:
    """(address of words, number of the last): shuffles them (Fisher-Yates)"""
    with f.while_(last != 0):
        one = f.let("one", address + (last << 2))
        held = f.let("held", word(one))
        other = f.let("other", (_below(unit)(last + 1) << 2) + address)
        f.set(word(one), word(other))
        f.set(word(other), held)
        f.add(last, -1)


def _fill_place(unit: Unit, f: Body, at: Variable) -> None:
    for number, family in enumerate(unit.plan.families):
        if family.of.seen_by != "everyone" and family.size:
            with f.if_(word(at) == number):
                f.do(_put_there(unit, family), word(at, 4), word(at, 8), word(at, 12))
    f.add(at, PLACE)


@routine("put_there")
def _put_there(
    unit: Unit, family: PlaceMemory, f: Body, place: Variable, at: Variable, count: Variable
) -> None:
    """(place, address of the pieces, how many they are): puts pieces into a place"""
    if family.masked:
        _put_into_mask(unit, f, family, place, at, count)
        return
    if family.heap:
        f.do(_sort(unit, family), at, count, place)
    elif family.loose is not None:
        under, loose = (kept(unit, each) for each in family.loose_part)
        f.do(_sort(unit, family), (under[place] << 2) + at, loose[place], place)
    _chain(unit, f, family, place, at, count)


def kept(unit: Unit, column: Column) -> Column:
    """Returns the same array in the snapshot."""
    return column.moved(unit.plan.snapshot - unit.plan.state)


@contextmanager
def _each_piece(f: Body, at: Variable, count: Variable) -> Iterator[Variable]:
    """Iterates over `count` pieces from an address on; changes both variables."""
    with f.down_to_0(count):
        yield f.let("piece", word(at))
        f.add(at, 4)


def _put_into_mask(
    unit: Unit, f: Body, family: PlaceMemory, place: Expr, at: Variable, count: Variable
) -> None:
    mask = f.let("mask", 0, I64)
    with _each_piece(f, at, count) as piece:
        f.set(kept(unit, unit.plan.where)[piece], place)
        f.set(mask, mask | bit_of(family, piece))
    f.set(kept(unit, family.masks)[place], mask)


@routine("sort_there")
def _sort(
    unit: Unit, family: PlaceMemory, f: Body, address: Variable, count: Variable, place: Variable
) -> None:
    """(address of pieces, how many, place): sorts the pieces of an unordered place by number"""
    pieces = unit.layout.pieces_of[family.of.holds]
    where = kept(unit, unit.plan.where)
    with _each_piece(f, f.let("at", address), f.let("left", count)) as piece:
        f.set(where[piece], place)
    # `where` marks the pieces of the place: collect them in order.
    piece = f.let("piece", pieces[0] if pieces else 0)
    with f.while_(count != 0):
        with f.if_(where[piece] == place):
            f.set(word(address), piece)
            f.add(address, 4)
            f.add(count, -1)
        f.add(piece, 1)


def _chain(
    unit: Unit, f: Body, family: PlaceMemory, place: Expr, at: Variable, count: Variable
) -> None:
    plan = unit.plan
    where, under, above = (kept(unit, each) for each in (plan.where, plan.below, plan.above))
    top, bottom, number = (kept(unit, each) for each in (family.top, family.bottom, family.count))
    f.set(number[place], count)
    below = f.let("below", -1)
    item = f.let("item", place * family.room)
    with _each_piece(f, at, count) as piece:
        f.set(where[piece], place)
        f.set(under[piece], below)
        with f.if_(below < 0):
            f.set(bottom[place], piece)
        with f.else_():
            f.set(above[below], piece)
        if family.items is not None:
            f.set(kept(unit, family.items)[item], piece)
            f.add(item, 1)
        f.set(below, piece)
    f.set(above[below], -1)
    f.set(top[place], below)


# ---------------------------------------------------------------- values


def _choose_value(unit: Unit, f: Body, at: Variable) -> None:
    """Chooses a state of a dealt piece, or a marker."""
    first, dealt, width, least, number = (word(at, offset) for offset in range(0, VALUE, 4))
    address = f.let("address", first)
    with f.if_(dealt):
        f.add(address, word(dealt) * width)
    value = f.let("value", least)
    with f.if_(number):
        f.add(value, _below(unit)(number))
    for bytes in (1, 2, 4):
        with f.if_(width == bytes):
            f.set(load(I32, bytes, address), value)
    f.add(at, VALUE)
