"""Players inside the module: each seat has a stream of luck, and takes any option."""

from __future__ import annotations

from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.shuffling import write_mix
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.position.luck import GOLDEN


def choose(unit: Unit) -> Function:
    """(seat, number of options) -> one of their numbers, by the seat's own luck

    As `luck.Stream.choose`: the next word of the stream, times the number, without its lower 64
    bits. The step budget is full again after a choice.
    """

    def write(b: Function) -> None:
        word = b.local(I64)
        counters = [(unit.decisions, 1)]
        if unit.stepping:
            counters.append((unit.free, -1))
        for counter, step in counters:
            b.get(counter)
            b.const(step)
            b.op("i32.add")
            b.set(counter)
        b.get(unit.options)
        b.get(1)
        b.op("i32.add")
        b.set(unit.options)
        refill(unit, b)
        b.get(0)
        b.get(unit.apart)
        b.op("i32.and")
        b.call(next_word(unit))
        b.set(word)
        # The upper half times the number, and what the lower half carries over.
        b.get(word)
        b.long(32)
        b.op("i64.shr_u")
        b.get(1)
        b.op("i64.extend_i32_u", "i64.mul")
        b.get(word)
        b.long(0xFFFFFFFF)
        b.op("i64.and")
        b.get(1)
        b.op("i64.extend_i32_u", "i64.mul")
        b.long(32)
        b.op("i64.shr_u", "i64.add")
        b.long(32)
        b.op("i64.shr_u", "i32.wrap_i64")

    return unit.made(("choose",), 2, 1, write)


def next_word(unit: Unit) -> Function:
    """(seat) -> the next word of its stream

    The word after it is worked out as well: so it is ready before it is needed, and nobody waits.
    """

    def write(b: Function) -> None:
        state = b.local(I64)
        b.get(0)
        b.const(3)
        b.op("i32.shl")
        b.tee(0)
        b.load(unit.plan.ready, "i64.load")
        b.get(0)
        b.load(unit.plan.streams, "i64.load")
        b.set(state)
        _go_on(unit, b, state)

    return unit.made(("next_word",), (I32,), (I64,), write)


def give_luck(unit: Unit) -> Function:
    """(seat, state): the stream of a seat begins anew"""

    def write(b: Function) -> None:
        b.get(0)
        b.const(3)
        b.op("i32.shl")
        b.set(0)
        _go_on(unit, b, 1)

    return unit.made(("give_luck",), (I32, I64), (), write)


def _go_on(unit: Unit, b: Function, state: int) -> None:
    """Keeps the next state of a stream, and the word that it is mixed into."""
    b.get(0)
    b.get(state)
    b.long(GOLDEN)
    b.op("i64.add")
    b.tee(state)
    b.store(unit.plan.streams, "i64.store")
    write_mix(b, state)
    b.get(0)
    b.get(state)
    b.store(unit.plan.ready, "i64.store")


def refill(unit: Unit, b: Function) -> None:
    """The step budget is as large as at the start."""
    b.get(unit.budget)
    b.op("i64.extend_i32_u")
    b.set(unit.left)
