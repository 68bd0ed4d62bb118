"""How a playout of a search begins: with the option to be tried, at the question that waits.

Others may be asked at the same time; without a tree they take any option. Who is asked is noted,
since a world may be dealt in which that would be others, or something else. When the question is
answered the search is open: the tree goes on, or, without one, luck.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.compiled import random_players
from lawspeaker.machines.compiled.binary import I64, Function
from lawspeaker.machines.compiled.shuffling import combine
from lawspeaker.machines.compiled.tree import fetch, put
from lawspeaker.machines.compiled.unit import NEVER, Unit
from lawspeaker.machines.compiled.world_layout import QUESTION
from lawspeaker.position.luck import word_of

ROOT = word_of("root")


def begin(unit: Unit, b: Function, option: Callable[[], None]) -> None:
    """The next playout starts with this option of the seat that searches."""
    tree = unit.plan.tree
    b.const(0)
    b.set(unit.free)
    put(b, tree.forced, option)
    put(b, tree.opening, lambda: b.const(1))
    put(b, tree.leaving, lambda: b.const(0))
    put(b, tree.asked, lambda: b.long(0), "i64.store")
    put(b, tree.elsewhere, lambda: b.const(0))
    put(b, tree.steps, lambda: b.const(0))
    put(b, tree.path, lambda: b.long(ROOT), "i64.store")
    put(b, tree.joint, lambda: b.long(0), "i64.store")


def begin_several(unit: Unit, b: Function) -> None:
    """Several are going to be asked at once."""
    put(b, unit.plan.tree.fresh, lambda: b.const(1))


def end_several(unit: Unit, b: Function) -> None:
    """All of them have answered: if the search starts from this question, it is behind it now."""
    tree = unit.plan.tree
    fetch(b, tree.opening)
    with b.if_():
        fetch(b, tree.forced)
        b.const(0)
        b.op("i32.lt_s")
        with b.if_():
            b.call(_opened(unit))


def _opened(unit: Unit) -> Function:
    """(): the question from which the search starts is answered; the rest is for tree or luck"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        put(b, tree.opening, lambda: b.const(0))
        fetch(b, tree.deep)
        b.op("i32.eqz")
        fetch(b, tree.leaving)
        b.op("i32.or")
        with b.if_():
            b.const(NEVER)
            b.set(unit.free)

    return unit.made(("search", "opened"), 0, 0, write)


def leave(unit: Unit) -> Function:
    """(): the tree ends here, and the rest is luck; but first it is noted who else is asked"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        fetch(b, tree.opening)
        with b.if_():
            put(b, tree.leaving, lambda: b.const(1))
            b.else_()
            b.const(NEVER)
            b.set(unit.free)

    return unit.made(("search", "leave"), 0, 0, write)


def first(unit: Unit) -> Function:
    """(seat, number of options, question, whether only one is asked) -> the answer to the question
    from which the search starts: the option to be tried; for the others who are asked any, or -1
    if the tree is to decide

    Notes who is asked, for a world may be one in which that would be others, or something else.
    """
    tree = unit.plan.tree

    def write(b: Function) -> None:
        number = b.local()
        b.const(0)
        fetch(b, tree.asked, "i64.load")
        b.long(1)
        b.get(0)
        b.op("i64.extend_i32_u", "i64.shl", "i64.or")
        b.store(tree.asked, "i64.store")
        b.const(0)
        fetch(b, tree.elsewhere)
        b.get(2)
        fetch(b, unit.plan.worlds.table + QUESTION)
        b.op("i32.ne", "i32.or")
        b.store(tree.elsewhere)
        b.get(0)
        fetch(b, tree.seat)
        b.op("i32.eq")
        with b.if_():
            fetch(b, tree.forced)
            b.tee(number)
            b.get(1)
            b.const(1)
            b.op("i32.sub")
            b.get(number)
            b.get(1)
            # A world in which less is offered than in the view is no good, but does no harm.
            b.op("i32.lt_s", "select")
            b.set(number)
            put(b, tree.forced, lambda: b.const(-1))
            b.long(ROOT)
            b.get(number)
            b.op("i64.extend_i32_u")
            b.call(combine(unit))
            b.call(follow(unit))
            b.get(3)
            with b.if_():
                b.call(_opened(unit))
            b.get(number)
            b.op("return")
        fetch(b, tree.deep)
        fetch(b, tree.leaving)
        b.op("i32.gt_u")
        with b.if_():
            b.const(-1)
            b.op("return")
        b.get(1)
        b.call(below(unit))

    return unit.made(("search", "first"), 4, 1, write)


def below(unit: Unit) -> Function:
    """(bound) -> a number below it, by the luck that all seats share in a playout"""

    def write(b: Function) -> None:
        b.const(0)
        b.call(random_players.next_word(unit))
        b.long(32)
        b.op("i64.shr_u")
        b.get(0)
        b.op("i64.extend_i32_u", "i64.mul")
        b.long(32)
        b.op("i64.shr_u", "i32.wrap_i64")

    return unit.made(("search", "below"), 1, 1, write)


def follow(unit: Unit) -> Function:
    """(word of a reply): it leads on, alone or with those given at the same time"""
    joint = unit.plan.tree.joint

    def write(b: Function) -> None:
        b.const(0)
        fetch(b, joint, "i64.load")
        b.op("i64.eqz")
        with b.if_(I64):
            b.get(0)
            b.else_()
            fetch(b, joint, "i64.load")
            b.get(0)
            b.call(combine(unit))
        b.store(joint, "i64.store")

    return unit.made(("search", "follow"), (I64,), (), write)
