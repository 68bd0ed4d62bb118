"""Function builder that preserves pending operands across side effects.

An expression of the rules becomes an expression of the middle form, which is evaluated where it is
used. If a statement in between would change its value, it is stored in a variable first
(`in_order`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    Const,
    Expr,
    Set,
    Statement,
    Statements,
    Type,
    Variable,
)
from lawspeaker.machines.middle.walk import changes


class OperandBody(Body):
    """A function body with a stack of pending expressions."""

    def __init__(self, results: Sequence[Type] = ()) -> None:
        super().__init__(results)
        self._held: list[Expr] = []
        self.taken = 0  # number of arena allocations
        self._heights: list[int] = []  # height of the stack at each nesting level

    def _add(self, statement: Statement) -> None:
        if self._held:
            self._let_what_changes(statement)
        self._open.append(statement)

    def enter(self, body: Statements) -> None:
        self._heights.append(len(self._held))
        super().enter(body)

    def back(self) -> None:
        self._heights.pop()
        super().back()

    def _let_what_changes(self, statement: Statement) -> None:
        for at, held in enumerate(self._held):
            if type(held) is not Const and changes(statement, held):
                name = Variable(held.type, self._unlike_others("held"))
                level = bisect_right(self._heights, at)
                if level == len(self._heights):
                    self._open.append(Set(name, held))
                else:
                    outer = self._around[level]
                    outer.insert(len(outer) - 1, Set(name, held))
                self._held[at] = name

    def in_order(self, *parts: Callable[[], Expr]) -> list[Expr]:
        """Evaluates parts in order: side effects of a later one do not change an earlier one."""
        for part in parts:
            self._held.append(part())
        first = len(self._held) - len(parts)
        found = self._held[first:]
        del self._held[first:]
        return found
