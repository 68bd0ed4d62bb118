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
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Ray
from lawspeaker.machines.compiled.runs import known_step
from lawspeaker.machines.planned.fields import Step


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
        return c.unit.rewriting.written_out(expr) or expr
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
            opens = c.unit.definitions.opens(number)
            return opens and _is_ray(c, function.result, dict(function.lets))
    return False


def _ray(c: Code, expr: ir.Expr) -> Ray:
    f = c.f
    match expr:
        case ir.Walk():
            return grids.ray(c, expr)
        case ir.Local():
            kept = c.kept(expr)
            assert isinstance(kept, Ray)
            return kept
        case ir.CallFunction():
            opened = value_calls.opened(c, expr)
            assert opened is not None
            return _ray(*opened)
    start, stride, count = f.variable("start"), f.variable("stride"), f.let("count", 0)

    def take_over(expr: ir.Expr) -> None:
        if expr != ir.ListOf(expr.type, ()):
            other = _ray(c, expr)
            f.set(start, other.start)
            f.set(stride, other.stride)
            f.set(count, other.count)

    if isinstance(expr, ir.Conditional):
        with f.block() as chosen:
            with f.block() as otherwise:
                c.unless(expr.condition, otherwise)
                take_over(expr.then)
                f.leave(chosen)
            take_over(expr.otherwise)
    return Ray(start, stride, count)
