"""Checks defined values and calls of them, on demand, since a call needs the type of the result.

A value that needs itself, directly or indirectly, is an error: there is no recursion. How one
definition is checked is in `definitions` and passed in, since it calls values in turn.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.base.work import on
from lawspeaker.ir.walk import children
from lawspeaker.meaning.check.world import NAMES, Signature, World
from lawspeaker.text import parse
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Scalar

DEEPEST = 250
MOST_SHOWN = 6


class _NeededFirst(Exception):
    """Raised for a value that must be checked before the current one."""

    def __init__(self, signature: Signature) -> None:
        super().__init__(str(signature))
        self.signature = signature


class Functions:
    """The defined values of a program, checked on demand and memoised."""

    def __init__(
        self, world: World, check: Callable[[Functions, Signature], ir.Function | None]
    ) -> None:
        """`check` checks one definition; it returns None on errors."""
        self.world = world
        self.check = check
        self.numbers: dict[int, int] = {}
        self.open: list[int] = []
        self.done: list[ir.Function] = []
        self._trees: dict[int, s.Value | None] = {}
        self.depths: list[int] = []
        self.too_deep = False

    def call(self, signature: Signature, arguments: tuple[ir.Expr, ...], span: Span) -> ir.Expr:
        clause = signature.function
        self.world.used.called.add(clause)
        if clause in self.open:
            ids = [self.world.clauses[each].id for each in self.open[self.open.index(clause) :]]
            self.world.diagnostics.error(
                "recursion",
                f"`{signature.name}` needs itself: {circle(ids, ' needs ')}",
                span,
                hint="say it without going round in a circle",
            )
            return ir.Const(ir.BROKEN, None, span=span)
        if clause not in self.numbers and self.open:
            raise _NeededFirst(signature)
        number = self.number(signature)
        if number is None:
            return ir.Const(ir.BROKEN, None, span=span)
        return ir.CallFunction(self.done[number].result.type, number, arguments, span=span)

    def everything(self) -> None:
        """Checks all values, in an order estimated from the names in their code."""
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

    def code(self, signature: Signature) -> Scalar | None:
        clause = self.world.clauses[signature.function]
        code = self.world.book.section("rules")[clause.id].get("as")
        return code if isinstance(code, Scalar) else None

    def tree(self, clause: int, code: Scalar) -> s.Value | None:
        """The syntax tree of a clause, parsed once, however often its check is restarted."""
        if clause not in self._trees:
            self._trees[clause] = parse.value(code, self.world.diagnostics)
        return self._trees[clause]

    def number(self, signature: Signature) -> int | None:
        """The index of the function in the program; None if it has errors. A value that turns out
        to need an unchecked one is put off and restarted afterwards, so that dependencies do not
        nest on the stack."""
        waiting = [] if signature.function in self.numbers else [signature]
        while waiting:
            clause = waiting[-1].function
            on(waiting[-1].span)
            self.open = [*self.open[: len(waiting) - 1], clause]
            try:
                function = self.check(self, waiting[-1])
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
        """Bounds the nesting of a value with all it uses: machines have limits."""
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


def circle(ids: list[str], between: str) -> str:
    """The ids of a cycle, closed by its first; a long one is shortened."""
    shown = ids if len(ids) <= MOST_SHOWN else [*ids[:MOST_SHOWN], "…"]
    return between.join([*shown, ids[0]])
