"""`lawspeaker cards`: every card and piece of a game, to print and cut out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.faces.cli.common import fail, game, say
from lawspeaker.faces.render.book import NoTypst
from lawspeaker.faces.render.book.sheet import TooMany, sheet_of, sheet_page, sheet_pdf
from lawspeaker.outside.storage import NotSaved, write


def cards(
    name: Annotated[str, typer.Argument(help="A game: its name, folder or file.")],
    pdf: Annotated[
        Path | None, typer.Option("--pdf", help="Write a PDF to this file.", metavar="FILE")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page to this file.", metavar="FILE")
    ] = None,
    lang: Annotated[str, typer.Option("--lang", help="The language on the cards.")] = "",
    backs: Annotated[
        bool, typer.Option("--backs", help="Also the backs of hidden pieces.")
    ] = False,
) -> None:
    """Make sheets to print and cut out: every card and piece, as the table draws them.

    A card is 63 mm wide, everything else in proportion, each as often as the game has it, for as
    many players as there can be.

    Example: lawspeaker cards GAME --pdf cards.pdf --backs

    Exit code 0: made. 1: the rules have errors, or the file cannot be written. 2: wrong call.
    """
    if (pdf is None) == (html is None):
        raise typer.BadParameter("say where it goes: --pdf FILE or --html FILE")
    found = game(name)
    language = lang or found.program.languages[0]
    if language not in found.program.languages:
        known = ", ".join(found.program.languages)
        raise typer.BadParameter(f"{name} speaks {known}", param_hint="--lang")
    try:
        sheet = sheet_of(found, language, backs)
        if pdf is not None:
            write(pdf, sheet_pdf(sheet))
        elif html is not None:
            write(html, sheet_page(sheet))
    except NoTypst:
        fail("a PDF is set by Typst: pip install 'lawspeaker[book]', or make a page with --html")
    except (TooMany, NotSaved) as error:
        fail(str(error))
    pieces = sum(part.count for part in sheet.parts)
    say(f"{sheet.title}: {pieces} pieces in {pdf or html}")
