"""Analysis of which expressions can fault, in any position.

The language is strict: the arguments of a definition are evaluated first, from left to right and
once, whether needed or not. A back end may move or drop an evaluation only where that is not
observable: where it cannot fault.

A few nodes fault: arithmetic overflow, division by zero, places and members that do not exist, too
many combinations, a shuffled top, a player who does not take part, and `nothing` where a value is
needed, sets of numbers that grow too long, and sets that charge the budget. All others are as safe
as their operands: their cost was charged before, however they are evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.bounds import is_of_numbers
from lawspeaker.ir.dependence import AttributeOfFirst, Paid, PaidValue
from lawspeaker.ir.walk import children, everything
from lawspeaker.position.layout import Layout

_TAKES_NOTHING = (
    *(ir.Conditional, ir.ListOf, ir.Collect, ir.CallFunction, ir.Exists, ir.Every),
    *(ir.Count, ir.Filter, ir.EndOf),
)
"""Nodes whose operands may be nothing."""


class Faults:
    """The analysis for one program and number of players."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.program = layout.program
        self._all_play = layout.players == len(layout.program.player_names)
        self._functions: dict[int, bool] = {}
        self._shuffled = {
            node.place.type.index
            for clause in self.program.clauses
            for node in everything(clause.body)
            if isinstance(node, ir.Shuffle) and isinstance(node.place.type, ir.PlaceType)
        }

    def possible(self, node: Any) -> bool:
        """Returns whether evaluating an expression, a binder or a tuple of them can fault."""
        if isinstance(node, ir.Expr) and self._itself(node):
            return True
        return any(map(self.possible, children(node)))

    def _itself(self, expr: ir.Expr) -> bool:
        """Returns whether an expression can fault although none of its operands does."""
        if _lacks(expr):
            return True
        match expr:
            case Paid() | PaidValue():
                return True
            case ir.The() | ir.ItemOf() | ir.SumOf() | ir.Range() | ir.Subsets() | ir.PathLength():
                return True
            case ir.Possible() | ir.Supposing() | ir.SupposingDone():
                return True
            case ir.Combine(without=False):
                return is_of_numbers(expr.type)
            case ir.Arithmetic(operator="smaller" | "larger"):
                return False
            case ir.Arithmetic(operator="remainder", right=ir.Const(value=int(by))):
                return by == 0
            case ir.Arithmetic():
                return True
            case ir.Divide(right=ir.Const(value=int(by))):
                return by == 0
            case ir.Divide():
                return True
            case ir.Extreme(otherwise=otherwise):
                return otherwise is None
            case ir.ChoiceItem(choice=number):
                return self.program.choices[number].beyond is None
            case ir.MarkerValue(marker=number, indices=indices):
                return self._outside(indices, self.program.markers[number].indices)
            case ir.PieceState(piece=number, state=state, indices=indices):
                return self._outside(indices, self.program.pieces[number].states[state].indices)
            case ir.KindColumn(indices=indices) | ir.WordColumn(indices=indices):
                return self._outside(indices, ir.column_of(self.program, expr).indices)
            case ir.ScoreOf():
                return not self._all_play
            case ir.Beside(family=number):
                return self.program.families[number].grows
            case ir.TopOf(place=place):
                return isinstance(place.type, ir.PlaceType) and place.type.index in self._shuffled
            case ir.PlaceAt(family=number, indices=indices):
                return not all(map(self.within, indices, self.layout.index_domains[number]))
            case ir.CallFunction(function=number):
                return self._function(number)
        return False

    def _outside(self, indices: tuple[ir.Expr, ...], declared: tuple[ir.Index, ...]) -> bool:
        """Returns whether an entry with these indices may not exist."""
        return not all(map(self.within, indices, self.layout.domains(declared)))

    def within(self, index: ir.Expr, domain: Sequence[Any]) -> bool:
        """Returns whether a place or an entry with an index surely exists."""
        if isinstance(index, ir.Const):
            return index.value in domain
        if isinstance(index.type, ir.NumberType):
            return False
        if isinstance(index.type, ir.PlayerType):
            return self._all_play
        return set(self.layout.domain(index.type)).issubset(domain)

    def _function(self, number: int) -> bool:
        if number not in self._functions:
            function = self.program.functions[number]
            whole = (function.result, *(value for _, value in function.lets))
            self._functions[number] = self.possible(whole)
        return self._functions[number]


def _lacks(expr: ir.Expr) -> bool:
    """Returns whether an operand may be nothing where a value is needed."""
    match expr:
        case ir.Compare(operator="="):
            return False
        case ir.KindOf(type=ir.MaybeType()):
            return False
        case AttributeOfFirst(place=place):
            return isinstance(place.type, ir.MaybeType)
    if isinstance(expr, _TAKES_NOTHING):
        return False
    return any(
        isinstance(part.type, ir.MaybeType | ir.NothingType)
        for part in children(expr)
        if isinstance(part, ir.Expr)
    )
