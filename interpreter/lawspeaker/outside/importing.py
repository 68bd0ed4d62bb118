"""Imports a book from PDF, HTML or text into an editable text and its lock.

    rules.pdf  ->  books/rules.txt    one sentence on a line, to be corrected
                   books/rules.lock   the fingerprints of its sentences

I/O module: it reads files of any kind, and writes both. A corrected text is never overwritten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics, Failure
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.books import SourceBook, lock_up
from lawspeaker.outside.library import Library
from lawspeaker.outside.storage import NotSaved, write
from lawspeaker.study.alignment.words import language_of
from lawspeaker.study.sources.layout import Word, lines, whole
from lawspeaker.study.sources.markup import markdown
from lawspeaker.study.sources.pages import joined, plain
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.lock import Marks, read_lock
from lawspeaker.text.books.manuscript import is_manuscript, manuscript, read_manuscript
from lawspeaker.text.books.outline import Text

KINDS = (".txt", ".md", ".markdown", ".html", ".htm", ".pdf")
LARGEST = 8 * 1024 * 1024
MOST_PAGES = 400


class NotAdded(Failure):
    """A book cannot be read; the message is for the user and names the file and the line."""


@dataclass(frozen=True, slots=True)
class Added:
    """An imported book: its text, its language, and messages about what was written."""

    path: Path
    text: Text
    language: str
    told: tuple[str, ...]


def add(file: Path, folder: Path, language: str, anew: bool, library: Library) -> Added:
    """Imports a book, or accepts a text that was corrected by hand.

    Raises NotAdded, LibraryError and NotSaved.
    """
    if file.suffix.lower() not in KINDS:
        raise NotAdded(f"{file}: a book is one of {', '.join(KINDS)}")
    if file.suffix.lower() != ".pdf":
        given = SourceFile(library.display(file), library.read(file, LARGEST))
        if is_manuscript(given):
            return _corrected(file, given, language, library)
    path = folder / f"{_named(file)}.txt"
    if library.holds(path) and not anew:
        shown = library.display(path)
        raise NotAdded(
            f"{shown} is there already, and may have been corrected; `lawspeaker books add {shown}`"
            " takes your corrections, and --anew makes it anew"
        )
    text = split(SourceFile(path.name, _content(file, library)))
    if not text.sentences:
        raise NotAdded(f"{file}: there is no sentence in this file")
    spoken = language or language_of(" ".join(each.text for each in text.sentences))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(str(error)) from None
    return _written(path, manuscript(text, spoken), library)


def read(file: Path, library: Library) -> tuple[Text, str]:
    """Returns the text of a book and its language, from an imported or any other file.

    Raises NotAdded and LibraryError.
    """
    if file.suffix.lower() not in KINDS:
        raise NotAdded(f"{file}: a book is one of {', '.join(KINDS)}")
    given = SourceFile(file.name, "")
    if file.suffix.lower() != ".pdf":
        given = SourceFile(file.name, library.read(file, LARGEST))
    if is_manuscript(given):
        return _sound(file, given, library)
    text = split(SourceFile(file.name, _content(file, library)))
    if not text.sentences:
        raise NotAdded(f"{file}: there is no sentence in this file")
    return text, language_of(" ".join(each.text for each in text.sentences))


def _named(file: Path) -> str:
    """Derives the name of a book from its file: lower-case letters, digits, - and _."""
    return re.sub(r"[^a-z0-9_-]+", "_", file.stem.lower()).strip("_") or "book"


def _sound(file: Path, given: SourceFile, library: Library) -> tuple[Text, str]:
    found = read_manuscript(given)
    if found.faults:
        shown = library.display(file)
        raise NotAdded("\n".join(f"{shown}:{line}: {message}" for line, message in found.faults))
    return found.text, found.language


def _corrected(file: Path, given: SourceFile, language: str, library: Library) -> Added:
    """Renumbers and locks a text that was corrected by hand."""
    text, spoken = _sound(file, given, library)
    return _written(file, manuscript(text, language or spoken), library)


def _written(path: Path, content: str, library: Library) -> Added:
    found = read_manuscript(SourceFile(path.name, content))
    told = []
    if not library.holds(path) or library.read(path, LARGEST) != content:
        write(path, content)
        told.append(f"written: {library.display(path)}")
    place = path.with_suffix(".lock")
    lock = None
    if library.holds(place):
        lock = read_lock(SourceFile(library.display(place), library.read(place)), Diagnostics())
    marks = Marks() if lock is None else lock.marks
    book = SourceBook(path.stem, path.name, place, lock, marks, "")
    told += lock_up(book, found.text, marks, (), library)
    return Added(path, found.text, found.language, tuple(told))


# ---------------------------------------------------------------- kinds of files


def _content(file: Path, library: Library) -> str:
    """Extracts the content of a file as plain text or Markdown."""
    kind = file.suffix.lower()
    if kind == ".pdf":
        return plain(whole(lines(_words(file, library))))
    text = library.read(file, LARGEST)
    if kind in (".html", ".htm"):
        return joined(markdown(text))
    if "\f" in text:
        return plain([page.split("\n") for page in text.split("\f")])
    return joined(text)


def _words(file: Path, library: Library) -> Sequence[Sequence[Word]]:
    """Extracts the words of each page of a PDF."""
    if not library.holds(file):
        library.read(file)  # raises the reason
    try:
        import pdfplumber
    except ModuleNotFoundError:
        raise NotAdded(
            f"{file}: reading a PDF needs pdfplumber: pip install 'lawspeaker[books]', "
            "or save its text as .txt"
        ) from None
    pages: list[list[Word]] = []
    try:
        with pdfplumber.open(library.here / file) as pdf:
            if len(pdf.pages) > MOST_PAGES:
                raise NotAdded(f"{file}: it has more than {MOST_PAGES} pages")
            for page in pdf.pages:
                found = page.extract_words(extra_attrs=["size"], use_text_flow=False)
                pages.append(
                    [
                        Word(
                            str(each["text"]),
                            float(each["x0"]),
                            float(each["x1"]),
                            float(each["top"]),
                            float(each["bottom"]),
                            float(each["size"]),
                        )
                        for each in found
                    ]
                )
                page.close()
    except NotAdded:
        raise
    except Exception as error:  # a damaged file can raise anything
        raise NotAdded(f"{file}: this PDF cannot be read ({type(error).__name__})") from None
    if not any(pages):
        raise NotAdded(
            f"{file}: this PDF has no text, only pictures of it; run it through OCR first "
            "(such as ocrmypdf), or type the text into a .txt"
        )
    return pages
