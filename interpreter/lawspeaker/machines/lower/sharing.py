"""Shares hypothetical executions among conditions (common subexpression elimination).

    where can_breathe: supposing laying(player, point), liberties of point is not empty
    where is_new: supposing laying(player, point), board is new

Each guard supposes the same clause with the same arguments, and nothing changes between them. If
both have to hold, the clause is executed once, and both are tested on the result. The cost is
charged for each condition that is tested: the sharing is not observable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawspeaker import ir
from lawspeaker.ir.dependence import PaidValue, SupposedTogether
from lawspeaker.position.layout import Value

Constant = Callable[[ir.Expr], tuple[Value] | None]


def shared(conditions: Sequence[ir.Expr], constant: Constant) -> list[ir.Expr]:
    """Joins adjacent conditions that suppose the same; all have to hold. `constant` returns the
    value of a constant expression, in a tuple."""
    found: list[ir.Expr] = []
    for condition in conditions:
        joined = _joined(found[-1], condition, constant) if found else None
        if joined is None:
            found.append(condition)
        else:
            found[-1] = joined
    return found


def _joined(one: ir.Expr, other: ir.Expr, constant: Constant) -> ir.Expr | None:
    """Returns both conditions as one; None if they do not suppose the same."""
    first, paid = _supposed(one, constant)
    second, more = _supposed(other, constant)
    if first is None or second is None or isinstance(second, SupposedTogether):
        return None
    if first.clause != second.clause or first.arguments != second.arguments:
        return None
    if not all(isinstance(each, ir.Local | ir.Const) for each in first.arguments):
        return None
    before = first.more if isinstance(first, SupposedTogether) else ()
    after = PaidValue(ir.TRUTH, second.condition, more, span=other.span)
    both = SupposedTogether(
        first.type,
        first.clause,
        first.arguments,
        first.condition,
        more=(*before, after),
        span=first.span,
    )
    return PaidValue(ir.TRUTH, both, paid, span=one.span) if paid else both


def _supposed(expr: ir.Expr, constant: Constant) -> tuple[ir.SupposingDone | None, int]:
    """Returns the hypothetical execution that a condition consists of, and its cost."""
    if isinstance(expr, PaidValue):
        return _supposed(expr.value, constant)[0], expr.cost
    while isinstance(expr, ir.Or) and constant(expr.left) == (False,):
        expr = expr.right
    return (expr if isinstance(expr, ir.SupposingDone) else None), 0
