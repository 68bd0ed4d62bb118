"""Expressions in other words: names replaced by what they stand for, calls written out.

The same expression comes to the same rewritten one each time, so what is known of it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.dependence import Dependence
from lawspeaker.ir.walk import bound_slots, rebuilt, replaced
from lawspeaker.machines.lower.faults import Faults

Meanings = Mapping[int, ir.Expr]
"""What the names in some slots are known to stand for."""


@dataclass(frozen=True, slots=True)
class Names:
    """Where an expression stands: in which clause, and what names stand for there."""

    clause: int
    meanings: Meanings
    bits: frozenset[int] = frozenset()
    """Names of sets of places that are kept as bits."""
    lines: frozenset[int] = frozenset()
    """Names of sets that are kept as places in a line."""

    def knowing(self, slot: int, meaning: ir.Expr) -> Names:
        """The same, where the name in a slot is known to stand for something."""
        return replace(self, meanings={**self.meanings, slot: meaning})


class Rewriting:
    """Rewrites the expressions of one program."""

    def __init__(self, program: ir.Program, depends: Dependence, can_fault: Faults) -> None:
        self.program = program
        self.depends = depends
        self.can_fault = can_fault
        self._fresh = -1
        self._written_out: ByNode[ir.Expr] = ByNode()
        self._replaced: dict[tuple[object, ...], tuple[ir.Expr, tuple[ir.Expr, ...], ir.Expr]] = {}

    def new_slot(self) -> int:
        """A slot that no clause and no defined value has."""
        self._fresh -= 1
        return self._fresh

    def meant(self, expr: ir.Expr, meanings: Meanings) -> ir.Expr:
        """A fixed expression with the names in it replaced by what they stand for: so it is fixed
        as well, and can be looked up."""
        if not meanings or isinstance(expr, ir.Local | ir.Const):
            return expr
        depends = self.depends
        if not depends.fixed(expr) or depends.free(expr).isdisjoint(meanings):
            return expr
        return self._with(expr, meanings)

    def _with(self, expr: ir.Expr, meanings: Meanings) -> ir.Expr:
        """The same one each time."""
        names = self.depends.free(expr).intersection(meanings)
        key = (id(expr), *((name, id(meanings[name])) for name in sorted(names)))
        if key not in self._replaced:
            given = {name: meanings[name] for name in names}
            self._replaced[key] = (expr, tuple(given.values()), replaced(expr, given))
        return self._replaced[key][2]

    def as_written(self, expr: ir.Expr) -> ir.Expr:
        """An expression; a call as it is written where it is defined, if that can be."""
        return (self.written_out(expr) if isinstance(expr, ir.CallFunction) else None) or expr

    def written_out(self, call: ir.CallFunction) -> ir.Expr | None:
        """A call of a defined value without names of its own, given slots, as an expression. Its
        binders have slots that nobody else has."""
        function = self.program.functions[call.function]
        plain = all(_is_at_hand(argument) for argument in call.arguments)
        if function.lets or not plain or self.depends.fixed_function(call.function):
            return None
        if self.can_fault.possible(call):
            return None
        if call not in self._written_out:
            fresh: dict[int, int] = {}
            for slot in sorted(bound_slots(function.result)):
                fresh[slot] = self.new_slot()
            given = dict(enumerate(call.arguments))
            result: ir.Expr = _renamed(function.result, given, fresh)
            self._written_out[call] = result
        return self._written_out[call]


def _is_at_hand(argument: ir.Expr) -> bool:
    """Whether an argument costs next to nothing, however often it is worked out."""
    while isinstance(argument, ir.WordColumn) and not argument.indices:
        argument = argument.of
    return isinstance(argument, ir.Local | ir.Const)


def _renamed(node: Any, meanings: Meanings, fresh: Mapping[int, int]) -> Any:
    """An expression with parameters replaced and other slots renamed."""
    if isinstance(node, ir.Local):
        if node.slot in fresh:
            return replace(node, slot=fresh[node.slot])
        return meanings.get(node.slot, node)
    node = rebuilt(node, lambda part: _renamed(part, meanings, fresh))
    return replace(node, slot=fresh[node.slot]) if isinstance(node, ir.Binder) else node
