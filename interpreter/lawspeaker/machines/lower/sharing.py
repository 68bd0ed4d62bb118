"""Conditions that suppose the same: it is supposed once for all of them.

    where can_breathe: supposing laying(player, point), liberties of point is not empty
    where is_new: supposing laying(player, point), board is new

Each guard supposes that the clause is done, with the same arguments, and nothing changes between
them. Where both only have to hold, the clause is done once, and both are asked of what comes out.
What it costs is paid once for each condition that is asked: nobody can tell that it was done once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawspeaker import ir
from lawspeaker.ir.dependence import PaidValue, SupposedTogether
from lawspeaker.ir.types import TRUTH
from lawspeaker.position.layout import Value

Constant = Callable[[ir.Expr], tuple[Value] | None]


def shared(conditions: Sequence[ir.Expr], constant: Constant) -> list[ir.Expr]:
    """Conditions that all have to hold, those joined that follow each other and suppose the same.
    `constant`: the value of an expression that has only one, in a tuple."""
    found: list[ir.Expr] = []
    for condition in conditions:
        joined = _joined(found[-1], condition, constant) if found else None
        if joined is None:
            found.append(condition)
        else:
            found[-1] = joined
    return found


def _joined(one: ir.Expr, other: ir.Expr, constant: Constant) -> ir.Expr | None:
    """Both conditions as one; None if they do not suppose the same."""
    first, paid = _supposed(one, constant)
    second, more = _supposed(other, constant)
    if first is None or second is None or isinstance(second, SupposedTogether):
        return None
    if first.clause != second.clause or first.arguments != second.arguments:
        return None
    if not all(isinstance(each, ir.Local | ir.Const) for each in first.arguments):
        return None
    before = first.more if isinstance(first, SupposedTogether) else ()
    after = PaidValue(TRUTH, second.condition, more, span=other.span)
    both = SupposedTogether(
        first.type,
        first.clause,
        first.arguments,
        first.condition,
        more=(*before, after),
        span=first.span,
    )
    return PaidValue(TRUTH, both, paid, span=one.span) if paid else both


def _supposed(expr: ir.Expr, constant: Constant) -> tuple[ir.SupposingDone | None, int]:
    """What a condition supposes, if it does nothing else, and what it is paid with."""
    if isinstance(expr, PaidValue):
        return _supposed(expr.value, constant)[0], expr.cost
    while isinstance(expr, ir.Or) and constant(expr.left) == (False,):
        expr = expr.right
    return (expr if isinstance(expr, ir.SupposingDone) else None), 0
