"""Games that are left at a question and taken up again: for slices of long games, and for learning.

A module `in_turns` keeps no journal, but every game in it can be left wherever somebody is asked;
what is going on lies in memory, as in a module for stepping. Who takes it up says how the question
is answered:

    slice_(seed, number, fresh, choices)   by luck, as all that come then, up to so many choices
    turn(seed, number, fresh, answer)      by the number of an option; it stops at the next question

Both give 1 when somebody is asked and 2 when the game is over. Game number n is the one that
`simulate` plays with this seed, and its record lies where the first of those would. Where several
are asked at once, `turn` takes their answers one after the other, and nobody sees any of them
before all are there. A question is worked out again when it is answered: so an answer is a number
and no more, wherever it comes from.

    observe(seat)   what a seat sees, as a row of words, see `observing.py`
    option(number)  an option of who is asked, in words, see there
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
"""Bytes that are told of each who is asked: seat, first option, how many, whether none will do."""


def has_to_wait(unit: Unit) -> Expr:
    """Whether a choice is not for the module to make."""
    nothing_left = unit.free == 0
    return nothing_left & not_(unit.given) if unit.purpose.in_turns else nothing_left


def goes_on(unit: Unit) -> Expr:
    """Whether all who are asked at once are answered inside."""
    enough = unit.free >= unit.layout.players
    return enough | unit.given if unit.purpose.in_turns else enough


@routine("answered", returns=I32)
def choose(unit: Unit, f: Body, seat: Variable, options: Variable) -> None:
    """(seat, number of options) -> what was answered for the seat, or what its luck says"""
    answers = unit.plan.turns.answers
    with f.if_(unit.given):
        f.add(unit.decisions, 1)
        f.add(unit.options, options)
        random_players.refill(unit, f)
        answer = f.let("answer", word(seat << 2, answers))
        f.return_(lesser(answer, options - 1))
    f.return_(random_players.choose(unit)(seat, options))


def questions(unit: Unit) -> list[Question]:
    """All questions of the rules."""
    return [
        Question(clause.index, deed)
        for clause in unit.program.clauses
        for deed in everything(clause.body)
        if isinstance(deed, ir.Ask)
    ]


def note_question(unit: Unit, f: Body, clause: int, deed: ir.Ask) -> None:
    """Notes what is asked, for whoever tells of it."""
    number = [each.operation for each in questions(unit)].index((clause, deed.at))
    f.set(word(unit.plan.turns.question), number)
    f.set(word(unit.plan.turns.at), 0)


def who(unit: Unit) -> Expr:
    """Where it is told who has to answer next."""
    return word(unit.plan.turns.at) * ASKED + unit.plan.asked
