"""Checks calls of other clauses: doing them, using their outcome, asking whether they are possible.

The outcome is the return value of a clause: who was chosen, whether a claim was caught. It is
returned in a slot of the callee, which the call copies to a slot of the caller. Hooks by which
variants do something before, after or instead of a clause are inserted at each call.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.chains import CALLS, EXTREMES
from lawspeaker.meaning.check.expressions import Expressions
from lawspeaker.meaning.check.fitting import bare, covering
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.meaning.check.scope import Scope
from lawspeaker.meaning.check.values import has_lets
from lawspeaker.meaning.check.world import Procedure, World
from lawspeaker.text import parse
from lawspeaker.text import syntax as s
from lawspeaker.text.rulebook import Instead


class Calling(Expressions):
    """Checks the calls in one clause."""

    def __init__(self, world: World, functions: Functions, scope: Scope, clause: int) -> None:
        super().__init__(world, functions, scope, clause)
        self.calls: list[tuple[int, Span]] = []
        self.outcome: int | None = None
        """The slot of its outcome, if it has one."""
        self.outcomes: list[Span] = []
        self.finishes: list[Span] = []

    def calls_for(self, clause: int, span: Span) -> None:
        self.calls.append((clause, span))

    # ------------------------------------------------------------ calls

    def do(
        self, name: s.Name, arguments: tuple[s.Expr, ...], span: Span, into: int | None = None
    ) -> list[ir.Statement]:
        """A call of a clause, with its hooks; the outcome is copied to slot `into`, if given."""
        procedure = self.procedure(name, arguments)
        if procedure is None:
            return []
        form = f"{name.text}({', '.join(procedure.names)})" if procedure.names else name.text
        form = form if into is not None else f"do {form}"
        checked = self.chains.arguments(name, arguments, procedure.types, form)
        self.calls_for(procedure.index, span)
        if checked is None:
            return []
        book = self.world.book
        named: list[ir.Statement] = []
        if any(name.text in hung for hung in (book.before, book.after, book.instead)):
            named, checked = self.given_once(procedure, checked, span)
        given = dict(zip(procedure.names, checked, strict=True))
        done = self.done(procedure.index, checked, span, into)
        return [*named, *self.with_others(name.text, given, done, into)]

    def with_others(
        self, id: str, given: dict[str, ir.Expr], done: ir.Do, into: int | None = None
    ) -> list[ir.Statement]:
        """A call with the variants' hooks before, after and instead of it. A hook that calls the
        clause again does not trigger itself."""
        book, own = self.world.book, self.world.clauses[self.clause].id
        before = [each for each in book.before.get(id, ()) if each != own]
        after = [each for each in book.after.get(id, ()) if each != own]
        return [
            *self.around(before, given, done.span),
            *self.instead(book.instead.get(id, ()), given, done, into),
            *self.around(after, given, done.span),
        ]

    def done(self, clause: int, given: tuple[ir.Expr, ...], span: Span, into: int | None) -> ir.Do:
        outcome = self.world.clauses[clause].outcome
        returns = () if into is None or outcome is None else ((outcome, into),)
        return ir.Do(clause, given, returns, span=span)

    def given_once(
        self, procedure: Procedure, given: tuple[ir.Expr, ...], span: Span
    ) -> tuple[list[ir.Statement], tuple[ir.Local, ...]]:
        """Evaluates arguments once, into slots, for a clause and the hooks around it."""
        named: list[ir.Statement] = []
        found: list[ir.Local] = []
        for name, value in zip(procedure.names, given, strict=True):
            if not isinstance(value, ir.Local):
                slot = self.scope.hidden(name, value.type)
                named.append(ir.SetLocal(slot, name, value, span=span))
                value = ir.Local(value.type, slot, name, span=span)
            found.append(value)
        return named, tuple(found)

    def instead(
        self,
        others: Iterable[Instead],
        given: dict[str, ir.Expr],
        done: ir.Do,
        into: int | None,
    ) -> ir.Block:
        """The call, wrapped in the conditions under which variants do something instead."""
        found: ir.Block = (done,)
        for other in reversed(tuple(others)):
            self.world.alone = False
            tree = parse.value(other.when, self.diagnostics)
            if tree is None or has_lets(tree, self.diagnostics):
                continue
            condition = self.otherwise_when(tree, given, done.span)
            then = tuple(self.around([other.id], given, done.span, into))
            found = (ir.If(condition, then, found, span=done.span),)
        return found

    def around(
        self,
        added: Iterable[str],
        given: dict[str, ir.Expr],
        span: Span,
        into: int | None = None,
    ) -> list[ir.Statement]:
        """Calls of the rules that variants attached to this clause."""
        hung = (self.beside(id, given, span) for id in added)
        return [self.done(*each, span, into) for each in hung if each is not None]

    # ------------------------------------------------------------ outcomes

    def outcome_wanted(self, value: s.Expr) -> tuple[s.Name, tuple[s.Expr, ...]] | None:
        """The clause and arguments whose outcome is used after `let … be` or `becomes`; None if it
        is a plain value."""
        match value:
            case s.Call(name) | s.Word(name) if self.was_taken_out(name):
                return name, value.arguments if isinstance(value, s.Call) else ()
            case s.Call(name, arguments) if self.is_rule(name):
                return None if name.text in CALLS or name.text in EXTREMES else (name, arguments)
            case s.Word(name) if self.is_rule(name) and not self.is_literal(name.text):
                return (name, ()) if self.type_of(name) is None else None
        return None

    def was_taken_out(self, name: s.Name) -> bool:
        """Whether a variant has removed the clause; reports an error if so."""
        world = self.world
        if name.text not in world.book.removed or self.scope.find(name.text, use=False):
            return False
        if name.text in world.clause_ids or name.text in world.signatures:
            return False
        self.diagnostics.error(
            "unknown-name",
            f"`{name.text}` was taken out, but what comes of it is needed here",
            name.span,
            hint=f"`replace: {name.text}` instead, or replace this clause, too",
        )
        return True

    def let_outcome(
        self, let: s.Name, name: s.Name, arguments: tuple[s.Expr, ...], span: Span
    ) -> list[ir.Statement]:
        """`let victim be choosing(active)`: calls the clause and names its outcome."""
        if name.text not in self.world.procedures:
            self.scope.declare(let.text, ir.BROKEN, let.span, let=True)
            return []
        type = self.type_of_outcome(name)
        slot = self.scope.new_slot(let.text, type)
        done = self.do(name, arguments, span, slot)
        self.meant(let, self.scope.declare(let.text, type, let.span, let=True, slot=slot))
        self.world.meanings.lets.append((let.span, type))
        self.scope.outcomes.add(slot)
        return done

    def type_of_outcome(self, name: s.Name) -> ir.Type:
        """The common type of the outcomes of a clause and its `instead` hooks."""
        procedures = self.world.procedures
        asked = procedures[name.text]
        others = (procedures.get(each.id) for each in self.world.book.instead.get(name.text, ()))
        type: ir.Type | None = None
        for each in (asked, *(one for one in others if one is not None)):
            if not self.check_first(each):
                return ir.BROKEN
            clause = self.world.clauses[each.index]
            if clause.outcome is None:
                self.no_outcome(name, asked, each)
                return ir.BROKEN
            own = clause.slots[clause.outcome].type
            before, type = type, own if type is None else covering(type, own)
            if type is None:
                assert before is not None
                self.diagnostics.error(
                    "wrong-type",
                    f"the outcome of `{each.entry.id}` is {self.world.a(own)}, "
                    f"but that of `{name.text}` is {self.world.a(before)}",
                    each.entry.span,
                    Label(name.span, "this is asked for"),
                    hint="what is done instead has an outcome of the same type",
                )
                return ir.BROKEN
        assert type is not None
        if isinstance(type, ir.NothingType):
            self.diagnostics.error(
                "no-outcome",
                f"the outcome of `{name.text}` is never anything but nothing",
                name.span,
                Label(asked.entry.span, "this clause"),
                hint=f"write `do {name.text}`, and `finish` in the clause",
            )
            return ir.BROKEN
        return type

    def no_outcome(self, name: s.Name, asked: Procedure, done: Procedure) -> None:
        """Reports that a clause without an outcome is used as a value."""
        if done is asked:
            self.diagnostics.error(
                "no-outcome",
                f"`{name.text}` has no outcome",
                name.span,
                Label(done.entry.span, "this clause"),
                hint=f"say in it `the outcome is …`; if it has none, write `do {name.text}`",
            )
            return
        self.diagnostics.error(
            "no-outcome",
            f"`{done.entry.id}` is done instead of `{name.text}`, but has no outcome",
            done.entry.span,
            Label(name.span, "it is asked for here"),
            hint="say in it `the outcome is …`",
        )

    def comes_to(self, each: s.Outcome) -> list[ir.Statement]:
        """`the outcome is …`: assigns the outcome and leaves the clause."""
        known = ir.NOTHING if self.outcome is None else self.scope.slots[self.outcome].type
        likely = None if isinstance(known, ir.NothingType) else bare(known)
        match each.value:
            case s.Word(name) if self.literal(name.text, likely, name.span) is None:
                likely = None
        found = self.expr(each.value, likely)
        slot = self.slot_of_outcome(found.type, each.value.span)
        return [
            ir.SetLocal(slot, "outcome", found, span=each.span),
            ir.Finish(span=each.span),
        ]

    def slot_of_outcome(self, type: ir.Type, span: Span) -> int:
        """The slot of the outcome, its type widened to include this one."""
        if self.outcome is None:
            self.outcome = self.scope.hidden("outcome", type)
        known = self.scope.slots[self.outcome]
        both = covering(known.type, type)
        if both is None:
            self.diagnostics.error(
                "wrong-type",
                f"here the outcome is {self.world.a(type)}, and above {self.world.a(known.type)}",
                span,
                Label(self.outcomes[0], "above"),
                hint="all outcomes of a clause are of one type; besides it may be `nothing`",
            )
        else:
            self.scope.slots[self.outcome] = ir.Slot(known.name, both)
        self.outcomes.append(span)
        return self.outcome

    # ------------------------------------------------------------ possibility

    def possible(self, name: s.Name, arguments: tuple[s.Expr, ...], span: Span) -> ir.Expr:
        """`laying(tile) is possible`: whether the clause's leading question has an answer."""
        procedure = self.world.procedures[name.text]
        self.world.meanings.note(name.span, Meaning("clause", name.text))
        form = f"{name.text}({', '.join(procedure.names)})" if procedure.names else name.text
        checked = self.chains.arguments(name, arguments, procedure.types, form)
        self.calls.append((procedure.index, span))
        self.check_first(procedure)
        if checked is None:
            return ir.Const(ir.BROKEN, None, span=span)
        if self.world.clauses[procedure.index].opening_question is None:
            if not self.diagnostics.has_errors:
                self.diagnostics.error(
                    "cannot-do",
                    f"`{name.text}` does not begin with a question to one player",
                    name.span,
                    Label(procedure.entry.span, "this clause"),
                    hint="only of a clause that asks at once (after `let` lines, at most) it is "
                    "known whether it is possible",
                )
            return ir.Const(ir.BROKEN, None, span=span)
        return ir.Possible(ir.TRUTH, procedure.index, checked, span=span)

    @abstractmethod
    def check_first(self, procedure: Procedure) -> bool:
        """Checks another clause on demand. False if its code is broken, or if it is being checked
        right now."""
