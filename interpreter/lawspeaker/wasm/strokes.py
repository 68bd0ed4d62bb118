"""Luck: drawing from a loose place, and picking one of several things.

The same words are mixed in the same way as everywhere (see `luck`), 64 bits at a time. Where luck
is asked, a stroke waits unless all that may come looks the same.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.luck import GOLDEN, word_of
from lawspeaker.types import NumberType, PieceType, Type
from lawspeaker.wasm import binders, members, places
from lawspeaker.wasm.binary import I32, I64, Function
from lawspeaker.wasm.bounds import Bounds
from lawspeaker.wasm.code import Code
from lawspeaker.wasm.moving import count_out, put, take
from lawspeaker.wasm.plan import Column, Family
from lawspeaker.wasm.unit import Unit

_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
MOST_WORDS = 4096


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


def _piece_word(unit: Unit, b: Function, piece: int) -> None:
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
        places.mask_in(c, family)
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
    assert family.loose is not None
    assert family.under is not None
    take(b, family.under, place)
    b.tee(under)
    take(b, family.loose, place)
    b.op("i32.add")
    take(b, family.count, place)
    b.op("i32.eq")
    with b.if_():
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


def draw(unit: Unit, family: Family) -> Function:
    """(place that is not empty) -> the piece that comes off, settled by the seed"""

    def write(b: Function) -> None:
        c = Code(unit, b, unit.program.main)
        piece, base = b.local(), b.local(I64)
        shuffles = family.shuffles
        assert shuffles is not None
        if family.masked:
            b.get(0)
            places.mask_in(c, family)
            b.op("i64.popcnt", "i32.wrap_i64")
            b.const(1)
            b.op("i32.eq")
            with b.if_():
                b.get(0)
                places.first_in(c, family)
                b.op("return")
        else:
            first_of_pool(c, family, 0, piece)
            b.get(piece)
            take(b, family.top, 0)
            b.op("i32.eq")
            with b.if_():
                b.get(piece)
                b.op("return")
        if family.order is not None and family.keyed is not None:
            _next_in_order(c, family, family.order, family.keyed, shuffles)
            return
        push_base(
            unit,
            b,
            lambda: _place_word(unit, b, family, 0),
            lambda: take(b, shuffles, 0),
        )
        b.set(base)
        if family.heap:
            put(b, shuffles, 0, lambda: _one_more(b, lambda: take(b, shuffles, 0)))
        best = Best(b, base)
        each_in_pool(
            c, family, 0, piece, lambda: best.consider(piece, lambda: _piece_word(unit, b, piece))
        )
        b.get(best.found)

    return unit.made(("draw", family.of.name), 1, 1, write)


def _next_in_order(c: Code, family: Family, order: Column, keyed: Column, shuffles: Column) -> None:
    """The loose piece with the highest key. The order is worked out once for each shuffle; pieces
    that have left since no longer wait."""
    b, unit = c.b, c.unit
    piece, at, reached = b.local(), b.local(), family.reached
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
    """Sorts the loose pieces by falling key, those of equal keys by number."""
    b, unit = c.b, c.unit
    piece, base, key = b.local(), b.local(I64), b.local(I64)
    end, back, other = b.local(), b.local(), b.local()
    push_base(unit, b, lambda: _place_word(unit, b, family, 0), lambda: take(b, shuffles, 0))
    b.set(base)
    b.get(at)
    b.set(end)

    def insert() -> None:
        _piece_word(unit, b, piece)
        b.get(base)
        b.op("i64.xor")
        b.set(key)
        write_mix(b, key)
        b.get(piece)
        b.const(3)
        b.op("i32.shl")
        b.get(key)
        b.store(unit.plan.keys, "i64.store")
        put(b, unit.plan.waiting, piece, lambda: b.const(1))
        b.get(end)
        b.set(back)
        with b.block() as found, b.loop() as further:
            b.get(back)
            b.get(at)
            b.op("i32.le_u")
            b.br_if(found)
            b.get(back)
            b.const(order.width)
            b.op("i32.sub")
            order.load_at(b)
            b.tee(other)
            b.const(3)
            b.op("i32.shl")
            b.load(unit.plan.keys, "i64.load")
            b.get(key)
            b.op("i64.lt_u", "i32.eqz")
            b.br_if(found)
            b.get(back)
            b.get(other)
            order.store(b)
            b.get(back)
            b.const(order.width)
            b.op("i32.sub")
            b.set(back)
            b.br(further)
        b.get(back)
        b.get(piece)
        order.store(b)
        b.get(end)
        b.const(order.width)
        b.op("i32.add")
        b.set(end)

    each_in_pool(c, family, 0, piece, insert)


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
            _differ(c, family.of.holds, first, piece)
            with b.if_():
                b.const(1)
                b.op("return")

        each_in_pool(c, family, 0, piece, look)
        b.const(0)

    return unit.made(("is_open", family.of.name), 1, 1, write)


def _differ(c: Code, holds: int, one: int, two: int) -> None:
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
    """(place): counts the shuffle; what lies in a chain becomes loose, and is put in order."""

    def write(b: Function) -> None:
        shuffles = family.shuffles
        assert shuffles is not None
        put(b, shuffles, 0, lambda: _one_more(b, lambda: take(b, shuffles, 0)))
        if family.heap:
            return
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

    return unit.made(("shuffle", family.of.name), 1, 0, write)


# ---------------------------------------------------------------- picking


def pick(c: Code, deed: ir.Pick) -> None:
    """Leaves the member picked on the stack; a fault when there is none."""
    b, clause = c.b, c.clause
    at, base = c.plan.picks[clause], c.long()
    slot = c.slot(deed.binder.slot)
    word = word_of(c.program.clauses[clause].id)

    def count() -> None:
        b.const(0)
        b.load(at)

    push_base(c.unit, b, lambda: b.long(word), count)
    b.set(base)
    best = Best(b, base)
    binders.found(c, deed.binder, lambda: best.consider(slot, lambda: _word(c, deed.binder, slot)))
    b.get(best.any)
    b.op("i32.eqz")
    c.fault_if(f"there is no {deed.binder.name} to pick", deed.span)
    b.get(best.found)


def _word(c: Code, binder: ir.Binder, slot: int) -> None:
    """The word of a thing that may be picked."""
    b, of = c.b, binder.type
    if isinstance(of, PieceType):
        _piece_word(c.unit, b, slot)
        return
    low, high = _values(c, binder)
    if high - low >= MOST_WORDS:
        b.get(slot)
        b.call(_number_word(c.unit))
        return
    words = [word_of(c.layout.text(of, value)) for value in range(low, high + 1)]
    b.get(slot)
    b.const(low)
    b.op("i32.sub")
    b.const(3)
    b.op("i32.shl")
    b.load(c.plan.words(words), "i64.load")


def _values(c: Code, binder: ir.Binder) -> tuple[int, int]:
    of: Type = binder.type
    known = c.folder.constant(binder.source)
    if known is not None and known[0]:
        return int(min(known[0])), int(max(known[0]))
    if isinstance(of, NumberType):
        if isinstance(binder.source, ir.Range):
            bounds = Bounds(c.folder)
            return bounds.number(binder.source.low)[0], bounds.number(binder.source.high)[1]
        return of.low, of.high
    domain = c.folder.domain(of)
    return (domain.start, domain.stop - 1) if domain else (0, 0)


def _number_word(unit: Unit) -> Function:
    """(number) -> the word of its text: FNV-1a over the digits, then mixed"""

    def write(b: Function) -> None:
        word, left, divisor = b.local(I64), b.local(I64), b.local(I64)

        def take_in(byte: Callable[[], None]) -> None:
            b.get(word)
            byte()
            b.op("i64.xor")
            b.long(0x100000001B3)
            b.op("i64.mul")
            b.set(word)

        b.long(0xCBF29CE484222325)
        b.set(word)
        b.get(0)
        b.op("i64.extend_i32_s")
        b.set(left)
        b.get(0)
        b.const(0)
        b.op("i32.lt_s")
        with b.if_():
            take_in(lambda: b.long(ord("-")))
            b.long(0)
            b.get(left)
            b.op("i64.sub")
            b.set(left)
        b.long(1)
        b.set(divisor)
        with b.block() as reached, b.loop() as again:
            b.get(left)
            b.get(divisor)
            b.long(10)
            b.op("i64.mul", "i64.lt_s")
            b.br_if(reached)
            b.get(divisor)
            b.long(10)
            b.op("i64.mul")
            b.set(divisor)
            b.br(again)

        def digit() -> None:
            b.get(left)
            b.get(divisor)
            b.op("i64.div_u")
            b.long(ord("0"))
            b.op("i64.add")

        with b.loop() as again:
            take_in(digit)
            b.get(left)
            b.get(divisor)
            b.op("i64.rem_u")
            b.set(left)
            b.get(divisor)
            b.long(10)
            b.op("i64.div_u")
            b.tee(divisor)
            b.op("i64.eqz", "i32.eqz")
            b.br_if(again)
        write_mix(b, word)
        b.get(word)

    return unit.made(("number_word",), (I32,), (I64,), write)


def picks_openly(c: Code, deed: ir.Pick) -> None:
    """Whether more than one outcome can be told apart."""
    b, first, slot = c.b, c.local(), c.slot(deed.binder.slot)
    any_found, answer = c.local(), c.local()
    b.const(0)
    b.set(any_found)
    b.const(0)
    b.set(answer)

    def look() -> None:
        b.get(any_found)
        b.op("i32.eqz")
        with b.if_():
            b.get(slot)
            b.set(first)
        b.get(any_found)
        if isinstance(deed.binder.type, PieceType):
            _differ(c, deed.binder.type.index, first, slot)
            b.op("i32.and")
        b.get(answer)
        b.op("i32.or")
        b.set(answer)
        b.const(1)
        b.set(any_found)

    binders.found(c, deed.binder, look)
    b.get(answer)
