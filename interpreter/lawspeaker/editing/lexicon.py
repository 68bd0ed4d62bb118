"""The symbol table of some rules: everything with a name, its spellings and its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.meaning.check.meaning_lookup import by_signature
from lawspeaker.meaning.check.meanings import Meaning, Sort
from lawspeaker.meaning.check.values import citations, texts
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, child, entries_of, scalars_of
from lawspeaker.text.rulebook import Entry

TYPES: tuple[tuple[str, Sort], ...] = (
    ("words", "word set"),
    ("numbers", "number"),
    ("pieces", "piece"),
    ("places", "place"),
)
CLAUSES: tuple[tuple[str, Sort], ...] = (
    ("choices", "choice"),
    ("windows", "window"),
    ("rules", "clause"),
    ("always", "clause"),
)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol.

    `spelled` are all its spellings: singular, plural. `form` is its call form (`order_ashore of
    heading`), `detail` a summary of its declaration.
    """

    meaning: Meaning
    span: Span = NOWHERE
    spelled: tuple[str, ...] = ()
    says: str = ""
    form: str = ""
    detail: str = ""
    cites: tuple[ir.Citation, ...] = ()

    @property
    def name(self) -> str:
        return self.meaning.name


@dataclass(slots=True)
class Lexicon:
    """All symbols, by meaning and by spelling."""

    world: World
    things: dict[Meaning, Symbol] = field(default_factory=dict)
    spelled: dict[str, list[Symbol]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for thing in _Reading(self.world).everything():
            if thing.meaning in self.things:
                continue
            self.things[thing.meaning] = thing
            for word in dict.fromkeys((thing.name, *thing.spelled)):
                self.spelled.setdefault(word, []).append(thing)

    def find(self, meaning: Meaning) -> Symbol | None:
        return self.things.get(meaning)

    def called(self, word: str, *sorts: Sort) -> Symbol | None:
        """Returns the symbol with a spelling, of the first of `sorts` that has one; of any without
        `sorts`."""
        found = self.spelled.get(word, [])
        for sort in sorts:
            for each in found:
                if each.meaning.sort == sort:
                    return each
        return found[0] if found and not sorts else None


class _Reading:
    """Collects the declarations of a rulebook in one pass."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.book = world.book
        self.plurals = {one: many for many, one in world.plurals.items()}

    def everything(self) -> Iterator[Symbol]:
        for section, sort in TYPES:
            for entry in self.book.section(section).values():
                yield self.declared(entry, sort, self.world.types.get(entry.id, ir.BROKEN))
                yield from self.inside(section, entry)
        for entry in self.book.section("markers").values():
            at = self.world.marker_index.get(entry.id)
            type = ir.BROKEN if at is None else self.world.markers[at].type
            yield self.declared(entry, "marker", type)
        yield from self.players()
        for section, sort in CLAUSES:
            for entry in self.book.section(section).values():
                yield self.clause(entry, sort)
                yield from self.guards(entry)
        for signatures in self.world.signatures.values():
            for each in signatures:
                yield self.value(by_signature(self.world, each), str(each), each.span)

    # ------------------------------------------------------------ components

    def declared(self, entry: Entry, sort: Sort, type: ir.Type) -> Symbol:
        plural = self.plurals.get(entry.id)
        return Symbol(
            Meaning(sort, entry.id, type=type),
            entry.span,
            () if plural is None else (plural, f"open_{plural}", f"occupied_{plural}"),
            self.said(entry) or self.called(entry.id),
            detail=_glance(entry.body),
            cites=self.cited(entry.body),
        )

    def inside(self, section: str, entry: Entry) -> Iterator[Symbol]:
        """Yields what is declared inside a word set, a piece or a place."""
        declaring = [entry.get("has"), entry.get("changes")]
        declaring += [entry.get("at")] if section == "places" else []
        for node in declaring:
            for name, body in entries_of(node):
                meaning = Meaning("attribute", name.value, entry.id)
                yield Symbol(meaning, name.span, detail=_glance(body))
        if section == "words":
            body = entry.body
            listed = body.get("are") or body.get("such as") if isinstance(body, Mapping) else body
            yield from self.rows(listed, "word", entry)
        if section == "pieces":
            yield from self.rows(entry.get("kinds"), "kind", entry)

    def rows(self, node: Node | None, sort: Sort, of: Entry) -> Iterator[Symbol]:
        rows: list[tuple[Scalar, Node | None]] = [*entries_of(node)]
        if isinstance(node, Sequence):
            rows = [(each, None) for each in scalars_of(node)]
        type = self.world.types.get(of.id, ir.BROKEN)
        for key, body in rows:
            name = key.value
            yield Symbol(
                Meaning(sort, name, of.id, type),
                key.span,
                says=self.called(name),
                detail=_glance(body),
                cites=self.cited(body),
            )

    def players(self) -> Iterator[Symbol]:
        for each in scalars_of(child(self.book.head.get("players"), "called")):
            meaning = Meaning("player", each.value, type=ir.PLAYER)
            yield Symbol(meaning, each.span, says=self.called(each.value))

    # ------------------------------------------------------------ clauses

    def clause(self, entry: Entry, sort: Sort) -> Symbol:
        type: ir.Type = ir.BROKEN
        if sort == "choice" and entry.id in self.world.choice_index:
            type = self.world.choices[self.world.choice_index[entry.id]].type
        given = ", ".join(key.value for key, _ in entries_of(entry.get("given")))
        return Symbol(
            Meaning(sort, entry.id, type=type),
            entry.span,
            says=self.said(entry),
            form=f"{entry.id}({given})" if given else "",
            detail=_plain(entry.get("title")),
            cites=self.cited(entry.body),
        )

    def guards(self, entry: Entry) -> Iterator[Symbol]:
        own = self.cited(entry.body)
        for key, body in entries_of(entry.get("guards")):
            says = child(body, "says")
            yield Symbol(
                Meaning("guard", key.value, entry.id),
                key.span,
                says=_plain(says or body),
                detail=_plain(body.get("title")) if isinstance(body, Mapping) else "",
                cites=self.cited(body) or own,
            )

    def value(self, meaning: Meaning, form: str, span: Span) -> Symbol:
        """Returns the symbol of a defined value, with the sentence of its clause."""
        entry = self.book.section("rules").get(meaning.of)
        says = "" if entry is None else self.said(entry)
        cites = () if entry is None else self.cited(entry.body)
        at = span.start + max(span.text.find(meaning.name), 0)
        named = Span(span.file, at, at + len(meaning.name))
        return Symbol(meaning, named, says=says, form=form, cites=cites)

    # ------------------------------------------------------------ documentation

    def said(self, entry: Entry) -> str:
        return _plain(entry.get("says")) or _plain(entry.get("assumed"))

    def called(self, name: str) -> str:
        """Returns the display name of a thing."""
        entry = self.book.section("names").get(name)
        return "" if entry is None else _plain(entry.body)

    def cited(self, node: Node | None) -> tuple[ir.Citation, ...]:
        cites = child(node, "cites")
        return () if cites is None else citations(self.world, cites)


def _plain(node: Node | None) -> str:
    """Returns a text in the first language of the rules."""
    return "" if node is None else " ".join(next(iter(texts(node).values()), "").split())


_TOLD_APART = ("title", "says", "cites", "assumed", "kinds", "are", "has", "changes")


def _glance(node: Node | None) -> str:
    """Summarizes a declaration in a line: its scalar values."""
    if not isinstance(node, Mapping):
        return ", ".join(each.value for each in scalars_of(node))
    return ", ".join(
        f"{key.value}: {said}"
        for key, value in entries_of(node)
        if key.value not in _TOLD_APART and (said := _glance(value))
    )
