"""Finds the expressions whose evaluation allocates a list in the arena.

Most sets are iterated without a list: then nothing has to be freed.
"""

from __future__ import annotations

from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import Dependence
from lawspeaker.ir.walk import children, everything
from lawspeaker.machines.lower.faults import Faults

FOUND_ON_THE_WAY = (ir.Filter, ir.Collect, ir.Combine, ir.CallFunction)
"""Sets that can be iterated lazily, if they cannot fault."""
SMALL = 60
"""Definitions of at most so many nodes are inlined."""
SMALL_STRAIGHT = 1000
"""The same limit for definitions without loops and local names."""


class ArenaAnalysis:
    """Analysis of arena allocation, and of expression sizes."""

    def __init__(self, depends: Dependence, can_fault: Faults) -> None:
        self.depends = depends
        self.can_fault = can_fault
        self.program = depends.program
        self._functions: dict[int, bool] = {}
        self._weights: dict[int, int] = {}
        self._looping: dict[int, bool] = {}

    def weight(self, number: int) -> int:
        """Returns the number of nodes of a definition, including those it uses."""
        if number not in self._weights:
            function = self.program.functions[number]
            self._weights[number] = self.weight_of(
                (function.result, *(value for _, value in function.lets))
            )
        return self._weights[number]

    def weight_of(self, nodes: Any) -> int:
        """Returns the number of nodes of expressions or statements, including definitions."""
        parts = list(everything(nodes))
        calls = (part.function for part in parts if isinstance(part, ir.CallFunction))
        return len(parts) + sum(map(self.weight, calls))

    def loops(self, *nodes: ir.Expr | None) -> bool:
        """Returns whether evaluating these may take a loop."""
        for part in everything(nodes):
            match part:
                case ir.Possible() | ir.SupposingDone() | ir.Supposing() | ir.Region():
                    return True
                case ir.CallFunction(function=number):
                    if number not in self._looping:
                        function = self.program.functions[number]
                        lets = (value for _, value in function.lets)
                        self._looping[number] = self.loops(function.result, *lets)
                    if self._looping[number]:
                        return True
                case ir.Binder(source=source, where=where):
                    if where is not None or not isinstance(source, ir.Contents):
                        return True
        return False

    def takes(self, node: Any) -> bool:
        """Returns whether evaluating something may allocate a list."""
        if node is None or isinstance(node, ir.Local | ir.Const):
            return False
        if isinstance(node, tuple):
            return any(map(self.takes, node))
        if isinstance(node, ir.Expr) and self.depends.fixed(node):
            return False  # becomes a table lookup
        match node:
            case ir.Possible() | ir.SupposingDone() | ir.PathLength():
                return True
            case ir.CallFunction(function=number, arguments=arguments):
                return self.takes(arguments) or self.function(number)
            case ir.IsEmpty(set=several) | ir.EndOf(set=several):
                return self._source(several)
            case ir.Includes(set=several, item=item):
                plain = isinstance(several, ir.Contents | ir.Range)
                return self.takes(item) or not plain or self._source(several)
        if isinstance(node, ir.Expr) and isinstance(node.type, ir.SetType):
            return True
        return any(
            self.binder(part) if isinstance(part, ir.Binder) else self.takes(part)
            for part in children(node)
        )

    def binder(self, binder: ir.Binder) -> bool:
        """Returns whether iterating over a binder may allocate a list."""
        return self._source(binder.source) or self.takes(binder.where)

    def _source(self, several: ir.Expr) -> bool:
        """Returns whether iterating over a set may allocate a list."""
        if isinstance(several, ir.Local) or self.depends.fixed(several):
            return False
        if isinstance(several, FOUND_ON_THE_WAY) and self.can_fault.possible(several):
            return True
        match several:
            case ir.Contents(place=place):
                return self.takes(place)
            case ir.Filter(binder=binder):
                return self.binder(binder)
            case ir.Walk(binder=binder, across=across, down=down):
                return any(map(self.takes, (binder.source, binder.where, across, down)))
            case ir.Range(low=low, high=high):
                return self.takes((low, high))
            case ir.PlayersFrom(start=of) | ir.PlayersOf(side=of) | ir.PartnersOf(player=of):
                return self.takes(of)
            case ir.Around(of=of):
                return self.takes(of)
            case ir.Occupied() | ir.OpenPlaces():
                return False
            case ir.CallFunction(function=number, arguments=arguments):
                function = self.program.functions[number]
                lists = [v for _, v in function.lets if isinstance(v.type, ir.SetType)]
                if (
                    not all(isinstance(each, ir.Walk) for each in lists)
                    or self.weight(number) > SMALL
                ):
                    return True
                lets = tuple(value for _, value in function.lets if value not in lists)
                walks = any(map(self._source, lists))
                return walks or self.takes((arguments, lets)) or self._source(function.result)
            case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.takes(condition) or self._source(then) or self._source(otherwise)
            case ir.ListOf(items=()):
                return False
        return True

    def function(self, number: int) -> bool:
        """Returns whether a definition may allocate a list."""
        if number not in self._functions:
            function = self.program.functions[number]
            whole = (function.result, *(value for _, value in function.lets))
            sets = any(isinstance(value.type, ir.SetType) for value in whole)
            self._functions[number] = sets or self.takes(whole)
        return self._functions[number]
