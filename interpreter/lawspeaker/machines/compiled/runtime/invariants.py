"""Checks the invariants of the rules, in modules that watch whole games.

They are checked at every question and at the end of a game. Modules for stepping leave that to the
reference machine, and modules for bots check nothing: playouts are hypothetical.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Function, not_


def looked_at(unit: Unit) -> bool:
    return unit.purpose.watching and bool(unit.program.always)


def check(unit: Unit) -> Function:
    """(): faults if an invariant is broken; each has a budget of its own"""

    def write(f: OperandBody) -> None:
        before = f.let("before", unit.left)
        for always in unit.program.always:
            c = Code(unit, f, always.clause)
            f.set(unit.left, unit.budget.to_long())
            broken = not_(c.scoped_value(always.condition))
            c.fault_when(broken, messages.broken(unit.program, always), always.condition.span)
        f.set(unit.left, before)

    return unit.made(("always",), 0, 0, write)
