"""Migrates rule files: moves translations and book data into files of their own.

The unit of migration is the entry file of a game with the files it names, or the file of a variant,
and the files split off before. Each step maps a unit to a changed one. Meaning, order and comments
are preserved, and the migration is idempotent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text import document
from lawspeaker.text.books import shortening
from lawspeaker.text.books.citing import CitableBooks
from lawspeaker.text.books.listing import list_name, read_listing
from lawspeaker.text.books.lock import Lock, Marks, merged, read_lock, written
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Scalar
from lawspeaker.text.format import formatted, frame
from lawspeaker.text.rulebook import lock_name, own_language, sources_of
from lawspeaker.text.schema import Schema
from lawspeaker.text.translation import splitting
from lawspeaker.text.translation.files import read_translation
from lawspeaker.text.translation.naming import file_name, is_of


@dataclass(frozen=True, slots=True)
class RuleTexts:
    """The texts of some rules by file name, relative to their folder. `rules` are the rule files,
    entry file or variant first; `beside` whatever belongs to them. `called` is their display name,
    GAME or GAME+VARIANT. A variant inherits `language` and `sources` from the game. `locks` are
    those of all books that may be cited, by source. `languages` are those of the game."""

    called: str
    language: str
    rules: Mapping[str, str]
    beside: Mapping[str, str]
    sources: tuple[str, ...] = ()
    locks: Mapping[str, SourceFile] = field(default_factory=dict)
    languages: tuple[str, ...] = ()


Schemas = Callable[[str], Schema]
"""Loads a schema by its short name."""

Step = Callable[[RuleTexts, Schemas, Diagnostics], RuleTexts | None]
"""Returns None if something cannot be parsed, which is reported."""


def split(unit: RuleTexts, schemas: Schemas, diagnostics: Diagnostics) -> RuleTexts | None:
    """Runs all steps and formats each file; None if there are errors."""
    tidied = {
        name: formatted(SourceFile(name, text), diagnostics) for name, text in unit.rules.items()
    }
    rules = {name: text for name, text in tidied.items() if text is not None}
    found = replace(unit, rules=rules) if len(rules) == len(tidied) else None
    for step in STEPS:
        found = None if found is None else step(found, schemas, diagnostics)
    return found


def languages(unit: RuleTexts, schemas: Schemas, diagnostics: Diagnostics) -> RuleTexts | None:
    """Moves translations into files of their own."""
    files = [SourceFile(name, text) for name, text in unit.rules.items()]
    roots = [document.load(file, diagnostics) for file in files]
    trees = [root for root in roots if isinstance(root, MappingNode)]
    if len(trees) < len(files):
        return None
    own = own_of(trees[0], unit.language)
    apart, lines = splitting.split_texts(trees, own)
    if not lines:
        return unit
    main = files[0]
    old = {}
    for name, text in unit.beside.items():
        if is_of(name, main.name):
            there = read_translation(SourceFile(name, text), schemas("translation"), diagnostics)
            if there is None:
                return None
            old[there.language] = there
    if trees[0].get("game") is not None:
        apart[0] = splitting.with_language(apart[0], own)
    notes = [splitting.notes(file, tree, own) for file, tree in zip(files, trees, strict=True)]
    rules = {
        file.name: formatted_text(
            file.name, frame.written(file, tree, changed, {each.at for each in moved})
        )
        for file, tree, changed, moved in zip(files, trees, apart, notes, strict=True)
    }
    if splitting.contradicted(apart, lines, old, own, diagnostics):
        return None
    moved = [each for some in notes for each in some]
    told = splitting.written_lines(apart, lines, moved, old, unit.called, own)
    named = {file_name(main.name, each): formatted_text(each, text) for each, text in told.items()}
    return replace(unit, rules=rules, beside={**unit.beside, **named})


def own_of(root: MappingNode, language: str) -> str:
    """The language of a rule file; `language` is that of the game, if it is a variant."""
    said = root.get("language")
    if isinstance(said, Scalar):
        return said.value
    return own_language(root) if root.get("game") is not None else language


def formatted_text(name: str, text: str) -> str:
    """Formats a generated text."""
    found = formatted(SourceFile(name, text), Diagnostics())
    assert found is not None, "what is written here can be read"
    return found


def books(unit: RuleTexts, schemas: Schemas, diagnostics: Diagnostics) -> RuleTexts | None:
    """Shortens citations, and moves what is said of books into their locks. Books without a lock
    are left alone, since short citations need its sentence numbers."""
    locks: dict[str, Lock] = {}
    for source, file in unit.locks.items():
        lock = read_lock(file, diagnostics)
        if lock.damaged:
            return None
        locks[source] = lock
    rules: dict[str, str] = {}
    beside = dict(unit.beside)
    own: tuple[str, ...] = ()
    for name, text in unit.rules.items():
        file = SourceFile(name, text)
        root = document.load(file, diagnostics)
        if not isinstance(root, MappingNode):
            return None
        own = own or sources_of(root) or unit.sources
        shorter = SourceFile(name, shortening.shortened(file, root, CitableBooks(own, locks)))
        again = document.load(shorter, diagnostics)
        assert isinstance(again, MappingNode), "what is written here can be read"
        agreed = shortening.agreements(again, locks)
        for source, agrees in (agreed or {}).items():
            marks = merged(locks[source].marks, Marks(agrees=agrees))
            locks[source] = replace(locks[source], marks=marks)
        result = shorter.text if agreed is None else shortening.without_agreements(shorter, again)
        rules[name] = formatted_text(name, result) if result != text else text
    for source in own:
        listed = beside.get(list_name(source))
        if source not in locks:
            continue
        if listed is not None:
            file = SourceFile(list_name(source), listed)
            older = read_listing(file, schemas("texts"), diagnostics)
            if older is None:
                return None
            locks[source] = replace(locks[source], marks=merged(older, locks[source].marks))
            del beside[list_name(source)]
        if lock_name(source) in beside:
            beside[lock_name(source)] = written(locks[source].text, locks[source].marks)
    return replace(unit, rules=rules, beside=beside)


STEPS: tuple[Step, ...] = (books, languages)
