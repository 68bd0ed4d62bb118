"""What the checking of all code shares: where it stands, what it knows, what it demands."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.types import NUMBER, PLAYER, MaybeType, PlaceType, SetType, Type
from lawspeaker.meaning.check.fitting import fits, remedy
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.scope import Scope
from lawspeaker.meaning.check.world import World
from lawspeaker.text import syntax as s

LONGEST_SHOWN = 60


class Code(ABC):
    """The code of one clause. `Names`, `Binders` and `Expressions` build on each other."""

    def __init__(self, world: World, functions: Functions, scope: Scope, clause: int) -> None:
        self.world = world
        self.functions = functions
        self.scope = scope
        self.clause = clause
        self.diagnostics = world.diagnostics

    @abstractmethod
    def known(self, word: s.Word) -> bool: ...

    @abstractmethod
    def literal(self, text: str, expected: Type | None, span: Span) -> ir.Expr | None: ...

    @abstractmethod
    def expr(self, expr: s.Expr, expected: Type | None = None) -> ir.Expr: ...

    @abstractmethod
    def truth(self, expr: s.Expr) -> ir.Expr: ...

    @abstractmethod
    def set(self, expr: s.Expr) -> ir.Expr: ...

    @abstractmethod
    def as_set(self, found: ir.Expr) -> ir.Expr: ...

    @abstractmethod
    def count_these(self, members: ir.Expr, span: Span) -> ir.Expr: ...

    @abstractmethod
    def position(self, name: str) -> int | None: ...

    # ------------------------------------------------------------ what is wanted

    def want(self, expr: s.Expr, type: Type) -> ir.Expr:
        """An expression that must have a type; a place stands for the pieces in it."""
        found = self.expr(expr, type)
        if isinstance(type, SetType) and isinstance(found.type, PlaceType):
            found = self.as_set(found)
        self.must_fit(found, type)
        return found

    def must_fit(self, found: ir.Expr, type: Type) -> None:
        if fits(found.type, type):
            return
        needed = self.world.a(type)
        if isinstance(found.type, MaybeType) and fits(found.type.of, type):
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
        return self.want(expr, NUMBER)

    def player(self, expr: s.Expr) -> ir.Expr:
        return self.want(expr, PLAYER)


def _making_sure(found: ir.Expr) -> str:
    """How to make sure that there is what may be nothing."""
    if isinstance(found, ir.Local) and found.name == found.span.text:
        return f"ask `if {found.name} is not nothing:` first"
    said = " ".join(found.span.text.split())
    value = said if len(said) <= LONGEST_SHOWN else "…"
    return f"write `let found be {value}` first, and use `found` below `if found is not nothing:`"
