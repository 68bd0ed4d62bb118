"""The base of all code checkers: symbol table, scope, expected types, holes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.fitting import fits, remedy
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.meaning_lookup import by_node, by_signature, by_type
from lawspeaker.meaning.check.meanings import HOLE, Hole, Meaning, local
from lawspeaker.meaning.check.scope import Scope, Variable
from lawspeaker.meaning.check.world import Signature, World
from lawspeaker.text import syntax as s

LONGEST_SHOWN = 60


class CodeChecker(ABC):
    """Checks the code of one clause. `Names`, `Binders` and `Expressions` derive from it."""

    def __init__(self, world: World, functions: Functions, scope: Scope, clause: int) -> None:
        self.world = world
        self.functions = functions
        self.scope = scope
        self.clause = clause
        self.diagnostics = world.diagnostics
        self.binders: list[s.Binder] = []
        """The binders whose sources are being checked, then that whose condition is being
        checked."""

    @abstractmethod
    def known(self, word: s.Word) -> bool: ...

    @abstractmethod
    def literal(self, text: str, expected: ir.Type | None, span: Span) -> ir.Expr | None: ...

    @abstractmethod
    def expr(self, expr: s.Expr, expected: ir.Type | None = None) -> ir.Expr: ...

    @abstractmethod
    def truth(self, expr: s.Expr) -> ir.Expr: ...

    @abstractmethod
    def set(self, expr: s.Expr) -> ir.Expr: ...

    @abstractmethod
    def as_set(self, found: ir.Expr) -> ir.Expr: ...

    @abstractmethod
    def binder(self, binder: s.Binder, keep: bool = False) -> tuple[ir.Binder, Variable]: ...

    @abstractmethod
    def count_these(self, members: ir.Expr, span: Span) -> ir.Expr: ...

    @abstractmethod
    def position(self, name: str) -> int | None: ...

    # ------------------------------------------------------------ meanings

    def meant(self, name: s.Name, meant: ir.Expr | Variable | Signature | ir.Type | None) -> None:
        """Records the meaning of a name in the code."""
        world = self.world
        match meant:
            case None:
                return
            case Variable():
                found: Meaning | None = local(meant)
            case Signature():
                found = by_signature(world, meant)
            case ir.Expr():
                found = by_node(world, name.text, meant)
            case _:
                found = by_type(meant)
        world.meanings.note(name.span, found)

    def is_hole(self, name: s.Name, hole: Hole) -> bool:
        """Whether a name is the completion hole; if so, records what could replace it."""
        if name.text != HOLE:
            return False
        known = tuple(self.scope.variables())
        self.world.alone = False
        self.world.meanings.holes.append(replace(hole, variables=known))
        return True

    def looked_for(self, expr: s.Expr, hole: Hole) -> None:
        """Records what could replace an expression, if it is just the completion hole."""
        if isinstance(expr, s.Word):
            self.is_hole(expr.name, hole)

    # ------------------------------------------------------------ expected types

    def want(self, expr: s.Expr, type: ir.Type) -> ir.Expr:
        """Checks an expression of a required type; a place is converted to its set of pieces."""
        found = self.expr(expr, type)
        if isinstance(type, ir.SetType) and isinstance(found.type, ir.PlaceType):
            found = self.as_set(found)
        self.must_fit(found, type)
        return found

    def must_fit(self, found: ir.Expr, type: ir.Type) -> None:
        if fits(found.type, type):
            return
        needed = self.world.a(type)
        if isinstance(found.type, ir.MaybeType) and fits(found.type.of, type):
            self.diagnostics.error(
                "maybe-nothing",
                f"this may be nothing, but {needed} is needed here",
                found.span,
                hint=_making_sure(found),
            )
            return
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(found.type)}, but {needed} is needed here",
            found.span,
            hint=remedy(found.type, type),
        )

    def number(self, expr: s.Expr) -> ir.Expr:
        return self.want(expr, ir.NUMBER)

    def player(self, expr: s.Expr) -> ir.Expr:
        return self.want(expr, ir.PLAYER)


def _making_sure(found: ir.Expr) -> str:
    """A hint for testing that an optional value is present."""
    if isinstance(found, ir.Local) and found.name == found.span.text:
        return f"ask `if {found.name} is not nothing:` first"
    said = " ".join(found.span.text.split())
    value = said if len(said) <= LONGEST_SHOWN else "…"
    return f"write `let found be {value}` first, and use `found` below `if found is not nothing:`"
