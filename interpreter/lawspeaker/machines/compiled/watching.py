"""What is of interest about a whole game, counted while it is played.

The seat asked first; how often another side takes the sole lead; a word that stands for all that
was asked, offered and scored; the points that each clause gives each seat; and with pieces of
which kinds each seat chooses to do something. Only modules for watching have this code.
"""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.compiled import members, standing
from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.options import offsets
from lawspeaker.machines.compiled.replies import push_part
from lawspeaker.machines.compiled.shuffling import combine
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.position.luck import word_of

if TYPE_CHECKING:
    from lawspeaker.machines.compiled.function import Code

NOBODY = -1


def begin(unit: Unit, b: Function) -> None:
    """Nothing has been seen yet."""
    plan = unit.plan
    players = max(1, unit.layout.players)
    for at, count in ((plan.points, plan.clause_count), (plan.uses, plan.kind_count)):
        b.const(at)
        b.const(0)
        b.const(4 * count * players)
        b.fill()
    for variable, value in ((unit.starter, NOBODY), (unit.leader, NOBODY), (unit.leads, 0)):
        b.const(value)
        b.set(variable)
    b.long(0)
    b.set(unit.trail)


def scored(unit: Unit) -> Function:
    """(): looks which side is alone in front"""
    sides = unit.layout.sides

    def write(b: Function) -> None:
        if unit.program.goal is ir.Goal.NAMED:
            return
        kind = standing.kind(unit)
        best, ahead, points = b.local(kind), b.local(), b.local(kind)
        standing.points(unit, b, 0)
        b.set(best)
        for side in range(1, len(sides)):
            standing.points(unit, b, side)
            b.tee(points)
            b.get(best)
            standing.is_better(unit, b)
            with b.if_():
                b.get(points)
                b.set(best)
                b.const(side)
                b.set(ahead)
                b.else_()
                b.get(points)
                b.get(best)
                standing.is_equal(unit, b)
                with b.if_():
                    b.const(NOBODY)
                    b.set(ahead)
        b.get(ahead)
        b.const(NOBODY)
        b.op("i32.ne")
        b.get(ahead)
        b.get(unit.leader)
        b.op("i32.ne", "i32.and")
        with b.if_():
            b.get(unit.leads)
            b.get(unit.leader)
            b.const(NOBODY)
            b.op("i32.ne", "i32.add")
            b.set(unit.leads)
            b.get(ahead)
            b.set(unit.leader)

    return unit.made(("scored",), 0, 0, write)


def asked(unit: Unit, alone: bool) -> Function:
    """(seat, word of the clause, number of options): a choice is about to be made, by one seat
    `alone` or by one of several that are asked at once"""

    def write(b: Function) -> None:
        word = b.local(I64)
        b.get(unit.trail)
        b.op("i64.eqz", "i32.eqz")
        with b.if_():
            # Who leads is looked at after each reply, so not before the first.
            b.call(scored(unit))
        if alone:
            b.get(unit.starter)
            b.const(NOBODY)
            b.op("i32.eq")
            with b.if_():
                b.get(0)
                b.set(unit.starter)
        b.long(0)
        b.get(unit.trail)
        b.call(combine(unit))
        b.get(0)
        b.op("i64.extend_i32_u")
        b.call(combine(unit))
        b.get(1)
        b.call(combine(unit))
        b.get(2)
        b.op("i64.extend_i32_u")
        b.call(combine(unit))
        b.set(word)
        add_scores(unit, b, word)
        b.get(word)
        b.set(unit.trail)

    return unit.made(("asked", alone), (I32, I64, I32), (), write)


def add_scores(unit: Unit, b: Function, word: int) -> None:
    """All scores go into a word."""
    b.get(word)
    for seat in range(unit.layout.players):
        b.const(0)
        b.load(unit.plan.scores + 4 * seat)
        b.op("i64.extend_i32_s")
        b.call(combine(unit))
    b.set(word)


def choice(c: Code, ask: ir.Ask, seat: int, offered: int) -> None:
    """A seat is about to choose among so many options."""
    b = c.b
    b.get(seat)
    b.long(word_of(c.program.clauses[ask.clause].id))
    b.get(offered)
    b.call(asked(c.unit, ask.each is None))


def used(c: Code, ask: ir.Ask, seat: int, entry: int) -> None:
    """The kinds of the pieces that the chosen option speaks of."""
    b, piece = c.b, c.local()
    for number, alternative in enumerate(ask.alternatives):
        chosen = [
            (part, offset)
            for part, offset in zip(alternative.parts, offsets(alternative), strict=True)
            if isinstance(part.binder.type, PieceType)
        ]
        if not chosen:
            continue
        b.get(entry)
        b.load()
        b.const(number)
        b.op("i32.eq")
        with b.if_():
            for part, offset in chosen:
                push_part(c, part, entry, offset)
                if part.several:
                    members.each_listed(c, piece, lambda: _count_use(c, seat, piece))
                else:
                    b.set(piece)
                    _count_use(c, seat, piece)


def _count_use(c: Code, seat: int, piece: int) -> None:
    b, at = c.b, c.local()
    b.get(piece)
    b.const(2)
    b.op("i32.shl")
    b.load(c.plan.constant(_kinds(c)))
    b.const(max(1, c.layout.players))
    b.op("i32.mul")
    b.get(seat)
    b.op("i32.add")
    b.const(2)
    b.op("i32.shl")
    b.tee(at)
    b.get(at)
    b.load(c.plan.uses)
    b.const(1)
    b.op("i32.add")
    b.store(c.plan.uses)


def _kinds(c: Code) -> bytes:
    """For each piece, the number of its kind among the kinds of all types."""
    layout = c.layout
    first, at = [], 0
    for piece in c.program.pieces:
        first.append(at)
        at += len(piece.kinds)
    pairs = zip(layout.piece_type, layout.piece_kind, strict=True)
    return b"".join(pack("<i", first[of] + kind) for of, kind in pairs)


def given(c: Code, seat: int, gain: int) -> None:
    """The running clause gives a seat so much (a 64-bit word)."""
    b, at = c.b, c.local()
    base = c.plan.points + 4 * c.clause * max(1, c.layout.players)
    b.get(seat)
    b.const(2)
    b.op("i32.shl")
    b.tee(at)
    b.get(at)
    b.load(base)
    b.get(gain)
    b.op("i32.wrap_i64", "i32.add")
    b.store(base)


def finish(unit: Unit, b: Function) -> None:
    """The game is over: who leads now, and how it ended, count too."""
    word, at = b.local(I64), b.local()
    b.get(unit.trail)
    b.op("i64.eqz", "i32.eqz")
    with b.if_():
        b.call(scored(unit))
    b.long(0)
    b.get(unit.trail)
    b.call(combine(unit))
    b.set(word)
    add_scores(unit, b, word)
    b.const(0)
    b.set(at)
    with b.block() as done, b.loop() as again:
        b.get(at)
        b.const(0)
        b.load(unit.plan.winner_count)
        b.op("i32.ge_s")
        b.br_if(done)
        b.get(word)
        b.get(at)
        b.const(2)
        b.op("i32.shl")
        b.load(unit.plan.winner_count + 4)
        b.op("i64.extend_i32_u")
        b.call(combine(unit))
        b.set(word)
        b.get(at)
        b.const(1)
        b.op("i32.add")
        b.set(at)
        b.br(again)
    b.get(word)
    b.set(unit.trail)
