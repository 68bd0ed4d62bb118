"""What can be said of a number before play, by someone who takes named ranges at their word."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.bounds import Bounds, Interval, declared


class DeclaredBounds(Bounds):
    """A number of which nothing else is known lies in the range that its type names: whoever puts
    another one there finds out when it is played."""

    def unknown(self, expr: ir.Expr) -> Interval:
        return declared(expr.type)
