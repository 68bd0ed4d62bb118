"""Functions for rankings, and for the end of a game.

The groups of a ranking are a list of words: for each group, best first, its place, how many are in
it, and who. So a group from its second word on is a list by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import rebuilt
from lawspeaker.machines.compiled import binders
from lawspeaker.machines.compiled.binary import Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.journal_code import KINDS, header, viewers
from lawspeaker.machines.compiled.unit import Unit


def taking_part(c: Code, deed: ir.Rank, add: Callable[[int], None]) -> None:
    """Does something for each that is ranked, who is in the slot of the binder then, with the
    local his key is in."""
    b, binder = c.b, deed.binder
    key, where = c.local(), binder.where
    once = where is not None and deed.key in _asked_first(where)
    if once and where is not None:
        # The condition begins with the key itself: it is worked out once for both.
        known = ir.Local(deed.key.type, c.unit.new_slot(), "key")
        c.slots[known.slot] = key
        where = exchanged(where, deed.key, known)
        binder = replace(binder, where=None)

    def take_in() -> None:
        c.scoped_present(deed.key)
        b.set(key)
        with b.block() as left_out:
            if once and where is not None:
                c.unless(where, left_out)
            add(key)

    binders.found(c, binder, take_in, deed.key)


def groups(c: Code, deed: ir.Rank) -> None:
    """Leaves the groups on the stack."""
    b, binder = c.b, deed.binder
    room = c.unit.bounds.members(binder.source)
    slot, number = c.slot(binder.slot), c.local()
    out, who, keys = c.reserve(3 * room), c.reserve(room), c.reserve(room)
    b.const(0)
    b.set(number)

    def add(key: int) -> None:
        b.get(number)
        b.const(1)
        b.op("i32.add")
        b.set(number)
        for at, value in ((who, slot), (keys, key)):
            b.get(at)
            b.get(number)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.get(value)
            b.store()

    taking_part(c, deed, add)
    b.get(who)
    b.get(number)
    b.store()
    b.get(who)
    b.get(keys)
    b.get(out)
    b.const(int(deed.highest))
    b.call(_group_up(c.unit))
    b.get(who)
    b.set(c.unit.top)
    b.get(out)


def _asked_first(expr: ir.Expr) -> list[ir.Expr]:
    """The parts of an expression that are worked out before anything else in it."""
    match expr:
        case ir.And(left=left) | ir.Or(left=left):
            return [expr, *_asked_first(left)]
        case ir.Compare(left=left) | ir.Arithmetic(left=left):
            return [expr, *_asked_first(left)]
        case ir.Not(operand=operand):
            return [expr, *_asked_first(operand)]
        case ir.CallFunction(arguments=(first, *_)):
            return [expr, *_asked_first(first)]
    return [expr]


def exchanged(node: Any, old: ir.Expr, new: ir.Expr) -> Any:
    """An expression in which another stands for one of its parts."""
    if node == old:
        return new
    return rebuilt(node, lambda part: exchanged(part, old, new))


def _group_up(unit: Unit) -> Function:
    """(who, keys, groups, highest first): sorts by key, then parts the equals"""

    def write(b: Function) -> None:
        number, position, place = b.local(), b.local(), b.local()
        at, size, last, key, new = (b.local() for _ in range(5))
        b.get(0)
        b.load()
        b.set(number)
        _sort(b, number, position)
        b.get(2)
        b.const(4)
        b.op("i32.add")
        b.set(at)
        b.const(0)
        b.set(position)
        b.const(0)
        b.set(size)
        b.const(1)
        b.set(place)
        with b.block() as done, b.loop() as again:
            b.get(position)
            b.get(number)
            b.op("i32.ge_s")
            b.br_if(done)
            _step(b, position)
            # A key unlike the last one begins a new group; nobody can foresee which does.
            _entry(b, 1, position)
            b.load()
            b.tee(key)
            b.get(last)
            b.op("i32.ne")
            b.get(size)
            b.const(0)
            b.op("i32.ne", "i32.and")
            b.set(new)
            b.get(at)
            b.get(size)
            b.const(2)
            b.op("i32.add")
            b.get(new)
            b.op("i32.mul")
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.set(at)
            b.const(0)
            b.get(size)
            b.get(new)
            b.op("select")
            b.set(size)
            b.get(position)
            b.get(place)
            b.get(new)
            b.op("select")
            b.set(place)
            b.get(key)
            b.set(last)
            b.get(at)
            b.get(place)
            b.store()
            _entry(b, at, size)
            _entry(b, 0, position)
            b.load()
            b.store(8)
            _step(b, size)
            b.get(at)
            b.get(size)
            b.store(4)
            b.br(again)
        b.get(size)
        with b.if_():
            b.get(at)
            b.get(size)
            b.const(2)
            b.op("i32.add")
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.set(at)
        b.get(2)
        b.get(at)
        b.get(2)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shr_u")
        b.const(1)
        b.op("i32.sub")
        b.store()

    return unit.made(("group_up",), 4, 0, write)


def _step(b: Function, local: int) -> None:
    b.get(local)
    b.const(1)
    b.op("i32.add")
    b.set(local)


def _entry(b: Function, base: int, position: int) -> None:
    b.get(base)
    b.get(position)
    b.const(2)
    b.op("i32.shl", "i32.add")


def _sort(b: Function, number: int, position: int) -> None:
    """Sorts members and keys by key; equals stay in their order."""
    back, who, key = b.local(), b.local(), b.local()
    b.const(1)
    b.set(position)
    with b.block() as done, b.loop() as again:
        b.get(position)
        b.get(number)
        b.op("i32.ge_s")
        b.br_if(done)
        _step(b, position)
        for base, held in ((0, who), (1, key)):
            _entry(b, base, position)
            b.load()
            b.set(held)
        b.get(position)
        b.set(back)
        with b.block() as found, b.loop() as further:
            b.get(back)
            b.const(1)
            b.op("i32.le_s")
            b.br_if(found)
            b.get(key)
            _previous(b, 1, back)
            b.op("i32.le_s")
            b.get(key)
            _previous(b, 1, back)
            b.op("i32.ge_s")
            b.get(3)
            b.op("select")
            b.br_if(found)
            for base in (0, 1):
                _entry(b, base, back)
                _previous(b, base, back)
                b.store()
            b.get(back)
            b.const(1)
            b.op("i32.sub")
            b.set(back)
            b.br(further)
        for base, held in ((0, who), (1, key)):
            _entry(b, base, back)
            b.get(held)
            b.store()
        b.br(again)


def _previous(b: Function, base: int, position: int) -> None:
    """The entry before a position."""
    b.get(base)
    b.const(4)
    b.op("i32.sub")
    b.get(position)
    b.const(2)
    b.op("i32.shl", "i32.add")
    b.load()


def group(unit: Unit) -> Function:
    """(groups, number from 0) -> where the group begins, or 0 when there is none"""

    def write(b: Function) -> None:
        at, end = b.local(), b.local()
        b.get(0)
        b.const(4)
        b.op("i32.add")
        b.set(at)
        _entry_end(b, end)
        with b.loop() as again:
            b.get(at)
            b.get(end)
            b.op("i32.ge_u")
            with b.if_():
                b.const(0)
                b.op("return")
            b.get(1)
            b.op("i32.eqz")
            with b.if_():
                b.get(at)
                b.op("return")
            b.get(1)
            b.const(1)
            b.op("i32.sub")
            b.set(1)
            b.get(at)
            b.get(at)
            b.load(4)
            b.const(2)
            b.op("i32.add")
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.set(at)
            b.br(again)
        b.op("unreachable")

    return unit.made(("group",), 2, 1, write)


def _entry_end(b: Function, end: int) -> None:
    b.get(0)
    b.get(0)
    b.load()
    b.const(1)
    b.op("i32.add")
    b.const(2)
    b.op("i32.shl", "i32.add")
    b.set(end)


# ---------------------------------------------------------------- the end


def end(unit: Unit) -> Function:
    """(winners, clause, how)"""

    def write(b: Function) -> None:
        plan = unit.plan
        size, at = b.local(), b.local()
        b.const(0)
        b.get(2)
        b.store(plan.ended)
        b.get(0)
        b.load()
        b.set(size)
        b.const(plan.winner_count)
        b.get(0)
        b.get(size)
        b.const(unit.layout.players)
        b.get(size)
        b.const(unit.layout.players)
        b.op("i32.lt_s", "select")
        b.const(1)
        b.op("i32.add")
        b.const(2)
        b.op("i32.shl")
        b.copy()
        if unit.stepping:
            b.const(KINDS.index("end"))
            b.get(1)
            b.const(-1)
            b.get(size)
            b.long(viewers(unit.layout.everyone))
            b.call(header(unit))
            b.set(at)
            b.get(at)
            b.get(0)
            b.const(4)
            b.op("i32.add")
            b.get(size)
            b.const(2)
            b.op("i32.shl")
            b.copy()

    return unit.made(("end",), 3, 0, write)
