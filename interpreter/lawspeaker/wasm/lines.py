"""Sets put together of which it is known that no member is in two of them.

Walks from one place in different directions never meet, and none comes back to where it began. So
a line through a place, put together from both sides of it, needs no look for members that are
there already.
"""

from __future__ import annotations

from itertools import combinations

from lawspeaker import ir
from lawspeaker.wasm.code import Code

Step = tuple[int, int]


def apart(c: Code, expr: ir.Combine) -> list[ir.Expr] | None:
    """The parts of a line; None when a member may be in two of them."""
    starts: set[int] = set()
    steps: list[Step] = []
    found = 0
    parts = [written_out(c, part) for part in _parts(expr)]
    for part in parts:
        match part:
            case ir.Walk(binder=ir.Binder(source=ir.Local(slot=slot))):
                starts.add(slot)
                step = _step(c, part)
                if step is None:
                    return None
                steps.append(step)
            case ir.ListOf(items=[ir.Local(slot=slot)]):
                starts.add(slot)
                found += 1
            case _:
                return None
    if len(starts) != 1 or found > 1:
        return None
    if any(_same_way(one, two) for one, two in combinations(steps, 2)):
        return None
    return parts


def _parts(expr: ir.Expr) -> list[ir.Expr]:
    if isinstance(expr, ir.Combine) and not expr.without:
        return _parts(expr.left) + _parts(expr.right)
    return [expr]


def written_out(c: Code, expr: ir.Expr) -> ir.Expr:
    """A set as it is written where it is defined."""
    if isinstance(expr, ir.CallFunction):
        return c.unit.written_out(expr) or expr
    return expr


def _step(c: Code, walk: ir.Walk) -> Step | None:
    known = [c.folder.constant(c.meant(each)) for each in (walk.across, walk.down)]
    if known[0] is None or known[1] is None:
        return None
    return int(known[0][0]), int(known[1][0])


def _same_way(one: Step, two: Step) -> bool:
    """Whether two walks from one place may meet: they go the same way, or one goes nowhere."""
    if (0, 0) in (one, two):
        return True
    crossed = one[0] * two[1] - one[1] * two[0]
    return crossed == 0 and one[0] * two[0] + one[1] * two[1] > 0
