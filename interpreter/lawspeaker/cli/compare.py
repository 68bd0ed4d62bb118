"""`lawspeaker compare`: tellings of a game side by side, and what their differences do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.cli.common import fail, show_diagnostics
from lawspeaker.compare import OtherGame, Telling
from lawspeaker.compare import compare as compared
from lawspeaker.diagnostics import Diagnostics
from lawspeaker.loading import telling
from lawspeaker.render import compare as shown


def compare(
    names: Annotated[list[str], typer.Argument(help="Tellings of one game; the first is the reference.")],
    everything: Annotated[
        bool, typer.Option("--all", help="Show what is the same everywhere, too.")
    ] = False,
    only: Annotated[
        str, typer.Option("--only", help="Only some: play, silences, words.")
    ] = "",
    patch_file: Annotated[
        Path | None,
        typer.Option("--patch", help="Write a variant that turns the first into the second."),
    ] = None,
    lang: Annotated[str, typer.Option("--lang", help="The language of names.")] = "",
) -> None:
    """Compare the rules of editions, variants and house rules, point by point."""
    found = tellings(names)
    language = lang or found[0].program.languages[0]
    try:
        comparison = compared(found, language, everything=everything)
    except OtherGame as error:
        fail(str(error), 2)
    wanted = [each.strip() for each in only.split(",") if each.strip()]
    Console().print(shown.text(comparison, wanted))


def tellings(names: list[str]) -> list[Telling]:
    """The tellings, or what is wrong with them and exit code 1."""
    diagnostics = Diagnostics()
    found = [telling(name, diagnostics) for name in names]
    if diagnostics.has_errors or None in found:
        show_diagnostics(diagnostics.sorted())
        raise typer.Exit(1)
    return [each for each in found if each is not None]
