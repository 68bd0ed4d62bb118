"""Shared helpers of `book` and `cards`: choosing a language, and writing a PDF or a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.faces.cli.common import fail, game
from lawspeaker.faces.cli.options import spoken
from lawspeaker.faces.render.book import NoTypst
from lawspeaker.match.game import Game
from lawspeaker.outside.storage import write

Pdf = Annotated[
    Path | None, typer.Option("--pdf", help="Write a PDF to this file.", metavar="FILE")
]


def to_print(name: str, pdf: Path | None, html: Path | None, lang: str) -> tuple[Game, str]:
    """Returns the game and the language; exits unless exactly one output file is given."""
    if (pdf is None) == (html is None):
        raise typer.BadParameter("say where it goes: --pdf FILE or --html FILE")
    found = game(name)
    language = spoken(lang, found.program.languages, name)
    return found, language


def print_to(
    pdf: Path | None, html: Path | None, as_pdf: Callable[[], bytes], as_page: Callable[[], str]
) -> Path:
    """Writes the requested format; returns the file."""
    try:
        if pdf is not None:
            write(pdf, as_pdf())
            return pdf
        assert html is not None
        write(html, as_page())
        return html
    except NoTypst:
        fail("a PDF is set by Typst: pip install 'lawspeaker[book]', or make a page with --html")
