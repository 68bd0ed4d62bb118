"""A machine that counts how often each clause is done or asks. It plays the same."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.reference.assembler import Op
from lawspeaker.machines.reference.evaluate import Slots
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.position.state import State


class CountingMachine(Machine):
    """`times[clause]` is how often the rule was done, or the window offered, since it was made."""

    def __init__(self, program: ir.Program, players: int, budget: int = MOST_STEPS) -> None:
        super().__init__(program, players, budget)
        self.times = [0] * len(program.clauses)
        for number, code in enumerate(self.codes):
            for op in code.operations:
                if isinstance(op.deed, ir.Do):
                    code.ops[op.at] = self._counting(code.ops[op.at], op.deed.clause)
            for at, question in code.questions.items():
                if question.asking != number:
                    code.ops[at] = self._counting(code.ops[at], question.asking)

    def _counting(self, op: Op, clause: int) -> Op:
        times = self.times

        def counting(s: State, f: Slots) -> int:
            times[clause] += 1
            return op(s, f)

        return counting

    def suppose(self, state: State, clause: int, slots: Slots) -> None:
        before = self.times.copy()
        super().suppose(state, clause, slots)
        self.times[:] = before

    def taken(self) -> list[int]:
        """The counts so far; from here on they start anew."""
        counted = self.times.copy()
        for clause in range(len(self.times)):
            self.times[clause] = 0
        return counted
