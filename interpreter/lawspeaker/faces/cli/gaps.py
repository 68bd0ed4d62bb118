"""`lawspeaker gaps`: what the book of one edition leaves open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli.common import as_json, say
from lawspeaker.faces.cli.editions import opened
from lawspeaker.faces.cli.keeping import keep
from lawspeaker.faces.cli.options import AsJson, Html, Lang, Name, spoken
from lawspeaker.faces.render import gaps as gaps_shown
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import editions, load_rulesets, read_variants
from lawspeaker.outside.revisions import without_revision
from lawspeaker.study.compare import Ruleset
from lawspeaker.study.compare.gaps import gaps as gaps_of


def gaps(
    name: Name,
    find: Annotated[
        str, typer.Option("--find", help="Only what words of any language or book are about.")
    ] = "",
    ids: Annotated[bool, typer.Option("--ids", help="Show the ids of rules, too.")] = False,
    json: AsJson = False,
    html: Html = None,
    lang: Lang = "",
) -> None:
    """List what the book of one edition leaves open.

    For each gap: how it is played, by which ruling, and which other edition decides it.

    Example: lawspeaker gaps GAME

    Example: lawspeaker gaps GAME+VARIANT --html gaps.html

    Exit code 0: the rules were read. 1: the rules have a fault, or a file cannot be written. 2:
    wrong call.
    """
    [found] = opened([name])
    show_gaps(found, spoken(lang, found.program.languages, name), find, ids, json, html)


def show_gaps(
    alone: Ruleset, language: str, find: str, ids: bool, json: bool, html: Path | None
) -> None:
    """Prints the gaps of a single edition's book, optionally filtered by words."""
    library = Library()
    game = without_revision(library.split_name(alone.name)[0], library)
    laid = {each.name for each in alone.variants}
    base = load_rulesets([game], Diagnostics(), library) if laid else None
    others = [*(base or ()), *editions(alone.name, laid, library)]
    found = gaps_of(alone, language, read_variants(game, Diagnostics(), library), find, others)
    if html is not None:
        from lawspeaker.faces.render.gaps_page import page

        keep(html, page(found, ids))
    if json:
        say(as_json(gaps_shown.to_json(found)))
    elif html is None:
        Console().print(gaps_shown.text(found, ids))
