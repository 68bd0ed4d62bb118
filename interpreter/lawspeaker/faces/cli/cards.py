"""`lawspeaker cards`: makes printable sheets of every card and piece, or images of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.faces.cli.common import fail, game, say
from lawspeaker.faces.cli.options import Html, Name, spoken
from lawspeaker.faces.cli.printing import Pdf, print_to
from lawspeaker.faces.render.book import NoTypst
from lawspeaker.faces.render.book.sheet import sheet_of, sheet_page, sheet_pdf
from lawspeaker.faces.render.book.tabletop import components_of, images, tabletop
from lawspeaker.outside.storage import write


def cards(
    name: Name,
    pdf: Pdf = None,
    html: Html = None,
    folder: Annotated[
        Path | None,
        typer.Option("--images", help="Write images and a list of them.", metavar="FOLDER"),
    ] = None,
    simulator: Annotated[
        Path | None,
        typer.Option("--tabletop", help="Write decks for Tabletop Simulator.", metavar="FOLDER"),
    ] = None,
    address: Annotated[
        str,
        typer.Option(
            help="With --tabletop: where the images will be; the folder itself, if left out.",
            metavar="URL",
        ),
    ] = "",
    lang: Annotated[str, typer.Option("--lang", help="The language on the cards.")] = "",
    backs: Annotated[
        bool, typer.Option("--backs", help="On sheets: also the backs of hidden pieces.")
    ] = False,
    marks: Annotated[
        bool, typer.Option("--marks", help="With --pdf: each piece apart, with crop marks.")
    ] = False,
    bleed: Annotated[
        bool,
        typer.Option(
            "--bleed", help="The same, and 3 mm more of the background of cards and tiles."
        ),
    ] = False,
    boards: Annotated[
        bool, typer.Option("--boards", help="On sheets: also the boards, a page for each.")
    ] = False,
) -> None:
    """Make sheets to print and cut out, or images: every card and piece, as the table draws them.

    A card is 63 mm wide, everything else in proportion, each as often as the game has it, for as
    many players as there can be. Images and decks always have backs and boards.

    Example: lawspeaker cards GAME --pdf cards.pdf --backs --boards

    Exit code 0: made. 1: the rules have errors, or the file cannot be written. 2: wrong call.
    """
    if sum(each is not None for each in (pdf, html, folder, simulator)) != 1:
        raise typer.BadParameter(
            "say where it goes: --pdf FILE, --html FILE, --images FOLDER or --tabletop FOLDER"
        )
    if marks and pdf is None:
        raise typer.BadParameter("it belongs to --pdf", param_hint="--marks")
    if bleed and pdf is None:
        raise typer.BadParameter("it belongs to --pdf", param_hint="--bleed")
    if address and simulator is None:
        raise typer.BadParameter("it belongs to --tabletop", param_hint="--address")
    found = game(name)
    language = spoken(lang, found.program.languages, name)
    try:
        if folder is not None:
            _into(folder, images(components_of(found, language)))
            return
        if simulator is not None:
            below = address.rstrip("/") or simulator.resolve().as_uri()
            _into(simulator, tabletop(components_of(found, language), f"{below}/"))
            return
        sheet = sheet_of(found, language, backs, boards, bleed)
    except NoTypst:
        fail("decks are set by Typst: pip install 'lawspeaker[book]', or make --images")
    file = print_to(pdf, html, lambda: sheet_pdf(sheet, marks or bleed), lambda: sheet_page(sheet))
    pieces = sum(part.count for part in sheet.parts)
    say(f"{sheet.title}: {pieces} {'piece' if pieces == 1 else 'pieces'} in {file}")


def _into(folder: Path, made: dict[str, bytes]) -> None:
    """Writes files into a folder, which is made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in made.items():
            write(folder / file, content)
    except OSError as error:
        fail(f"{folder} cannot be made: {error.strerror}")
    say(f"{len(made)} files in {folder}")
