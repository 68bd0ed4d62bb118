"""Hypothetical execution of a clause, on a copy of the state."""

from __future__ import annotations

from functools import partial

from lawspeaker import ir
from lawspeaker.ir.cost import SMALL
from lawspeaker.machines.lower import messages
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State


def supposing_done(ev: Evaluator, expr: ir.SupposingDone) -> Eval:
    """Compiles a hypothetical execution of a clause."""
    target = ev.program.clauses[expr.clause]
    arguments = [ev.compile(argument) for argument in expr.arguments]
    condition = ev.compile(expr.condition)
    pad: Slots = [None] * (len(target.slots) - len(arguments))
    cost = ev.costs.clause(expr.clause)
    due = 0 if cost <= SMALL else cost
    told = messages.too_long(due, target.span)
    too_long = partial(RuleFault, target.id, told, target.span)

    def supposing_done(s: State, f: Slots) -> Value:
        slots = [argument(s, f) for argument in arguments]
        s.left -= due
        if s.left < 0:
            raise too_long()
        supposed = s.copy()
        ev.suppose(supposed, expr.clause, slots + pad)
        answer = condition(supposed, f)
        s.left = supposed.left
        return answer

    return supposing_done
