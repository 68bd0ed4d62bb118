"""Defined values: checked when first needed, so that their result types are known.

A value that needs itself, directly or through others, is refused: there is no recursion.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.types import BROKEN, NUMBER, TRUTH, SetType, Type
from lawspeaker.ir.walk import children
from lawspeaker.meaning.check.expressions import Expressions
from lawspeaker.meaning.check.scope import Scope
from lawspeaker.meaning.check.values import has_lets
from lawspeaker.meaning.check.world import NAMES, Signature, World
from lawspeaker.text import parse
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Scalar
from lawspeaker.text.rulebook import GuardChange

DEEPEST = 250
MOST_SHOWN = 6


class _NeededFirst(Exception):
    """A value that must be checked before the one at hand."""

    def __init__(self, signature: Signature) -> None:
        super().__init__(str(signature))
        self.signature = signature


class Functions:
    def __init__(self, world: World) -> None:
        self.world = world
        self.numbers: dict[int, int] = {}
        self.open: list[int] = []
        self.done: list[ir.Function] = []
        self.called: set[int] = set()
        self.offered: set[str] = set()
        self.trees: dict[int, s.Value | None] = {}
        self.looked: dict[int, frozenset[ir.Expr]] = {}
        self.depths: list[int] = []
        self.too_deep = False

    def call(self, signature: Signature, arguments: tuple[ir.Expr, ...], span: Span) -> ir.Expr:
        clause = signature.function
        self.called.add(clause)
        if clause in self.open:
            ids = [self.world.clauses[each].id for each in self.open[self.open.index(clause) :]]
            self.world.diagnostics.error(
                "recursion",
                f"`{signature.name}` needs itself: {circle(ids, ' needs ')}",
                span,
                hint="say it without going round in a circle",
            )
            return ir.Const(BROKEN, None, span=span)
        if clause not in self.numbers and self.open:
            raise _NeededFirst(signature)
        number = self.number(signature)
        if number is None:
            return ir.Const(BROKEN, None, span=span)
        return ir.CallFunction(self.done[number].result.type, number, arguments, span=span)

    def everything(self) -> None:
        """Checks all values, as far as one can tell by their names in an order in which each
        comes after those it needs."""
        signatures = self.world.signatures
        seen: set[str] = set()
        for start in signatures:
            path = [(start, iter(self.mentioned(start)))] if start not in seen else []
            seen.add(start)
            while path:
                name, further = path[-1]
                new = next((each for each in further if each not in seen), None)
                if new is None:
                    path.pop()
                    for signature in signatures[name]:
                        if self.world.diagnostics.full:
                            self.numbers.setdefault(signature.function, -1)
                        self.number(signature)
                else:
                    seen.add(new)
                    path.append((new, iter(self.mentioned(new))))

    def mentioned(self, name: str) -> list[str]:
        """The names of values that occur in the code of a value."""
        found: dict[str, None] = {}
        for signature in self.world.signatures[name]:
            code = self.code(signature)
            if code is not None:
                found.update(dict.fromkeys(NAMES.findall(code.content.text)))
        return [each for each in found if each in self.world.signatures]

    def amended(self, expressions: Expressions, value: ir.Expr, change: GuardChange) -> ir.Expr:
        """A value with what a variant adds to it: a number or set more, `or` so, `and` so."""
        tree = parse.value(change.code, self.world.diagnostics) if change.code else None
        if tree is None:
            return value
        span = tree.result.span
        if has_lets(tree, self.world.diagnostics):
            return value
        if change.mode == "plus" and isinstance(value.type, SetType):
            more = expressions.want(tree.result, value.type)
            return ir.Combine(value.type, value, more, False, span=span)
        if change.mode == "plus":
            expressions.must_fit(value, NUMBER)
            more = expressions.number(tree.result)
            return ir.Arithmetic(NUMBER, "+", value, more, span=span)
        expressions.must_fit(value, TRUTH)
        other = expressions.truth(tree.result)
        join = ir.Or if change.mode == "or" else ir.And
        return join(TRUTH, value, other, span=span)

    def code(self, signature: Signature) -> Scalar | None:
        clause = self.world.clauses[signature.function]
        code = self.world.book.section("rules")[clause.id].get("as")
        return code if isinstance(code, Scalar) else None

    def number(self, signature: Signature) -> int | None:
        """The number of the function in the program; None if it is broken.

        A value that turns out to need another that is not checked yet is put off and begun anew
        afterwards, so that values that build on each other do not nest here.
        """
        waiting = [] if signature.function in self.numbers else [signature]
        while waiting:
            clause = waiting[-1].function
            self.open = [*self.open[: len(waiting) - 1], clause]
            try:
                function = self.check(waiting[-1])
            except _NeededFirst as needed:
                waiting.append(needed.signature)
                continue
            if function is None:
                self.numbers[clause] = -1
            else:
                self.numbers[clause] = len(self.done)
                self.done.append(function)
                self.deep(function, waiting[-1])
            waiting.pop()
            self.open = self.open[: len(waiting)]
        found = self.numbers[signature.function]
        return found if found >= 0 else None

    def deep(self, function: ir.Function, signature: Signature) -> None:
        """How deep the value is nested, with those it builds on: machines have bounds."""
        deepest = max(self.depth(each) for each in (function.result, *dict(function.lets).values()))
        if deepest > DEEPEST and not self.too_deep:
            self.too_deep = True
            self.world.diagnostics.error(
                "too-deep",
                f"`{signature}` builds on values that build on values, more than {DEEPEST} deep",
                signature.span,
                hint="say it with fewer steps in between",
            )
        self.depths.append(deepest)

    def depth(self, node: object) -> int:
        own = 1 + self.depths[node.function] if isinstance(node, ir.CallFunction) else 1
        return own + max((self.depth(each) for each in children(node)), default=0)

    def check(self, signature: Signature) -> ir.Function | None:
        world = self.world
        clause = world.clauses[signature.function]
        code = self.code(signature)
        if code is None:
            return None
        if clause.index not in self.trees:
            self.trees[clause.index] = parse.value(code, world.diagnostics)
        tree = self.trees[clause.index]
        if tree is None:
            world.mentioned.update(NAMES.findall(code.content.text))
            return None
        errors = len(world.diagnostics)
        scope = Scope(world.diagnostics)
        expressions = Expressions(world, self, scope, clause.index)
        for name, type in zip(signature.names, signature.types, strict=True):
            scope.declare(name, type, signature.span)
        lets: list[tuple[int, ir.Expr]] = []
        for let in tree.lets:
            value = expressions.expr(let.value)
            variable = scope.declare(let.name.text, value.type, let.name.span, let=True)
            lets.append((variable.slot, value))
        wanted: Type | None = TRUTH if signature.predicate else None
        if wanted is not None:
            result = expressions.truth(tree.result)
        else:
            result = expressions.expr(tree.result)
        changes = world.book.amendments.get(clause.id, ())
        for change in sorted(changes, key=lambda one: one.mode == "and"):
            result = self.amended(expressions, result, change)
        if len(world.diagnostics) > errors:
            world.mentioned.update(NAMES.findall(code.content.text))
        if result.type == BROKEN or (signature.predicate and result.type != TRUTH):
            return None
        slots = tuple(scope.slots)
        world.clauses[clause.index] = replace(clause, parameters=len(signature.types), slots=slots)
        return ir.Function(
            signature.name, clause.index, len(signature.types), slots, tuple(lets), result
        )


def circle(ids: list[str], between: str) -> str:
    """The ids of a circle, the first again at its end; of a long one the beginning."""
    shown = ids if len(ids) <= MOST_SHOWN else [*ids[:MOST_SHOWN], "…"]
    return between.join([*shown, ids[0]])
