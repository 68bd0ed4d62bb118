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
from lawspeaker.machines.compiled import random_players
from lawspeaker.machines.compiled.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    I64,
    Expr,
    Function,
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


def questions(unit: Unit) -> dict[tuple[int, int], ir.Ask]:
    """All questions of the rules, by the clause they stand in and where."""
    return {
        (clause.index, deed.at): deed
        for clause in unit.program.clauses
        for deed in everything(clause.body)
        if isinstance(deed, ir.Ask)
    }


def note_question(unit: Unit, f: Body, clause: int, deed: ir.Ask) -> None:
    """Notes what is asked, for whoever tells of it."""
    number = list(questions(unit)).index((clause, deed.at))
    f.set(word(unit.plan.turns.question), number)
    f.set(word(unit.plan.turns.at), 0)


def who(unit: Unit) -> Expr:
    """Where it is told who has to answer next."""
    return word(unit.plan.turns.at) * ASKED + unit.plan.asked


def slice_(unit: Unit, start: Function, go_on: Function, record: Function) -> Function:
    """(seed, number, fresh, choices) -> 1 when it is not over, 2 when it is"""

    def build(
        f: Body, seed: Variable, number: Variable, fresh: Variable, choices: Variable
    ) -> None:
        status = f.let("status", 0)
        with f.if_(fresh):
            f.set(status, start(seed, number, choices))
        with f.else_():
            f.set(unit.free, choices)
            f.set(status, go_on(1))
        with f.if_(status == OVER):
            f.do(record)
        f.return_(status)

    return unit.built(("slice",), (I64, I32, I32, I32), 1, build)


def turn(unit: Unit, start: Function, go_on: Function, record: Function) -> Function:
    """(seed, number, fresh, answer) -> as `slice_`"""
    plan = unit.plan
    room = plan.turns

    def build(f: Body, seed: Variable, number: Variable, fresh: Variable, answer: Variable) -> None:
        status = f.let("status", 1)
        with f.if_(fresh):
            f.set(status, start(seed, number, 0))
        with f.else_():
            f.set(word(word(who(unit)) << 2, room.answers), answer)
            f.add(word(room.at), 1)
            with f.if_(word(room.at) >= word(plan.asked_count)):
                f.set(unit.given, 1)
                f.set(unit.free, 0)
                f.set(status, go_on(1))
                f.set(unit.given, 0)
        with f.if_(status == OVER):
            f.do(record)
        f.return_(status)

    return unit.built(("turn",), (I64, I32, I32, I32), 1, build)
