"""Looking ahead inside a module: a tree of replies that grows where playouts turn out well.

Each playout goes down the tree first. Whoever is asked takes the reply that did best for him so
far, with a bonus for those seldom tried (upper confidence bounds); at the first reply that is not
in the tree yet a node is added, and from there on everyone takes any option. What comes of it is
noted at each node on the way, for the seat that chose it: everyone plays for himself.

Worlds differ, and so does what can be chosen at a node. A reply is known by what it says, and its
bonus grows only when it could have been chosen. Luck is no part of the tree: a node stands for all
that luck may do between the replies that lead to it. Where several are asked at once nobody's reply
depends on those of the others: they share a node, and only all replies together lead on.

While the tree is gone through no choice is `free`, that is, left to luck. So playing out costs no
more than it does without a tree.
"""

from __future__ import annotations

from math import log

from lawspeaker import ir
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.compiled import members, playout_start, random_players
from lawspeaker.machines.compiled.binary import F64, I32, I64, Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.options import offsets
from lawspeaker.machines.compiled.replies import push_part
from lawspeaker.machines.compiled.shuffling import combine
from lawspeaker.machines.compiled.tree import (
    DEEPEST,
    KEY,
    NEXT_STEP,
    NODE,
    NODES,
    OFFERED,
    SLOTS,
    VISITS,
    WORTH,
    count,
    fetch,
    put,
)
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.compiled.world_layout import question
from lawspeaker.position.luck import word_of

_PASS = word_of("pass")


# ---------------------------------------------------------------- deciding


def decide(unit: Unit, ask: ir.Ask, operation: tuple[int, int], stride: int) -> Function:
    """(seat, where the options lie, how many they are, to pass included) -> the number of one

    `operation`: the clause that asks, and where in it.
    """
    tree, key = unit.plan.tree, f"{operation[0]}.{operation[1]}"

    def write(b: Function) -> None:
        at, number, fresh = b.local(), b.local(), b.local()
        random_players.refill(unit, b)
        if ask.each is None:
            b.const(1)
        else:
            fetch(b, tree.fresh)
            put(b, tree.fresh, lambda: b.const(0))
        b.set(fresh)
        fetch(b, tree.opening)
        with b.if_():
            b.get(0)
            b.get(2)
            b.const(question(*operation))
            b.const(int(ask.each is None))
            b.call(playout_start.first(unit))
            b.tee(number)
            b.const(0)
            b.op("i32.ge_s")
            with b.if_():
                b.get(number)
                b.op("return")
        b.get(0)
        b.get(fresh)
        b.call(_turn(unit))
        b.get(1)
        b.set(at)
        b.const(0)
        b.set(number)
        with b.loop() as again:
            b.get(at)
            if not ask.must:
                # To take nothing is the last option, and is not written down.
                b.const(0)
                b.get(number)
                b.get(2)
                b.const(1)
                b.op("i32.sub", "i32.lt_s", "select")
            b.call(_identity(unit, ask, key))
            b.get(number)
            b.get(0)
            b.call(_weigh(unit))
            count(b, at, stride)
            count(b, number)
            b.get(number)
            b.get(2)
            b.op("i32.lt_s")
            b.br_if(again)
        b.get(0)
        b.call(_go(unit))

    return unit.made(("decide", key), 3, 1, write)


def _turn(unit: Unit) -> Function:
    """(seat, whether it is a new question): goes to the node at which the seat decides"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        b.get(1)
        fetch(b, tree.joint, "i64.load")
        b.op("i64.eqz", "i32.eqz", "i32.and")
        with b.if_():
            put(b, tree.path, lambda: fetch(b, tree.joint, "i64.load"), "i64.store")
            put(b, tree.joint, lambda: b.long(0), "i64.store")
        b.const(0)
        fetch(b, tree.path, "i64.load")
        b.get(0)
        b.op("i64.extend_i32_u")
        b.call(combine(unit))
        b.store(tree.base, "i64.store")
        put(b, tree.hope, lambda: b.real(float("-inf")), "f64.store")

    return unit.made(("search", "turn"), 2, 0, write)


def _weigh(unit: Unit) -> Function:
    """(word of an option, its number, seat): keeps it if it is the best so far; of equals, any"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        key, node, hope = b.local(I64), b.local(), b.local(F64)
        fetch(b, tree.base, "i64.load")
        b.get(0)
        b.call(combine(unit))
        b.tee(key)
        b.call(_found(unit))
        b.tee(node)
        b.load(VISITS)
        with b.if_(F64):
            b.get(node)
            b.call(_hope(unit))
            b.else_()
            b.get(2)
            b.const(3)
            b.op("i32.shl")
            b.load(tree.usual, "f64.load")
        b.set(hope)
        with b.block() as kept:
            with b.block() as better:
                b.get(hope)
                fetch(b, tree.hope, "f64.load")
                b.op("f64.gt")
                with b.if_():
                    put(b, tree.ties, lambda: b.const(1))
                    b.br(better)
                b.get(hope)
                fetch(b, tree.hope, "f64.load")
                b.op("f64.lt")
                b.br_if(kept)
                b.const(0)
                fetch(b, tree.ties)
                b.const(1)
                b.op("i32.add")
                b.store(tree.ties)
                fetch(b, tree.ties)
                b.call(playout_start.below(unit))
                b.br_if(kept)
            put(b, tree.hope, lambda: b.get(hope), "f64.store")
            put(b, tree.key, lambda: b.get(key), "i64.store")
            put(b, tree.node, lambda: b.get(node))
            put(b, tree.number, lambda: b.get(1))

    return unit.made(("search", "weigh"), (I64, I32, I32), (), write)


def _hope(unit: Unit) -> Function:
    """(node that was tried) -> what may be expected of it at best"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        visits, times, power = b.local(F64), b.local(), b.local()
        b.get(0)
        b.get(0)
        b.load(OFFERED)
        b.const(1)
        b.op("i32.add")
        b.tee(times)
        b.store(OFFERED)
        b.get(0)
        b.load(VISITS)
        b.op("f64.convert_i32_s")
        b.set(visits)
        b.get(0)
        b.load(WORTH, "f64.load")
        b.get(visits)
        b.op("f64.div")
        fetch(b, tree.urge, "f64.load")
        # The logarithm: exact for powers of two, and a straight line between them.
        b.const(31)
        b.get(times)
        b.op("i32.clz", "i32.sub")
        b.tee(power)
        b.op("f64.convert_i32_s")
        b.get(times)
        b.op("f64.convert_i32_s")
        b.const(1)
        b.get(power)
        b.op("i32.shl", "f64.convert_i32_s", "f64.div", "f64.add")
        b.real(1.0)
        b.op("f64.sub")
        b.real(log(2))
        b.op("f64.mul")
        b.get(visits)
        b.op("f64.div", "f64.sqrt", "f64.mul", "f64.add")

    return unit.made(("search", "hope"), (I32,), (F64,), write)


def _go(unit: Unit) -> Function:
    """(seat) -> the number of the best option; its node is the next on the way"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        node, steps = b.local(), b.local()
        fetch(b, tree.key, "i64.load")
        b.call(playout_start.follow(unit))
        fetch(b, tree.node)
        b.tee(node)
        b.op("i32.eqz")
        with b.if_():
            fetch(b, tree.key, "i64.load")
            b.call(_grown(unit))
            b.set(node)
            b.call(playout_start.leave(unit))
        fetch(b, tree.steps)
        b.tee(steps)
        b.const(DEEPEST)
        b.op("i32.eq")
        with b.if_():
            b.const(0)
            b.set(node)
            b.call(playout_start.leave(unit))
        b.get(node)
        with b.if_():
            for offset, given in ((0, node), (4, 0)):
                b.get(steps)
                b.const(NEXT_STEP)
                b.op("i32.mul")
                b.get(given)
                b.store(tree.way + offset)
            count(b, steps)
            put(b, tree.steps, lambda: b.get(steps))
        fetch(b, tree.number)

    return unit.made(("search", "go"), 1, 1, write)


# ---------------------------------------------------------------- nodes


def _slot(b: Function, key: int, slot: int) -> None:
    """Where in the table a search for a word starts."""
    b.get(key)
    b.op("i32.wrap_i64")
    b.const(SLOTS - 1)
    b.op("i32.and")
    b.set(slot)


def _next_slot(b: Function, slot: int) -> None:
    b.get(slot)
    b.const(1)
    b.op("i32.add")
    b.const(SLOTS - 1)
    b.op("i32.and")
    b.set(slot)


def _in_slot(b: Function, slots: int, slot: int) -> None:
    b.get(slot)
    b.const(2)
    b.op("i32.shl")
    b.load(slots)


def _found(unit: Unit) -> Function:
    """(word) -> the node, or 0"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        slot, node = b.local(), b.local()
        _slot(b, 0, slot)
        with b.block() as done, b.loop() as again:
            _in_slot(b, tree.slots, slot)
            b.tee(node)
            b.op("i32.eqz")
            b.br_if(done)
            b.get(node)
            b.load(KEY, "i64.load")
            b.get(0)
            b.op("i64.eq")
            b.br_if(done)
            _next_slot(b, slot)
            b.br(again)
        b.get(node)

    return unit.made(("search", "found"), (I64,), (I32,), write)


def _grown(unit: Unit) -> Function:
    """(word) -> a new node, or 0 when there is no more room"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        slot, node = b.local(), b.local()
        fetch(b, tree.used)
        b.const(NODES)
        b.op("i32.ge_s")
        with b.if_():
            b.const(0)
            b.op("return")
        _slot(b, 0, slot)
        with b.block() as free, b.loop() as again:
            _in_slot(b, tree.slots, slot)
            b.op("i32.eqz")
            b.br_if(free)
            _next_slot(b, slot)
            b.br(again)
        fetch(b, tree.used)
        b.const(NODE)
        b.op("i32.mul")
        b.const(tree.nodes)
        b.op("i32.add")
        b.set(node)
        b.const(0)
        fetch(b, tree.used)
        b.const(1)
        b.op("i32.add")
        b.store(tree.used)
        b.get(slot)
        b.const(2)
        b.op("i32.shl")
        b.get(node)
        b.store(tree.slots)
        b.get(node)
        b.get(0)
        b.store(KEY, "i64.store")
        b.get(node)
        b.const(0)
        b.store(VISITS)
        # It could have been chosen just now.
        b.get(node)
        b.const(1)
        b.store(OFFERED)
        b.get(node)
        b.real(0.0)
        b.store(WORTH, "f64.store")
        b.get(node)

    return unit.made(("search", "grown"), (I64,), (I32,), write)


# ---------------------------------------------------------------- what a reply says


def _identity(unit: Unit, ask: ir.Ask, key: str) -> Function:
    """(option as it is written down, or 0 for none) -> a word for what it says, the same in all
    worlds: pieces count by their looks, where they are and their states"""

    def write(b: Function) -> None:
        c = Code(unit, b, unit.program.main)
        word, kept = b.local(I64), b.local()
        b.get(0)
        b.op("i32.eqz")
        with b.if_():
            b.long(_PASS)
            b.op("return")
        b.get(unit.kept)
        b.set(kept)
        b.get(0)
        b.load()
        b.op("i64.extend_i32_u")
        b.set(word)
        for number, alternative in enumerate(ask.alternatives):
            if not alternative.parts:
                continue
            b.get(0)
            b.load()
            b.const(number)
            b.op("i32.eq")
            with b.if_():
                for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
                    b.get(word)
                    push_part(c, part, 0, offset)
                    _say(c, part)
                    b.call(combine(unit))
                    b.set(word)
        b.get(kept)
        b.set(unit.kept)
        b.get(word)

    return unit.made(("identity", key), (I32,), (I64,), write)


def _say(c: Code, part: ir.Part) -> None:
    """A word for the value of a part that is on the stack."""
    b = c.b
    if not part.several:
        _say_one(c, part)
        return
    together, member = b.local(I64), b.local()
    b.set(member)
    b.long(0)
    b.set(together)

    def add() -> None:
        # The order of the members does not count.
        b.get(together)
        b.long(0)
        b.get(member)
        _say_one(c, part)
        b.call(combine(c.unit))
        b.op("i64.add")
        b.set(together)

    b.get(member)
    members.each_listed(c, member, add)
    b.get(together)


def _say_one(c: Code, part: ir.Part) -> None:
    of = part.binder.type
    if isinstance(of, PieceType):
        c.b.call(_looks(c.unit, of.index))
    else:
        c.b.op("i64.extend_i32_s")


def _looks(unit: Unit, of: int) -> Function:
    """(piece) -> a word for its looks, where it is, and its states"""
    plan = unit.plan

    def write(b: Function) -> None:
        b.get(0)
        plan.table(unit.layout.alike).load(b)
        b.op("i64.extend_i32_u")
        for column in (plan.where, *plan.states[of]):
            b.get(0)
            column.load(b)
            b.op("i64.extend_i32_s")
            b.call(combine(unit))

    return unit.made(("looks", of), (I32,), (I64,), write)
