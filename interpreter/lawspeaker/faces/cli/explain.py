"""`lawspeaker explain`: explains a diagnostic code, a clause or guard, or answers a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker import ir
from lawspeaker.base import codes
from lawspeaker.base.diagnostics import Diagnostics, RulesError, did_you_mean
from lawspeaker.faces.cli.common import fail, game, say, show_and_leave
from lawspeaker.faces.cli.compare import NARROWEST, shelf_of
from lawspeaker.faces.render import compare as shown
from lawspeaker.faces.render.clause import clause_text, guard_text, guards
from lawspeaker.machines.planned.passes import planned
from lawspeaker.machines.planned.plan_text import printed
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.meaning.variant import EDITION
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.outside.loading import load, read_variants, tellings
from lawspeaker.position.layout import Layout
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.comparison import BOOK


def explain(
    what: Annotated[
        str,
        typer.Argument(help="A code such as unknown-name, the id of a clause or guard, or a game."),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help="After a game: a question, in words of any language.", show_default=False
        ),
    ] = None,
    of: Annotated[str, typer.Option("--of", help="The game whose clause is meant.")] = "",
    lang: Annotated[str, typer.Option("--lang", help="The language to answer in.")] = "",
    texts: Annotated[
        Path | None,
        typer.Option("--texts", help="The folder with the books' texts: show their sentences."),
    ] = None,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan",
            help="Of a game and a clause: how the compiled machine plans it, and its cost.",
        ),
    ] = False,
) -> None:
    """Explain a diagnostic code, a clause or a guard; or answer a question about a game.

    After the name of a game stands a question in everyday words, or a single one. The answer
    begins with a sentence; below stands what each book says. Of one edition: GAME+VARIANT.

    If the word is the id of a rule as well, that rule comes first.

    Example: lawspeaker explain hidden-from-chooser

    Example: lawspeaker explain game --of GAME

    Example: lawspeaker explain GAME player

    Example: lawspeaker explain GAME who begins

    Example: lawspeaker explain GAME game --plan
    """
    if plan:
        _planned(what, words or [])
    elif words:
        _said_of(" ".join(words), what, lang, texts)
    else:
        _explained(what, of, lang, texts)


def _explained(what: str, of: str, lang: str, texts: Path | None) -> None:
    """Explains a code, a clause or a guard."""
    if what in codes.CODES and not of:
        say(codes.explain(what))
        return
    known: list[str] = list(codes.CODES) if not of else []
    for name in [of] if of else Library().games():
        try:
            program = game(name).program if of else load(name).program
        except RulesError:
            continue
        for clause in program.clauses:
            if clause.id == what:
                say(clause_text(program, clause, _language(program, lang)))
                return
            known.append(clause.id)
            for guard in guards(clause):
                if f"{clause.id}.{guard.name}" == what:
                    say(guard_text(program, clause, guard, _language(program, lang)))
                    return
                known.append(f"{clause.id}.{guard.name}")
    if of and "." not in what:  # only ids contain a full stop
        _said_of(what, of, lang, texts, known)
        return
    hint = did_you_mean(what, known)
    fail(f"there is no code, clause or guard `{what}`" + (f"; {hint}" if hint else ""))


def _planned(name: str, clauses: Sequence[str]) -> None:
    """Prints the compiled machine's plan of a clause, for the fewest players."""
    program = game(name).program
    numbers = {clause.id: clause.index for clause in program.clauses}
    [clause] = clauses if len(clauses) == 1 else [""]
    if clause not in numbers:
        hint = did_you_mean(clause, list(numbers))
        fail(f"there is no clause `{clause}`" + (f"; {hint}" if hint else ""))
    plan = planned(Layout(program, program.fewest), PLAYING)
    say(printed(plan, numbers[clause]).rstrip())


def _said_of(
    question: str, name: str, lang: str, texts: Path | None, known: Sequence[str] = ()
) -> None:
    """Prints the answer of a game's rules and books to a question; of one edition, if named."""
    from lawspeaker.faces.render import asked
    from lawspeaker.study.compare.answering import Index
    from lawspeaker.study.compare.searching import meant

    diagnostics = Diagnostics()
    names, only = _editions(name)
    found = tellings(names, diagnostics)
    if found is None:
        show_and_leave(diagnostics.sorted())
    language = _language(found[0].program, lang)
    shelf = None if texts is None else shelf_of(found, texts)
    comparison = compare(found, language, everything=True)
    index = Index(comparison, shelf)
    answer = index.ask(question)
    comparison = meant(question, comparison)
    view = shown.View(BOOK, shelf=shelf, find=question, numbers=False)
    console = Console()
    width = max(console.width, NARROWEST)
    if not answer.found and not comparison.table.terms.each:
        terms = index.terms_of(question)
        found_by = {each.word: 0 if each.guessed else len(each.rows) for each in terms}
        view = replace(view, counted=found_by if len(found_by) > 1 else {})
        hint = did_you_mean(question, known)
        fail(shown.not_found(comparison, view) + (f" ({hint})" if hint else ""))
    console.print(asked.text(answer, comparison, view, width, only), width=width)


def _editions(name: str) -> tuple[list[str], int | None]:
    """Returns a game with all its editions, and the index of the named one, if any.

    All editions are read even if one is named, since numbers that differ between editions are
    listed individually.
    """
    library = Library()
    try:
        game, named = library.split_name(name)
        variants = read_variants(game, Diagnostics(), library)
    except LibraryError as error:
        fail(str(error))
    without = name if not named else name[: name.index("+")]
    names = [without, *(f"{without}+{each.name}" for each in variants if each.layer == EDITION)]
    if not named:
        return names, None
    if name not in names:
        names.append(name)
    return names, names.index(name)


def _language(program: ir.Program, lang: str) -> str:
    if lang and lang not in program.languages:
        known = ", ".join(program.languages)
        raise typer.BadParameter(f"{program.name} speaks {known}", param_hint="--lang")
    return lang or program.languages[0]
