"""`lawspeaker explain`: a code of a message, or a clause of a game, in a paragraph."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.base import codes
from lawspeaker.base.diagnostics import RulesError, did_you_mean
from lawspeaker.faces.cli.common import fail, game, say
from lawspeaker.faces.render.clause import clause_text
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load


def explain(
    what: Annotated[str, typer.Argument(help="A code such as unknown-name, or a clause id.")],
    of: Annotated[str, typer.Option("--of", help="The game whose clause is meant.")] = "",
) -> None:
    """Explain a diagnostic code or a clause.

    Example: lawspeaker explain hidden-from-chooser

    Example: lawspeaker explain game --of GAME
    """
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
                say(clause_text(program, clause))
                return
            known.append(clause.id)
    hint = did_you_mean(what, known)
    fail(f"there is no code or clause `{what}`" + (f"; {hint}" if hint else ""))
