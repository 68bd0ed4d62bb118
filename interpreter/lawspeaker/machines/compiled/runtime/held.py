"""A function that is written while values are held that are needed later.

What an expression of the rules comes to is an expression of the middle form, which is worked out
where it is used. Where something is done meanwhile that would make it another one, it is given a
name before (`in_order`).
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


class Held(Body):
    """A body beside which values are held that are needed later."""

    def __init__(self, results: Sequence[Type] = ()) -> None:
        super().__init__(results)
        self._held: list[Expr] = []
        self.taken = 0  # how often room was taken in the arena
        self._heights: list[int] = []  # so many were held where each inside began

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
        """Values that are worked out one after the other: what is done for a later one does not
        change an earlier one."""
        for part in parts:
            self._held.append(part())
        first = len(self._held) - len(parts)
        found = self._held[first:]
        del self._held[first:]
        return found
