"""Checks `supposing CLAUSE(…), CONDITION`: a condition on the state after a clause, without doing
it.

Hooks by which variants do something before, after or instead of a clause apply here as well: each
is supposed in turn, nested. Whether a clause can be supposed is known only when all clauses are:
`check` runs then. Since a supposition leaves no trace, nobody may be asked or told anything in it,
nothing may be random, and the game does not end.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import nodes
from lawspeaker.meaning.check.binders import Binders
from lawspeaker.meaning.check.chains import Chains
from lawspeaker.meaning.check.functions import circle
from lawspeaker.meaning.check.meanings import Hole, Meaning
from lawspeaker.meaning.check.scope import Variable
from lawspeaker.meaning.check.values import has_lets
from lawspeaker.meaning.check.world import Procedure, played_kind
from lawspeaker.text import parse
from lawspeaker.text import syntax as s

Given = Mapping[str, ir.Expr]


class Supposing(Binders):
    """Checks the suppositions in one clause."""

    chains: Chains

    def procedure(self, name: s.Name, arguments: tuple[s.Expr, ...]) -> Procedure | None:
        """The clause of a name that can be called; None if that was reported, or if a variant
        removed it."""
        world = self.world
        procedure = world.procedures.get(name.text)
        if self.is_hole(name, Hole("clause")):
            world.lose(name.text)
        elif procedure is not None:
            world.meanings.note(name.span, Meaning("clause", name.text))
        if procedure is not None and played_kind(procedure.entry) is not None:
            self.diagnostics.error(
                "cannot-do",
                f"`{name.text}` is done when its piece is played in a window",
                name.span,
                hint=f"write `offer {procedure.entry.text('when')} to PLAYER`; to let a rule play "
                "a piece, `PLAYER plays PIECE`",
            )
            return None
        if procedure is not None or name.text in world.book.removed:
            return procedure
        if world.is_lost(name.text):
            pass
        elif name.text in world.clause_ids or name.text in world.signatures:
            self.diagnostics.error(
                "cannot-do",
                f"`{name.text}` is nothing that is done",
                name.span,
                hint="only clauses with a `rule:` are done; a value is used where it is needed",
            )
        else:
            self.diagnostics.error(
                "unknown-name",
                f"there is no clause `{name.text}` to do",
                name.span,
                hint=world.suggest(name.text, world.procedures),
            )
            world.lose(name.text)
        for each in arguments:
            self.expr(each, ir.BROKEN)
        return None

    def beside(self, id: str, given: Given, span: Span) -> tuple[int, tuple[ir.Expr, ...]] | None:
        """A hook that a variant attached to a clause called or supposed here, and its arguments."""
        procedure = self.world.procedures.get(id)
        if procedure is None:
            return None
        missing = [name for name in procedure.names if name not in given]
        if missing:
            self.diagnostics.error(
                "wrong-operands",
                f"`{id}` is given `{missing[0]}`, which the rule beside it is not",
                procedure.entry.span,
                hint=f"it can be given {', '.join(given) or 'nothing'}",
            )
            return None
        arguments = tuple(given[name] for name in procedure.names)
        for argument, type in zip(arguments, procedure.types, strict=True):
            self.must_fit(argument, type)
        self.calls_for(procedure.index, span)
        return procedure.index, arguments

    def otherwise_when(self, when: s.Value, given: Given, span: Span) -> ir.Expr:
        """The condition of an `instead` hook, in terms of the arguments."""
        with self.scope.inside():
            for name, value in given.items():
                if isinstance(value, ir.Local):
                    self.scope.bring(Variable(name, value.slot, value.type, span))
            return self.truth(when.result)

    @abstractmethod
    def calls_for(self, clause: int, span: Span) -> None:
        """Notes that another clause is needed here."""

    # ------------------------------------------------------------ expressions

    def supposing_done(self, expr: s.SupposingDone) -> ir.Expr:
        match expr.done:
            case s.Call(name, arguments):
                pass
            case s.Word(name):
                arguments = ()
            case _:
                self.diagnostics.error(
                    "cannot-suppose",
                    "this is nothing that could be done",
                    expr.done.span,
                    hint="write `supposing CLAUSE(…), …`, or `supposing PIECE moves to PLACE, …`",
                )
                return self.truth(expr.condition)
        procedure = self.procedure(name, arguments)
        if procedure is None:
            return self.truth(expr.condition)
        form = f"{name.text}({', '.join(procedure.names)})" if procedure.names else name.text
        checked = self.chains.arguments(name, arguments, procedure.types, f"supposing {form}, …")
        self.calls_for(procedure.index, expr.done.span)
        if checked is None:
            return self.truth(expr.condition)
        return self.supposed(procedure, name.text, checked, expr)

    def supposed(
        self,
        procedure: Procedure,
        name: str,
        checked: tuple[ir.Expr, ...],
        expr: s.SupposingDone,
    ) -> ir.Expr:
        """The condition, nested inside all that is supposed before it."""
        book, span = self.world.book, expr.done.span
        before, after = book.before.get(name, ()), book.after.get(name, ())
        instead = book.instead.get(name, ())
        found: list[ir.Expr] = []
        if before or after or instead:
            found, checked = self.each_once(procedure, checked, span)
        given = dict(zip(procedure.names, checked, strict=True))
        result = self.one_by_one(after, given, self.truth(expr.condition), span)
        done: ir.Expr = _supposed((procedure.index, checked), result, span)
        for other in reversed(tuple(instead)):
            self.world.alone = False
            when = parse.value(other.when, self.diagnostics)
            hung = self.beside(other.id, given, span)
            if when is None or hung is None or has_lets(when, self.diagnostics):
                continue
            condition = self.otherwise_when(when, given, span)
            then = _supposed(hung, result, span)
            done = ir.Conditional(ir.TRUTH, condition, then, done, span=span)
        done = self.one_by_one(before, given, done, span)
        for each in reversed(found):
            done = ir.And(ir.TRUTH, each, done, span=expr.span)
        return done

    def each_once(
        self, procedure: Procedure, given: Sequence[ir.Expr], span: Span
    ) -> tuple[list[ir.Expr], tuple[ir.Expr, ...]]:
        """Evaluates arguments once for a clause and its hooks: the bindings for a condition, and
        the names."""
        naming: list[ir.Expr] = []
        named: list[ir.Expr] = []
        for name, value in zip(procedure.names, given, strict=True):
            if not isinstance(value, ir.Local) and not isinstance(value.type, ir.SetType):
                slot = self.scope.hidden(name, value.type)
                one = ir.ListOf(ir.SetType(value.type), (value,), span=span)
                binder = ir.Binder(slot, name, value.type, one, None, span=span)
                naming.append(ir.Exists(ir.TRUTH, binder, span=span))
                value = ir.Local(value.type, slot, name, span=span)
            named.append(value)
        return naming, tuple(named)

    def one_by_one(
        self, ids: Iterable[str], given: Given, condition: ir.Expr, span: Span
    ) -> ir.Expr:
        hung = [self.beside(each, given, span) for each in ids]
        for each in reversed([one for one in hung if one is not None]):
            condition = _supposed(each, condition, span)
        return condition


def _supposed(
    done: tuple[int, tuple[ir.Expr, ...]], condition: ir.Expr, span: Span
) -> ir.SupposingDone:
    return ir.SupposingDone(ir.TRUTH, *done, condition, span=span)


# ---------------------------------------------------------------- whole-program check

_NEVER: dict[type[ir.Statement], str] = {
    ir.Ask: "somebody is asked",
    ir.Draw: "luck decides",
    ir.Pick: "luck decides",
    ir.Shuffle: "luck decides",
    ir.Tell: "somebody is told something",
    ir.EndGame: "the game ends",
    ir.Remember: "a position is remembered",
}
"""Statements that cannot be supposed, with the reason."""

Nodes = tuple[Any, ...]
Code = Mapping[int, Nodes]
"""The IR nodes of each clause, or of the value that it defines."""


def check(
    clauses: Mapping[int, ir.Clause], functions: Sequence[ir.Function], diagnostics: Diagnostics
) -> None:
    """Reports clauses that cannot be supposed, and recursion through suppositions."""
    code: dict[int, Nodes] = {at: nodes(clause.body) for at, clause in clauses.items()}
    code |= {each.clause: (*nodes(each.lets), *nodes(each.result)) for each in functions}
    defined = [each.clause for each in functions]
    complained: set[int] = set()
    for at, inside in code.items():
        for node in inside:
            if not isinstance(node, ir.SupposingDone) or node.clause in complained:
                continue
            done, ways = _done_by(node.clause, code, defined)
            if at in done:
                complained.add(node.clause)
                ring = [clauses[each].id for each in (at, *_way(ways, node.clause, at)[:-1])]
                diagnostics.error(
                    "recursion",
                    f"clauses go round in a circle: {circle(ring, ' → ')}",
                    node.span,
                    hint="what is supposed cannot suppose itself",
                )
                continue
            found = next(_never(code[each] for each in done), None)
            if found is not None:
                complained.add(node.clause)
                name = clauses[node.clause].id
                diagnostics.error(
                    "cannot-suppose",
                    f"`{name}` cannot be supposed: in it {_NEVER[type(found)]}",
                    node.span,
                    Label(found.span.head, "here"),
                    hint="put what changes the table into a clause of its own, and suppose that",
                )


def _done_by(first: int, code: Code, defined: Sequence[int]) -> tuple[list[int], dict[int, int]]:
    """The transitive callees of a clause, in order; and which of them needs each."""
    found, ways = [first], {first: first}
    for each in found:
        for node in code[each]:
            match node:
                case ir.Do(clause=target) | ir.SupposingDone(clause=target):
                    pass
                case ir.CallFunction(function=number):
                    target = defined[number]
                case _:
                    continue
            if target not in ways:
                ways[target] = each
                found.append(target)
    return found, ways


def _way(ways: Mapping[int, int], first: int, last: int) -> list[int]:
    """The call path from one clause to another."""
    way = [last]
    while way[-1] != first:
        way.append(ways[way[-1]])
    return way[::-1]


def _never(bodies: Iterable[Nodes]) -> Iterator[ir.Statement]:
    return (
        node
        for body in bodies
        for node in body
        if isinstance(node, ir.Statement) and type(node) in _NEVER
    )
