"""Scaffolds a game, or an edition of one, from a book: one clause for each rule-like sentence.

I/O module: it reads the book, imports it into `books` if needed, and writes files and lock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from lawspeaker.base.source import SourceFile
from lawspeaker.outside.importing import KINDS, LARGEST, NotAdded, add, read
from lawspeaker.outside.library import Library
from lawspeaker.outside.scaffold import (
    NotMade,
    WrittenFiles,
    by_path,
    new_file,
    new_folder,
    title_of,
    written,
)
from lawspeaker.study.drafting.finding import BookFindings, book_findings
from lawspeaker.study.drafting.skeleton import MOST_STUBS, edition, of_the_box, skeleton
from lawspeaker.text.books.lock import Marks
from lawspeaker.text.books.lock import written as lock_of
from lawspeaker.text.books.manuscript import is_manuscript
from lawspeaker.text.rulebook import Rulebook, lock_name, sources_of

BOOKS = Path("books")


@dataclass(frozen=True, slots=True)
class Begun:
    """A scaffolded game: the files written, the findings in the book, and the path of its text."""

    made: WrittenFiles
    found: BookFindings
    text: Path


def game_from(name: str, book: Path, folder: Path, library: Library) -> Begun:
    """Scaffolds a game from a book. Raises NotMade, NotAdded, LibraryError and NotSaved."""
    target = new_folder(name, folder, library)
    path = _added(book, library)
    text, language = read(path, library)
    saying = book_findings(text, language)
    if len(saying.rules) > MOST_STUBS:
        raise NotMade(f"{path}: it has more than {MOST_STUBS} sentences like rules")
    source = language or "book"
    called = saying.title or title_of(name)
    named = replace(text, name=path.name)
    files = skeleton(name, called, source, named, saying)
    texts = {target / file: said for file, said in files.items()}
    texts[target / lock_name(source)] = lock_of(named, Marks(of_the_box(saying)))
    return Begun(WrittenFiles(by_path(target), written(texts)), saying, path)


def edition_from(name: str, game: str, rules: Rulebook, book: Path, library: Library) -> Begun:
    """Scaffolds an edition: a variant that declares the book, and the book's lock.

    Raises NotMade, NotAdded, LibraryError and NotSaved.
    """
    target, played = new_file(name, game, Path(), library)
    path = _added(book, library)
    text, language = read(path, library)
    saying = book_findings(text, language)
    source = language if language and language not in sources_of(rules.head) else name
    named, called = replace(text, name=path.name), saying.title or title_of(name)
    texts = {target: edition(name, rules.name, called, source, named, saying)}
    lock = lock_of(named, Marks(of_the_box(saying)))
    texts[target.parent / lock_name(source)] = lock
    return Begun(WrittenFiles(played, written(texts)), saying, path)


def _added(book: Path, library: Library) -> Path:
    """Returns the editable text of a book, importing the book if it is in another format."""
    plain = book.suffix.lower() in KINDS and book.suffix.lower() != ".pdf"
    if plain and is_manuscript(SourceFile(book.name, library.read(book, LARGEST))):
        return book
    try:
        return add(book, BOOKS, "", False, library).path
    except NotAdded as error:
        raise NotMade(str(error)) from None
