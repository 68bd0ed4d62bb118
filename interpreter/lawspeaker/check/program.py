"""A rulebook into a typed program."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from lawspeaker import ir, parse
from lawspeaker.check import completeness
from lawspeaker.check.declare import declare
from lawspeaker.check.functions import Functions
from lawspeaker.check.questions import Questions
from lawspeaker.check.scope import Scope
from lawspeaker.check.table import table
from lawspeaker.check.values import texts
from lawspeaker.check.world import Procedure, World
from lawspeaker.diagnostics import Diagnostics
from lawspeaker.document import Scalar
from lawspeaker.rulebook import Entry, Rulebook
from lawspeaker.source import Span
from lawspeaker.types import PLAYER

MAIN = "game"


def program(book: Rulebook, diagnostics: Diagnostics) -> ir.Program | None:
    """The program a rulebook means; None when there are errors."""
    world = declare(book, diagnostics)
    functions = Functions(world)
    calls = _rules(world, functions)
    always = _always(world, functions)
    for signatures in world.signatures.values():
        for signature in signatures:
            functions.number(signature)
    shown = table(world, functions)
    main = world.procedures.get(MAIN)
    if main is None:
        diagnostics.error(
            "no-main",
            "there is no clause `game` that says how the game runs",
            book.head.span,
            hint="add a clause `game` with a `rule:` that does the setup and the turns",
        )
    completeness.check(world, functions, calls, MAIN)
    if diagnostics.has_errors or main is None:
        return None
    title, about = texts(book.head.get("title")), texts(book.head.get("about"))
    return ir.Program(
        book.name,
        title,
        about,
        world.fewest,
        world.most,
        world.player_names,
        world.languages,
        tuple(world.sources.values()),
        tuple(world.word_sets),
        tuple(world.pieces),
        tuple(world.families),
        tuple(world.markers),
        tuple(world.choices),
        tuple(functions.done),
        tuple(world.clauses[index] for index in sorted(world.clauses)),
        always,
        shown,
        {entry.id: texts(entry.body) for entry in book.section("names").values()},
        main.index,
        digest(book),
        _by(book),
    )


def _by(book: Rulebook) -> str | None:
    """Who invented the game."""
    by = book.head.get("by")
    return by.value if isinstance(by, Scalar) else None


def digest(book: Rulebook) -> str:
    """A fingerprint of the texts a game is made of."""
    found = hashlib.sha256()
    for file in book.files:
        text = file.text.replace("\r\n", "\n").encode()
        found.update(len(text).to_bytes(8, "big") + text)
    return found.hexdigest()


Calls = dict[int, list[tuple[int, Span]]]


def _rules(world: World, functions: Functions) -> Calls:
    """Checks the code of every clause that does something; who does whom."""
    calls: Calls = {}
    for procedure in world.procedures.values():
        code = procedure.entry.get("rule")
        tree = parse.rule(code, world.diagnostics) if isinstance(code, Scalar) else None
        if tree is None:
            continue
        questions = _clause(world, functions, procedure.index, procedure.entry)
        _parameters(questions.scope, procedure)
        body = questions.statements(tree)
        if procedure.entry.get("plays") is None:
            questions.unknown_guards()
        calls[procedure.index] = questions.calls
        clause = world.clauses[procedure.index]
        world.clauses[procedure.index] = replace(
            clause,
            parameters=len(procedure.names),
            slots=tuple(questions.scope.slots),
            body=body,
        )
        completeness.asked(world, clause, procedure.entry, questions)
    return calls


def _clause(world: World, functions: Functions, index: int, entry: Entry) -> Questions:
    questions = Questions(world, functions, Scope(world.diagnostics), index)
    questions.entry = entry
    questions.guard_names = {}
    return questions


def _parameters(scope: Scope, procedure: Procedure) -> None:
    for name, type in zip(procedure.names, procedure.types, strict=True):
        if scope.find(name, use=False) is None:
            scope.declare(name, type, procedure.entry.span)
        else:
            scope.hidden(name, PLAYER)


def _always(world: World, functions: Functions) -> tuple[ir.Always, ...]:
    found: list[ir.Always] = []
    for entry in world.book.section("always").values():
        code = entry.get("holds")
        tree = parse.value(code, world.diagnostics) if isinstance(code, Scalar) else None
        if tree is None:
            continue
        index = world.clause_ids[entry.id]
        scope = Scope(world.diagnostics)
        questions = Questions(world, functions, scope, index)
        condition = questions.truth(tree.result)
        found.append(ir.Always(entry.id, index, tuple(scope.slots), condition))
    return tuple(found)
