"""Reference machine that counts how often each clause changes something; it plays identically.

A clause counts each time it is executed and, before it ends, a piece has moved, points were given,
a marker or a state has changed, something was announced, a pile was shuffled, a position was
remembered, or the game has ended: by the clause itself or by one it calls. A clause that returns
values counts each time. So does a window in which something is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lawspeaker import ir
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.lower.operations import Kind, Operation
from lawspeaker.machines.reference.assembler import Op
from lawspeaker.machines.reference.evaluate import Slots
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.position.state import Reply, State

_SURE = (ir.Shuffle, ir.Tell, ir.Remember)
"""Statements that always count as a change; others are compared before and after."""
_LOOKED_AT: dict[type | None, Callable[[State], object]] = {
    ir.SetMarker: lambda s: s.markers.copy(),
    ir.SetState: lambda s: s.states.copy(),
    ir.Score: lambda s: s.scores.copy(),
    ir.Move: lambda s: len(s.journal),
    ir.MoveSome: lambda s: len(s.journal),
    ir.Draw: lambda s: len(s.journal),
}


class CountingMachine(Machine):
    """`times[clause]` is how often it has changed something since the machine was made."""

    def __init__(self, program: ir.Program, players: int, budget: int = MOST_STEPS) -> None:
        super().__init__(program, players, budget)
        self.times = [0] * len(program.clauses)
        self._changes = 0
        self._begun: list[tuple[int, int]] = []
        """The clauses in flight, and the number of changes when each began."""
        for number, code in enumerate(self.codes):
            for op in code.operations:
                code.ops[op.at] = self._counting(code.ops[op.at], op, number)

    def _counting(self, op: Op, operation: Operation, clause: int) -> Op:
        """Wraps an operation with its counter."""
        statement = operation.statement
        match operation.kind, statement:
            case Kind.LEAVE, _:
                return self._leaving(op)
            case Kind.CALL, ir.Do():
                return self._beginning(op, statement)
            case Kind.END, _:
                return self._ending(op)
            case ((Kind.ASK | Kind.REPLY), ir.Ask()) if statement.clause != clause:
                return self._choosing(
                    op, statement.clause, operation.exits[: len(statement.alternatives)]
                )
            case ((Kind.EFFECT | Kind.DRAW), _):
                if isinstance(statement, _SURE) or type(statement) in _LOOKED_AT:
                    return self._changing(op, _LOOKED_AT.get(type(statement)))
        return op

    def _changing(self, op: Op, looked_at: Callable[[State], object] | None) -> Op:
        def changing(s: State, f: Slots) -> int:
            before = looked_at(s) if looked_at is not None else None
            following = op(s, f)
            self._changes += looked_at is None or looked_at(s) != before
            return following

        return changing

    def _beginning(self, op: Op, statement: ir.Do) -> Op:
        def beginning(s: State, f: Slots) -> int:
            following = op(s, f)
            self._begun.append((statement.clause, -1 if statement.returns else self._changes))
            return following

        return beginning

    def _leaving(self, op: Op) -> Op:
        def leaving(s: State, f: Slots) -> int:
            if self._begun:
                clause, before = self._begun.pop()
                self.times[clause] += self._changes != before
            return op(s, f)

        return leaving

    def _ending(self, op: Op) -> Op:
        def ending(s: State, f: Slots) -> int:
            following = op(s, f)
            for clause, _ in self._begun:
                self.times[clause] += 1
            self._begun.clear()
            return following

        return ending

    def _choosing(self, op: Op, window: int, bodies: tuple[int, ...]) -> Op:
        def choosing(s: State, f: Slots) -> int:
            following = op(s, f)
            self.times[window] += following in bodies
            return following

        return choosing

    def _answer(self, state: State, seat: int | None, reply: Reply) -> None:
        assert state.pending is not None
        question = self.question(state)
        if question is not None and state.pending[0] == "choice" and reply[0] >= 0:
            self.times[question.asking] += question.asking != state.stack[-1].clause
        super()._answer(state, seat, reply)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Suspends counting during hypothetical execution."""
        times, changes, begun = self.times.copy(), self._changes, self._begun.copy()
        try:
            yield
        finally:
            self.times[:], self._changes, self._begun[:] = times, changes, begun

    def suppose(self, state: State, clause: int, slots: Slots) -> None:
        with self.aside():
            self._begun.append((clause, self._changes))
            super().suppose(state, clause, slots)

    def taken(self) -> list[int]:
        """Returns the counts so far, and resets them."""
        counted = self.times.copy()
        self.times[:] = [0] * len(counted)
        self._begun.clear()
        return counted
