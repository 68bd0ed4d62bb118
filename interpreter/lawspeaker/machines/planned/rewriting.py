"""Rewrites expressions: substitutes names, inlines calls.

Results are cached: equal inputs give the identical object, so analyses of it are reused.
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
"""Expressions that slots are known to stand for."""


@dataclass(frozen=True, slots=True)
class Names:
    """The naming context of an expression: its clause, and what names stand for."""

    clause: int
    meanings: Meanings
    bits: frozenset[int] = frozenset()
    """Names of sets of places kept as bits."""
    lines: frozenset[int] = frozenset()
    """Names of sets kept as places in a line."""

    def knowing(self, slot: int, meaning: ir.Expr) -> Names:
        """Returns the context with one more substitution."""
        return replace(self, meanings={**self.meanings, slot: meaning})


class Rewriting:
    """Rewriter of the expressions of one program."""

    def __init__(self, program: ir.Program, depends: Dependence, can_fault: Faults) -> None:
        self.program = program
        self.depends = depends
        self.can_fault = can_fault
        self._fresh = -1
        self._written_out: ByNode[ir.Expr] = ByNode()
        self._replaced: dict[tuple[object, ...], tuple[ir.Expr, tuple[ir.Expr, ...], ir.Expr]] = {}

    def new_slot(self) -> int:
        """Returns a fresh slot that no clause and no definition has."""
        self._fresh -= 1
        return self._fresh

    def meant(self, expr: ir.Expr, meanings: Meanings) -> ir.Expr:
        """Substitutes the names in a constant expression, so that it can be looked up."""
        if not meanings or isinstance(expr, ir.Local | ir.Const):
            return expr
        depends = self.depends
        if not depends.fixed(expr) or depends.free(expr).isdisjoint(meanings):
            return expr
        return self._with(expr, meanings)

    def _with(self, expr: ir.Expr, meanings: Meanings) -> ir.Expr:
        """Substitutes names; cached."""
        names = self.depends.free(expr).intersection(meanings)
        key = (id(expr), *((name, id(meanings[name])) for name in sorted(names)))
        if key not in self._replaced:
            given = {name: meanings[name] for name in names}
            self._replaced[key] = (expr, tuple(given.values()), replaced(expr, given))
        return self._replaced[key][2]

    def as_written(self, expr: ir.Expr) -> ir.Expr:
        """Returns an expression, with a call inlined if possible."""
        return (self.written_out(expr) if isinstance(expr, ir.CallFunction) else None) or expr

    def written_out(self, call: ir.CallFunction) -> ir.Expr | None:
        """Inlines a call of a definition without local names whose arguments are trivial. Its
        binders get fresh slots."""
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
    """Returns whether an argument is so cheap that it may be evaluated repeatedly."""
    while isinstance(argument, ir.WordColumn) and not argument.indices:
        argument = argument.of
    return isinstance(argument, ir.Local | ir.Const)


def _renamed(node: Any, meanings: Meanings, fresh: Mapping[int, int]) -> Any:
    """Substitutes parameters and renames other slots."""
    if isinstance(node, ir.Local):
        if node.slot in fresh:
            return replace(node, slot=fresh[node.slot])
        return meanings.get(node.slot, node)
    node = rebuilt(node, lambda part: _renamed(part, meanings, fresh))
    return replace(node, slot=fresh[node.slot]) if isinstance(node, ir.Binder) else node
