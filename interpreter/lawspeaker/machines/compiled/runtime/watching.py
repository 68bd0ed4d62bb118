"""What is of interest about a whole game, counted while it is played.

The seat asked first; how often another side takes the sole lead; a word that stands for all that
was asked, offered and scored; how often each clause changed something; the points that each gives
each seat; and how often each seat chose each thing. Only modules for watching have this code.
"""

from __future__ import annotations

from functools import partial

from lawspeaker import ir
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import invariants, luck, random_players, standing
from lawspeaker.machines.compiled.runtime.held import Held
from lawspeaker.machines.compiled.runtime.plan import Column
from lawspeaker.machines.compiled.runtime.question import offsets
from lawspeaker.machines.compiled.runtime.replies import part_of
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Expr, Function, Variable, word
from lawspeaker.position.luck import word_of

NOBODY = -1
_ASKED, _SCORED = 1, 2
"""Trails are not added up. Where games are, the word only tells whether somebody was asked, and
whether points were given since it was looked at who leads."""


def begin(unit: Unit, f: Body) -> None:
    """Nothing has been seen yet."""
    plan = unit.plan
    f.clear(plan.counters, plan.counters_end - plan.counters)
    for variable, value in ((unit.starter, NOBODY), (unit.leader, NOBODY), (unit.leads, 0)):
        f.set(variable, value)
    f.set(unit.trail, _SCORED if unit.purpose.summing else 0)


@routine("scored")
def scored(unit: Unit, f: Body) -> None:
    """(): looks which side is alone in front"""
    if unit.program.goal is ir.Goal.NAMED or len(unit.layout.sides) == 1:
        return
    best, ahead = f.let("best", standing.points(unit, 0)), f.let("ahead", 0)
    for side in range(1, len(unit.layout.sides)):
        points = f.let("points", standing.points(unit, side))
        with f.if_(standing.is_better(unit, points, best)):
            f.set(best, points)
            f.set(ahead, side)
        with f.else_(), f.if_(points == best):
            f.set(ahead, NOBODY)
    with f.if_((ahead != NOBODY) & (ahead != unit.leader)):
        f.add(unit.leads, unit.leader != NOBODY)
        f.set(unit.leader, ahead)


def _look_who_leads(unit: Unit, f: Body) -> None:
    """Where games are added up, only if the points have changed since this was looked at last."""
    summing = unit.purpose.summing
    with f.if_(unit.trail == _ASKED | _SCORED if summing else unit.trail != 0):
        f.do(scored(unit))
        if summing:
            f.set(unit.trail, _ASKED)


@routine("asked")
def asked(
    unit: Unit, alone: bool, f: Body, seat: Variable, clause: Long, options: Variable
) -> None:
    """(seat, word of the clause, number of options): a choice is about to be made, by one seat
    `alone` or by one of several that are asked at once"""
    # The leader is read after each reply, so not before the first.
    _look_who_leads(unit, f)
    if alone:
        with f.if_(unit.starter == NOBODY):
            f.set(unit.starter, seat)
    if unit.purpose.summing:
        f.set(unit.trail, unit.trail | _ASKED)
        return
    said = luck.weighed(clause, seat, options, *standing.scores(unit))
    f.set(unit.trail, luck.combine(unit)(unit.trail, said))


def changed(c: Code, whether: Expr | int = 1) -> None:
    """Something is done that makes the table, or what somebody knows of it, another one."""
    if c.unit.purpose.watching:
        c.f.add(word(c.plan.changes), whether)


def choice(c: Code, ask: ir.Ask, seat: Variable, offered: Variable) -> None:
    """A seat is about to choose among so many options."""
    _about_to_choose(c.unit, c.f, ask.each is None, seat, _word(c, ask), offered)


def chosen(c: Code, ask: ir.Ask, seat: Variable, offered: Variable) -> Expr:
    """The same, and what luck chooses then, all in one function: so it is in a program only once,
    which is worth something where many games wait for instructions."""
    return _chosen(c.unit, ask.each is None)(seat, _word(c, ask), offered)


@routine("chosen", returns=I32)
def _chosen(
    unit: Unit, alone: bool, f: Body, seat: Variable, clause: Long, options: Variable
) -> None:
    _about_to_choose(unit, f, alone, seat, clause, options)
    f.return_(random_players.choose(unit)(seat, options))


def _word(c: Code, ask: ir.Ask) -> int:
    """What stands for the clause in which something is asked."""
    return word_of(c.program.clauses[ask.clause].id)


def _about_to_choose(
    unit: Unit, f: Body, alone: bool, seat: Variable, clause: Expr | int, options: Variable
) -> None:
    if invariants.looked_at(unit):
        f.do(invariants.check(unit))
    f.do(asked(unit, alone), seat, clause, options)


def used(c: Code, ask: ir.Ask, seat: Variable, entry: Variable) -> None:
    """Counts the alternative that was chosen, and what its parts are."""
    f, choosable = c.f, c.plan.choosable
    alternatives = choosable.alternatives(ask)
    if alternatives is not None:
        _count_use(c, seat, c.plan.table(alternatives)[f.let("alternative", word(entry) + 1)])
    for number, alternative in enumerate(ask.alternatives):
        counted = [
            (part, offset, first)
            for part, offset in zip(alternative.parts, offsets(alternative), strict=True)
            if (first := choosable.values(ask, alternative, part)) is not None
        ]
        if not counted:
            continue
        with f.if_(word(entry) == number):
            for part, offset, first in counted:
                value = f.let("value", part_of(c.unit, part, entry, offset))
                if not part.several:
                    _count_use(c, seat, _place(c, part, value) + first)
                    continue
                with f.each_listed("member", value) as member:
                    _count_use(c, seat, _place(c, part, member) + first)


def _place(c: Code, part: ir.Part, value: Variable) -> Expr:
    """Which of the values that a part can be it is; of a piece, which kind it has."""
    of = part.binder.type
    if isinstance(of, PieceType):
        return c.plan.table(c.layout.piece_kind)[value]
    return value - int(c.layout.domain(of)[0])


def _count_use(c: Code, seat: Variable, number: Expr) -> None:
    at = c.f.let("at", number * max(1, c.layout.players) + seat)
    c.f.add(Column(c.plan.uses, 4)[at], 1)


def given(c: Code, seat: Variable, gain: Variable) -> None:
    """The running clause gives a seat so much (a 64-bit word)."""
    if c.unit.purpose.summing:
        c.f.set(c.unit.trail, c.unit.trail | _SCORED)
    base = c.plan.points + 4 * c.clause * max(1, c.layout.players)
    c.f.add(Column(base, 4)[seat], gain.to_word())


def measures(unit: Unit) -> list[Function]:
    """() -> what is to be measured of a finished game, one function each"""
    program = unit.program

    def write(f: Held, function: ir.Function) -> None:
        f.set(unit.left, unit.budget.to_long())
        call = ir.CallFunction(function.result.type, program.functions.index(function), ())
        f.return_(Code(unit, f, function.clause).scoped_value(call))

    return [
        unit.made(("measure", name), 0, 1, partial(write, function=function))
        for name, function in program.measures.items()
    ]


def finish(unit: Unit, f: Body) -> None:
    """The game is over: who leads now, and how it ended, count too."""
    _look_who_leads(unit, f)
    if unit.purpose.summing:
        return
    f.set(unit.trail, luck.combine(unit)(unit.trail, standing.mixed(unit)()))
    with f.each_listed("winner", standing.winners(unit)) as winner:
        f.set(unit.trail, luck.combine(unit)(unit.trail, winner.to_long()))
