"""Compiles the operations of a clause to closures.

An operation becomes a closure `(state, slots) -> number of the next one`. A negative result means
that the stack has changed (`SWITCH`) or that the game waits (`PAUSE`). Since the control stack is
data (frames of clause, position, slots), a game can stop at any question and be copied or saved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Operation
from lawspeaker.machines.reference.chance import Stroke
from lawspeaker.machines.reference.evaluate import Evaluator, Slots
from lawspeaker.machines.reference.questions import Question
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.state import State

Op = Callable[[State, Slots], int]

SWITCH = -1
PAUSE = -2


class ClauseClosures:
    """The operations of a clause, as data and as closures, with their questions and chance nodes by
    number."""

    def __init__(self, operations: tuple[Operation, ...]) -> None:
        self.operations = operations
        self.ops: list[Op] = []
        self.questions: dict[int, Question] = {}
        self.luck: dict[int, Stroke] = {}


def pay(cost: int, fault: Callable[[], RuleFault]) -> Callable[[State, int], None]:
    """Returns a function that charges a cost so many times; too little budget is a fault."""

    def paid(s: State, times: int) -> None:
        s.left -= cost * times
        if s.left < 0:
            raise fault()

    return paid


class Assembler:
    """Context for compiling the operations of one clause."""

    def __init__(
        self, ev: Evaluator, clause: ir.Clause, code: ClauseClosures, due: Callable[[int], int]
    ) -> None:
        self.ev = ev
        self.due = due
        self.layout = ev.layout
        self.clause = clause
        self.number = clause.index
        self.code = code

    def fault(self, message: str, node: Any) -> Callable[[], RuleFault]:
        return self.ev.fault(message, node.span)

    def pay(self, cost: int, node: Any) -> Callable[[State, int], None]:
        """Returns a function that charges a cost so many times."""
        return pay(cost, self.fault(messages.too_long(cost, node.span), node))
