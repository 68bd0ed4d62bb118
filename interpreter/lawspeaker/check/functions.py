"""Defined values: checked when first needed, so that their result types are known.

A value that needs itself, directly or through others, is refused: there is no recursion.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker import ir, parse
from lawspeaker.check.expressions import Expressions, fits
from lawspeaker.check.scope import Scope
from lawspeaker.check.world import Signature, World
from lawspeaker.document import Scalar
from lawspeaker.source import Span
from lawspeaker.types import BROKEN, TRUTH, Type


class Functions:
    def __init__(self, world: World) -> None:
        self.world = world
        self.numbers: dict[int, int] = {}
        self.open: list[int] = []
        self.done: list[ir.Function] = []
        self.called: set[int] = set()

    def call(self, signature: Signature, arguments: tuple[ir.Expr, ...], span: Span) -> ir.Expr:
        clause = signature.function
        self.called.add(clause)
        if clause in self.open:
            ids = [self.world.clauses[each].id for each in self.open[self.open.index(clause) :]]
            self.world.diagnostics.error(
                "recursion",
                f"`{signature.name}` needs itself: {' needs '.join([*ids, ids[0]])}",
                span,
                hint="say it without going round in a circle",
            )
            return ir.Const(BROKEN, None, span=span)
        number = self.number(signature)
        type = self.done[number].result.type if number is not None else BROKEN
        if number is None:
            return ir.Const(BROKEN, None, span=span)
        return ir.CallFunction(type, number, arguments, span=span)

    def number(self, signature: Signature) -> int | None:
        """The number of the function in the program; None if it is broken."""
        clause = signature.function
        if clause not in self.numbers:
            self.open.append(clause)
            function = self.check(signature)
            self.open.pop()
            if function is None:
                self.numbers[clause] = -1
            else:
                self.numbers[clause] = len(self.done)
                self.done.append(function)
        return self.numbers[clause] if self.numbers[clause] >= 0 else None

    def check(self, signature: Signature) -> ir.Function | None:
        world = self.world
        clause = world.clauses[signature.function]
        entry = world.book.section("rules")[clause.id]
        code = entry.get("as")
        if not isinstance(code, Scalar):
            return None
        tree = parse.value(code, world.diagnostics)
        if tree is None:
            return None
        scope = Scope(world.diagnostics)
        expressions = Expressions(world, self, scope, clause.index)
        for name, type in zip(signature.names, signature.types, strict=True):
            scope.declare(name, type, signature.span)
        lets: list[tuple[int, ir.Expr]] = []
        for let in tree.lets:
            value = expressions.expr(let.value)
            variable = scope.declare(let.name.text, value.type, let.name.span)
            lets.append((variable.slot, value))
        wanted: Type | None = TRUTH if signature.predicate else None
        if wanted is not None:
            result = expressions.truth(tree.result)
        else:
            result = expressions.expr(tree.result)
        if result.type == BROKEN or not fits(result.type, result.type):
            return None
        slots = tuple(scope.slots)
        world.clauses[clause.index] = replace(clause, parameters=len(signature.types), slots=slots)
        return ir.Function(
            signature.name, clause.index, len(signature.types), slots, tuple(lets), result
        )
