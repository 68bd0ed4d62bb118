"""Code that does another clause: by a call, or written out where it is done."""

from __future__ import annotations

from functools import partial

from lawspeaker import ir
from lawspeaker.ir.types import SetType
from lawspeaker.machines.compiled.clauses import ENDS, WAITS, ClauseCode, clause_function
from lawspeaker.machines.middle.forms import Variable, word


def do(c: ClauseCode, deed: ir.Do) -> None:
    f, unit, called = c.f, c.unit, c.program.clauses[deed.clause]
    if not (c.waits or unit.purpose.stepping) and unit.inside.has(c.clause, deed):
        _do_inside(c, deed)
        return
    waits = c.waits and c.unit.facts.waits[deed.clause]
    runs = not unit.purpose.waits and c.unit.facts.waits[deed.clause]
    ends = c.unit.facts.ends[deed.clause]
    function = clause_function(unit, deed.clause, running=runs)
    returned = c.unit.facts.returned[deed.clause]
    results = [f.variable("result") for _ in returned]
    status = f.variable("status")
    point = c.new_point() if waits else 0
    lists = any(isinstance(argument.type, SetType) for argument in deed.arguments)
    scoped = lists or bool(deed.returns) or any(map(c.takes_room, deed.arguments))
    before = f.let("top", unit.top) if scoped else None
    later = waits and unit.purpose.in_turns and unit.purpose.watching

    def call() -> None:
        """From its beginning, which one has to be told that can be taken up."""
        changes = _changes(c, deed)
        if later and changes is not None:
            f.set(c.changes, changes)
        types = [slot.type for slot in called.slots[: len(deed.arguments)]]
        given = zip(deed.arguments, types, strict=True)
        arguments = f.in_order(*(partial(c.value, *each) for each in given))
        can_resume = waits and not runs
        speaks = ends or can_resume
        into = [status, *results] if speaks else results
        f.do(function, *((0,) if can_resume else ()), *arguments, into=into)
        if not later:
            _count_time(c, deed.clause, changes)
        if not speaks:
            f.set(status, 0)

    def resume() -> None:
        c.arrived()
        nothing = [0] * called.parameters
        clause = clause_function(unit, deed.clause)
        f.do(clause, 1, *nothing, into=[status, *results])

    if waits:
        with f.if_(c.target):
            resume()
        with f.else_():
            call()
    else:
        call()
    if later:
        # What is left in the middle is counted when it has been done.
        with f.if_(status != WAITS):
            _count_time(c, deed.clause, c.changes)
    if waits or ends:
        with f.if_(status):
            if waits and ends:
                with f.if_(status == ENDS):
                    c.return_ended()
            if waits:
                c.wait(point)
            else:
                c.return_ended()
    for theirs, ours in deed.returns:
        c.assign(ours, results[returned.index(theirs)])
    if before is not None:
        f.set(unit.top, before)


def _do_inside(c: ClauseCode, deed: ir.Do) -> None:
    called = c.program.clauses[deed.clause]
    inner = ClauseCode(c.unit, called, c.f, running=True)
    changes = _changes(c, deed)
    with c.scoped():
        for parameter, argument in enumerate(deed.arguments):
            kept = c.kept(argument)
            if kept is not None and c.unit.questions.goes_through(called, parameter):
                inner.slots[parameter] = kept
                continue
            c.f.set(inner.slot(parameter), c.value(argument, called.slots[parameter].type))
        inner.write_inside(c)
        for theirs, ours in deed.returns:
            c.assign(ours, inner.slot(theirs))
    _count_time(c, deed.clause, changes)


def _changes(c: ClauseCode, deed: ir.Do) -> Variable | None:
    """How much has changed so far, if anybody watches. To hand something on is a change, too."""
    if not c.unit.purpose.watching:
        return None
    return c.f.let("changes", -1 if deed.returns else word(c.plan.changes))


def _count_time(c: ClauseCode, clause: int, before: Variable | None) -> None:
    """A clause has been done: it counts if something has changed since."""
    if before is not None:
        c.f.add(word(c.plan.times + 4 * clause), word(c.plan.changes) != before)
