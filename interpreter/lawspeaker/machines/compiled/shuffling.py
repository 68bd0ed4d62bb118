"""Luck: drawing from a loose place, and shuffling one.

The same words are mixed in the same way as everywhere (see `luck`), 64 bits at a time. Where luck
is asked, a stroke waits unless all that may come looks the same.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.compiled import locations, members
from lawspeaker.machines.compiled.binary import I64, Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.moving import (
    count_out,
    fix_place,
    lift_from,
    loosen,
    put,
    take,
    unlink,
)
from lawspeaker.machines.compiled.plan import Column, Family
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.position.luck import GOLDEN

_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


def write_mix(b: Function, word: int) -> None:
    """Stirs the word in a local of 64 bits."""
    for shift, factor in ((30, _FIRST), (27, _SECOND), (31, 0)):
        b.get(word)
        b.get(word)
        b.long(shift)
        b.op("i64.shr_u", "i64.xor")
        if factor:
            b.long(factor)
            b.op("i64.mul")
        b.set(word)


def combine(unit: Unit) -> Function:
    """(word so far, next word) -> one word of both"""

    def write(b: Function) -> None:
        b.get(0)
        b.long(GOLDEN)
        b.op("i64.add")
        b.get(1)
        b.op("i64.add")
        b.set(0)
        write_mix(b, 0)
        b.get(0)

    return unit.made(("combine",), (I64, I64), (I64,), write)


def push_base(unit: Unit, b: Function, word: Callable[[], None], count: Callable[[], None]) -> None:
    """The word that names a stroke of luck: of the seed, a name, and a count."""
    b.long(0)
    b.const(0)
    b.load(unit.plan.seed, "i64.load")
    b.call(combine(unit))
    word()
    b.call(combine(unit))
    count()
    b.op("i64.extend_i32_u")
    b.call(combine(unit))


class Best:
    """The candidate with the highest word so far."""

    def __init__(self, b: Function, base: int) -> None:
        self.b = b
        self.base = base
        self.high = b.local(I64)
        self.found = b.local()
        self.any = b.local()
        self._word = b.local(I64)
        b.long(0)
        b.set(self.high)
        b.const(0)
        b.set(self.any)

    def consider(self, candidate: int, key: Callable[[], None]) -> None:
        b = self.b
        key()
        b.get(self.base)
        b.op("i64.xor")
        b.set(self._word)
        write_mix(b, self._word)
        # The first of all is taken whatever its word is.
        b.get(self._word)
        b.get(self.high)
        b.op("i64.gt_u")
        b.get(self.any)
        b.op("i32.eqz", "i32.or")
        with b.if_():
            b.get(self._word)
            b.set(self.high)
            b.get(candidate)
            b.set(self.found)
            b.const(1)
            b.set(self.any)


def piece_word(unit: Unit, b: Function, piece: int) -> None:
    b.get(piece)
    b.const(3)
    b.op("i32.shl")
    b.load(unit.plan.words(unit.layout.piece_word), "i64.load")


def _place_word(unit: Unit, b: Function, family: Family, place: int) -> None:
    words = [unit.layout.place_word[each] for each in family.places]
    b.get(place)
    b.const(family.first)
    b.op("i32.sub")
    b.const(3)
    b.op("i32.shl")
    b.load(unit.plan.words(words), "i64.load")


# ---------------------------------------------------------------- drawing


def each_in_pool(c: Code, family: Family, place: int, local: int, body: Callable[[], None]) -> None:
    """Through the pieces of which any may be the one that comes off."""
    b = c.b
    if family.masked:
        b.get(place)
        locations.mask_in(c, family)
        members.each_bit(c, family.first_piece, local, body)
        return
    piece = c.local()
    first_of_pool(c, family, place, piece)
    with b.block() as done, b.loop() as again:
        b.get(piece)
        b.const(0)
        b.op("i32.lt_s")
        b.br_if(done)
        b.get(piece)
        b.set(local)
        take(b, c.plan.above, piece)
        b.set(piece)
        body()
        b.br(again)


def first_of_pool(c: Code, family: Family, place: int, piece: int) -> None:
    """The lowest piece of a chain that may come off: the top, or the lowest loose one."""
    b, under = c.b, c.local()
    if family.heap:
        take(b, family.bottom, place)
        b.set(piece)
        return
    take(b, family.top, place)
    b.set(piece)
    is_loose_on_top(c, family, place)
    with b.if_():
        assert family.under is not None
        take(b, family.under, place)
        b.set(under)
        take(b, family.bottom, place)
        b.set(piece)
        with b.block() as reached, b.loop() as again:
            b.get(under)
            b.op("i32.eqz")
            b.br_if(reached)
            take(b, c.plan.above, piece)
            b.set(piece)
            b.get(under)
            b.const(1)
            b.op("i32.sub")
            b.set(under)
            b.br(again)


def draw(unit: Unit, family: Family, *, out: bool) -> Function:
    """(place that is not empty) -> the piece that comes off, settled by the seed

    With `out` it is taken out of the place as well.
    """

    def write(b: Function) -> None:
        c, piece = Code(unit, b, unit.program.main), b.local()
        fix_place(b, family, 0)
        if family.order is not None:
            _draw_in_order(c, family, piece, out=out)
        else:
            with b.block() as only:
                _first_that_may_come(c, family, piece)
                b.br_if(only)
                _drawn(c, family, piece)
            if out:
                lift_from(unit, b, family, piece, 0)
        b.get(piece)

    return unit.made(("draw", family.of.name, out), 1, 1, write)


def _first_that_may_come(c: Code, family: Family, piece: int) -> None:
    """Leaves on the stack whether it is the only one."""
    b = c.b
    if family.masked:
        b.get(0)
        locations.first_in(c, family)
        b.set(piece)
        b.get(0)
        locations.mask_in(c, family)
        b.op("i64.popcnt", "i32.wrap_i64")
        b.const(1)
    else:
        first_of_pool(c, family, 0, piece)
        b.get(piece)
        take(b, family.top, 0)
    b.op("i32.eq")


def _drawn(c: Code, family: Family, piece: int) -> None:
    """Which one of several comes off."""
    b, base, shuffles = c.b, c.long(), family.shuffles
    assert shuffles is not None
    push_base(c.unit, b, lambda: _place_word(c.unit, b, family, 0), lambda: take(b, shuffles, 0))
    b.set(base)
    if family.heap:
        put(b, shuffles, 0, lambda: _one_more(b, lambda: take(b, shuffles, 0)))
    best = Best(b, base)
    each_in_pool(
        c, family, 0, piece, lambda: best.consider(piece, lambda: piece_word(c.unit, b, piece))
    )
    b.get(best.found)
    b.set(piece)


def _draw_in_order(c: Code, family: Family, piece: int, *, out: bool) -> None:
    """From a chain: one of the loose pieces, if they are the uppermost, or else the top."""
    b = c.b
    assert family.loose is not None
    take(b, family.top, 0)
    b.set(piece)
    is_loose_on_top(c, family, 0)
    with b.if_():
        _next_in_order(c, family)
        b.set(piece)
        if out:
            loosen(c.unit, b, family, piece, 0)
    if out:
        unlink(c.unit, b, family, piece, 0)


def is_loose_on_top(c: Code, family: Family, place: int) -> None:
    """Whether nothing lies on the loose pieces of a chain, if there are any."""
    assert family.loose is not None
    assert family.under is not None
    take(c.b, family.under, place)
    take(c.b, family.loose, place)
    c.b.op("i32.add")
    take(c.b, family.count, place)
    c.b.op("i32.eq")


def _next_in_order(c: Code, family: Family) -> None:
    """The loose piece with the highest key. The order is worked out once for each shuffle; pieces
    that have left since no longer wait."""
    b, unit = c.b, c.unit
    piece, at, reached = b.local(), b.local(), family.reached
    order, keyed, shuffles = family.order, family.keyed, family.shuffles
    assert order is not None
    assert keyed is not None
    assert shuffles is not None
    take(b, keyed, 0)
    _one_more(b, lambda: take(b, shuffles, 0))
    b.op("i32.ne")
    with b.if_():
        put(b, keyed, 0, lambda: _one_more(b, lambda: take(b, shuffles, 0)))
        b.get(0)
        b.const(family.room)
        b.op("i32.mul")
        order.scale(b)
        b.set(at)
        put(b, reached, 0, lambda: b.get(at))
        _put_in_order(c, family, order, at, shuffles)
    b.get(0)
    reached.load(b)
    b.set(at)
    with b.loop() as again:
        b.get(at)
        b.const(order.width)
        b.op("i32.add")
        b.set(at)
        b.get(at)
        b.load(order.base - order.width, order.loading)
        b.tee(piece)
        unit.plan.waiting.load(b)
        b.op("i32.eqz")
        b.br_if(again)
    put(b, reached, 0, lambda: b.get(at))
    b.get(piece)


def _put_in_order(c: Code, family: Family, order: Column, at: int, shuffles: Column) -> None:
    """Sorts the loose pieces by falling key, those of equal keys by number.

    Keys are spread evenly, so there is seldom more than one in each of 64 buckets by their highest
    bits; those in a bucket are chained in order.
    """
    b, unit, plan = c.b, c.unit, c.plan
    piece, base, key, taken = b.local(), b.local(I64), b.local(I64), b.local(I64)
    end, bucket, link, other = (b.local() for _ in range(4))
    push_base(unit, b, lambda: _place_word(unit, b, family, 0), lambda: take(b, shuffles, 0))
    b.set(base)
    b.long(0)
    b.set(taken)

    def key_of(which: int) -> None:
        b.get(which)
        b.const(3)
        b.op("i32.shl")
        b.load(plan.keys, "i64.load")

    def chain() -> None:
        """From the link to the bucket on, as far as keys are no lower; `other` comes then."""
        with b.block() as found, b.loop() as further:
            b.get(link)
            plan.heads.load_at(b)
            b.tee(other)
            b.const(0)
            b.op("i32.lt_s")
            b.br_if(found)
            key_of(other)
            b.get(key)
            b.op("i64.lt_u")
            b.br_if(found)
            b.get(other)
            plan.following.scale(b)
            b.const(plan.following.base - plan.heads.base)
            b.op("i32.add")
            b.set(link)
            b.br(further)

    def insert() -> None:
        piece_word(unit, b, piece)
        b.get(base)
        b.op("i64.xor")
        b.set(key)
        write_mix(b, key)
        b.get(piece)
        b.const(3)
        b.op("i32.shl")
        b.get(key)
        b.store(plan.keys, "i64.store")
        put(b, plan.waiting, piece, lambda: b.const(1))
        b.get(key)
        b.long(58)
        b.op("i64.shr_u", "i32.wrap_i64")
        b.tee(bucket)
        plan.heads.scale(b)
        b.set(link)
        b.const(-1)
        b.set(other)
        b.get(taken)
        b.get(bucket)
        b.op("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
        b.const(1)
        b.op("i32.and")
        with b.if_():
            chain()
        put(b, plan.following, piece, lambda: b.get(other))
        b.get(link)
        b.get(piece)
        plan.heads.store(b)
        b.get(taken)
        b.long(1)
        b.get(bucket)
        b.op("i64.extend_i32_u", "i64.shl", "i64.or")
        b.set(taken)

    each_in_pool(c, family, 0, piece, insert)
    b.get(at)
    b.set(end)
    with b.block() as done, b.loop() as again:
        b.get(taken)
        b.op("i64.eqz")
        b.br_if(done)
        b.const(63)
        b.get(taken)
        b.op("i64.clz", "i32.wrap_i64", "i32.sub")
        b.set(bucket)
        b.get(taken)
        b.long(1)
        b.get(bucket)
        b.op("i64.extend_i32_u", "i64.shl", "i64.xor")
        b.set(taken)
        take(b, plan.heads, bucket)
        b.set(piece)
        with b.loop() as further:
            b.get(end)
            b.get(piece)
            order.store(b)
            b.get(end)
            b.const(order.width)
            b.op("i32.add")
            b.set(end)
            take(b, plan.following, piece)
            b.tee(piece)
            b.const(0)
            b.op("i32.ge_s")
            b.br_if(further)
        b.br(again)


def _one_more(b: Function, value: Callable[[], None]) -> None:
    value()
    b.const(1)
    b.op("i32.add")


def is_open(unit: Unit, family: Family) -> Function:
    """(place that is not empty) -> whether what comes off is open, as far as can be told"""

    def write(b: Function) -> None:
        c = Code(unit, b, unit.program.main)
        first, piece = b.local(), b.local()
        b.const(-1)
        b.set(first)

        def look() -> None:
            b.get(first)
            b.const(0)
            b.op("i32.lt_s")
            with b.if_():
                b.get(piece)
                b.set(first)
            differ(c, family.of.holds, first, piece)
            with b.if_():
                b.const(1)
                b.op("return")

        each_in_pool(c, family, 0, piece, look)
        b.const(0)

    return unit.made(("is_open", family.of.name), 1, 1, write)


def differ(c: Code, holds: int, one: int, two: int) -> None:
    """Whether two pieces of a type can be told apart wherever they are."""
    b, alike = c.b, c.plan.table(c.layout.alike)
    b.get(one)
    alike.load(b)
    b.get(two)
    alike.load(b)
    b.op("i32.ne")
    for column in c.plan.states[holds]:
        b.get(one)
        column.load(b)
        b.get(two)
        column.load(b)
        b.op("i32.ne", "i32.or")


def shuffle(unit: Unit, family: Family) -> Function:
    """(place): counts the shuffle; what lies in a chain becomes loose, and is put in order. Nothing
    is done, and nothing counted, where all of it is loose already."""

    def write(b: Function) -> None:
        if family.heap:
            _count_shuffle(b, family)
            return
        with b.block() as nothing_to_do:
            _is_all_loose(b, family)
            b.br_if(nothing_to_do)
            _count_shuffle(b, family)
            _loosen_all(unit, b, family)

    return unit.made(("shuffle", family.of.name), 1, 0, write)


def _count_shuffle(b: Function, family: Family) -> None:
    shuffles = family.shuffles
    assert shuffles is not None
    put(b, shuffles, 0, lambda: _one_more(b, lambda: take(b, shuffles, 0)))


def _is_all_loose(b: Function, family: Family) -> None:
    """Whether there is something in a place, and all of it is loose."""
    assert family.loose is not None
    take(b, family.loose, 0)
    take(b, family.count, 0)
    b.op("i32.eq")
    take(b, family.loose, 0)
    b.const(0)
    b.op("i32.ne", "i32.and")


def _loosen_all(unit: Unit, b: Function, family: Family) -> None:
    plan, pieces = unit.plan, unit.layout.pieces_of[family.of.holds]
    last, piece = b.local(), b.local()
    b.const(-1)
    b.set(last)
    b.const(pieces[0] if pieces else 0)
    b.set(piece)
    with b.block() as done, b.loop() as again:
        b.get(piece)
        b.const(pieces[-1] if pieces else -1)
        b.op("i32.gt_s")
        b.br_if(done)
        take(b, plan.where, piece)
        b.get(0)
        b.op("i32.eq")
        with b.if_():
            put(b, plan.below, piece, lambda: b.get(last))
            b.get(last)
            b.const(0)
            b.op("i32.lt_s")
            with b.if_():
                put(b, family.bottom, 0, lambda: b.get(piece))
                b.else_()
                put(b, plan.above, last, lambda: b.get(piece))
            b.get(piece)
            b.set(last)
        _one_more(b, lambda: b.get(piece))
        b.set(piece)
        b.br(again)
    b.get(last)
    b.const(0)
    b.op("i32.ge_s")
    with b.if_():
        assert family.loose is not None
        assert family.under is not None
        put(b, plan.above, last, lambda: b.const(-1))
        put(b, family.top, 0, lambda: b.get(last))
        put(b, family.under, 0, lambda: b.const(0))
        put(b, family.loose, 0, lambda: take(b, family.count, 0))
        if family.items is not None:
            b.get(0)
            b.call(count_out(unit, family))
