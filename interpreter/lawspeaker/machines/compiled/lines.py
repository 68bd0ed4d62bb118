"""Sets of which it is known that they are places in a line.

Walks from one place in different directions never meet, and none comes back to where it began. So
a line through a place, put together from both sides of it, needs no look for members that are
there already. And a set that is what one walk passes, or nothing, needs no list: it is told by
where it begins and how long it is.
"""

from __future__ import annotations

from itertools import combinations

from lawspeaker import ir
from lawspeaker.machines.compiled import grids, value_calls
from lawspeaker.machines.compiled.function import Code, Ray
from lawspeaker.machines.compiled.runs import known_step
from lawspeaker.machines.compiled.small_boards import Step


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
                step = known_step(c, part)
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


def _same_way(one: Step, two: Step) -> bool:
    """Whether two walks from one place may meet: they go the same way, or one goes nowhere."""
    if (0, 0) in (one, two):
        return True
    crossed = one[0] * two[1] - one[1] * two[0]
    return crossed == 0 and one[0] * two[0] + one[1] * two[1] > 0


# ---------------------------------------------------------------- one walk


def ray(c: Code, expr: ir.Expr) -> Ray | None:
    """What one walk passes, or nothing at all, as a ray; None for any other set, and then nothing
    is written."""
    return _ray(c, expr) if _is_ray(c, expr, {}) else None


def _is_ray(c: Code, expr: ir.Expr, lets: dict[int, ir.Expr]) -> bool:
    match expr:
        case ir.Walk() | ir.ListOf(items=()):
            return True
        case ir.Local(slot=slot):
            return slot in lets and isinstance(written_out(c, lets[slot]), ir.Walk)
        case ir.Conditional(then=then, otherwise=otherwise):
            return _is_ray(c, then, lets) and _is_ray(c, otherwise, lets)
        case ir.CallFunction(function=number):
            function = c.program.functions[number]
            opens = value_calls.opens(c.unit, number)
            return opens and _is_ray(c, function.result, dict(function.lets))
    return False


def _ray(c: Code, expr: ir.Expr) -> Ray:
    b = c.b
    match expr:
        case ir.Walk():
            return grids.ray(c, expr)
        case ir.Local(slot=slot):
            kept = c.slots[slot]
            assert isinstance(kept, Ray)
            return kept
        case ir.CallFunction():
            opened = value_calls.opened(c, expr)
            assert opened is not None
            return _ray(*opened)
    found = Ray(c.local(), c.local(), c.local())
    b.const(0)
    b.set(found.count)
    if isinstance(expr, ir.Conditional):
        with b.block() as chosen:
            with b.block() as otherwise:
                c.unless(expr.condition, otherwise)
                _take_over(c, found, expr.then)
                b.br(chosen)
            _take_over(c, found, expr.otherwise)
    return found


def _take_over(c: Code, found: Ray, expr: ir.Expr) -> None:
    if expr == ir.ListOf(expr.type, ()):
        return
    other = _ray(c, expr)
    mine, its = (found.start, found.stride, found.count), (other.start, other.stride, other.count)
    for ours, theirs in zip(mine, its, strict=True):
        c.b.get(theirs)
        c.b.set(ours)
