"""`lawspeaker books`: parses and aligns rulebooks, before there is a game."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.cli.common import as_json, complain, fail, say
from lawspeaker.faces.cli.options import AsJson, Html
from lawspeaker.faces.render import alignment as shown
from lawspeaker.outside import parallel
from lawspeaker.outside.importing import NotAdded, add, read
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.outside.storage import NotSaved, write
from lawspeaker.study.alignment.aligning import AlignedBook, align

books = typer.Typer(
    help="Rulebooks of your own: take them apart, and lay two of them side by side.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
GAME_WEIGHT = 3
"""Weight of the game's own parallel texts relative to those of other games."""


@books.command("add")
def add_books(
    files: Annotated[list[Path], typer.Argument(help="Books: .txt, .md, .html or .pdf.")],
    folder: Annotated[
        Path, typer.Option("--to", help="The folder for their texts and locks.")
    ] = Path("books"),
    language: Annotated[
        str, typer.Option("--language", help="The language they are in; told from the words.")
    ] = "",
    anew: Annotated[
        bool, typer.Option("--anew", help="Make a text anew, though it is there already.")
    ] = False,
) -> None:
    """Take books apart into sections and sentences, to be corrected, and lock them.

    Each book becomes a text with one sentence on a line, books/NAME.txt. Correct it: join and cut
    lines, mark headings with #. Then add that text again: it counts from then on, and its lock,
    books/NAME.lock, follows. A text that is there already is never overwritten without --anew.

    Example: lawspeaker books add rules-de.pdf rules-it.html

    Example: lawspeaker books add books/rules-de.txt

    Exit code 0: all were added. 1: one could not be read or written.
    """
    failed = False
    for file in files:
        try:
            found = add(file, folder, language, anew, Library())
        except (NotAdded, LibraryError, NotSaved) as error:
            complain(str(error))
            failed = True
            continue
        say(shown.outline(found.path.as_posix(), found.text, found.language))
        for line in found.told:
            say(line)
        if not found.told:
            say("nothing has changed")
    if failed:
        raise typer.Exit(1)


@books.command("align")
def align_books(
    first: Annotated[Path, typer.Argument(help="A book.")],
    second: Annotated[Path, typer.Argument(help="The same book in another language.")],
    game: Annotated[
        str, typer.Option("--game", help="Learn words from the translations of this game.")
    ] = "",
    alone: Annotated[
        bool, typer.Option("--alone", help="Use the two texts alone, and no games at all.")
    ] = False,
    html: Html = None,
    json: AsJson = False,
    language: Annotated[
        str, typer.Option("--lang", help="The language to answer in: en, de, it or fr.")
    ] = "en",
) -> None:
    """Lay two books side by side: which sentences say the same, and which have no partner.

    Numbers, names, words that look alike, order and length decide, and a dictionary learned from
    the two books, and from what the games that come with the package say in both languages; with
    --game, from the translations of your own game as well. Nothing is cited: it only suggests.

    Example: lawspeaker books align books/rules-de.txt books/rules-it.txt --html side-by-side.html

    Exit code 0: they were aligned. 1: a book cannot be read, or the page not written. 2: wrong
    call.
    """
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise typer.BadParameter(f"there are {known}, not {language}", param_hint="--lang")
    if game and alone:
        fail("either the texts alone (--alone) or a game as well (--game)", 2)
    library = Library()
    both = [AlignedBook.of(*read(each, library)) for each in (first, second)]
    learned = [] if alone else _known(both[0].language, both[1].language, game, library)
    for file, book in zip((first, second), both, strict=True):
        if not book.language:
            complain(f"{file}: the language cannot be told; say it in its first line")
    found = align(both[0], both[1], learned)
    if html is not None:
        from lawspeaker.faces.render.alignment_page import page

        write(html, page(found, language))
        complain(f"written: {html}")
    if json:
        say(as_json(shown.to_json(found)))
    elif html is None:
        say(shown.text(found, language))
    else:
        say(shown.summary(found, language))


def _known(first: str, second: str, game: str, library: Library) -> list[parallel.Parallel]:
    """Returns the parallel texts in both languages; raises LibraryError."""
    if not first or not second or first == second:
        return []
    plain = library.split_name(game)[0] if game else ""
    found = [*parallel.of_everything(first, second, library, plain)]
    if game:
        own = [*parallel.of_game(game, first, second, library)]
        if not own:
            complain(f"{game} says nothing in both {first} and {second}")
        found += chain.from_iterable([own] * GAME_WEIGHT)
    return found
