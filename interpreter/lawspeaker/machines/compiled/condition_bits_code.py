"""Code for `condition_bits`: renewing the bits of a place, and measuring runs of bits."""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.compiled import condition_bits
from lawspeaker.machines.compiled.binary import Function
from lawspeaker.machines.compiled.plan import Family
from lawspeaker.machines.compiled.unit import Unit

Step = tuple[int, int]
_SURE = 57
"""So many bits of a word are left at least when it was brought to the beginning of a run."""


def _push_bit(b: Function, family: Family, place: int, along: int) -> None:
    """Which bit stands for the place in a local, in the bitboard along columns or rows."""
    wide, high = family.grid
    _, (_, wider) = condition_bits.lines(family)
    offset, column = b.local(), b.local()
    b.get(place)
    if family.first:
        b.const(family.first)
        b.op("i32.sub")
    b.tee(offset)
    b.const(high)
    b.op("i32.div_u")
    b.tee(column)
    if along == 0:
        b.get(offset)  # the lines are as long as the columns, and one bit more
        b.op("i32.add")
    else:
        if family.size > wide * high:
            b.get(column)
            b.const(wide)
            b.op("i32.div_u", "i32.add")
        b.get(offset)
        b.get(column)
        b.const(high)
        b.op("i32.mul", "i32.sub")
        b.const(wider)
        b.op("i32.mul", "i32.add")
    b.const(condition_bits.BEFORE)
    b.op("i32.add")


def renew(unit: Unit, b: Function, family: Family, place: int) -> None:
    """What lies in the place in a local is another piece now."""
    if family.condition_bits:
        b.get(place)
        b.call(unit.made(("mark", family.of.name), 1, 0, lambda b: _renew(unit, b, family)))


def _renew(unit: Unit, b: Function, family: Family) -> None:
    top, bit, holds = b.local(), b.local(), b.local()
    _push_top(b, family)
    b.set(top)
    for along in (0, 1):
        _push_bit(b, family, 0, along)
        b.set(bit)
        for tops, bitboards in family.condition_bits.items():
            b.get(top)
            unit.plan.table(_entries(unit, family, tops)).load(b)
            b.set(holds)
            _put_bit(b, bitboards[along], bit, holds)


def _push_top(b: Function, family: Family) -> None:
    """The number of the top piece of a place from 1 on: among all pieces, or among those of its
    type where they are a mask; 0 if the place is empty."""
    if family.masked:
        b.const(64)
        b.get(0)
        b.const(3)
        b.op("i32.shl")
        b.load(family.mask, "i64.load")
        b.op("i64.clz", "i32.wrap_i64", "i32.sub")
    else:
        b.get(0)
        family.top.load(b)
        b.const(1)
        b.op("i32.add")


def _entries(unit: Unit, family: Family, tops: condition_bits.Tops) -> list[int]:
    if not family.masked:
        return list(map(int, tops))
    pieces = unit.layout.pieces_of[family.of.holds]
    return [int(tops[0]), *(int(tops[1 + piece]) for piece in pieces)]


def _put_bit(b: Function, bitboard: int, bit: int, holds: int) -> None:
    at = b.local()
    b.get(bit)
    b.const(3)
    b.op("i32.shr_u")
    b.tee(at)
    b.get(at)
    b.load(bitboard, "i32.load8_u")
    b.const(-2)
    _push_within(b, bit)
    b.op("i32.rotl", "i32.and")
    b.get(holds)
    _push_within(b, bit)
    b.op("i32.shl", "i32.or")
    b.store(bitboard, "i32.store8")


def _push_within(b: Function, bit: int) -> None:
    b.get(bit)
    b.const(7)
    b.op("i32.and")


def measured(
    family: Family, tops: condition_bits.Tops | None, step: Step
) -> Callable[[Function, int], None] | None:
    """Code for the number of steps from the place in a local to places with such pieces on top;
    None where that is not kept."""
    bitboards = None if tops is None else family.condition_bits.get(tops)
    if bitboards is None or step not in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        return None
    along, forth = int(step[1] == 0), sum(step) > 0
    bitboard = bitboards[along]

    def push(b: Function, start: int) -> None:
        bit, count, more = b.local(), b.local(), b.local()
        _push_bit(b, family, start, along)
        b.const(1 if forth else -1)
        b.op("i32.add")
        b.set(bit)
        b.const(0)
        b.set(count)
        with b.loop() as again:
            _push_ahead(b, bitboard, bit, forth)
            b.long(-1)
            b.op("i64.xor", "i64.ctz" if forth else "i64.clz", "i32.wrap_i64")
            b.tee(more)
            b.get(count)
            b.op("i32.add")
            b.set(count)
            b.get(bit)
            b.get(more)
            b.op("i32.add" if forth else "i32.sub")
            b.set(bit)
            # All bits of this word that are sure are set: the run may go on behind it.
            b.get(more)
            b.const(_SURE)
            b.op("i32.ge_u")
            b.br_if(again)
        b.get(count)

    return push


def _push_ahead(b: Function, bitboard: int, bit: int, forth: bool) -> None:
    """The bits from one on, or up to it: brought to that end of a word where counting begins."""
    b.get(bit)
    b.const(3)
    b.op("i32.shr_u")
    b.load(bitboard if forth else bitboard - 7, "i64.load")
    b.get(bit)
    if not forth:
        b.const(-1)
        b.op("i32.xor")
    b.const(7)
    b.op("i32.and", "i64.extend_i32_u", "i64.shr_u" if forth else "i64.shl")
