"""Sets that were chosen: some members of a list, told by a mask, as a list of their own.

The highest bit stands for the first member. A mask of all bits is the whole list, however long.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.unit import Unit


def opened(unit: Unit) -> Function:
    """(list, mask) -> the list of the members chosen; all of them are the list itself"""

    def write(b: Function) -> None:
        out = b.local()
        b.get(1)
        b.long(-1)
        b.op("i64.eq")
        with b.if_():
            b.get(0)
            b.op("return")
        b.get(unit.kept)
        b.set(out)
        b.get(unit.kept)
        b.get(1)
        b.op("i64.popcnt", "i32.wrap_i64")
        _plus_one_on_stack(b)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(unit.kept)
        for given in (0, 1, out):
            b.get(given)
        b.call(copied(unit))
        b.get(out)

    return unit.made(("opened",), (I32, I64), (I32,), write)


def copied(unit: Unit) -> Function:
    """(list, mask, where): writes the members chosen there"""

    def write(b: Function) -> None:
        b.get(1)
        b.long(-1)
        b.op("i64.eq")
        with b.if_():
            b.get(2)
            b.get(0)
            b.get(0)
            b.load()
            _plus_one_on_stack(b)
            b.const(2)
            b.op("i32.shl")
            b.copy()
            b.op("return")
        b.get(2)
        b.get(1)
        b.op("i64.popcnt", "i32.wrap_i64")
        b.store()
        with b.block() as done, b.loop() as again:
            b.get(1)
            b.op("i64.eqz")
            b.br_if(done)
            b.get(2)
            b.get(0)
            b.get(1)
            b.op("i64.clz", "i32.wrap_i64")
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.load(4)
            b.store(4)
            b.get(2)
            b.const(4)
            b.op("i32.add")
            b.set(2)
            b.get(1)
            b.long(-1 << 63)
            b.get(1)
            b.op("i64.clz", "i64.shr_u", "i64.xor")
            b.set(1)
            b.br(again)

    return unit.made(("copied",), (I32, I64, I32), (), write)


def _plus_one_on_stack(b: Function) -> None:
    b.const(1)
    b.op("i32.add")
