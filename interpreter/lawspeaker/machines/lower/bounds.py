"""Interval bounds of numbers and sizes of sets, using constant folding.

They determine costs, which overflow checks can be omitted, and the capacity of lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.bounds import LONGEST
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.position.sizes import SizedBounds


class FoldedBounds(SizedBounds):
    """Bounds for a number of players, using constant folding."""

    longest = LONGEST

    def __init__(self, folder: ConstantFolder) -> None:
        super().__init__(folder.layout)
        self.folder = folder

    def values(self, expr: ir.Expr) -> Iterable[Any] | None:
        known = self.folder.constant(expr)
        if known is not None:
            return known
        found = self.folder.attribute(expr)
        return super().values(expr) if found is None else found[0]
