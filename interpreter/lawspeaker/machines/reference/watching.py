"""Reference machine that reports the state whenever a clause begins; it plays identically.

It shares the compiled code of a ready machine, so it costs nothing to make, and that machine pays
nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.reference.assembler import PAUSE
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.position.state import State


class WatchingMachine(Machine):
    """`begins` gets the state with the frame of the new clause on top, before it executes anything;
    it must copy what it keeps."""

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
