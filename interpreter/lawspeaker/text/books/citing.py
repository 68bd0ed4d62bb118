"""Resolves citations: from the short form that people write to the full form.

`cites` has a citation, a list of them, or one of these per book. A citation is a reference
(`Landing § 2 5-7`), or also states the stance of the book on the rule:

    cites: Landing § 3
    cites: [Landing § 3, "Cards, and how to play them § 1"]
    cites: {section: Landing § 5, stance: implies, note: Only the picture shows it.}
    cites: {de: Landung § 2, it: [Sbarcare § 4, {stance: silent}]}

The full form is always a mapping by book, of sections without numbers, and with the fingerprints of
the named sentences from the book's lock. A book that states a rule in a section with a single
sentence cites that one. A citation with fingerprints is in full form already. If the lock does not
have the sentences, the citation stays as it is, with its numbers. All later stages see full
citations only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.text.books.lock import Lock
from lawspeaker.text.books.outline import meant_heading
from lawspeaker.text.books.reference import BadReference, Reference, reference
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    items_of,
    mapping_at,
    one_or_more,
    scalar_at,
)
from lawspeaker.text.translation.places import ACTIONS

CITATION = ("section", "stance", "note", "print")
CITED = ("pieces", "choices", "windows", "rules", "always")
"""The sections of a game whose entries have citations."""
NEED_A_SENTENCE = ("states", "contradicts_itself")


@dataclass(frozen=True, slots=True)
class CitableBooks:
    """The books that can be cited; `own` are the candidates where none is named."""

    own: tuple[str, ...] = ()
    locks: MappingType[str, Lock] = field(default_factory=dict)

    def lock(self, source: str) -> Lock | None:
        """The lock of a book, if it has one that is not damaged."""
        found = self.locks.get(source)
        return None if found is None or found.damaged else found


@dataclass(frozen=True, slots=True)
class Citing:
    """Resolves citations, and reports errors in them."""

    shelf: CitableBooks
    diagnostics: Diagnostics

    def body(self, body: Node) -> Node:
        """The body of a clause, a piece or a guard, with all its citations resolved."""
        return rewritten(body, self.cites)

    def file(self, root: Mapping) -> Mapping:
        """A file of a game with all its citations resolved."""

        def section(key: str, node: Node) -> Node:
            if key not in CITED or not isinstance(node, Mapping):
                return node
            return _mapped(node, lambda _, body: self.body(body))

        return _mapped(self.head(root), section)

    def head(self, root: Mapping) -> Mapping:
        """A file with the citations in its sources' `box` resolved."""
        return in_boxes(root, lambda book, node: self.of(book).cites(node))

    def of(self, book: str) -> Citing:
        """The same with a single candidate book."""
        return Citing(CitableBooks((book,), self.shelf.locks), self.diagnostics)

    def cites(self, node: Node) -> Node:
        """The value of `cites` as a mapping by book."""
        if isinstance(node, Mapping) and _names_books(node):
            entries = ((key, self.of_book(key.value, said)) for key, said in node.entries)
            return Mapping(tuple(entries), node.span)
        source = self.only(node)
        if source is None:
            return Mapping((), node.span)
        return mapping_at({source: self.of_book(source, node)}, node)

    def only(self, node: Node) -> str | None:
        """The book that is meant where none is named."""
        own = self.shelf.own
        if len(own) == 1:
            return own[0]
        if own:
            names = ", ".join(f"`{each}`" for each in own)
            message = f"it is not said which book is cited: {names}"
            hint = f"name it: `cites: {{{own[0]}: …}}`"
            self.diagnostics.error("bad-citation", message, node.span, hint=hint)
        else:
            message, hint = "no source is declared", "sources stand in the entry file"
            self.diagnostics.error("unknown-source", message, node.span, hint=hint)
        return None

    def of_book(self, source: str, said: Node) -> Node:
        if isinstance(said, Sequence):
            return Sequence(tuple(self.of_book(source, each) for each in said.items), said.span)
        return self.citation(source, said)

    def citation(self, source: str, said: Node) -> Node:
        whole = said if isinstance(said, Mapping) else mapping_at({"section": said}, said)
        section, stance, given = whole.get("section"), whole.get("stance"), whole.get("print")
        if isinstance(given, Scalar):
            self.known(source, given)
        if given is not None or not isinstance(section, Scalar):
            return said
        try:
            where = reference(section.value)
        except BadReference as error:
            hint = "write numbers and runs of numbers after §: `§ 2 5-7`"
            self.diagnostics.error("bad-citation", str(error), section.span, hint=hint)
            return said
        stated = stance.value if isinstance(stance, Scalar) else "states"
        prints = self.prints(source, where, stated in NEED_A_SENTENCE, section)
        if not prints:
            return said
        plain = Scalar(where.section, section.span, section.content, section.style)
        kept = [(key, plain if key.value == "section" else value) for key, value in whole.entries]
        marks = (scalar_at("print", section), scalar_at(" ".join(prints), section))
        return Mapping((*kept, marks), said.span)

    def known(self, source: str, given: Scalar) -> None:
        """Reports fingerprints that the lock of the book does not have."""
        lock = self.shelf.lock(source)
        known = set() if lock is None else {each.print for each in lock.text.sentences}
        for each in given.value.split() if lock is not None else ():
            if each not in known:
                message = f"`{source}` has no sentence {each}"
                hint = "it is gone, or reads otherwise now: cite the one that says so by its number"
                self.diagnostics.warning("unknown-sentence", message, given.span, hint=hint)

    def prints(
        self, source: str, where: Reference, stated: bool, section: Scalar
    ) -> tuple[str, ...]:
        """The fingerprints of the named sentences, if the book has a lock."""
        lock = self.shelf.lock(source)
        if lock is None:
            return ()
        known = lock.under(where.section)
        most = len(known)
        beyond = next((each for each in where.numbers if each > most), None)
        if not lock.has(where.section):
            self.diagnostics.warning(
                "unknown-sentence",
                f"`{source}` has no heading “{where.section}”",
                section.span,
                hint=meant_heading(where.section, lock.text),
            )
        elif beyond is not None:
            self.diagnostics.warning(
                "unknown-sentence",
                f"“{where.section}” has no sentence {beyond} in `{source}`",
                section.span,
                hint=f"it has {most}; {lock.file.name} has the print of each",
            )
        if not where.numbers and stated and most == 1:
            return (known[0].print,)
        return lock.prints(where)


def is_citation(node: Node) -> bool:
    """Whether a node under `cites` is itself a citation, rather than a mapping by book."""
    if isinstance(node, Mapping):
        return any(key.value in CITATION for key, _ in node.entries)
    return isinstance(node, Scalar)


def _names_books(node: Node) -> bool:
    """Whether the value of a `cites` is a mapping by book."""
    return isinstance(node, Mapping) and not is_citation(node)


def rewritten(body: Node, change: Callable[[Node], Node]) -> Node:
    """A body with the values of `cites` changed, its own and its guards'."""
    if not isinstance(body, Mapping):
        return body
    entries: list[tuple[Scalar, Node]] = []
    for key, value in body.entries:
        if key.value == "cites":
            value = change(value)
        elif key.value == "guards" and isinstance(value, Mapping):
            guards = tuple((name, rewritten(said, change)) for name, said in value.entries)
            value = Mapping(guards, value.span)
        entries.append((key, value))
    return Mapping(tuple(entries), body.span)


def in_boxes(root: Mapping, change: Callable[[str, Node], Node]) -> Mapping:
    """A file with the citations under `box` of its sources changed, given the book."""

    def head(key: str, node: Node) -> Node:
        return _mapped(node, source) if key == "sources" and isinstance(node, Mapping) else node

    def source(book: str, said: Node) -> Node:
        def fact(_: str, told: Node) -> Node:
            return rewritten(told, lambda cites: change(book, cites))

        def detail(key: str, node: Node) -> Node:
            return _mapped(node, fact) if key == "box" and isinstance(node, Mapping) else node

        return _mapped(said, detail) if isinstance(said, Mapping) else said

    return _mapped(root, head)


def _mapped(node: Mapping, change: Callable[[str, Node], Node]) -> Mapping:
    """A mapping with each of its values changed."""
    entries = ((key, change(key.value, value)) for key, value in node.entries)
    return Mapping(tuple(entries), node.span)


def cites_in(root: Mapping) -> Iterator[tuple[str, Node]]:
    """The values of all `cites` in a file, each with the id of the citing entry."""
    boxes: list[tuple[str, Node]] = []

    def boxed(book: str, cites: Node) -> Node:
        named = cites if _names_books(cites) else mapping_at({book: cites}, cites)
        boxes.append(("box", named))
        return cites

    in_boxes(root, boxed)
    yield from boxes
    for change in items_of(root.get("changes")):
        if not isinstance(change, Mapping):
            continue
        said = (value for key, value in change.entries if key.value in ACTIONS)
        target = next((each.value for each in said if isinstance(each, Scalar)), "")
        yield from _cites_of(target, change)
        to = change.get("to")
        if to is not None and target.endswith(".cites"):
            yield target.removesuffix(".cites"), to
        elif to is not None:
            yield from _cites_of(target, to)
    for name in CITED:
        for key, body in entries_of(root.get(name)):
            yield from _cites_of(f"pieces.{key.value}" if name == "pieces" else key.value, body)


def _cites_of(id: str, body: Node) -> Iterator[tuple[str, Node]]:
    for key, value in entries_of(body):
        if key.value == "cites":
            yield id, value
        elif key.value == "guards" and isinstance(value, Mapping):
            for name, said in value.entries:
                yield from _cites_of(f"{id}.{name.value}", said)


def citations(cites: Node) -> Iterator[tuple[str, Node]]:
    """The citations under a `cites`, each with the named book, or ""."""
    if isinstance(cites, Mapping) and _names_books(cites):
        for key, said in cites.entries:
            yield from ((key.value, each) for each in one_or_more(said))
    else:
        yield from (("", each) for each in one_or_more(cites))
