"""Compiles expressions to Python closures `(state, slots) -> value`.

Each expression of a program is compiled once, for a number of players. Constant parts are evaluated
then: named choices, attributes of kinds, indices of places become tables; an expression without
free slots is its value; a definition that depends on its arguments only caches its results. Common
shapes (a slot, a constant, an attribute of a slot's value) have specialised closures, since the
cost of running is the number of closures called.

This module has the context of compilation. Builders for each kind of expression are in modules of
their own, and `expressions` has the dispatch table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.cost import Costs
from lawspeaker.ir.dependence import Dependence, plain_local
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.bounds import FoldedBounds
from lawspeaker.machines.lower.faults import Faults
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.machines.lower.guards import Guards
from lawspeaker.machines.lower.simplify import Simplifier
from lawspeaker.machines.reference.boards import Grid
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.position_rows import Recorded
from lawspeaker.position.state import State

Slots = list[Value]
Eval = Callable[[State, Slots], Value]
Builders = Mapping[type[ir.Expr], Callable[["Evaluator", Any], Eval]]
"""For each kind of expression, the function that builds its closure. `expressions` has them all."""


def _not_yet(state: State, clause: int, slots: Slots) -> None:
    raise AssertionError("clauses cannot be done before they are assembled")


class Evaluator:
    """Compiler of the expressions of one program.

    `suppose` executes a clause that does not suspend on a state; the machine sets it.
    """

    asks_all = False
    """Whether guards that are known to hold are evaluated, too."""
    asks_forced = False
    """Whether a player is asked who has only one answer."""

    def __init__(self, layout: Layout, builders: Builders) -> None:
        self.layout = layout
        self.builders = builders
        self.program = layout.program
        self.depends = Dependence(layout.program)
        self.folder = ConstantFolder(layout, self.depends)
        self.costs = Costs(layout.program, FoldedBounds(self.folder))
        self.can_fault = Faults(layout)
        self.simplifier = Simplifier(self.depends, self.can_fault)
        self.clause = 0
        self.suppose: Callable[[State, int, Slots], None] = _not_yet
        self._functions: dict[int, Eval] = {}
        self._grids: dict[int, Grid] = {}
        self._recorded: dict[int, Recorded] = {}

    @cached_property
    def guards(self) -> Guards:
        """The plans of guards."""
        faults, all_of_them = self.can_fault, self.asks_all
        return Guards(self.depends, self.simplifier, faults, all_of_them=all_of_them)

    def fault(self, message: str, span: Span) -> Callable[[], RuleFault]:
        """Returns a factory of a fault of the clause being compiled."""
        return partial(RuleFault, self.program.clauses[self.clause].id, message, span)

    def grid(self, family: int) -> Grid:
        """Returns the grid of a family of places; cached."""
        if family not in self._grids:
            self._grids[family] = Grid(self.layout, family)
        return self._grids[family]

    def recorded(self, position: int) -> Recorded:
        """Returns the encoder of a remembered position; cached."""
        if position not in self._recorded:
            self._recorded[position] = Recorded(self.layout, position)
        return self._recorded[position]

    # ------------------------------------------------------------ constants and tables

    def constant(self, expr: ir.Expr | None) -> tuple[Value] | None:
        """Returns the value of a constant expression, in a tuple; or None."""
        return self.folder.constant(expr)

    def compile(self, expr: ir.Expr) -> Eval:
        expr = self.simplifier.simple(expr)
        known = self.constant(expr)
        if known is not None:
            (value,) = known
            return lambda s, f: value
        return self._build(expr)

    def present(self, expr: ir.Expr) -> Eval:
        """Like `compile`, but `nothing` is a fault."""
        value = self.compile(expr)
        if not isinstance(expr.type, ir.MaybeType):
            return value
        fault = self.fault(messages.NOTHING, expr.span)

        def present(s: State, f: Slots) -> Value:
            found = value(s, f)
            if found is None:
                raise fault()
            return found

        return present

    def _build(self, expr: ir.Expr) -> Eval:
        return self.builders[type(expr)](self, expr)

    def lookup(self, table: Sequence[Value], of: ir.Expr) -> Eval:
        """Compiles a table access."""
        if plain_local(of):
            slot = of.slot
            return lambda s, f: table[f[slot]]
        at = self.present(of)
        return lambda s, f: table[at(s, f)]

    def table(self, expr: ir.Expr) -> tuple[Sequence[Value], ir.Expr] | None:
        """Returns a constant attribute as the list of its values, and the expression it is an
        attribute of."""
        found = self.folder.attribute(expr)
        if found is None or not isinstance(expr, ir.WordColumn) or None in found[0]:
            return found
        # An attribute of an attribute of a word is one access, too.
        values, of = found
        inner = self.table(of) if isinstance(of, ir.WordColumn) else None
        if inner is None or None in inner[0]:
            return found
        return [values[word] for word in inner[0]], inner[1]

    def entry(
        self,
        name: str,
        indices: Sequence[ir.Expr],
        domains: Sequence[Sequence[Value]],
        span: Span,
    ) -> Eval:
        """Compiles the index of an entry; a missing entry is a fault, and so is a player who does
        not take part."""
        parts = [
            (self._seat_of(index, domain), domain[0], len(domain))
            for index, domain in zip(indices, domains, strict=True)
        ]
        if len(parts) == 1 and not isinstance(ir.plain(indices[0].type), ir.NumberType):
            # Every value has an entry.
            index, low, _ = parts[0]
            return index if low == 0 else lambda s, f: index(s, f) - low
        fault = self.fault(messages.no_place_there(name), span)

        def entry(s: State, f: Slots) -> Value:
            found = 0
            for index, low, size in parts:
                at = index(s, f) - low
                if not 0 <= at < size:
                    raise fault()
                found = found * size + at
            return found

        return entry

    def _seat_of(self, index: ir.Expr, domain: Sequence[Value]) -> Eval:
        """Compiles an index; a player has to take part if absent players have no entries."""
        every = len(domain) == len(self.program.player_names)
        player = isinstance(ir.plain(index.type), ir.PlayerType) and not every
        return self.seat(index) if player else self.present(index)

    def seat(self, expr: ir.Expr) -> Eval:
        """Compiles a seat; one that takes no part is a fault."""
        value = self.present(expr)
        players = self.layout.players
        if players == len(self.program.player_names):
            return value
        fault = self.fault(messages.ABSENT, expr.span)

        def seat(s: State, f: Slots) -> Value:
            found = value(s, f)
            if found >= players:
                raise fault()
            return found

        return seat

    def function(self, number: int) -> Eval:
        """Compiles a definition, given slots that hold its arguments; cached."""
        known = self._functions.get(number)
        if known is None:
            function = self.program.functions[number]
            outer, self.clause = self.clause, function.clause
            lets = [(slot, self.compile(value)) for slot, value in function.lets]
            result = self.compile(self.simplifier.body(number))
            self.clause = outer

            def run(s: State, f: Slots) -> Value:
                for slot, value in lets:
                    f[slot] = value(s, f)
                return result(s, f)

            known = self._functions[number] = run if lets else result
        return known
