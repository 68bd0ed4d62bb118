"""Games that are suspended at a question and resumed: in slices, or for learning programs.

A module `in_turns` has no journal, but every game can be suspended at any question; its state stays
in memory, as in a module for stepping. Resuming says how the question is answered:

    slice_(seed, number, fresh, choices)   by the RNG, as all that follow, up to so many choices
    turn(seed, number, fresh, answer)      by the number of an option; it stops at the next question

Both return 1 at a question and 2 when the game is over. Game number n is the one that `simulate`
plays with this seed, and its record is where the first of those would be. If several are asked at
once, `turn` takes their answers one after the other, and nobody sees any of them before all are
there. A question is evaluated again when it is answered: so an answer is just a number.

    observe(seat)   encodes what a seat sees, see `observing.py`
    option(number)  encodes an option of the asked seat, see there
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.machines.compiled.runtime import random_players
from lawspeaker.machines.compiled.runtime.question import Question
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Variable,
    lesser,
    not_,
    word,
)

OVER = 2
ASKED = 16
"""Bytes of an asked seat: seat, first option, how many, whether passing is allowed."""


def has_to_wait(unit: Unit) -> Expr:
    """Returns whether the host has to make this choice."""
    nothing_left = unit.free == 0
    return nothing_left & not_(unit.given) if unit.purpose.in_turns else nothing_left


def goes_on(unit: Unit) -> Expr:
    """Returns whether a simultaneous question is answered entirely inside."""
    enough = unit.free >= unit.layout.players
    return enough | unit.given if unit.purpose.in_turns else enough


@routine("answered", returns=I32)
def choose(unit: Unit, f: Body, seat: Variable, options: Variable) -> None:
    """(seat, number of options) -> the host's answer for the seat, or a random one"""
    answers = unit.plan.turns.answers
    with f.if_(unit.given):
        f.add(unit.decisions, 1)
        f.add(unit.options, options)
        random_players.refill(unit, f)
        answer = f.let("answer", word(seat << 2, answers))
        f.return_(lesser(answer, options - 1))
    f.return_(random_players.choose(unit)(seat, options))


def questions(unit: Unit) -> list[Question]:
    """Returns all questions of the rules."""
    return [
        Question(clause.index, statement)
        for clause in unit.program.clauses
        for statement in everything(clause.body)
        if isinstance(statement, ir.Ask)
    ]


def note_question(unit: Unit, f: Body, clause: int, statement: ir.Ask) -> None:
    """Stores the current question for `observe` and `option`."""
    number = [each.operation for each in questions(unit)].index((clause, statement.at))
    f.set(word(unit.plan.turns.question), number)
    f.set(word(unit.plan.turns.at), 0)


def who(unit: Unit) -> Expr:
    """Returns the address of the next seat to answer."""
    return word(unit.plan.turns.at) * ASKED + unit.plan.asked
