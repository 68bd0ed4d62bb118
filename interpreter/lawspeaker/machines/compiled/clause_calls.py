"""Code that does another clause: by a call, or written out where it is done."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.types import SetType
from lawspeaker.machines.compiled import value_calls
from lawspeaker.machines.compiled.clauses import ENDS, ClauseCode, clause_function
from lawspeaker.machines.compiled.subset_tables import goes_through
from lawspeaker.machines.middle import forms
from lawspeaker.machines.middle.forms import Variable

_LONGEST = 240
"""A function that has grown to so many statements takes in no further clause."""
_SHORT_CLAUSE = 60
"""A clause of so few nodes may be written out in several places."""
_DEEPEST = 8
"""So many clauses are written inside each other, at most."""


def do(c: ClauseCode, deed: ir.Do) -> None:
    b, unit, called = c.b, c.unit, c.program.clauses[deed.clause]
    if _is_written_inside(c, deed.clause):
        _do_inside(c, deed)
        return
    waits = c.waits and c.shapes.waits[deed.clause]
    runs = not unit.stepping and c.shapes.waits[deed.clause]
    ends = c.shapes.ends[deed.clause]
    returned = c.shapes.returned[deed.clause]
    function = clause_function(unit, c.shapes, deed.clause, running=runs)
    results = [c.local() for _ in returned]
    status, before = c.local(), c.local()
    point = c.new_point() if waits else 0
    lists = any(isinstance(argument.type, SetType) for argument in deed.arguments)
    scoped = lists or bool(deed.returns) or any(map(c.takes_room, deed.arguments))
    if scoped:
        b.get(unit.top)
        b.set(before)

    def call() -> None:
        _count_time(c, deed.clause)
        if waits and not runs:
            b.const(0)
        for parameter, argument in enumerate(deed.arguments):
            c.b.push(c.value(argument, called.slots[parameter].type))
        b.call(function)
        speaks = ends or (waits and not runs)
        _keep(c, results, status if speaks else None)
        if waits and not speaks:
            b.const(0)
            b.set(status)

    if waits:
        b.get(c.target)
        with b.if_():
            c.arrived()
            b.const(1)
            for _ in range(called.parameters):
                b.const(0)
            b.call(clause_function(unit, c.shapes, deed.clause))
            _keep(c, results, status)
            b.else_()
            call()
    else:
        call()
    if waits or ends:
        b.get(status)
        with b.if_():
            if waits and ends:
                b.get(status)
                b.const(ENDS)
                b.op("i32.eq")
                with b.if_():
                    c.return_ended()
                c.wait(point)
            elif waits:
                c.wait(point)
            else:
                c.return_ended()
    for theirs, ours in deed.returns:
        b.get(results[returned.index(theirs)])
        c.assign(ours)
    if scoped:
        b.get(before)
        b.set(unit.top)


def _is_written_inside(c: ClauseCode, clause: int) -> bool:
    """Whether a clause is written where it is done: it runs through, and is done nowhere else or
    is short."""
    if c.unit.stepping or c.waits or c.f.length > _LONGEST:
        return False
    around = c.around()
    if clause in around or len(around) > _DEEPEST:
        return False
    if c.shapes.sites[clause] == 1:
        return True
    return value_calls.written_weight(c.unit, c.program.clauses[clause].body) <= _SHORT_CLAUSE


def _do_inside(c: ClauseCode, deed: ir.Do) -> None:
    called = c.program.clauses[deed.clause]
    inner = ClauseCode(c.unit, c.shapes, called, c.b, running=True)
    _count_time(c, deed.clause)
    with c.scoped():
        for parameter, argument in enumerate(deed.arguments):
            kept = c.kept(argument)
            if kept is not None and goes_through(c.shapes, called, parameter):
                inner.slots[parameter] = kept
                continue
            c.b.push(c.value(argument, called.slots[parameter].type))
            c.b.set(inner.slot(parameter))
        inner.write_inside(c)
        for theirs, ours in deed.returns:
            c.b.get(inner.slot(theirs))
            c.assign(ours)


def _keep(c: ClauseCode, results: list[Variable], status: Variable | None) -> None:
    for result in reversed(results):
        c.b.set(result)
    if status is not None:
        c.b.set(status)


def _count_time(c: ClauseCode, clause: int) -> None:
    """How often each clause is done."""
    c.f.add(forms.word(c.plan.times + 4 * clause), 1)
