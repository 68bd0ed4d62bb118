"""`lawspeaker show`: renders a game as a document."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from lawspeaker.faces.cli.common import as_json, game, say
from lawspeaker.faces.cli.contract import contract as show_contract
from lawspeaker.faces.cli.options import AsJson, Html, Lang, Markdown, spoken
from lawspeaker.faces.render import show as shown
from lawspeaker.outside.storage import write

MOST_WIDTH = 100


def show(
    name: Annotated[str, typer.Argument(help="A game: its name, folder or file.")],
    markdown: Markdown = False,
    html: Html = None,
    json: AsJson = False,
    contract: Annotated[
        bool, typer.Option("--contract", help="Only what the variants change, on one page.")
    ] = False,
    lang: Lang = "",
    width: Annotated[
        int, typer.Option("--width", help="The width of the text (0: of the terminal).")
    ] = 0,
) -> None:
    """Show a game as a document to read.

    What is in the box, its choices, its rules, and where the books say them.

    What no book decides is collected on a page of its own. The page that --html writes needs
    nothing else, can be printed, and has an anchor for every clause.

    Example: lawspeaker show GAME

    Example: lawspeaker show GAME --html rules.html --lang de

    With --contract it is one page to print and sign: all in which this table does not play the
    base game, in words and with sources.

    Example: lawspeaker show GAME+VARIANT --contract

    Exit code 0: shown. 1: the rules have errors, or the file cannot be written. 2: wrong call.
    """
    if contract and json:
        raise typer.BadParameter("--contract is text, Markdown or a page, not JSON")
    if sum((markdown, html is not None, json)) > 1:
        raise typer.BadParameter("choose one of --markdown, --html and --json")
    found = game(name)
    language = spoken(lang, found.program.languages, name)
    columns = width or min(shutil.get_terminal_size((80, 24)).columns, MOST_WIDTH)
    if contract:
        show_contract(name, language, markdown, html, columns)
        return
    document = shown.document(found.program, name, language)
    if json:
        say(as_json(document.to_json()))
    elif markdown:
        say(shown.markdown(document).rstrip("\n"))
    elif html is not None:
        write(html, shown.page(document))
        say(f"{document.title}: {html}")
    else:
        say(shown.text(document, columns).rstrip("\n"))
