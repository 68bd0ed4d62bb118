"""What should always hold, inside modules that count what is of interest about whole games.

It is looked at whenever somebody is asked, and when a game is over. A module that is played
question by question leaves that to the reference machine, and one that thinks for a bot looks at
nothing: a game that was only imagined breaks no promise.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.binary import I64, Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.stack import Stack
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.lower import messages


def looked_at(unit: Unit) -> bool:
    return unit.watching and bool(unit.program.always)


def check(unit: Unit) -> Function:
    """(): a fault if something does not hold that always should; each has a budget of its own"""

    def write(b: Stack) -> None:
        before = b.local(I64)
        b.get(unit.left)
        b.set(before)
        for always in unit.program.always:
            c = Code(unit, b, always.clause)
            b.get(unit.budget)
            b.op("i64.extend_i32_u")
            b.set(unit.left)
            c.scoped_value(always.condition)
            b.op("i32.eqz")
            c.fault_if(messages.broken(unit.program, always), always.condition.span)
        b.get(before)
        b.set(unit.left)

    return unit.made(("always",), 0, 0, write)
