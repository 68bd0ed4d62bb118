"""Collects rules with all files beside them, for tools that rewrite files.

A name stands for one unit, or for several: GAME for the game, GAME+VARIANT for the variant too, a
file for the game or variant in it, and a folder for every game and variant in that folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import GAME_FILE, SCENARIOS, SUFFIX, Library, LibraryError
from lawspeaker.text import document
from lawspeaker.text.books.listing import list_name
from lawspeaker.text.document import Mapping, scalars_of, text_of
from lawspeaker.text.rulebook import lock_name, own_language, promised, sources_of
from lawspeaker.text.splitting import RuleTexts
from lawspeaker.text.translation.naming import FOLDER


@dataclass(frozen=True, slots=True)
class UnitFiles:
    """A unit and the folder of its files."""

    folder: Path
    unit: RuleTexts


def units(name: str, library: Library) -> Iterator[UnitFiles]:
    """Yields the units a name stands for, each read lazily; raises LibraryError."""
    path = library.here / name
    if path.is_dir() and not (path / GAME_FILE).is_file():
        found = 0
        for file in entries(path):
            for each in _of_file(file, library):
                found += 1
                yield each
        if not found:
            raise LibraryError(f"there is no game and no variant in {name!r}")
        return
    if path.is_file():
        alone = list(_of_file(path, library))
        if not alone:
            raise LibraryError(f"{name!r} is neither a game nor a variant")
        yield from alone
        return
    game, variants = library.split_name(name)
    entry = library.game(game)
    paths = [library.variant(game, each) for each in variants]
    yield from _of_file(entry, library)
    for file in paths:
        yield from _of_file(file, library, entry)


def entries(folder: Path) -> Iterator[Path]:
    """The files below a folder that may be entry files or variants."""
    aside = (FOLDER, SCENARIOS, "texts")
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        parts = path.relative_to(folder).parts
        games = [path.parent, *path.parents]
        inside = path.name != GAME_FILE and any((each / GAME_FILE).is_file() for each in games)
        if not inside and not any(part.startswith(".") or part in aside for part in parts):
            yield path


def _of_file(path: Path, library: Library, entry: Path | None = None) -> Iterator[UnitFiles]:
    """Yields the unit of this file; none if it is no game and no variant.

    `entry` is the entry file of a variant's game.
    """
    text = library.read(path)
    root = document.load(SourceFile(library.display(path), text), Diagnostics())
    if not isinstance(root, Mapping):
        return
    rules, language, game = {path.name: text}, "en", None
    languages = promised(root)
    if root.get("variant") is not None:
        game = entry or library.find_game(text_of(root.get("of")))
        called = f"{text_of(root.get('of'))}+{text_of(root.get('variant'))}"
        head = _head(game, library)
        language, languages = ("en", ()) if head is None else (own_language(head), promised(head))
    elif root.get("game") is not None:
        called = text_of(root.get("game"))
        for each in scalars_of(root.get("files")):
            rules[each.value] = library.read(path.parent / each.value)
    else:
        return
    beside = {f"{FOLDER}/{file.name}": library.read(file) for file in library.translations(path)}
    for source in sources_of(root):
        for name in (lock_name(source), list_name(source)):
            if library.holds(path.parent / name):
                beside[name] = library.read(path.parent / name)
    locks = {**_locks(game, library), **_locks(path, library)}
    sources = _sources(game, library)
    yield UnitFiles(
        path.parent, RuleTexts(called, language, rules, beside, sources, locks, languages)
    )


def _locks(rules: Path | None, library: Library) -> dict[str, SourceFile]:
    """The locks beside some rules, by source."""
    found = sorted(rules.parent.glob(lock_name("*"))) if rules is not None else []
    return {each.stem: SourceFile(library.display(each), library.read(each)) for each in found}


def _sources(game: Path | None, library: Library) -> tuple[str, ...]:
    """The sources that a game declares."""
    head = _head(game, library)
    return () if head is None else sources_of(head)


def _head(game: Path | None, library: Library) -> Mapping | None:
    """The parsed entry file of a game, if it can be found and read."""
    if game is None:
        return None
    root = document.load(SourceFile(game.name, library.read(game)), Diagnostics())
    return root if isinstance(root, Mapping) else None
