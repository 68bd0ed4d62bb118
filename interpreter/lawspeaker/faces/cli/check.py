"""`lawspeaker check`: statically checks rules."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.base.diagnostics import Diagnostics, many
from lawspeaker.faces.cli.common import as_json, for_authors, named_wrongly, say, show_diagnostics
from lawspeaker.faces.cli.options import AsJson
from lawspeaker.faces.render.diagnostics import to_json
from lawspeaker.outside.checking import checked


def check(
    names: Annotated[list[str], typer.Argument(help="Games: names, folders or files.")],
    json: AsJson = False,
) -> None:
    """Say what is wrong with rules, before anyone plays.

    Names, types, totals, who sees what, translations: everything that can be told beforehand.

    Example: lawspeaker check GAME

    Exit code 0: no errors. 1: errors were found. 2: there is no game of that name.
    """
    diagnostics = Diagnostics()
    sound: list[str] = []
    for name in names:
        found = Diagnostics()
        verdict = checked(name, found)
        own = for_authors(found)
        diagnostics.extend(own)
        if verdict is not None and not own.has_errors:
            parts = [many(verdict.clauses, "clause")]
            parts += [many(verdict.choices, "choice")] if verdict.choices else []
            sound.append(f"{name}: {', '.join(parts)}, no errors")
    told = diagnostics.sorted()
    if json:
        say(as_json(to_json(told)))
    else:
        if told:
            show_diagnostics(told, error=False)
        for line in sound:
            say(line)
    if diagnostics.has_errors:
        raise typer.Exit(2 if named_wrongly(told) else 1)
