"""Generates code that executes another clause: by a call, or inlined."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.clauses import ENDS, WAITS, ClauseCode, clause_function
from lawspeaker.machines.middle.forms import Variable, word


def do(c: ClauseCode, statement: ir.Do) -> None:
    """Executes a clause: inlined if planned so, else by a call."""
    if c.unit.inside.has(c.clause, statement) and not (c.waits or c.unit.purpose.stepping):
        _do_inside(c, statement)
    else:
        _Call(c, statement).write()


class _Call:
    """A call of a clause function, which may suspend and be resumed."""

    def __init__(self, c: ClauseCode, statement: ir.Do) -> None:
        self.c = c
        self.statement = statement
        facts, purpose = c.unit.facts, c.unit.purpose
        waits = facts.waits[statement.clause]
        self.waits = c.waits and waits
        self.runs = waits and not purpose.waits
        self.ends = facts.ends[statement.clause]
        self.later = self.waits and purpose.in_turns and purpose.watching
        self.returned = facts.returned[statement.clause]
        self.results = [c.f.variable("result") for _ in self.returned]
        self.status = c.f.variable("status")

    def write(self) -> None:
        """Emits the call, and what follows it: counting, suspension, results."""
        c, f, statement = self.c, self.c.f, self.statement
        point = c.new_point() if self.waits else 0
        lists = any(isinstance(argument.type, ir.SetType) for argument in statement.arguments)
        scoped = lists or bool(statement.returns) or any(map(c.takes_room, statement.arguments))
        before = f.let("top", c.unit.top) if scoped else None
        if self.waits:
            with f.if_(c.target):
                self._resume()
            with f.else_():
                self._call()
        else:
            self._call()
        if self.later:
            # A suspended clause is counted when it has finished.
            with f.if_(self.status != WAITS):
                _count_time(c, statement.clause, c.changes)
        self._pass_on(point)
        for theirs, ours in statement.returns:
            c.assign(ours, self.results[self.returned.index(theirs)])
        if before is not None:
            f.set(c.unit.top, before)

    def _call(self) -> None:
        """Calls the function from its beginning. A resumable function takes 0 as its first
        argument."""
        c, f, statement = self.c, self.c.f, self.statement
        changes = _changes(c, statement)
        if self.later and changes is not None:
            f.set(c.changes, changes)
        arguments = c.arguments(statement.arguments, c.program.clauses[statement.clause].slots)
        can_resume = self.waits and not self.runs
        speaks = self.ends or can_resume
        into = [self.status, *self.results] if speaks else self.results
        function = clause_function(c.unit, statement.clause, running=self.runs)
        f.do(function, *((0,) if can_resume else ()), *arguments, into=into)
        if not self.later:
            _count_time(c, statement.clause, changes)
        if not speaks:
            f.set(self.status, 0)

    def _resume(self) -> None:
        """Calls the function to resume at the point where it was suspended."""
        c, clause = self.c, self.statement.clause
        c.arrived()
        nothing = [0] * c.program.clauses[clause].parameters
        c.f.do(clause_function(c.unit, clause), 1, *nothing, into=[self.status, *self.results])

    def _pass_on(self, point: int) -> None:
        """Propagates "waits" or "game has ended" to the caller."""
        if not (self.waits or self.ends):
            return
        c, f = self.c, self.c.f
        with f.if_(self.status):
            if self.waits and self.ends:
                with f.if_(self.status == ENDS):
                    c.return_ended()
            if self.waits:
                c.wait(point)
            else:
                c.return_ended()


def _do_inside(c: ClauseCode, statement: ir.Do) -> None:
    called = c.program.clauses[statement.clause]
    inner = ClauseCode(c.unit, called, c.f, running=True)
    changes = _changes(c, statement)
    with c.scoped():
        for parameter, argument in enumerate(statement.arguments):
            kept = c.kept(argument)
            if kept is not None and c.unit.questions.goes_through(called, parameter):
                inner.slots[parameter] = kept
                continue
            c.f.set(inner.slot(parameter), c.value(argument, called.slots[parameter].type))
        inner.write_inside(c)
        for theirs, ours in statement.returns:
            c.assign(ours, inner.slot(theirs))
    _count_time(c, statement.clause, changes)


def _changes(c: ClauseCode, statement: ir.Do) -> Variable | None:
    """Returns the number of changes so far, if the module watches. Returning values counts as a
    change."""
    if not c.unit.purpose.watching:
        return None
    return c.f.let("changes", -1 if statement.returns else word(c.plan.changes))


def _count_time(c: ClauseCode, clause: int, before: Variable | None) -> None:
    """Increments the counter of an executed clause if something has changed since `before`."""
    if before is not None:
        c.f.add(word(c.plan.times + 4 * clause), word(c.plan.changes) != before)
