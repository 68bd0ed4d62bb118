"""Analysis of expressions that cannot fault, by interval bounds and exhaustive evaluation.

    9 - row of square                    rows are 1 to 8: no overflow
    square(column of start, 3)           evaluated for every player and every start: always there

`lower/faults` depends on the form of an expression alone, since all machines must agree on it. This
analysis only decides which expressions may be evaluated speculatively.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.bounds import Frame, fits, worked
from lawspeaker.machines.lower.bounds import FoldedBounds
from lawspeaker.machines.lower.faults import Faults
from lawspeaker.machines.lower.fold import ConstantFolder


class Harmless(Faults):
    """More precise `Faults` for one program and number of players."""

    def __init__(self, folder: ConstantFolder, bounds: FoldedBounds) -> None:
        super().__init__(folder.layout)
        self._folder = folder
        self._bounds = bounds
        self._frame: Frame = {}
        self._tried: dict[ir.Expr, bool] = {}

    def possible(self, node: Any) -> bool:
        if isinstance(node, ir.Expr) and self._is_tabled(node):
            return False
        match node:
            case ir.Arithmetic(operator=sign, left=left, right=right) if sign != "remainder":
                ends = (self._bounds.number(each, self._frame) for each in (left, right))
                if fits(worked(sign, *ends)):
                    return self.possible((left, right))
        return super().possible(node)

    def _is_tabled(self, expr: ir.Expr) -> bool:
        """Returns whether an expression was precomputed for all values of its names."""
        if isinstance(expr, ir.Local | ir.Const):
            return True
        if expr not in self._tried:
            fixed = self._folder.depends.fixed(expr)
            tabled = fixed and self._folder.table((expr,)) is not None
            self._tried[expr] = tabled
        return self._tried[expr]

    def within(self, index: ir.Expr, domain: Sequence[Any]) -> bool:
        """Returns whether an index is surely in a domain, by its interval or values."""
        fixed, of = self._folder.constant(index), ir.plain(index.type)
        if fixed is not None:
            return fixed[0] in domain
        if isinstance(of, ir.PlaceType):
            return True
        if isinstance(of, ir.NumberType):
            low, high = self._bounds.number(index, self._frame)
        elif (known := self._folder.domain(of)) is not None:
            low, high = known.start, known.stop - 1
        else:
            return False
        return bool(domain) and domain[0] <= low and high <= domain[-1]

    def _function(self, number: int) -> bool:
        if number not in self._functions:
            before, frame = self._frame, dict[int, tuple[int, int]]()
            function = self.program.functions[number]
            for slot, value in function.lets:
                frame[slot] = self._bounds.number(value, frame)
            self._frame = frame
            whole = (*(value for _, value in function.lets), function.result)
            self._functions[number] = self.possible(whole)
            self._frame = before
        return self._functions[number]
