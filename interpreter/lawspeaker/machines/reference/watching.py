"""A machine that shows how things stand whenever a clause is begun. It plays the same.

It is made of one that is ready, so it costs nothing to make, and that one pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.reference.assembler import PAUSE
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.position.state import State


class WatchingMachine(Machine):
    """`begins` is given the state with the frame of the clause on top, which has done nothing yet;
    what is to be kept of it has to be copied."""

    def __init__(self, machine: Machine, begins: Callable[[State], None]) -> None:
        vars(self).update(vars(machine))
        self._begins = begins

    def _run(self, state: State) -> None:
        codes, stack = self.codes, state.stack
        pc, depth = 0, len(stack)
        while pc != PAUSE:
            if len(stack) > depth:
                self._begins(state)
            depth = len(stack)
            frame = stack[-1]
            ops, slots, pc = codes[frame.clause].ops, frame.slots, frame.pc
            while pc >= 0:
                pc = ops[pc](state, slots)
        self.check_always(state)
