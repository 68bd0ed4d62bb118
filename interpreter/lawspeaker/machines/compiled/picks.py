"""Picking one of several things, and whether it is left to luck which.

A thing has a word of its own; the one whose word, stirred with that of the stroke, is highest is
picked.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.types import NumberType, PieceType, Type
from lawspeaker.machines.compiled import binders
from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.shuffling import Best, differ, piece_word, push_base, write_mix
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.position.luck import word_of

MOST_WORDS = 4096


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
    c.fault_if(messages.nothing_to_pick(deed.binder.name), deed.span)
    b.get(best.found)


def _word(c: Code, binder: ir.Binder, slot: int) -> None:
    """The word of a thing that may be picked."""
    b, of = c.b, binder.type
    if isinstance(of, PieceType):
        piece_word(c.unit, b, slot)
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
            bounds = c.unit.bounds
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
            differ(c, deed.binder.type.index, first, slot)
            b.op("i32.and")
        b.get(answer)
        b.op("i32.or")
        b.set(answer)
        b.const(1)
        b.set(any_found)

    binders.found(c, deed.binder, look)
    b.get(answer)
