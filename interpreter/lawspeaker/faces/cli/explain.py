"""`lawspeaker explain`: explains a diagnostic code, a clause or a guard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base import codes
from lawspeaker.base.diagnostics import RulesError, did_you_mean
from lawspeaker.faces.cli.common import complain, fail, game, say
from lawspeaker.faces.cli.options import Lang, Texts, spoken
from lawspeaker.faces.render.clause import explainable, explained
from lawspeaker.machines.planned.passes import planned
from lawspeaker.machines.planned.plan_text import listing_of
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout


def explain(
    what: Annotated[
        str,
        typer.Argument(help="A code such as unknown-name, the id of a clause or guard, or a game."),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(help="After a game, with --plan: a clause.", show_default=False),
    ] = None,
    of: Annotated[str, typer.Option("--of", help="The game whose clause is meant.")] = "",
    lang: Lang = "",
    texts: Texts = None,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan",
            help="Of a game and a clause: how the compiled machine plans it, and its cost.",
        ),
    ] = False,
) -> None:
    """Explain a diagnostic code, a clause or a guard.

    Questions in everyday words are answered by `lawspeaker ask`.

    Example: lawspeaker explain hidden-from-chooser

    Example: lawspeaker explain game --of GAME

    Example: lawspeaker explain GAME game --plan
    """
    if plan:
        _planned(what, words or [])
    elif words:
        from lawspeaker.faces.cli.ask import show_answer

        question = " ".join(words)
        complain(f"(questions are asked by `lawspeaker ask {what} {question}`)")
        show_answer(question, what, lang, texts)
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
        told = explained(program, what, spoken(lang, program.languages, program.name))
        if told is not None:
            say(told)
            return
        known += explainable(program)
    if of and "." not in what:  # only ids contain a full stop
        from lawspeaker.faces.cli.ask import show_answer

        show_answer(what, of, lang, texts, known)
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
    say(listing_of(plan, numbers[clause]).rstrip())
