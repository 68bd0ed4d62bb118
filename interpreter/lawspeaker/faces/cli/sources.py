"""`lawspeaker sources`: the rules held against the texts of the books they cite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli.common import as_json, complain, say, show_diagnostics
from lawspeaker.faces.render import sources as shown
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.outside.loading import compile_with_books, read_variants, schema
from lawspeaker.study.sources.changes import cited_by
from lawspeaker.study.sources.coverage import Held, hold
from lawspeaker.study.sources.listing import Listing, read_listing
from lawspeaker.study.sources.splitter import split


def sources(
    names: Annotated[list[str], typer.Argument(help="Games, with the editions to look at.")],
    texts: Annotated[Path, typer.Option("--texts", help="The folder with the books' texts.")],
    only: Annotated[str, typer.Option("--source", help="Look at this source alone.")] = "",
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Show citations for sentences without a rule.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Hold the rules against the texts of their books.

    A source that names a `file:` is looked up in the folder. Every section that is cited must be a
    heading there, and every fingerprint that of a sentence under it. Every sentence must be cited,
    or be listed as no rule in texts/SOURCE.yaml beside the game or its variants. A thing that a
    rule is about must be called there as the rules call it.

    Example: lawspeaker sources GAME --texts books

    Exit code 0: all is in order. 1: something does not hold or is left open. 2: wrong call.
    """
    found: list[tuple[str, Held]] = []
    failed = False
    for name in names:
        held, whole = _held(name, texts, only)
        found += [(name, each) for each in held]
        failed = failed or not whole or not all(each.sound for each in held)
    if json:
        say(as_json([{"game": name, **shown.to_json(each)} for name, each in found]))
    else:
        for name, each in found:
            if len(names) > 1:
                say(f"{name}:")
            say(shown.suggestion(each) if suggest else shown.text(each, excerpts=True))
    if failed:
        raise typer.Exit(1)


def _held(name: str, texts: Path, only: str) -> tuple[list[Held], bool]:
    """What came of each source of a game, and whether all texts and lists could be read."""
    library = Library()
    problems = Diagnostics()
    both = compile_with_books(name, problems, library)
    if both is None:
        show_diagnostics(problems.sorted())
        raise typer.Exit(1)
    program, by_the_books = both
    unread = Diagnostics()
    variants = read_variants(library.split_name(name)[0], unread, library)
    others = [reference for each in variants for reference in cited_by(each)]
    if len(unread):
        show_diagnostics(unread.sorted())
    found: list[Held] = []
    whole = not unread.has_errors
    for source in program.sources:
        file = source.details.get("file")
        if file is None or (only and source.id != only):
            continue
        diagnostics = Diagnostics()
        try:
            text = library.read(texts / file)
            listing = _listing(library, library.split_name(name)[0], source.id, diagnostics)
        except LibraryError as error:
            complain(f"{source.id}: {error}")
            whole = False
            continue
        if len(diagnostics):
            show_diagnostics(diagnostics.sorted())
            whole = whole and not diagnostics.has_errors
        book = split(SourceFile(file, text))
        found.append(hold(program, source.id, book, listing, by_the_books, others))
    if not found and whole:
        complain(f"{name} cites no book whose text has a file" + (f" as {only}" if only else ""))
        whole = False
    return found, whole


def _listing(library: Library, game: str, source: str, diagnostics: Diagnostics) -> Listing:
    path = library.find_texts(game, source)
    if path is None:
        return Listing(source)
    file = SourceFile(library.display(path), library.read(path))
    return read_listing(file, schema("texts"), diagnostics) or Listing(source)
