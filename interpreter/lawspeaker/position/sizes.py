"""Interval bounds of expressions for a fixed number of players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.bounds import Bounds, Interval
from lawspeaker.position.layout import Layout


class SizedBounds(Bounds):
    """Interval analysis with known counts of players, pieces and places."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.program)
        self.layout = layout

    def values(self, expr: ir.Expr) -> Iterable[Any] | None:
        match expr:
            case ir.ChoiceValue(choice=number):
                return (self.layout.choice(number),)
            case ir.ChoiceItem(choice=number):
                items = self.layout.choice(number)
                beyond = self.layout.program.choices[number].beyond
                return (*(items if isinstance(items, tuple) else (items,)), beyond)
        return super().values(expr)

    def things(self, of: ir.Type) -> int:
        if isinstance(of, ir.NumberType | ir.SetType):
            return super().things(of)
        if isinstance(of, ir.PlayerType):  # a rule may name players who do not take part
            return max(len(self.layout.program.player_names), self.layout.players)
        return len(self.layout.domain(of))

    def pieces(self, family: int) -> int:
        return len(self.layout.pieces_of[self.layout.program.families[family].holds])

    def longest_line(self, family: int) -> int:
        return max(map(len, self.layout.index_domains[family][-2:]))

    def players(self) -> Interval:
        return (self.layout.players, self.layout.players)
