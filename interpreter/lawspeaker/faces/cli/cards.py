"""`lawspeaker cards`: makes printable sheets of every card and piece."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.faces.cli.common import fail, say
from lawspeaker.faces.cli.options import Html, Name
from lawspeaker.faces.cli.printing import Pdf, print_to, to_print
from lawspeaker.faces.render.book.sheet import TooMany, sheet_of, sheet_page, sheet_pdf


def cards(
    name: Name,
    pdf: Pdf = None,
    html: Html = None,
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
    found, language = to_print(name, pdf, html, lang)
    try:
        sheet = sheet_of(found, language, backs)
    except TooMany as error:
        fail(str(error))
    file = print_to(pdf, html, lambda: sheet_pdf(sheet), lambda: sheet_page(sheet))
    pieces = sum(part.count for part in sheet.parts)
    say(f"{sheet.title}: {pieces} {'piece' if pieces == 1 else 'pieces'} in {file}")
