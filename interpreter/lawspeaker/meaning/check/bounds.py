"""Interval arithmetic over declared ranges: bounds of a number at compile time."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.bounds import Bounds, Interval, declared


class DeclaredBounds(Bounds):
    """Bounds that assume an unknown number to lie in its declared range; a violation is a fault at
    run time."""

    def unknown(self, expr: ir.Expr) -> Interval:
        return declared(expr.type)
