"""Finds a game's source books and their lock files, and writes the locks.

I/O module: the only code that writes locks and that renumbers citations in rule files after
sentences have moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import Opened
from lawspeaker.meaning.variant import plain_name
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import schema
from lawspeaker.outside.storage import NotSaved, write
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.sources.following import Following, renumbered
from lawspeaker.study.sources.quoting import BookTexts
from lawspeaker.study.sources.splitter import split
from lawspeaker.text import document
from lawspeaker.text.books.listing import read_listing
from lawspeaker.text.books.lock import Lock, Marks, merged, written
from lawspeaker.text.books.outline import Text
from lawspeaker.text.document import Mapping, Node, Scalar, child, scalars_of
from lawspeaker.text.rulebook import lock_name, sources_of


@dataclass(frozen=True, slots=True)
class SourceBook:
    """A source with a text: its `file` name, its `lock` (None if missing) with the lock's `path`,
    and the `marks` people made in it.

    `variant` is the name of the variant that declares the source, empty if the game does.
    """

    id: str
    file: str
    path: Path
    lock: Lock | None
    marks: Marks
    variant: str


def books(
    name: str, opened: Opened, library: Library, diagnostics: Diagnostics
) -> Iterator[SourceBook]:
    """Yields the books with a text that a game and its variants declare; raises LibraryError."""
    game, _ = library.split_name(name)
    told: list[tuple[str, Mapping, AnyMapping[str, Lock], Path]] = [
        ("", opened.book.head, opened.book.locks, library.game(game))
    ]
    for each in opened.variants:
        path = library.find_variant(game, each.name) or library.here / each.file.name
        told.append((each.name, each.root, each.locks, path))
    seen: set[str] = set()
    for variant, root, locks, path in told:
        for id in sources_of(root):
            file = _inside(root, ("sources", id, "file"))
            if id in seen or not isinstance(file, Scalar):
                continue
            seen.add(id)
            lock = locks.get(id)
            older = _listed(game, id, library, diagnostics)
            marks = older if lock is None else merged(older, lock.marks)
            yield SourceBook(id, file.value, path.parent / lock_name(id), lock, marks, variant)


def _inside(node: Node | None, keys: tuple[str, ...]) -> Node | None:
    for key in keys:
        node = child(node, key)
    return node


def _listed(game: str, source: str, library: Library, diagnostics: Diagnostics) -> Marks:
    """Reads the marks from the older list format, texts/SOURCE.yaml."""
    path = library.find_texts(game, source)
    if path is None:
        return Marks()
    file = SourceFile(library.display(path), library.read(path))
    return read_listing(file, schema("texts"), diagnostics) or Marks()


def shelf(rulesets: Iterable[Ruleset], folder: Path, library: Library) -> BookTexts:
    """Loads the texts of all books that some rulesets cite, as far as a folder has them.

    Raises LibraryError if a text is there but cannot be read.
    """
    texts: dict[str, Text] = {}
    locks: dict[str, Lock] = {}
    missing: dict[str, str] = {}
    for ruleset in rulesets:
        locks.update(ruleset.opened.book.locks)
        for variant in ruleset.opened.variants:
            locks.update(variant.locks)
        for source in ruleset.program.sources:
            file = source.details.get("file", "")
            if not file or source.id in texts or source.id in missing:
                continue
            if library.holds(folder / file):
                texts[source.id] = split(SourceFile(file, library.read(folder / file)))
            else:
                missing[source.id] = file
    sound = {id: lock for id, lock in locks.items() if not lock.damaged}
    return BookTexts(texts, sound, missing)


@dataclass(frozen=True, slots=True)
class Citing:
    """A rule file that may cite books; `own` are the sources it means where it names none."""

    path: Path
    own: tuple[str, ...]


def citing(name: str, opened: Opened, library: Library) -> list[Citing]:
    """Lists the rule files of a game and of all its variants; raises LibraryError."""
    game, named = library.split_name(name)
    entry = library.game(game)
    own = sources_of(opened.book.head)
    files = scalars_of(opened.book.head.get("files"))
    names = [entry.name, *(each.value for each in files)]
    found = [Citing(entry.parent / each, own) for each in names]
    for each in dict.fromkeys((*library.variants(game), *map(plain_name, named))):
        path = library.variant(game, each)
        root = document.load(SourceFile(path.name, library.read(path)), Diagnostics())
        if isinstance(root, Mapping):
            found.append(Citing(path, sources_of(root) or own))
    return found


_KEPT = "citations keep their numbers, so see whether they still mean the same sentences"


def lock_up(
    book: SourceBook, text: Text, marks: Marks, rules: Iterable[Citing], library: Library
) -> list[str]:
    """Writes the lock of a book, and renumbers citations of moved sentences in rule files.

    `rules` are all files that may cite the book. Returns messages about the changes; raises
    NotSaved.
    """
    told: list[str] = []
    if book.lock is not None and book.lock.damaged:
        told.append(f"{library.display(book.path)} was damaged: {_KEPT}")
    elif book.lock is not None:
        following = Following(book.lock, text, marks)
        marks = following.marks
        for each in rules:
            told += _renumber(each, book.id, following, library)
        told += following.told()
    new = written(text, marks)
    if book.lock is None or book.lock.file.text != new:
        try:
            book.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NotSaved(str(error)) from None
        write(book.path, new)
        told.append(f"written: {library.display(book.path)}")
    return told


def _renumber(each: Citing, source: str, following: Following, library: Library) -> list[str]:
    file = SourceFile(library.display(each.path), library.read(each.path))
    root = document.load(file, Diagnostics())
    if not isinstance(root, Mapping):
        return []
    text, told = renumbered(file, root, source, each.own, following)
    if told:
        write(each.path, text)
    return told
