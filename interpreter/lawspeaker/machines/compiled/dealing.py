"""Code that fills the gaps of what a seat knows, so that worlds cost next to nothing.

`deal` takes word after word of luck as `determinization.dealt` does, and makes the same world of
them: pools are shuffled, what may be anything is chosen, and the pieces of each place are put there
in the order in which it keeps them. Everything is put where a situation is kept, and not where it
is played on, since many playouts start from there.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.moving import bit_of, put, take
from lawspeaker.machines.compiled.plan import Column, Family
from lawspeaker.machines.compiled.shuffling import combine, write_mix
from lawspeaker.machines.compiled.tree import count, fetch
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.compiled.world_layout import (
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
from lawspeaker.position.luck import GOLDEN, word_of


def take_up_luck(unit: Unit) -> Function:
    """(seed, number): the luck of the world with this number"""

    def write(b: Function) -> None:
        b.const(0)
        b.long(0)
        b.long(0)
        b.get(0)
        b.call(combine(unit))
        b.long(word_of("world"))
        b.call(combine(unit))
        b.get(1)
        b.op("i64.extend_i32_u")
        b.call(combine(unit))
        b.call(combine(unit))
        b.long(word_of("imagine"))
        b.call(combine(unit))
        b.store(unit.plan.worlds.luck, "i64.store")

    return unit.made(("take_up_luck",), (I64, I32), (), write)


def deal(unit: Unit) -> Function:
    """(): a world, by the words of luck that come next"""
    plan, room = unit.plan, unit.plan.worlds

    def write(b: Function) -> None:
        at, dealt = b.local(), b.local()
        b.const(plan.snapshot)
        b.const(room.template)
        fetch(b, room.table + END)
        b.const(plan.state)
        b.op("i32.sub")
        b.copy()
        b.const(0)
        fetch(b, room.table + END)
        b.store(plan.sums)
        b.const(room.table + HEAD)
        b.set(at)
        b.const(room.dealt)
        b.set(dealt)
        _each(unit, b, POOLS, lambda: _shuffle_pool(unit, b, at, dealt))
        _each(unit, b, VALUES, lambda: _choose_value(unit, b, at))
        _each(unit, b, SPOKEN, lambda: _speak(b, at))
        # Last, since what lies in no order is sorted then.
        _each(unit, b, PLACES, lambda: _fill_place(unit, b, at))

    return unit.made(("deal",), 0, 0, write)


def _each(unit: Unit, b: Function, of: int, body: Callable[[], None]) -> None:
    """Does something as often as the head of the table says."""
    left = b.local()
    fetch(b, unit.plan.worlds.table + of)
    b.set(left)
    with b.block() as done, b.loop() as again:
        b.get(left)
        b.op("i32.eqz")
        b.br_if(done)
        body()
        count(b, left, -1)
        b.br(again)


# ---------------------------------------------------------------- luck


def _below(unit: Unit) -> Function:
    """(bound) -> a number below it: the next word times the bound, without its lower 64 bits"""
    luck = unit.plan.worlds.luck

    def write(b: Function) -> None:
        word = b.local(I64)
        fetch(b, luck, "i64.load")
        b.long(GOLDEN)
        b.op("i64.add")
        b.set(word)
        b.const(0)
        b.get(word)
        b.store(luck, "i64.store")
        write_mix(b, word)
        for shift in (True, False):
            b.get(word)
            b.long(32 if shift else 0xFFFFFFFF)
            b.op("i64.shr_u" if shift else "i64.and")
            b.get(0)
            b.op("i64.extend_i32_u", "i64.mul")
        b.long(32)
        b.op("i64.shr_u", "i64.add")
        b.long(32)
        b.op("i64.shr_u", "i32.wrap_i64")

    return unit.made(("world_below",), 1, 1, write)


def _skip(unit: Unit, b: Function, words: int) -> None:
    """Goes on as if so many words had been taken."""
    luck = unit.plan.worlds.luck
    b.const(0)
    fetch(b, luck, "i64.load")
    b.get(words)
    b.op("i64.extend_i32_u")
    b.long(GOLDEN)
    b.op("i64.mul", "i64.add")
    b.store(luck, "i64.store")


# ---------------------------------------------------------------- pieces


def _shuffle_pool(unit: Unit, b: Function, at: int, dealt: int) -> None:
    """Shuffles the pool at an address; its pieces come after those that were dealt before."""
    size, last = b.local(), b.local()
    b.get(at)
    b.load()
    b.tee(size)
    b.const(1)
    b.op("i32.sub")
    b.set(last)
    b.get(dealt)
    b.get(at)
    b.const(POOL)
    b.op("i32.add")
    _words(b, size)
    b.copy()
    b.get(at)
    b.load(4)
    with b.if_():
        _skip(unit, b, last)
        b.else_()
        b.get(dealt)
        b.get(last)
        b.call(_shuffle(unit))
    for moved, head in ((dealt, 0), (at, POOL)):
        b.get(moved)
        _words(b, size)
        b.op("i32.add")
        b.const(head)
        b.op("i32.add")
        b.set(moved)


def _words(b: Function, number: int) -> None:
    """The bytes of so many words."""
    b.get(number)
    b.const(2)
    b.op("i32.shl")


def _shuffle(unit: Unit) -> Function:
    """(address of words, number of the last): puts them into an order by chance"""

    def write(b: Function) -> None:
        one, other, word = b.local(), b.local(), b.local()
        with b.block() as done, b.loop() as again:
            b.get(1)
            b.op("i32.eqz")
            b.br_if(done)
            b.get(0)
            _words(b, 1)
            b.op("i32.add")
            b.tee(one)
            b.load()
            b.set(word)
            b.get(1)
            b.const(1)
            b.op("i32.add")
            b.call(_below(unit))
            b.const(2)
            b.op("i32.shl")
            b.get(0)
            b.op("i32.add")
            b.set(other)
            b.get(one)
            b.get(other)
            b.load()
            b.store()
            b.get(other)
            b.get(word)
            b.store()
            count(b, 1, -1)
            b.br(again)

    return unit.made(("shuffle_words",), 2, 0, write)


def _fill_place(unit: Unit, b: Function, at: int) -> None:
    for number, family in enumerate(unit.plan.families):
        if family.of.seen_by == "everyone" or not family.size:
            continue
        b.get(at)
        b.load()
        b.const(number)
        b.op("i32.eq")
        with b.if_():
            for offset in (4, 8, 12):
                b.get(at)
                b.load(offset)
            b.call(_put_there(unit, family))
    count(b, at, PLACE)


def _put_there(unit: Unit, family: Family) -> Function:
    """(place, where the numbers of pieces lie, how many they are)"""

    def write(b: Function) -> None:
        if family.masked:
            _put_into_mask(unit, b, family)
            return
        if family.heap:
            for given in (1, 2, 0):
                b.get(given)
            b.call(_sort(unit, family))
        elif family.under is not None and family.loose is not None:
            take(b, kept(unit, family.under), 0)
            b.const(2)
            b.op("i32.shl")
            b.get(1)
            b.op("i32.add")
            take(b, kept(unit, family.loose), 0)
            b.get(0)
            b.call(_sort(unit, family))
        _chain(unit, b, family)

    return unit.made(("put_there", family.of.name), 3, 0, write)


def kept(unit: Unit, column: Column) -> Column:
    """The same array in the situation that is kept."""
    return Column(column.base + unit.plan.snapshot - unit.plan.state, column.width)


def _each_piece(b: Function, piece: int, body: Callable[[], None]) -> None:
    """Through the pieces that are to be put somewhere; the parameters are used up."""
    with b.block() as done, b.loop() as again:
        b.get(2)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(1)
        b.load()
        b.set(piece)
        body()
        count(b, 1, 4)
        count(b, 2, -1)
        b.br(again)


def _put_into_mask(unit: Unit, b: Function, family: Family) -> None:
    piece, mask = b.local(), b.local(I64)
    where = kept(unit, unit.plan.where)

    def add() -> None:
        put(b, where, piece, lambda: b.get(0))
        b.get(mask)
        bit_of(b, family, piece)
        b.op("i64.or")
        b.set(mask)

    _each_piece(b, piece, add)
    b.get(0)
    b.const(3)
    b.op("i32.shl")
    b.get(mask)
    b.store(family.mask + unit.plan.snapshot - unit.plan.state, "i64.store")


def _sort(unit: Unit, family: Family) -> Function:
    """(address of numbers of pieces, how many, place): pieces that lie there in no order are put
    into that of their numbers"""
    pieces = unit.layout.pieces_of[family.of.holds]

    def write(b: Function) -> None:
        at, left, piece = b.local(), b.local(), b.local()
        where = kept(unit, unit.plan.where)
        for local, given in ((at, 0), (left, 1)):
            b.get(given)
            b.set(local)
        with b.block() as done, b.loop() as again:
            b.get(left)
            b.op("i32.eqz")
            b.br_if(done)
            b.get(at)
            b.load()
            b.set(piece)
            put(b, where, piece, lambda: b.get(2))
            count(b, at, 4)
            count(b, left, -1)
            b.br(again)
        # Now each piece knows where it is: all are gone through in order.
        b.const(pieces[0] if pieces else 0)
        b.set(piece)
        with b.block() as done, b.loop() as again:
            b.get(1)
            b.op("i32.eqz")
            b.br_if(done)
            take(b, where, piece)
            b.get(2)
            b.op("i32.eq")
            with b.if_():
                b.get(0)
                b.get(piece)
                b.store()
                count(b, 0, 4)
                count(b, 1, -1)
            count(b, piece)
            b.br(again)

    return unit.made(("sort_there", family.of.name), 3, 0, write)


def _chain(unit: Unit, b: Function, family: Family) -> None:
    plan = unit.plan
    piece, below, item = b.local(), b.local(), b.local()
    where, under, above = (kept(unit, each) for each in (plan.where, plan.below, plan.above))
    top, bottom, number = (kept(unit, each) for each in (family.top, family.bottom, family.count))
    put(b, number, 0, lambda: b.get(2))
    b.const(-1)
    b.set(below)
    if family.items is not None:
        b.get(0)
        b.const(family.room)
        b.op("i32.mul")
        b.set(item)

    def add() -> None:
        put(b, where, piece, lambda: b.get(0))
        put(b, under, piece, lambda: b.get(below))
        b.get(below)
        b.const(0)
        b.op("i32.lt_s")
        with b.if_():
            put(b, bottom, 0, lambda: b.get(piece))
            b.else_()
            put(b, above, below, lambda: b.get(piece))
        if family.items is not None:
            put(b, kept(unit, family.items), item, lambda: b.get(piece))
            count(b, item)
        b.get(piece)
        b.set(below)

    _each_piece(b, piece, add)
    put(b, above, below, lambda: b.const(-1))
    put(b, top, 0, lambda: b.get(below))


# ---------------------------------------------------------------- values


def _choose_value(unit: Unit, b: Function, at: int) -> None:
    """A state of a dealt piece, or a marker."""
    address, value = b.local(), b.local()
    b.get(at)
    b.load()
    b.set(address)
    b.get(at)
    b.load(4)
    with b.if_():
        b.get(at)
        b.load(4)
        b.load()
        b.get(at)
        b.load(8)
        b.op("i32.mul")
        b.get(address)
        b.op("i32.add")
        b.set(address)
    b.get(at)
    b.load(12)
    b.set(value)
    b.get(at)
    b.load(16)
    with b.if_():
        b.get(at)
        b.load(16)
        b.call(_below(unit))
        b.get(value)
        b.op("i32.add")
        b.set(value)
    for width, kind in ((1, "i32.store8"), (2, "i32.store16"), (4, "i32.store")):
        b.get(at)
        b.load(8)
        b.const(width)
        b.op("i32.eq")
        with b.if_():
            b.get(address)
            b.get(value)
            b.store(0, kind)
    count(b, at, VALUE)


def _speak(b: Function, at: int) -> None:
    """A word of a frame is one of the dealt pieces."""
    b.get(at)
    b.load()
    b.get(at)
    b.load(4)
    b.load()
    b.store()
    count(b, at, SPEAKING)
