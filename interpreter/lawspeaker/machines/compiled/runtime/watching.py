"""Generates the statistics of a whole game, counted during play.

The first seat asked; how often another side takes the sole lead; a hash of all questions, options
and scores; how often each clause changed something; the points that each gives each seat; and how
often each seat chose each thing. Only modules for watching have this code.
"""

from __future__ import annotations

from functools import partial

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import invariants, random_players, rng, standing
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
from lawspeaker.machines.compiled.runtime.plan import Column
from lawspeaker.machines.compiled.runtime.question import offsets
from lawspeaker.machines.compiled.runtime.replies import part_of
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Expr, Function, Variable, word
from lawspeaker.position.rng import word_of

NOBODY = -1
_ASKED, _SCORED = 1, 2
"""Trails cannot be added up. In modules for sums the word only has flags: whether somebody was
asked, and whether points were given since the last check for the leader."""


def begin(unit: Unit, f: Body) -> None:
    """Resets the statistics."""
    plan = unit.plan
    f.clear(plan.counters, plan.counters_end - plan.counters)
    for variable, value in ((unit.starter, NOBODY), (unit.leader, NOBODY), (unit.leads, 0)):
        f.set(variable, value)
    f.set(unit.trail, _SCORED if unit.purpose.summing else 0)


@routine("scored")
def scored(unit: Unit, f: Body) -> None:
    """(): updates the sole leader"""
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
    """Updates the leader; in modules for sums only if points have changed since the last check."""
    summing = unit.purpose.summing
    with f.if_(unit.trail == _ASKED | _SCORED if summing else unit.trail != 0):
        f.do(scored(unit))
        if summing:
            f.set(unit.trail, _ASKED)


@routine("asked")
def asked(
    unit: Unit, alone: bool, f: Body, seat: Variable, clause: Long, options: Variable
) -> None:
    """(seat, word of the clause, number of options): records a choice, by one seat `alone` or by
    one of several"""
    # The leader is updated after each reply, so not before the first.
    _look_who_leads(unit, f)
    if alone:
        with f.if_(unit.starter == NOBODY):
            f.set(unit.starter, seat)
    if unit.purpose.summing:
        f.set(unit.trail, unit.trail | _ASKED)
        return
    said = rng.weighed(clause, seat, options, *standing.scores(unit))
    f.set(unit.trail, rng.combine(unit)(unit.trail, said))


def changed(c: Code, whether: Expr | int = 1) -> None:
    """Counts a change of the table, or of somebody's knowledge of it."""
    if c.unit.purpose.watching:
        c.f.add(word(c.plan.changes), whether)


def choice(c: Code, ask: ir.Ask, seat: Variable, offered: Variable) -> None:
    """Records that a seat is about to choose."""
    _about_to_choose(c.unit, c.f, ask.each is None, seat, _word(c, ask), offered)


def chosen(c: Code, ask: ir.Ask, seat: Variable, offered: Variable) -> Expr:
    """Records the choice and makes it by the RNG, in one shared function: smaller code, which
    matters where many games wait for instructions."""
    return _chosen(c.unit, ask.each is None)(seat, _word(c, ask), offered)


@routine("chosen", returns=I32)
def _chosen(
    unit: Unit, alone: bool, f: Body, seat: Variable, clause: Long, options: Variable
) -> None:
    _about_to_choose(unit, f, alone, seat, clause, options)
    f.return_(random_players.choose(unit)(seat, options))


def _word(c: Code, ask: ir.Ask) -> int:
    """Returns the word of the clause that asks."""
    return word_of(c.program.clauses[ask.clause].id)


def _about_to_choose(
    unit: Unit, f: Body, alone: bool, seat: Variable, clause: Expr | int, options: Variable
) -> None:
    if invariants.looked_at(unit):
        f.do(invariants.check(unit))
    f.do(asked(unit, alone), seat, clause, options)


def used(c: Code, ask: ir.Ask, seat: Variable, entry: Variable) -> None:
    """Counts the chosen alternative and the values of its parts."""
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
    """Returns the index of a value among the values of a part; for a piece, its kind."""
    of = part.binder.type
    if isinstance(of, ir.PieceType):
        return c.plan.table(c.layout.piece_kind)[value]
    return value - int(c.layout.domain(of)[0])


def _count_use(c: Code, seat: Variable, number: Expr) -> None:
    at = c.f.let("at", number * max(1, c.layout.players) + seat)
    c.f.add(Column(c.plan.uses, 4)[at], 1)


def given(c: Code, seat: Variable, gain: Variable) -> None:
    """Counts the points that the running clause gives a seat (a 64-bit word)."""
    if c.unit.purpose.summing:
        c.f.set(c.unit.trail, c.unit.trail | _SCORED)
    base = c.plan.points + 4 * c.clause * max(1, c.layout.players)
    c.f.add(Column(base, 4)[seat], gain.to_word())


def measures(unit: Unit) -> list[Function]:
    """() -> a measure of a finished game, one function each"""
    program = unit.program

    def write(f: OperandBody, function: ir.Function) -> None:
        f.set(unit.left, unit.budget.to_long())
        call = ir.CallFunction(function.result.type, program.functions.index(function), ())
        f.return_(Code(unit, f, function.clause).scoped_value(call))

    return [
        unit.made(("measure", name), 0, 1, partial(write, function=function))
        for name, function in program.measures.items()
    ]


def finish(unit: Unit, f: Body) -> None:
    """Records the final leader and the result."""
    _look_who_leads(unit, f)
    if unit.purpose.summing:
        return
    f.set(unit.trail, rng.combine(unit)(unit.trail, standing.mixed(unit)()))
    with f.each_listed("winner", standing.winners(unit)) as winner:
        f.set(unit.trail, rng.combine(unit)(unit.trail, winner.to_long()))
