"""What can be said of a number before play: how small it can be at the least."""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.types import NumberType


def least(expr: ir.Expr) -> int | None:
    """A number that the expression is never below, if one can be told."""
    match expr:
        case ir.Const(value=bool()):
            return None
        case ir.Const(value=int(value)):
            return value
        case ir.Count() | ir.PlayerCount():
            return 0
        case ir.SumOf(value=value):
            bound = least(value)
            return 0 if bound is not None and bound >= 0 else None
        case ir.Arithmetic(operator="+", left=left, right=right):
            return _both(left, right, lambda one, two: one + two)
        case ir.Arithmetic(operator="*", left=left, right=right):
            return _both(left, right, lambda one, two: one * two if min(one, two) >= 0 else None)
        case ir.Arithmetic(operator="smaller", left=left, right=right):
            return _both(left, right, min)
        case ir.Arithmetic(operator="larger", left=left, right=right):
            one, two = least(left), least(right)
            known = [each for each in (one, two) if each is not None]
            return max(known, default=None)
        case ir.Conditional(then=then, otherwise=otherwise):
            return _both(then, otherwise, min)
        case _:
            type = expr.type
            return type.low if isinstance(type, NumberType) and type.listed else None


def _both(left: ir.Expr, right: ir.Expr, join: Callable[[int, int], int | None]) -> int | None:
    one, two = least(left), least(right)
    return None if one is None or two is None else join(one, two)
