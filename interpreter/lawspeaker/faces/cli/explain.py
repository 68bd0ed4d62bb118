"""`lawspeaker explain`: a code of a message, or a clause or guard of a game, in a paragraph."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker import ir
from lawspeaker.base import codes
from lawspeaker.base.diagnostics import RulesError, did_you_mean
from lawspeaker.faces.cli.common import fail, game, say
from lawspeaker.faces.render.clause import clause_text, guard_text, guards
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load


def explain(
    what: Annotated[
        str, typer.Argument(help="A code such as unknown-name, or the id of a clause or guard.")
    ],
    of: Annotated[str, typer.Option("--of", help="The game whose clause is meant.")] = "",
    lang: Annotated[str, typer.Option("--lang", help="The language to answer in.")] = "",
) -> None:
    """Explain a diagnostic code, a clause or a guard.

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
                say(clause_text(program, clause, _language(program, lang)))
                return
            known.append(clause.id)
            for guard in guards(clause):
                if f"{clause.id}.{guard.name}" == what:
                    say(guard_text(program, clause, guard, _language(program, lang)))
                    return
                known.append(f"{clause.id}.{guard.name}")
    hint = did_you_mean(what, known)
    fail(f"there is no code, clause or guard `{what}`" + (f"; {hint}" if hint else ""))


def _language(program: ir.Program, lang: str) -> str:
    if lang and lang not in program.languages:
        known = ", ".join(program.languages)
        raise typer.BadParameter(f"{program.name} speaks {known}", param_hint="--lang")
    return lang or program.languages[0]
