"""Reference machine that also asks where there is only one answer; it plays identically otherwise.

Written games have every move, whether or not there was a choice.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.machines.reference.evaluate import Evaluator
from lawspeaker.machines.reference.machine import Machine

_KEPT = 8


class UnforcedMachine(Machine):
    """Takes no answer by itself."""

    def make_evaluator(self) -> Evaluator:
        evaluator = super().make_evaluator()
        evaluator.asks_forced = True
        return evaluator


_machines: LruCache[UnforcedMachine] = LruCache(_KEPT)


def unforced_for(program: ir.Program, players: int) -> UnforcedMachine:
    """The machine for a program and a number of players; cached."""
    return _machines.get((id(program), players), lambda: UnforcedMachine(program, players))
