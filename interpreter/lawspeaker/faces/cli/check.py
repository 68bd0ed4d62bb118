"""`lawspeaker check`: statically checks rules."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from lawspeaker import __version__
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.faces.cli.common import as_json, for_authors, named_wrongly, say, show_diagnostics
from lawspeaker.faces.cli.options import AsJson
from lawspeaker.faces.render.diagnostics import to_json
from lawspeaker.outside.checking import checked
from lawspeaker.outside.library import SUFFIX, Library


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


def check(
    names: Annotated[list[str], typer.Argument(help="Games: names, folders or files.")],
    form: Annotated[
        Format,
        typer.Option(
            "--format", help="For people, programs, marks in a pull request, or code scanning."
        ),
    ] = Format.TEXT,
    json: AsJson = False,
) -> None:
    """Say what is wrong with rules, before anyone plays.

    Names, types, totals, who sees what, translations: everything that can be told without playing.

    A file stands for the rules it is part of, a variant for its game with it, and a folder that is
    no game for all games and variants in it.

    Example: lawspeaker check GAME

    Exit code 0: no errors. 1: errors were found. 2: there is no game of that name.
    """
    if json and form not in (Format.TEXT, Format.JSON):
        raise typer.BadParameter(f"--json does not go with --format {form}", param_hint="--format")
    diagnostics = Diagnostics()
    sound: list[str] = []
    for name, shown, library in _rules(names):
        found = Diagnostics()
        verdict = checked(name, found, library)
        own = for_authors(found)
        diagnostics.extend(own)
        if verdict is not None and not own.has_errors:
            sound.append(f"{shown}: {verdict}")
    told = diagnostics.sorted()
    _show(told, sound, Format.JSON if json else form)
    if diagnostics.has_errors:
        raise typer.Exit(2 if named_wrongly(told) else 1)


def _rules(names: Sequence[str]) -> list[tuple[str, str, Library]]:
    """Returns the rules that the names stand for: their name, the name to show, and the library."""
    library = Library()
    if not any((library.here / name).is_dir() or name.endswith(SUFFIX) for name in names):
        return [(name, name, library) for name in names]
    # Imported here: names alone need no parser.
    from lawspeaker.outside.affected_rules import rules_of

    return [(each.name, each.shown, each.library) for each in rules_of(names, library)]


def _show(told: Sequence[Diagnostic], sound: Sequence[str], form: Format) -> None:
    match form:
        case Format.JSON:
            say(as_json(to_json(told)))
            return
        case Format.SARIF:
            from lawspeaker.faces.render.annotations import sarif

            say(as_json(sarif(told, __version__)))
            return
        case Format.GITHUB:
            from lawspeaker.faces.render.annotations import workflow_commands

            for command in workflow_commands(told):
                say(command)
        case Format.TEXT:
            if told:
                show_diagnostics(told, error=False)
    for line in sound:
        say(line)
