"""Assembles the typed program from a rulebook: declarations, values, clauses, whole-program
checks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import Span
from lawspeaker.base.typography import typeset
from lawspeaker.base.work import on
from lawspeaker.ir.walk import everything, nodes
from lawspeaker.meaning import secrets
from lawspeaker.meaning.check import completeness, size, work, written
from lawspeaker.meaning.check.blame import blamed
from lawspeaker.meaning.check.declare import declare
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.interrupting import interrupt
from lawspeaker.meaning.check.meanings import Hole
from lawspeaker.meaning.check.notation import notation
from lawspeaker.meaning.check.questions import Questions
from lawspeaker.meaning.check.recall import Recall
from lawspeaker.meaning.check.scope import Scope
from lawspeaker.meaning.check.shared_names import SHARED, shared_names
from lawspeaker.meaning.check.table_layout import symbols, table
from lawspeaker.meaning.check.values import citations, has_lets, texts
from lawspeaker.meaning.check.windows import Windows
from lawspeaker.meaning.check.wording import wordings
from lawspeaker.meaning.check.world import NAMES, Procedure, World, played_kind
from lawspeaker.text import parse
from lawspeaker.text.document import Node, Scalar, text_of
from lawspeaker.text.rulebook import WINS, Entry, Rulebook
from lawspeaker.text.syntax import Block

MAIN = "game"
_ASKED_FOR = re.compile(r"\blet\s+\w+\s+be\s+([a-z_][a-z0-9_.]*)")


def program(book: Rulebook, diagnostics: Diagnostics, *, played: bool = True) -> ir.Program | None:
    """The program for a rulebook; None if there are errors. One that is not to be `played` is not
    checked for leaks."""
    found = understood(book, diagnostics)[0]
    return (
        None if found is None else with_costs_and_secrets(found, book, diagnostics, played=played)
    )


def understood(book: Rulebook, diagnostics: Diagnostics) -> tuple[ir.Program | None, World | None]:
    """Names and types: the program before costs and secrets are checked, and the world of
    declarations. The world is returned even if there are errors, unless the rules are too large to
    check."""
    own = Diagnostics(most=diagnostics.most)
    size.check(book, own)
    world, found = None, None
    with size.bounded(book, own):
        world = None if own.has_errors else declare(book, own)
        found = None if world is None else _program(world, own)
    diagnostics.extend(blamed(book, own))
    diagnostics.left_out += own.left_out
    # After errors, costs and secrets cannot be checked.
    return None if diagnostics.has_errors else found, world


def with_costs_and_secrets(
    found: ir.Program,
    book: Rulebook,
    diagnostics: Diagnostics,
    *,
    played: bool = True,
    meanwhile: Callable[[], None] = lambda: None,
) -> ir.Program | None:
    """Checks the costs and secrets of a program. This takes longer than everything else, so
    `meanwhile` is called now and then."""
    own = Diagnostics(most=diagnostics.most)
    whole = None
    with size.bounded(book, own):
        work.check(found, own)
        meanwhile()
        whole = secrets.check_secrets(found, own, meanwhile) if played else found
    diagnostics.extend(blamed(book, own))
    diagnostics.left_out += own.left_out
    return None if diagnostics.has_errors else whole


def holes(book: Rulebook, clauses: Collection[str]) -> tuple[World, list[Hole]]:
    """The completion holes in the code of some clauses."""
    world = declare(book, Diagnostics())
    recall = Recall(world)
    functions = Functions(world, recall.value)
    for signatures in world.signatures.values():
        for signature in signatures:
            if world.clauses[signature.function].id in clauses:
                functions.number(signature)
    rules = _Rules(world, functions, recall)
    for id in clauses:
        if id in world.procedures:
            rules.check(world.procedures[id])
    return world, world.meanings.holes


def named(book: Rulebook) -> tuple[tuple[str, ...], frozenset[str]]:
    """The ids that need a name in every language, in order, and all that may have one. The kinds of
    a series are named after their values."""
    world = declare(book, Diagnostics())
    recall = Recall(world)
    functions = Functions(world, recall.value)
    functions.everything()
    _rules(world, functions, recall)
    needed = completeness.needed_names(world)
    nameable = frozenset(completeness.nameable(world, needed))
    return tuple(id for id in needed if "{" not in id), nameable


def _program(world: World, diagnostics: Diagnostics) -> ir.Program | None:
    book = world.book
    recall = Recall(world)
    functions = Functions(world, recall.value)
    functions.everything()
    calls = _rules(world, functions, recall)
    always = _always(world, functions)
    shown, signs = table(world, functions), symbols(world)
    written_down = notation(world)
    main = world.procedures.get(MAIN)
    if main is None:
        diagnostics.error(
            "missing-game-clause",
            "there is no clause `game` that says how the game runs",
            _game_key(book),
            hint="add a clause `game` with a `rule:` that does the setup and the turns",
        )
    elif main.names:
        diagnostics.error(
            "wrong-operands",
            "the clause `game` is where everything begins; nobody is there to give it anything",
            main.entry.key_span("given"),
        )
    _winners(world)
    completeness.check(world, functions, calls, always, MAIN)
    written.check(world, functions.done, always)
    wordings(world)
    shared_names(world)
    if diagnostics.has_errors or main is None:
        return None
    title, about = texts(book.head.get("title")), texts(book.head.get("about"))
    variants, changes = _variants(world)
    return ir.Program(
        name=book.name,
        title=title,
        about=about,
        counts=world.counts,
        player_names=world.player_names,
        languages=world.languages,
        sources=tuple(world.sources.values()),
        word_sets=tuple(world.word_sets),
        pieces=tuple(world.pieces),
        families=tuple(world.families),
        markers=tuple(world.markers),
        choices=tuple(world.choices),
        functions=tuple(functions.done),
        clauses=tuple(world.clauses[index] for index in sorted(world.clauses)),
        always=always,
        table=shown,
        names={
            entry.id: {key: text for key, text in texts(entry.body).items() if key != SHARED}
            for entry in book.section("names").values()
        },
        forms={
            id: {
                language: {each: typeset(text.value, language) for each, text in own.items()}
                for language, own in forms.items()
            }
            for id, forms in book.forms.items()
        },
        main=main.index,
        hung=_hung(world, functions),
        networks=tuple(world.networks),
        digest=digest(book),
        variants=variants,
        changes=changes,
        by=_by(book),
        symbols=signs,
        goal=world.goal,
        sides=world.sides,
        side_words=None if world.side is None else world.side.index,
        positions=tuple(world.positions.values()),
        notation=written_down,
    )


def _winners(world: World) -> None:
    """Reports a game whose winners the rules must name, but never do."""
    goal = world.book.head.get(WINS)
    if world.goal is not ir.Goal.NAMED or goal is None or world.diagnostics.has_errors:
        return
    named = (each.winners for _, each in world.code if isinstance(each, ir.EndGame))
    if all(who is None or who == ir.ListOf(who.type, ()) for who in named):
        world.diagnostics.error(
            "nobody-can-win",
            "no rule says who wins",
            goal.span,
            hint=f"let a rule say `player wins`, or write `{WINS}: {ir.Goal.MOST.value}`",
        )


def _variants(world: World) -> tuple[tuple[ir.VariantNote, ...], tuple[ir.ChangeNote, ...]]:
    """Notes on the applied variants and their changes, for display and comparison."""
    variants = tuple(
        ir.VariantNote(
            each.name, each.layer, texts(each.root.get("title")), texts(each.root.get("about"))
        )
        for each in world.book.variants
    )
    changes = tuple(
        ir.ChangeNote(
            change.variant.name,
            change.action,
            change.target,
            text_of(change.get("kind")),
            texts(change.get("because")),
            citations(world, change.get("cites")),
        )
        for each in world.book.variants
        for change in each.changes
    )
    return variants, changes


def _by(book: Rulebook) -> str | None:
    """The inventor of the game."""
    by = book.head.get("by")
    return by.value if isinstance(by, Scalar) else None


def _game_key(book: Rulebook) -> Span:
    key = book.head.key("game")
    return key.span if key is not None else Span(book.files[0], 0, 0)


def digest(book: Rulebook) -> str:
    """A hash of the texts that a game is made of."""
    found = hashlib.sha256()
    for file in book.files:
        text = file.text.replace("\r\n", "\n").encode()
        found.update(len(text).to_bytes(8, "big") + text)
    for variant in book.variants:
        found.update(repr(variant.arguments).encode())
    for name, file in sorted(book.pictures.items()):
        found.update(repr((name, file.text)).encode())
    return found.hexdigest()


Calls = dict[int, list[tuple[int, Span]]]


def _rules(world: World, functions: Functions, recall: Recall) -> Calls:
    """Checks the code of every clause with `rule:`; returns the call graph."""
    rules = _Rules(world, functions, recall)
    for procedure in _in_order(world):
        if world.diagnostics.full:
            break
        rules.check(procedure)
    interrupt(world, rules.calls)
    for clause in world.clauses.values():
        world.code += [(clause, each) for each in nodes(clause.body)]
    return rules.calls


def _in_order(world: World) -> Iterator[Procedure]:
    """The clauses with code, callees with outcomes first, estimated from the names in their code:
    so that checking one seldom waits for another, and the stack stays shallow."""
    seen: set[str] = set()
    for start in world.procedures:
        path = [start] if start not in seen else []
        seen.add(start)
        while path:
            code = world.procedures[path[-1]].entry.get("rule")
            asked = _ASKED_FOR.findall(code.content.text) if isinstance(code, Scalar) else []
            new = [each for each in asked if each in world.procedures and each not in seen]
            if new:
                seen.add(new[0])
                path.append(new[0])
            else:
                yield world.procedures[path.pop()]


class _Rules:
    """Checks each clause once: in order, or on demand."""

    def __init__(self, world: World, functions: Functions, recall: Recall) -> None:
        self.world = world
        self.functions = functions
        self.recall = recall
        self.begun: set[int] = set()
        self.calls: Calls = {}

    def check(self, procedure: Procedure) -> bool:
        """Checks a clause unless begun; returns whether its check has completed."""
        index = procedure.index
        if index not in self.begun:
            self.begun.add(index)
            on(procedure.entry.span)
            code = partial(self.code, procedure)
            calls = self.recall.checked(index, procedure.entry, self.functions, code)
            if calls is not None:
                self.calls[index] = calls
        return index in self.calls

    def code(self, procedure: Procedure) -> list[tuple[int, Span]] | None:
        """Checks the code of a clause; returns its calls, or None on errors."""
        world = self.world
        code = procedure.entry.get("rule")
        tree = parse.rule(code, world.diagnostics) if isinstance(code, Scalar) else None
        if tree is None or procedure.entry.id in world.unplayable:
            _mention(world, code)
            return None
        errors = len(world.diagnostics)
        questions = self.body(procedure, tree)
        if len(world.diagnostics) > errors:
            _mention(world, code)
        if played_kind(procedure.entry) is None:
            questions.unknown_guards()
        self.asked(procedure, questions)
        return questions.calls

    def joined(self, procedure: Procedure, then: Block) -> None:
        """Checks the code of a clause whose alternative was chosen in another's question."""
        errors = len(self.world.diagnostics)
        questions = self.body(procedure, then)
        if len(self.world.diagnostics) > errors:
            _mention(self.world, procedure.entry.get("offers"))
        self.asked(procedure, questions)

    def body(self, procedure: Procedure, tree: Block) -> Questions:
        world = self.world
        questions = _clause(world, self.functions, procedure.index, procedure.entry)
        questions.rules = self
        _parameters(questions, procedure)
        body = questions.statements(tree)
        self.outcome(questions, procedure.entry, body)
        if procedure.entry.id == MAIN:
            body = _around_all(questions, procedure.entry, body)
        self.calls[procedure.index] = questions.calls
        clause = world.clauses[procedure.index]
        world.clauses[procedure.index] = replace(
            clause,
            parameters=len(procedure.names),
            slots=tuple(questions.scope.slots),
            body=body,
            outcome=questions.outcome,
        )
        return questions

    def asked(self, procedure: Procedure, questions: Questions) -> None:
        """Checks the text of a question, apart from its code."""
        clause = self.world.clauses[procedure.index]
        completeness.check_question_text(self.world, clause, procedure.entry, questions)

    def outcome(self, questions: Questions, entry: Entry, body: ir.Block) -> None:
        """Reports paths without an outcome, and outcomes that nothing can use."""
        questions.all_have_outcomes(body, entry.span)
        if questions.outcome is None:
            return
        if entry.id == MAIN:
            hint = "to leave it, write `finish`; to end the game, `end the game` or who wins"
        elif played_kind(entry) is not None:
            hint = "what it changes is what its window lists under `may change:`"
        else:
            return
        self.world.diagnostics.error(
            "unused",
            f"nobody asks for the outcome of `{entry.id}`",
            questions.outcomes[0],
            hint=hint,
        )


def _around_all(questions: Questions, main: Entry, body: ir.Block) -> ir.Block:
    """The main rule with its hooks: nothing calls it, so the hooks go inside it."""
    book, diagnostics = questions.world.book, questions.world.diagnostics
    before, after = book.before.get(MAIN, ()), book.after.get(MAIN, ())
    for other in book.instead.get(MAIN, ()):
        questions.world.used.mentioned.add(other.id)
        diagnostics.error(
            "bad-change",
            f"`{other.id}` cannot be done instead of `{MAIN}`, which is there before anything is",
            other.when.span,
            hint=f"`replace: {MAIN}`, or hang it on a rule that `{MAIN}` does",
        )
    leaving = [each for each in everything(body) if isinstance(each, (ir.Finish, ir.EndGame))]
    for id in after if leaving else ():
        questions.world.used.mentioned.add(id)
        diagnostics.error(
            "bad-change",
            f"`{id}` would never be done: `{MAIN}` ends before its last line",
            questions.world.procedures[id].entry.span,
            Label(leaving[0].span.head, "here"),
            hint=f"hang it after the last rule that `{MAIN}` does",
        )
    return (
        *questions.around(before, {}, main.span),
        *body,
        *questions.around(() if leaving else after, {}, main.span),
    )


def _hung(world: World, functions: Functions) -> dict[int, ir.Clause]:
    """By index: each clause with hooks, as a wrapper that calls it together with its hooks."""
    book, found = world.book, {}
    for id in {**book.before, **book.after, **book.instead}:
        procedure = world.procedures.get(id)
        if procedure is None or id == MAIN:
            continue
        questions = _clause(world, functions, procedure.index, procedure.entry)
        _parameters(questions, procedure)
        clause = world.clauses[procedure.index]
        slots = clause.slots[: clause.parameters]
        given = tuple(
            ir.Local(each.type, slot, each.name, span=clause.span)
            for slot, each in enumerate(slots)
        )
        done = ir.Do(procedure.index, given, span=clause.span)
        by_name: dict[str, ir.Expr] = dict(zip(procedure.names, given, strict=True))
        body = tuple(questions.with_others(id, by_name, done))
        slots = tuple(questions.scope.slots)
        found[clause.index] = replace(clause, slots=slots, body=body, outcome=None)
    return found


def _mention(world: World, code: Node | None) -> None:
    """Marks every name in broken code as used."""
    if isinstance(code, Scalar):
        world.used.mentioned.update(NAMES.findall(code.content.text))


def _clause(world: World, functions: Functions, index: int, entry: Entry) -> Questions:
    questions = Windows(world, functions, Scope(world.diagnostics), index)
    questions.entry = entry
    questions.guard_names = {}
    return questions


def _parameters(questions: Questions, procedure: Procedure) -> None:
    scope = questions.scope
    for name, type in zip(procedure.names, procedure.types, strict=True):
        if scope.find(name, use=False) is None:
            scope.declare(name, type, procedure.entry.span)
        else:
            scope.hidden(name, ir.PLAYER)


def _always(world: World, functions: Functions) -> tuple[ir.Always, ...]:
    found: list[ir.Always] = []
    for entry in world.book.section("always").values():
        code = entry.get("holds")
        tree = parse.value(code, world.diagnostics) if isinstance(code, Scalar) else None
        if tree is None or has_lets(tree, world.diagnostics):
            _mention(world, code)
            continue
        index = world.clause_ids[entry.id]
        scope = Scope(world.diagnostics)
        questions = Questions(world, functions, scope, index)
        condition = questions.truth(tree.result)
        world.used.supposed.update(clause for clause, _ in questions.calls)
        found.append(ir.Always(entry.id, index, tuple(scope.slots), condition))
    return tuple(found)
