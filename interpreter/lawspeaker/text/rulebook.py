"""Gathers the files of a game into one rulebook.

A game is one entry file and the files it names, in rulebook order. Every file is a mapping of
sections; equal sections of several files are merged. Translations are woven in, so that every text
has its languages. Nothing else is interpreted here: entries are stored as nodes with spans, by id,
in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from collections.abc import Sequence as SequenceType
from dataclasses import dataclass, field, replace
from typing import Any

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics, Label, did_you_mean
from lawspeaker.base.remembering import Itself, Remembered, ReportingCache
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.text import document, schema, spreadsheet
from lawspeaker.text.books.citing import CitableBooks, Citing
from lawspeaker.text.books.lock import Lock, read_lock
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Node, Scalar, Sequence, child, entries_of, items_of, scalars_of
from lawspeaker.text.pictures.naming import MOST as MOST_PICTURES
from lawspeaker.text.pictures.naming import file_of, is_picture
from lawspeaker.text.schema import Schema
from lawspeaker.text.translation.files import Translation
from lawspeaker.text.translation.weaving import Lacking, Same, originals, woven

SECTIONS = (
    "words",
    "numbers",
    "pieces",
    "places",
    "markers",
    "choices",
    "windows",
    "rules",
    "always",
    "names",
    "symbols",
)
HEAD = ("title", "about", "by", "players", "wins", "language", "languages", "sources", "files")
WINS, PLAYERS = "wins", "players"
"""The keys of the head that a variant may change: who wins, and how many can play."""
Forms = dict[str, dict[str, Scalar]]
"""The grammatical forms of a name, by language and label."""
MOST_FILES = 100
MOST_ENTRIES = 1_000
MOST_ON_TABLE = 2_000
MOST_VALUES = 20_000
"""The maximal number of values in all files of a game, without its translations."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One declaration in a section: its id as written, and its body."""

    id: str
    key: Scalar
    body: Node

    @property
    def span(self) -> Span:
        return self.key.span

    def get(self, key: str) -> Node | None:
        return child(self.body, key)

    def key_span(self, key: str) -> Span:
        """The span of a key, or of the entry if it has no such key."""
        found = self.body.key(key) if isinstance(self.body, MappingNode) else None
        return found.span if found is not None else self.span

    def text(self, key: str) -> str | None:
        found = self.get(key)
        return found.value if isinstance(found, Scalar) else None


@dataclass(frozen=True, slots=True)
class GuardChange:
    """A variant's amendment of a guard: `where` (another condition), `unless`, `also`, `remove`; or
    of a defined value: `plus`, `or`, `and`."""

    mode: str
    code: Scalar | None
    span: Span


@dataclass(frozen=True, slots=True)
class AddedGuard:
    """A guard that a variant adds to a question; for all alternatives, or for some labels."""

    name: Scalar
    code: Scalar
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Instead:
    """A rule that a variant does in place of another, under a condition."""

    id: str
    when: Scalar


@dataclass(slots=True)
class Rulebook:
    """The contents of a game's files, by section and id, in reading order.

    - Effects of variants: changed guards and values (`amendments`), `added` guards, rules done
      `before`, `after` and `instead` of others, `removed` clauses, the changes that touched each id
      (`history`), and the game's own value of each choice that was set (`given`).
    - `form`: the schema of game files, which nodes from variants must match, too.
    - `locks`: the locks of the books, by source; all citations are resolved.
    - `pictures`: the picture files that symbols name, by name.
    - `language`: the one the rules are written in; `same`: texts declared equal in a language;
      `lacking`: missing translations, if the rules declare their language; `doubts`: diagnostics
      about names that only translations give, by the ids that should exist.
    - `forms`: grammatical forms of names, by id, once they are separated.
    """

    head: MappingNode
    files: tuple[SourceFile, ...]
    sections: dict[str, dict[str, Entry]] = field(default_factory=dict)
    table: Node | None = None
    notation: Node | None = None
    variants: tuple[Any, ...] = ()
    amendments: dict[str, tuple[GuardChange, ...]] = field(default_factory=dict)
    before: dict[str, list[str]] = field(default_factory=dict)
    after: dict[str, list[str]] = field(default_factory=dict)
    instead: dict[str, list[Instead]] = field(default_factory=dict)
    added: dict[str, list[AddedGuard]] = field(default_factory=dict)
    removed: dict[str, Span] = field(default_factory=dict)
    history: dict[str, list[Any]] = field(default_factory=dict)
    given: dict[str, Node] = field(default_factory=dict)
    accepts: set[tuple[str, str]] = field(default_factory=set)
    form: Schema = field(default_factory=Schema)
    language: str = "en"
    translations: tuple[SourceFile, ...] = ()
    same: Same = field(default_factory=dict)
    lacking: Mapping[str, Lacking] = field(default_factory=dict)
    doubts: Mapping[str, SequenceType[Diagnostic]] = field(default_factory=dict)
    locks: dict[str, Lock] = field(default_factory=dict)
    pictures: dict[str, SourceFile] = field(default_factory=dict)
    forms: dict[str, Forms] = field(default_factory=dict)

    def section(self, name: str) -> Mapping[str, Entry]:
        return self.sections.get(name, {})

    @property
    def name(self) -> str:
        game = self.head.get("game")
        return game.value if isinstance(game, Scalar) else "?"


Read = Callable[[str, Span], SourceFile | None]
"""Loads a file named in another; reports the error itself if it returns None."""

Beside = Callable[[str], SourceFile | None]
"""Loads a file that may exist beside others, or returns None."""


def nothing_beside(name: str) -> SourceFile | None:
    """A `Beside` for files that stand alone."""
    return None


def gather(
    main: SourceFile,
    read: Read,
    game_schema: Schema,
    diagnostics: Diagnostics,
    translations: SequenceType[Translation] = (),
    beside: Beside = nothing_beside,
) -> Rulebook | None:
    """Reads a game from its entry file; None if a file cannot be read."""
    head, values = _open(main, game_schema, diagnostics)
    if head is None:
        return None
    files, roots, whole = [main], [head], True
    tables: list[spreadsheet.Kinds] = []
    for name in _further_files(head, diagnostics):
        file = read(name.value, name.span)
        if file is None:
            whole = False
            continue
        files.append(file)
        if spreadsheet.is_spreadsheet(name.value):
            table = spreadsheet.read(file, name.value, name.span, own_language(head), diagnostics)
            whole = whole and table is not None
            if table is not None:
                tables.append(table)
                values += document.size(table.root)
            continue
        root, size = _open(file, game_schema.part, diagnostics)
        values += size
        if values > MOST_VALUES:
            diagnostics.error(
                "too-large",
                f"with this file the game has more than {MOST_VALUES:,} values",
                name.span,
            )
            return None
        if root is not None:
            roots.append(root)
            _only_in_head(root, diagnostics)
        whole = whole and root is not None
    known = game_schema.get("properties", {})
    misspelt = any(key.value not in known for root in roots for key, _ in root.entries)
    seated = head.get("players") is not None
    if not whole or misspelt or not seated or not all(_has_sections(root) for root in roots):
        # After a parse error, much would be reported as missing.
        return None
    own = own_language(head)
    texts = originals(roots, own)
    shelf = CitableBooks(sources_of(head), locks_of(head, beside, diagnostics))
    cited = [_cited(root, shelf, diagnostics) for root in roots]
    whole_texts = woven(cited, texts, translations, own, diagnostics, promised(head))
    book = Rulebook(
        whole_texts.roots[0],
        tuple(files),
        form=game_schema,
        language=own,
        translations=tuple(each.file for each in translations),
        same=whole_texts.same,
        lacking=whole_texts.lacking,
        doubts=whole_texts.doubts,
        locks=dict(shelf.locks),
        pictures={
            name: file
            for root in (*roots, *(table.root for table in tables))
            for name, file in pictures_of(root, beside).items()
        },
    )
    for root in whole_texts.roots:
        _take(root, book, diagnostics)
    for table in tables:
        _take_kinds(table, book, diagnostics)
    _with_kinds(book, diagnostics)
    names = book.sections.setdefault("names", {})
    names.update((key.value, Entry(key.value, key, body)) for key, body in whole_texts.named)
    for kind, section in book.sections.items():
        if len(section) > MOST_ENTRIES:
            diagnostics.error(
                "too-large",
                f"there are {len(section):,} {kind}; at most {MOST_ENTRIES:,} are possible",
                list(section.values())[MOST_ENTRIES].span,
            )
            return None
    if book.table is not None and document.size(book.table) > MOST_ON_TABLE:
        diagnostics.error(
            "too-large",
            f"the layout of the table has more than {MOST_ON_TABLE:,} values",
            book.table.span,
        )
        return None
    return book


def _open(
    file: SourceFile, form: Schema, diagnostics: Diagnostics
) -> tuple[MappingNode | None, int]:
    """Parses and validates a file; returns it with its number of values. Cached."""

    def look(own: Diagnostics) -> tuple[MappingNode | None, int]:
        root = document.load(file, own)
        if root is None:
            return None, 0
        meant = schema.validate(root, form, own, "game")
        root = _as_meant(root, meant) if meant else root
        return (root, document.size(root)) if isinstance(root, MappingNode) else (None, 0)

    return _opened_before.at((file, Itself(form)), len(file.text), diagnostics, look)


_opened_before: ReportingCache[Hashable, tuple[MappingNode | None, int]] = ReportingCache(
    document.MOST_KNOWN
)


def _as_meant(node: Node, meant: Mapping[int, str]) -> Node:
    """The tree with misspelt keys and words corrected, since they were reported already."""
    if isinstance(node, MappingNode):
        return MappingNode(
            tuple((_word(key, meant), _as_meant(value, meant)) for key, value in node.entries),
            node.span,
        )
    if isinstance(node, Sequence):
        return Sequence(tuple(_as_meant(each, meant) for each in node.items), node.span)
    return _word(node, meant)


def _word(node: Scalar, meant: Mapping[int, str]) -> Scalar:
    return replace(node, value=meant[node.span.start]) if node.span.start in meant else node


def _has_sections(root: MappingNode) -> bool:
    return all(isinstance(node, MappingNode) for key, node in root.entries if key.value in SECTIONS)


def _only_in_head(root: MappingNode, diagnostics: Diagnostics) -> None:
    for key, _ in root.entries:
        if key.value in HEAD:
            diagnostics.error(
                "unknown-key",
                f"only the entry file of a game says `{key.value}`",
                key.span,
                hint="move it to the file that names the others under `files:`",
            )


def _further_files(head: MappingNode, diagnostics: Diagnostics) -> list[Scalar]:
    found = head.get("files")
    if not isinstance(found, Sequence):
        return []
    names = scalars_of(found)
    seen: dict[str, Scalar] = {}
    for name in names:
        if name.value in seen:
            diagnostics.error(
                "duplicate-name",
                f"the file {name.value} is named twice",
                name.span,
                Label(seen[name.value].span, "first named here"),
            )
        seen.setdefault(name.value, name)
    if len(seen) > MOST_FILES:
        diagnostics.error("too-large", f"a game has at most {MOST_FILES} further files", found.span)
    return list(seen.values())[:MOST_FILES]


def sources_of(root: MappingNode) -> tuple[str, ...]:
    """The ids of the books that a game or a variant declares."""
    return tuple(key.value for key, _ in entries_of(root.get("sources")))


def locks_of(root: MappingNode, beside: Beside, diagnostics: Diagnostics) -> dict[str, Lock]:
    """The locks of the books that a game or a variant declares, if they have texts. A damaged lock
    is only a warning: its citations have no fingerprints."""
    damage = Diagnostics()
    found: dict[str, Lock] = {}
    for key, body in entries_of(root.get("sources")):
        named = child(body, "file")
        file = None if named is None else beside(lock_name(key.value))
        if file is not None:
            found[key.value] = read_lock(file, damage)
    diagnostics.extend(replace(each, severity="warning") for each in damage)
    return found


def pictures_of(root: Node, beside: Beside) -> dict[str, SourceFile]:
    """The pictures that a game or a variant names, if their files exist."""
    found: dict[str, SourceFile] = {}
    for name in _pictures(root):
        file = beside(file_of(name)) if len(found) <= MOST_PICTURES else None
        found |= {} if file is None else {name: file}
    return found


def _pictures(root: Node) -> tuple[str, ...]:
    """The distinct names of all pictures. Cached."""
    known = _pictures_before.get(Itself(root))
    if known is not None:
        return known
    found: dict[str, None] = {}
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Sequence):
            waiting += node.items
        for key, value in entries_of(node):
            waiting.append(value)
            name = value.value if isinstance(value, Scalar) and key.value in _PICTURED else ""
            if is_picture(file_of(name)):
                found[name] = None
    _pictures_before.keep(Itself(root), tuple(found), root.span.end - root.span.start)
    return tuple(found)


_PICTURED = ("picture", "icon")
_pictures_before: Remembered[Itself, tuple[str, ...]] = Remembered(document.MOST_KNOWN)


def is_beside(name: str) -> bool:
    """Whether a file of a game is a lock or a picture, and not edited as text."""
    return is_lock(name) or is_picture(name)


def lock_name(source: str) -> str:
    """The file name of a book's lock, beside the rules that declare it."""
    return f"books/{source}.lock"


def is_lock(name: str) -> bool:
    """Whether a file is the lock of a book, which is not edited by hand."""
    return name.startswith("books/") and name.endswith(".lock")


def _cited(root: MappingNode, shelf: CitableBooks, diagnostics: Diagnostics) -> MappingNode:
    """A file with its citations resolved. This runs before translations are woven in, so that an
    edit of a translation does not invalidate it."""
    locks = tuple((name, Itself(lock)) for name, lock in shelf.locks.items())
    return _cited_before.at(
        (Itself(root), shelf.own, locks),
        root.span.end - root.span.start,
        diagnostics,
        lambda own: Citing(shelf, own).file(root),
    )


_cited_before: ReportingCache[Hashable, MappingNode] = ReportingCache(document.MOST_KNOWN)


def _take(root: MappingNode, book: Rulebook, diagnostics: Diagnostics) -> None:
    for key, node in root.entries:
        if key.value == "table":
            if book.table is not None:
                diagnostics.error("duplicate-name", "there is a second table", key.span)
            book.table = node
        elif key.value == "notation":
            if book.notation is not None:
                diagnostics.error("duplicate-name", "there is a second notation", key.span)
            book.notation = node
        elif key.value in SECTIONS and isinstance(node, MappingNode):
            section = book.sections.setdefault(key.value, {})
            for name, body in node.entries:
                _declare(Entry(name.value, name, body), section, diagnostics)


def _take_kinds(table: spreadsheet.Kinds, book: Rulebook, diagnostics: Diagnostics) -> None:
    """Adds the kinds of a spreadsheet to their piece, with their names and symbols."""
    pieces = book.sections.get("pieces", {})
    entry, span = pieces.get(table.piece), table.kinds.span
    if entry is None or not isinstance(entry.body, MappingNode):
        diagnostics.error(
            "unknown-name",
            f"there is no piece `{table.piece}`, after which this file is called",
            replace(span, end=span.start + 1),
            hint=did_you_mean(table.piece, pieces)
            or f"declare it under `pieces:` as `{table.piece}: {{starts in: PLACE}}`",
        )
        return
    there = entry.body.key("kinds")
    if there is not None:
        diagnostics.error(
            "duplicate-name",
            f"the kinds of `{table.piece}` are in a spreadsheet, and here, too",
            there.span,
            Label(table.kinds.entries[0][0].span, "the first one there"),
            hint="let them be in one of the two",
        )
        return
    schema.validate(table.root, book.form.part, diagnostics, "game")
    key = Scalar("kinds", span, span)
    body = MappingNode((*entry.body.entries, (key, table.kinds)), entry.body.span)
    pieces[table.piece] = replace(entry, body=body)
    for name, entries in (("names", table.names), ("symbols", table.symbols)):
        section = book.sections.setdefault(name, {})
        for kind, node in entries:
            _declare(Entry(kind.value, kind, node), section, diagnostics)


def _with_kinds(book: Rulebook, diagnostics: Diagnostics) -> None:
    """Reports pieces whose kinds are spoken of, but are neither here nor in a spreadsheet."""
    for entry in book.section("pieces").values():
        body = entry.body if isinstance(entry.body, MappingNode) else None
        because = next((key for key in ("has", "kinds called") if entry.get(key) is not None), "")
        if body is not None and because and body.get("kinds") is None:
            diagnostics.error(
                "missing-key",
                f"the key 'kinds' is missing in '{entry.id}', which is needed with '{because}'",
                entry.span,
                hint="'kinds': The kinds of this piece: how many of each, and their attributes; "
                f"or a spreadsheet of them, {entry.id}.csv, under `files:`",
            )


def _declare(entry: Entry, section: dict[str, Entry], diagnostics: Diagnostics) -> None:
    earlier = section.setdefault(entry.id, entry)
    if earlier is not entry:
        diagnostics.error(
            "duplicate-name",
            f"`{entry.id}` is already declared",
            entry.span,
            Label(earlier.span, "declared here first"),
            hint="give one of them another name, or delete it",
        )


def promised(head: MappingNode) -> tuple[str, ...]:
    """The languages of a game whose rules declare theirs, with that one, the default, first. Empty
    if the entry file does not declare it."""
    if head.get("language") is None:
        return ()
    own, found = own_language(head), scalars_of(head.get("languages"))
    return (own, *(each.value for each in found if each.value != own))


def own_language(head: MappingNode) -> str:
    """The language of texts without one: as declared, or the only one, or else English."""
    said, languages = head.get("language"), head.get("languages")
    if isinstance(said, Scalar):
        return said.value
    known = items_of(languages)
    return known[0].value if len(known) == 1 and isinstance(known[0], Scalar) else "en"
