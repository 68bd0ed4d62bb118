"""A ruleset for comparison: the rulebook after all variants, and its program.

`with_patch` applies one more variant, given as text, to the same files: that is how a single
difference is tried, here and in other processes.

A ruleset's own sources are the authoritative books: those an edition declares, or those under a
variant's `book`, or else the first source of the game. A module or a house rule stands for itself
where it changes something (see `points`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile, SourceFile
from lawspeaker.meaning import check
from lawspeaker.meaning.compile import Opened
from lawspeaker.meaning.variant import EDITION, Variant, plain_name, read_variant
from lawspeaker.text.books.lock import Lock
from lawspeaker.text.document import Node, scalars_of
from lawspeaker.text.pictures.naming import file_of
from lawspeaker.text.rulebook import Rulebook, lock_name, sources_of
from lawspeaker.text.schema import Schema


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A loaded ruleset; `name` is GAME[+VARIANT…] as requested."""

    name: str
    opened: Opened = field(repr=False)
    book: Rulebook = field(repr=False)
    program: ir.Program = field(repr=False)
    variant_schema: Schema = field(repr=False)

    @property
    def variants(self) -> tuple[Variant, ...]:
        return self.book.variants

    @property
    def files(self) -> tuple[RuleFile, ...]:
        """The texts it was read from, for other processes; reads no file."""
        book = self.opened.book
        main, *others = book.files
        named = _texts(book.head.get("files"))
        own = [_carried(main, main.name.rpartition("/")[2])]
        own += [_carried(file, name) for name, file in zip(named, others, strict=True)]
        own += [_carried(lock.file, lock_name(id)) for id, lock in book.locks.items()]
        own += [_carried(file, file_of(name)) for name, file in book.pictures.items()]
        laid = [
            _carried(each.file, each.file.name.rpartition("/")[2], each.arguments)
            for each in self.opened.variants
        ]
        translations = [*book.translations]
        translations += (file for each in self.opened.variants for file in each.translations)
        told = [_carried(file, "/".join(file.name.split("/")[-2:])) for file in translations]
        for each in self.opened.variants:
            told += (_carried(lock.file, lock_name(id)) for id, lock in each.locks.items())
            told += (_carried(file, file_of(name)) for name, file in each.pictures.items())
        return (*own, *told, *laid)

    @property
    def locks(self) -> dict[str, Lock]:
        """The locks of all its books, by id."""
        found = dict(self.opened.book.locks)
        for each in self.opened.variants:
            found |= each.locks
        return found

    def title(self, language: str) -> str:
        """Display name: for editions that of their book, for other variants their title; without
        any, that of the game's book, or the game.
        """
        included = {plain_name(each.value) for own in self.variants for each in own.includes}
        editions = {
            each.name: sources_of(each.root) for each in self.variants if each.layer == EDITION
        }
        titles = [
            self._called(editions.get(note.name, ()), language)
            or ir.in_language(note.title, language)
            for note in self.program.variants
            if note.name not in included
        ]
        book = self._called([each.id for each in self.program.sources[:1]], language)
        return " + ".join(titles) or book or ir.in_language(self.program.title, language, self.name)

    def _called(self, sources: Iterable[str], language: str) -> str:
        """The display name of the first book that declares one."""
        called = {each.id: ir.in_language(each.called, language) for each in self.program.sources}
        return next((called[id] for id in sources if called.get(id)), "")

    @property
    def own(self) -> tuple[str, ...]:
        """The ids of the authoritative sources."""
        for variant in reversed(self.variants):
            named = _texts(variant.root.get("book"))
            if named:
                return named
            declared = sources_of(variant.root)
            if variant.layer == EDITION and declared:
                return declared
        return tuple(source.id for source in self.program.sources[:1])

    @property
    def books(self) -> tuple[tuple[str, ...], ...]:
        """Groups of source ids in order of precedence: those of modules and house rules, then
        its own.
        """
        laid = (each.root for each in self.variants if each.layer != EDITION)
        taken = dict.fromkeys(id for root in laid for id in sources_of(root) if id not in self.own)
        return (tuple(taken), self.own) if taken else (self.own,)

    def base(self, diagnostics: Diagnostics) -> Ruleset | None:
        """The game without variants."""
        opened = Opened(self.opened.book)
        return compiled_ruleset(self.program.name, opened, self.variant_schema, diagnostics)

    def with_patch(self, text: str, name: str, diagnostics: Diagnostics) -> Ruleset | None:
        """The same files with one more variant applied; None if that does not compile."""
        file = SourceFile(f"{name}.yaml", text)
        language = self.opened.book.language
        variant = read_variant(file, (), self.variant_schema, diagnostics, language)
        if variant is None:
            return None
        opened = Opened(self.opened.book, (*self.opened.variants, variant))
        return compiled_ruleset(f"{self.name}+{name}", opened, self.variant_schema, diagnostics)


def compiled_ruleset(
    name: str,
    opened: Opened,
    variant_schema: Schema,
    diagnostics: Diagnostics,
    *,
    played: bool = True,
) -> Ruleset | None:
    """Compiles an opened game; None if there are errors.

    With `played` false it is not checked for secrets, which takes as long as all else.
    """
    book = opened.laid(diagnostics)
    program = None if book is None else check.program(book, diagnostics, played=played)
    if book is None or program is None:
        return None
    return Ruleset(name, opened, book, program, variant_schema)


def _carried(file: SourceFile, name: str, given: tuple[str, ...] | None = None) -> RuleFile:
    return RuleFile(name, file.text, given, file.name)


def _texts(node: Node | None) -> tuple[str, ...]:
    return tuple(each.value for each in scalars_of(node))
