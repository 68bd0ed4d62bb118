"""What should always hold, inside modules that count what is of interest about whole games.

It is looked at whenever somebody is asked, and when a game is over. A module that is played
question by question leaves that to the reference machine, and one that thinks for a bot looks at
nothing: a game that was only imagined breaks no promise.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime.held import Held
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Function, not_


def looked_at(unit: Unit) -> bool:
    return unit.purpose.watching and bool(unit.program.always)


def check(unit: Unit) -> Function:
    """(): a fault if something does not hold that always should; each has a budget of its own"""

    def write(f: Held) -> None:
        before = f.let("before", unit.left)
        for always in unit.program.always:
            c = Code(unit, f, always.clause)
            f.set(unit.left, unit.budget.to_long())
            broken = not_(c.scoped_value(always.condition))
            c.fault_when(broken, messages.broken(unit.program, always), always.condition.span)
        f.set(unit.left, before)

    return unit.made(("always",), 0, 0, write)
