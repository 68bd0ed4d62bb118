"""Generates random picks of one of several things, and tests whether the outcome is open.

Each thing has a word; the one whose word, mixed with that of the random event, is highest is
picked.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.compile import binders
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import rng
from lawspeaker.machines.compiled.runtime.plan import LONG, Column
from lawspeaker.machines.compiled.runtime.shuffling import differ
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I64, Expr, Number, Variable, not_, word
from lawspeaker.position.rng import word_of

MOST_WORDS = 4096


def picked(c: Code, statement: ir.Pick) -> Expr:
    """Returns the member picked; a fault if there is none."""
    f, slot, clause = c.f, c.slot(statement.binder.slot), c.clause
    name = word_of(c.program.clauses[clause].id)
    best = rng.Best(f, rng.stroke(c.unit, name, word(c.plan.picks[clause])))
    binders.found(
        c, statement.binder, lambda: best.consider(f, slot, _word(c, statement.binder, slot))
    )
    c.fault_when(not_(best.any), messages.nothing_to_pick(statement.binder.name), statement.span)
    return best.found


def _word(c: Code, binder: ir.Binder, member: Expr) -> Expr:
    """Returns the word of a candidate."""
    of = binder.type
    if isinstance(of, ir.PieceType):
        return rng.piece_word(c.unit, member)
    low, high = _values(c, binder)
    if high - low >= MOST_WORDS:
        return _number_word(c.unit)(member)
    words = [word_of(c.layout.text(of, value)) for value in range(low, high + 1)]
    return Column(c.plan.words(words), LONG)[member - low]


def _values(c: Code, binder: ir.Binder) -> tuple[int, int]:
    of: ir.Type = binder.type
    known = c.folder.constant(binder.source)
    if known is not None and known[0]:
        return int(min(known[0])), int(max(known[0]))
    if isinstance(of, ir.NumberType):
        if isinstance(binder.source, ir.Range):
            bounds = c.unit.bounds
            return bounds.number(binder.source.low)[0], bounds.number(binder.source.high)[1]
        return of.low, of.high
    domain = c.folder.domain(of)
    return (domain.start, domain.stop - 1) if domain else (0, 0)


@routine("number_word", returns=I64)
def _number_word(unit: Unit, f: Body, number: Variable) -> None:
    """(number) -> the word of its text: FNV-1a over the digits, then mixed"""
    text = f.let("text", 0xCBF29CE484222325, I64)
    left = f.let("left", number.to_long(signed=True))

    def take_in(byte: Number) -> None:
        f.set(text, (text ^ byte) * 0x100000001B3)

    with f.if_(number < 0):
        take_in(ord("-"))
        f.set(left, 0 - left)
    divisor = f.let("divisor", 1, I64)
    with f.while_(left >= divisor * 10):
        f.set(divisor, divisor * 10)
    with f.while_(divisor != 0):
        take_in(left // divisor + ord("0"))
        f.set(left, left % divisor)
        f.set(divisor, divisor // 10)
    rng.mix(f, text)
    f.return_(text)


def is_open(c: Code, statement: ir.Pick) -> Expr:
    """Returns whether there are distinguishable outcomes."""
    f, slot, of = c.f, c.slot(statement.binder.slot), statement.binder.type
    first, found, answer = f.let("first", 0), f.let("found", 0), f.let("answer", 0)

    def look() -> None:
        with f.if_(not_(found)):
            f.set(first, slot)
        other: Expr = found
        if isinstance(of, ir.PieceType):
            other = found & differ(c.unit, of.index, first, slot)
        f.set(answer, answer | other)
        f.set(found, 1)

    binders.found(c, statement.binder, look)
    return answer
