"""Completion: what can be written at the cursor, the likeliest first.

In code an undeclared name is inserted at the cursor: a hole. The clause is then checked as usual,
within the rules as they last compiled; when the checker reaches the hole, it knows the names in
scope and what is expected: a place, an attribute of a piece, a clause to call. An incomplete line
rarely parses, so several endings are tried until one does.

Outside code the keys above the cursor determine what can follow: keys by the schema, names of
things, targets of changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.editing.analysis import Analysis
from lawspeaker.editing.candidates import Candidates
from lawspeaker.editing.hovering import word_at
from lawspeaker.editing.keys import keys_at, values_at
from lawspeaker.editing.lexicon import Lexicon, Symbol
from lawspeaker.meaning import check
from lawspeaker.meaning.check.meanings import HOLE
from lawspeaker.text import document, parse
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, child, entries_of, scalar_at
from lawspeaker.text.format.roles import Start, code_at, kind_of
from lawspeaker.text.rulebook import Entry, Rulebook
from lawspeaker.text.schema import Schema
from lawspeaker.text.translation.places import ACTIONS

Path = tuple[str, ...]
JOINING = ("is", "is not", "and", "or", "of", "in", "where")
ENDINGS = (" to x", " in x", " is x", " be x", " scores 1", "", " from x to x")
"""Endings that may complete an unfinished line."""
_VALUE_BEFORE = re.compile(r"[\w)\]] $")


@dataclass(frozen=True, slots=True)
class Item:
    """A completion item. Lower `rank` comes first; `says` is its documentation."""

    text: str
    sort: str
    detail: str = ""
    says: str = ""
    rank: int = 5


@dataclass(frozen=True, slots=True)
class CodeAtCursor:
    """A scalar with a hole in it: the value or key, and its path."""

    scalar: Scalar
    path: Path
    parent: Node
    is_key: bool = False


def completions(
    analysis: Analysis | None, file: SourceFile, offset: int, form: Schema
) -> tuple[tuple[int, int], list[Item]]:
    """Returns the range to replace and the completion items; `form` is the schema of the file."""
    start, _ = word_at(file.text, offset)
    items = _unique(_items(analysis, file, start, offset, form))
    return (start, offset), sorted(items, key=lambda each: (each.rank, each.text))


def _unique(items: Iterable[Item]) -> list[Item]:
    found: dict[str, Item] = {}
    for each in items:
        known = found.get(each.text)
        if known is None or each.rank < known.rank:
            found[each.text] = each
    return list(found.values())


def _items(
    analysis: Analysis | None, file: SourceFile, start: int, end: int, form: Schema
) -> Iterator[Item]:
    for hole in _holes(file, start, end):
        kind = kind_of(hole.root)
        code = code_at(kind, hole.found.path, hole.found.parent)
        if code is not None and not hole.found.is_key:
            yield from _in_code(analysis, hole, code)
            return
        if hole.found.is_key or hole.found.scalar.value == HOLE:
            for key, says in keys_at(form, hole.root, hole.found.path):
                yield Item(key, "key", says=says, rank=1)
        if not hole.found.is_key:
            yield from _values(analysis, form, hole)
        return


# ---------------------------------------------------------------- cursor


@dataclass(frozen=True, slots=True)
class _Hole:
    file: SourceFile
    root: Node
    found: CodeAtCursor


def _holes(file: SourceFile, start: int, end: int) -> Iterator[_Hole]:
    """Yields the file with a hole at the cursor, in the forms that parse."""
    for inserted in (HOLE, f"{HOLE}: x"):
        text = file.text[:start] + inserted + file.text[end:]
        holed = SourceFile(file.name, text)
        root = document.load(holed, Diagnostics())
        found = None if root is None else _find(root, (), root)
        if root is not None and found is not None:
            yield _Hole(holed, root, found)


def _find(node: Node, path: Path, parent: Node) -> CodeAtCursor | None:
    if isinstance(node, Scalar):
        return CodeAtCursor(node, path, parent) if HOLE in node.value else None
    if isinstance(node, Sequence):
        inside = (_find(each, (*path, str(at)), node) for at, each in enumerate(node.items))
        return next((each for each in inside if each is not None), None)
    for key, value in node.entries:
        if HOLE in key.value:
            return CodeAtCursor(key, path, node, True)
        found = _find(value, (*path, key.value), node)
        if found is not None:
            return found
    return None


# ---------------------------------------------------------------- code


def _in_code(analysis: Analysis | None, hole: _Hole, start: Start) -> Iterator[Item]:
    scalar = hole.found.scalar
    at = scalar.content.text.index(HOLE)
    before = scalar.content.text[:at]
    yield from _words(scalar, before, start)
    if analysis is None or analysis.book is None:
        return
    offered = False
    for ready in _ended(scalar, start):
        book, clauses = _with(analysis.book, hole, ready)
        world, met = check.holes(book, clauses)
        candidates = Candidates(world, analysis.lexicon, analysis.program)
        for each in met[:1]:
            for found in candidates.of(each):
                offered = True
                yield Item(found.text, found.sort, found.detail, found.says, found.rank)
        if offered:
            return
    if analysis.lexicon is not None:
        yield from _everything(analysis.lexicon)


def _words(scalar: Scalar, before: str, start: Start) -> Iterator[Item]:
    """Yields the keywords that the grammar accepts there."""
    statements = parse.statements()
    words = set(parse.accepted(_cut(scalar, len(before)), start))
    if _VALUE_BEFORE.search(before):
        words.update(JOINING)
    for word in words:
        yield Item(statements.get(word, word), "word", rank=4)


def _cut(scalar: Scalar, length: int) -> Scalar:
    content = scalar.content
    return replace(scalar, content=Span(content.file, content.start, content.start + length))


def _ended(scalar: Scalar, start: Start) -> Iterator[Scalar]:
    """Yields the code with its line completed, in the forms that parse."""
    content = scalar.content
    text, at = content.file.text, content.start + content.text.index(HOLE)
    line = text.rfind("\n", 0, at) + 1
    indent = " " * (len(text[line:]) - len(text[line:].lstrip(" ")) + 2)
    end = text.find("\n", at)
    end = content.end if end < 0 else min(end, content.end)
    rest = text[at + len(HOLE) : end]
    block = f":\n{indent}skip"
    tried = [rest, *ENDINGS, *(f"{each}{block}" for each in ("", " is x"))]
    for ending in dict.fromkeys((*tried, *(f"{rest}{each}" for each in (")", *ENDINGS)))):
        new = text[: at + len(HOLE)] + ending + text[end:]
        file = SourceFile(content.file.name, new)
        grown = Span(file, content.start, content.end + len(new) - len(text))
        ready = Scalar(grown.text, grown, grown, scalar.style)
        if parse.readable(ready, start):
            yield ready


def _with(book: Rulebook, hole: _Hole, code: Scalar) -> tuple[Rulebook, list[str]]:
    """Returns the rulebook with the code replaced, and the ids of the clauses that contain it."""
    path = hole.found.path
    if path[0] == "changes" and isinstance(hole.root, Mapping):
        return _with_change(book, hole.root, path, code)
    id, keys = path[1], path[2:]
    entry = book.section(path[0]).get(id) or _entry_at(hole.root, path[0], id)
    return _put(book, path[0], entry, keys, code), [id]


def _with_change(
    book: Rulebook, variant: Mapping, path: tuple[str, ...], code: Scalar
) -> tuple[Rulebook, list[str]]:
    """Replaces the code of a change in a variant: of a clause, or of a guard or value of
    another."""
    changes = variant.get("changes")
    assert isinstance(changes, Sequence)
    change, keys = changes.items[int(path[1])], path[2:]
    assert isinstance(change, Mapping)
    target = next(
        (
            value.value
            for key, value in change.entries
            if key.value in ACTIONS and isinstance(value, Scalar)
        ),
        "",
    )
    if target in book.amendments:
        amended = tuple(
            replace(each, code=code) if each.mode == keys[0] else each
            for each in book.amendments[target]
        )
        clause = target if target in book.section("rules") else target.rpartition(".")[0]
        return replace(book, amendments={**book.amendments, target: amended}), [clause]
    entry = book.section("rules").get(target)
    if entry is None:
        entry = Entry(target, scalar_at(target, change), change)
    return _put(book, "rules", entry, keys, code), [target]


def _entry_at(root: Node, section: str, id: str) -> Entry:
    """Returns the entry of a clause that the last compiled rules did not have."""
    entries = child(root, section)
    assert isinstance(entries, Mapping)
    key, body = entries.key(id), entries.get(id)
    assert key is not None
    assert body is not None
    return Entry(id, key, body)


def _put(book: Rulebook, section: str, entry: Entry, keys: Path, code: Scalar) -> Rulebook:
    body = _replaced(entry.body, keys, code)
    changed = replace(entry, body=body)
    entries = {**book.section(section), entry.id: changed}
    return replace(book, sections={**book.sections, section: entries})


def _replaced(node: Node, keys: Path, code: Scalar) -> Node:
    if not keys:
        return code
    entries = entries_of(node)
    found = [
        (key, _replaced(value, keys[1:], code) if key.value == keys[0] else value)
        for key, value in entries
    ]
    if all(key.value != keys[0] for key, _ in entries):
        found.append((scalar_at(keys[0], code), _replaced(code, keys[1:], code)))
    return Mapping(tuple(found), node.span)


# ---------------------------------------------------------------- outside code


def _values(analysis: Analysis | None, form: Schema, hole: _Hole) -> Iterator[Item]:
    """Yields values: those listed in the schema, and names of things."""
    for value in values_at(form, hole.found.path):
        yield Item(value, "word", rank=1)
    lexicon = None if analysis is None else analysis.lexicon
    if lexicon is None:
        return
    path, scalar = hole.found.path, hole.found.scalar
    last = next((each for each in reversed(path) if not each.isdecimal()), "")
    if last in ACTIONS and kind_of(hole.root) == "variant":
        yield from _targets(lexicon)
        return
    sorts = _NAMED_UNDER.get(last)
    if sorts is None and kind_of(hole.root) == "other" and path[0] not in ("about", "scenario"):
        sorts = _IN_SCENARIOS
    for thing in lexicon.things.values() if sorts else ():
        if sorts is not None and thing.meaning.sort in sorts and scalar.style != "literal":
            yield _item(thing, 2)


def _targets(lexicon: Lexicon) -> Iterator[Item]:
    """Yields possible targets of a change."""
    sections = {"piece": "pieces", "place": "places", "marker": "markers", "number": "numbers"}
    for thing in lexicon.things.values():
        meaning = thing.meaning
        if meaning.sort in ("clause", "choice", "window"):
            yield _item(thing, 1)
        elif meaning.sort == "guard":
            yield replace(_item(thing, 2), text=f"{meaning.of}.{meaning.name}")
        elif meaning.sort == "kind":
            yield replace(_item(thing, 3), text=f"pieces.{meaning.of}.kinds.{meaning.name}")
        elif meaning.sort in sections:
            yield replace(_item(thing, 3), text=f"{sections[meaning.sort]}.{meaning.name}")


def _everything(lexicon: Lexicon) -> Iterator[Item]:
    for thing in lexicon.things.values():
        if thing.meaning.sort != "guard":
            yield _item(thing, 6)


def _item(thing: Symbol, rank: int) -> Item:
    sort = thing.meaning.sort
    detail = f"{sort} of {thing.meaning.of}" if thing.meaning.of else sort
    return Item(thing.name, sort, detail, thing.says, rank)


_TYPES = ("piece", "place", "word set", "number")
_NAMED_UNDER: dict[str, tuple[str, ...]] = {
    "holds": ("piece",),
    "starts in": ("place",),
    "played from": ("place",),
    "played to": ("place",),
    "place": ("place",),
    "joined by": ("place",),
    "marker": ("marker",),
    "carries": ("place",),
    "at": _TYPES,
    "shows": _TYPES,
    "is": _TYPES,
    "given": _TYPES,
    "has": _TYPES,
    "plays": ("kind",),
    "when": ("window",),
    "joins": ("clause",),
    "interrupts": ("clause",),
    "before": ("clause",),
    "after": ("clause",),
    "instead of": ("clause",),
    "seen by": ("player",),
    "exempt from": ("guard",),
}
_IN_SCENARIOS = ("piece", "kind", "place", "marker", "player", "clause", "guard", "word", "choice")
