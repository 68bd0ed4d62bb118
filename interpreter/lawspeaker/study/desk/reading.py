"""Reads rules and books side by side: which sentences are cited by what, and which are
undecided.

    Desk(files, texts).books[0].lines[7].cited       ("landing", "landing.reaches")

Files are those of a game and its variants as texts, including locks. A sentence is decided if a
rule cites it, or if the lock says that it is no rule or agrees with rules of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile, SourceFile, Span
from lawspeaker.study.sources.splitter import split
from lawspeaker.text import document
from lawspeaker.text.books.citing import CITED, CitableBooks, Citing, citations, cites_in
from lawspeaker.text.books.lock import Lock, Marks, read_lock, written
from lawspeaker.text.books.outline import Sentence, Text, cited_as, same_book
from lawspeaker.text.books.reference import BadReference, reference
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Node, Scalar, child, entries_of, text_of
from lawspeaker.text.rulebook import is_lock, lock_name, sources_of
from lawspeaker.text.translation.naming import FOLDER

MOST_BOOKS = 4


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation: section, sentence numbers and fingerprints, stance and note."""

    book: str
    section: str
    numbers: tuple[int, ...]
    prints: tuple[str, ...]
    stance: str
    note: str


@dataclass(frozen=True, slots=True)
class CitingPoint:
    """A citing entity: a clause, a guard, a piece, a choice. `body` is its node."""

    id: str
    says: str
    file: str
    cites: tuple[Cited, ...]
    key: Span = field(compare=False, repr=False)
    body: Node = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A sentence with its location, the reason why it is no rule, and what cites it."""

    sentence: Sentence
    where: str
    reason: str
    cited: tuple[str, ...]

    @property
    def decided(self) -> bool:
        return bool(self.reason or self.cited)


@dataclass(frozen=True, slots=True)
class DeskBook:
    """A source with a text.

    `variant` is the file of the variant that declares it, if the game does not; `stale` means
    that the lock does not match the text.
    """

    id: str
    title: str
    language: str
    file: str
    variant: str
    text: Text | None
    marks: Marks
    stale: bool
    lines: tuple[DeskLine, ...]

    @property
    def decided(self) -> int:
        return sum(each.decided for each in self.lines)


@dataclass(frozen=True, slots=True)
class DeskVariant:
    """A variant among the files: its name, tree, and default sources."""

    file: str
    name: str
    root: MappingNode
    own: tuple[str, ...]


class Desk:
    """Parsed rules and books; `faults` are files that cannot be parsed."""

    def __init__(self, files: Iterable[RuleFile], texts: Mapping[str, str]) -> None:
        self.files = {each.name: each for each in files}
        self.faults: list[str] = []
        self.roots: dict[str, MappingNode] = {}
        self.variants: dict[str, DeskVariant] = {}
        self.own: tuple[str, ...] = ()
        self.locks: dict[str, Lock] = {}
        self._read(texts)

    def _read(self, texts: Mapping[str, str]) -> None:
        rules = [each for each in self.files.values() if _is_rules(each.name)]
        for each in rules:
            root = document.load(SourceFile(each.name, each.text), Diagnostics())
            if not isinstance(root, MappingNode):
                self.faults.append(each.name)
                continue
            self.roots[each.name] = root
            if each.given is None:
                self.own = self.own or sources_of(root)
        for each in rules:
            if each.given is not None and each.name in self.roots:
                root = self.roots[each.name]
                own = sources_of(root) or self.own
                self.variants[each.name] = DeskVariant(
                    each.name, text_of(root.get("variant")), root, own
                )
        declared = [*self._declared()]
        split_texts = {
            id: split(SourceFile(file, texts[file])) for id, _, file, _ in declared if file in texts
        }
        for id, _, _, _ in declared:
            self._lock(id, split_texts.get(id))
        self.points = tuple(self._points())
        self.by_id = {each.id: each for each in self.points}
        self.cited = [*self._all_cited()]
        self.books = tuple(
            self._book(id, variant, file, body, split_texts.get(id))
            for id, variant, file, body in declared
        )

    def _declared(self) -> Iterator[tuple[str, str, str, MappingNode]]:
        """The sources with a text: id, variant, the text's file, and the declaration."""
        seen: set[str] = set()
        for name, root in self.roots.items():
            sources = root.get("sources")
            for key, body in entries_of(sources):
                file = child(body, "file")
                if not isinstance(file, Scalar) or key.value in seen:
                    continue
                assert isinstance(body, MappingNode)
                seen.add(key.value)
                variant = name if name in self.variants else ""
                yield key.value, variant, file.value, body

    def _lock(self, id: str, text: Text | None) -> None:
        """Loads the lock of a book, or creates it from its text."""
        file = self.files.get(lock_name(id))
        content = file.text if file is not None else ""
        if file is None and text is not None:
            content = written(text, Marks())
        if content:
            self.locks[id] = read_lock(SourceFile(lock_name(id), content), Diagnostics())

    # ------------------------------------------------------------ rules

    def shelf(self, own: tuple[str, ...]) -> CitableBooks:
        return CitableBooks(own, self.locks)

    def _points(self) -> Iterator[CitingPoint]:
        for name, root in self.roots.items():
            if name in self.variants:
                continue
            for section in CITED:
                for key, body in entries_of(root.get(section)):
                    id = f"pieces.{key.value}" if section == "pieces" else key.value
                    yield from self._of(id, key, body, name)

    def _of(self, id: str, key: Scalar, body: Node, file: str) -> Iterator[CitingPoint]:
        cites = child(body, "cites")
        found = tuple(self.read(cites, self.own)) if cites is not None else ()
        yield CitingPoint(id, said(body), file, found, key.span, body)
        for name, told in entries_of(child(body, "guards")):
            yield from self._of(f"{id}.{name.value}", name, told, file)

    def read(self, cites: Node, own: tuple[str, ...]) -> Iterator[Cited]:
        """Parses a `cites` node."""
        full = Citing(self.shelf(own), Diagnostics()).cites(cites)
        for book, each in citations(full):
            if isinstance(each, MappingNode):
                yield self._cited(book, each)

    def _cited(self, book: str, node: MappingNode) -> Cited:
        section, prints = text_of(node.get("section")), tuple(text_of(node.get("print")).split())
        lock = self.locks.get(book)
        numbers = None if lock is None else lock.numbers(section, prints)
        if not prints:
            try:
                where = reference(section)
                section, numbers = where.section, where.numbers
            except BadReference:
                numbers = ()
        stance = text_of(node.get("stance")) or "states"
        return Cited(book, section, numbers or (), prints, stance, said(node.get("note")))

    def _all_cited(self) -> Iterator[tuple[str, Cited]]:
        """All citations of rules and of changes of variants, and agreements."""
        for point in self.points:
            yield from ((point.id, each) for each in point.cites)
        for variant in self.variants.values():
            for target, cites in changes(variant.root):
                yield from ((target, each) for each in self.read(cites, variant.own))
        for id, lock in self.locks.items():
            for agreed in lock.marks.agrees:
                prints = lock.prints(agreed.where)
                where = agreed.where
                yield agreed.id, Cited(id, where.section, where.numbers, prints, "states", "")

    # ------------------------------------------------------------ books

    def _book(
        self, id: str, variant: str, file: str, body: MappingNode, text: Text | None
    ) -> DeskBook:
        lock = self.locks.get(id)
        marks = Marks() if lock is None else lock.marks
        stale = lock is not None and text is not None and not same_book(lock.text, text)
        title, language = text_of(body.get("title")), text_of(body.get("language"))
        lines = () if text is None else tuple(self._lines(id, text, marks))
        return DeskBook(id, title, language, file, variant, text, marks, stale, lines)

    def _lines(self, id: str, text: Text, marks: Marks) -> Iterator[DeskLine]:
        by: dict[str, list[str]] = {}
        for point, each in self.cited:
            if each.book == id:
                for mark in each.prints:
                    by.setdefault(mark, []).append(point)
        for sentence in text.sentences:
            where = cited_as(text, sentence, marks.misread)
            cited = tuple(dict.fromkeys(by.get(sentence.print, ())))
            yield DeskLine(sentence, where, marks.reasons.get(sentence.print, ""), cited)

    def book(self, id: str) -> DeskBook | None:
        return next((each for each in self.books if each.id == id), None)


def changes(root: MappingNode) -> Iterator[tuple[str, Node]]:
    """The citations of a variant's changes, by target."""
    yield from ((target, cites) for target, cites in cites_in(root) if target != "box")


def _is_rules(name: str) -> bool:
    return name.endswith(".yaml") and not name.startswith(f"{FOLDER}/") and not is_lock(name)


def said(node: Node | None) -> str:
    """A sentence: as written, or the first of several languages."""
    if isinstance(node, Scalar):
        return " ".join(node.value.split())
    sentence = child(node, "says")
    if sentence is not None:
        return said(sentence)
    told = next((value for key, value in entries_of(node) if len(key.value) == 2), None)
    return said(told) if told is not None else ""
