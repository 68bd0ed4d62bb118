"""Splits a ruleset into points, the units of comparison: clauses, guards, declarations.

A point is the smallest unit with an id: a clause, a guard of a clause (`moving.not_blocked`), or
a value in a declaration (`pieces.card.kinds.spy.count`). It separates what affects play (`in_play`)
from wording (`words`), and has its citations (`cites`) and the variants' changes that shaped it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from lawspeaker import ir
from lawspeaker.base.typography import typeset
from lawspeaker.meaning.overlay.trees import without
from lawspeaker.meaning.variant import EDITION, Change
from lawspeaker.study.compare.clause_trees import (
    CodeTree,
    WrittenGuard,
    amended,
    one_line,
    words_of,
    written_guards,
)
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.table_parts import TABLE
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    child,
    entries_of,
    one_or_more,
    plain,
    text_of,
)
from lawspeaker.text.rulebook import SECTIONS, WINS, Entry, Rulebook

CLAUSES = ("choices", "windows", "rules", "always")
DECLARED = ("words", "numbers", "pieces", "places", "markers")
CALLED = ("names", "symbols", TABLE)
CLAUSE_SORTS = ("choice", "window", "rule", "value", "always", "guard")
SORTS = {"choices": "choice", "windows": "window", "always": "always"}
_DEEDS = {
    "choices": ("is", "one of", "beyond"),
    "windows": ("given", "may change"),
    "rules": ("given", "plays", "shows", "when", "joins", "interrupts", "exempt from"),
    "always": (),
}
_CODE = {"rule": "rule", "as": "value", "define": "header", "holds": "value", "offers": "offers"}


@dataclass(frozen=True, slots=True)
class Point:
    """One point of one ruleset."""

    id: str
    sort: str
    in_play: Any
    words: Any
    cites: tuple[ir.Citation, ...]
    changes: tuple[Change, ...] = field(repr=False)
    entry: Entry = field(repr=False)
    node: Node = field(repr=False)
    title: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def change(self) -> Change | None:
        """The change that takes precedence; changes to citations come last."""
        in_play = [each for each in self.changes if each.action != "cite"]
        found = in_play or list(self.changes)
        return found[-1] if found else None


class Points:
    """The points of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.book = ruleset.book
        self.own = ruleset.own
        self.known = {
            f"{section}.{id}": (section, id)
            for section in SECTIONS
            for id in self.book.section(section)
        }
        self._changes = [
            (self._target(change.target), change)
            for variant in ruleset.variants
            for change in variant.changes
        ]

    def _target(self, target: str) -> str:
        """The id of the point that a change targets: `rules.moving.says` targets `moving`."""
        section, _, rest = target.partition(".")
        if section in CLAUSES:
            words = rest.split(".")
            for length in range(len(words), 0, -1):
                id = ".".join(words[:length])
                if id in self.book.section(section):
                    return id
        return target

    def changes(self, id: str) -> tuple[Change, ...]:
        """The changes that shaped a point; of a declaration, those inside and around it.

        A variant that presents a whole book overrides the others on what it changes.
        """
        path = id.partition(".")[0] in (*SECTIONS, TABLE)
        found = [
            change
            for target, change in self._changes
            if target == id or (path and aims_at(target, id))
        ]
        retold = [each.variant for each in found if _retells(each)]
        return tuple(each for each in found if not retold or each.variant is retold[-1])

    # ------------------------------------------------------------ clauses

    def clause(self, section: str, entry: Entry) -> Point:
        changes = self.changes(entry.id)
        return Point(
            entry.id,
            self.sort(section, entry),
            self._in_play(section, entry),
            _said(entry),
            (*self.cited(entry.get("cites"), changes), *self.assumed(entry)),
            changes,
            entry,
            entry.body,
            texts_of(entry.get("title")),
        )

    def sort(self, section: str, entry: Entry) -> str:
        if section == "rules":
            return "value" if entry.get("define") is not None else "rule"
        return SORTS.get(section, section)

    def _in_play(self, section: str, entry: Entry) -> dict[str, Any]:
        in_play: dict[str, Any] = {}
        for key in _DEEDS[section]:
            node = entry.get(key)
            if node is not None:
                in_play[key] = _ordered(node)
        for key, start in _CODE.items():
            node = entry.get(key)
            if isinstance(node, Scalar):
                in_play[key] = CodeTree(start, node.value, bare=key in ("rule", "offers"))
        if section == "rules":
            in_play.update(hung(self.book, entry.id))
            changes = value_changes(self.book, entry)
            if changes:
                in_play["amended"] = changes
        return in_play

    def guards(self, entry: Entry) -> Iterator[Point]:
        """The guards of a clause after all variants."""
        said = entry.get("guards")
        for name, in_play in self._guards(entry):
            node = child(said, name)
            cites = child(node, "cites")
            exact = self.changes(f"{entry.id}.{name}")
            changes = exact or self.changes(entry.id)
            yield Point(
                f"{entry.id}.{name}",
                "guard",
                in_play,
                {"says": texts_of(node.get("says") if isinstance(node, Mapping) else node)},
                self.cited(entry.get("cites") if cites is None else cites, exact, changes),
                changes,
                entry,
                entry.body if node is None else node,
                texts_of(child(node, "title")),
            )

    def _guards(self, entry: Entry) -> Iterator[tuple[str, Any]]:
        where = entry.get("where")
        for guard in (*written_guards(entry), *added_guards(self.book, entry)):
            id = f"{entry.id}.{guard.name}"
            condition = amended(guard.condition, self.book.amendments.get(id, ()))
            if condition is not None:
                yield guard.name, (guard.at, CodeTree("value", condition))
        for key, code in entries_of(where):
            if isinstance(code, Scalar):
                yield key.value, ("", CodeTree("value", code.value))

    # ------------------------------------------------------------ what is declared

    def declared(self, section: str, entry: Entry, keys: tuple[str, ...], node: Node) -> Point:
        """A value in a declaration, with everything inside it."""
        id = ".".join((section, entry.id, *keys))
        changes = self.changes(id)
        words = section in CALLED or "assumed" in keys
        cites = entry.get("cites") if section == "pieces" else None
        told = node if keys else without(without(node, ("cites",)), ("assumed",))
        content = _ordered(untitled(section, keys, told), *keys[-1:])
        kind = keys[1] if keys[:1] == ("kinds",) and keys[1:] else ""
        cited = self.cited_value(cites, changes, kind)
        if not keys and any(each.target != id for each in changes):
            # Changed only inside: citations for the whole apply as well.
            own = (each for each in citations(cites) if each.source in self.own)
            cited = tuple(dict.fromkeys((*own, *cited)))
        return Point(
            id,
            section,
            None if words else content,
            content if words else None,
            (*cited, *(() if keys else self.assumed(entry))),
            changes,
            entry,
            node,
            _title(section, entry, keys),
        )

    def whole(self, section: str, entry: Entry) -> Point:
        """A declaration as a whole: its citations, regardless of changes inside."""
        id = f"{section}.{entry.id}"
        cites = [each for each in citations(entry.get("cites")) if each.source in self.own]
        changes = [each for each in self.changes(id) if each.target == id]
        return Point(
            id,
            section,
            None,
            None,
            tuple(cites),
            tuple(changes),
            entry,
            entry.body,
            _title(section, entry, ()),
        )

    def goal(self) -> Point:
        """The goal of the game, whether declared or not."""
        head = self.book.head
        said = head.key(WINS) or head.key("game")
        assert said is not None
        node = head.get(WINS) or replace(said, value=ir.Goal.MOST.value)
        changes = self.changes(WINS)
        cites = self.cited_value(None, changes)
        return Point(WINS, WINS, plain(node), None, cites, changes, Entry(WINS, said, node), node)

    # ------------------------------------------------------------ citations

    def cited(
        self, node: Node | None, changes: Many[Change], around: Many[Change] = ()
    ) -> tuple[ir.Citation, ...]:
        """The citations of the applicable books for a clause or guard.

        If a module or a house rule shaped it, its citations apply. `around` are changes to the
        clause of a guard, which may add books.
        """
        for change in reversed(changes):
            if change.variant.layer != EDITION and (_retells(change) or change.action != "cite"):
                if change.get("cites") is not None:
                    return tuple(citations(change.get("cites")))
                break
        books = set(self.own)
        for change in around:
            if change.variant.layer != EDITION:
                books.update(each.source for each in citations(change.get("cites")))
        return tuple(each for each in citations(node) if each.source in books)

    def cited_value(
        self, node: Node | None, changes: Many[Change], kind: str = ""
    ) -> tuple[ir.Citation, ...]:
        """The same for a value in a declaration, optionally of one kind of piece: citations of
        the change that set it, or those for the whole.
        """
        making = [each for each in changes if each.action != "cite" or _retells(each)]
        if making and _retells(making[-1]):
            return tuple(citations(making[-1].get("cites")))
        if making:
            edition = making[-1].variant.layer == EDITION
            cites = [
                cite
                for change in making
                if change.variant is making[-1].variant
                for cite in citations(change.get("cites"))
                if not edition or cite.source in self.own
            ]
            return tuple(dict.fromkeys(cites))
        whole = tuple(each for each in citations(node) if each.source in self.own)
        return self.about_kind(kind, whole) if kind else whole

    def assumed(self, entry: Entry) -> Iterator[ir.Citation]:
        """Assumptions count as own rulings, for every book."""
        guess = texts_of(entry.get("assumed"))
        for book in self.own if guess else ():
            yield ir.Citation(book, "", "our_ruling", guess)

    def about_kind(self, kind: str, cites: tuple[ir.Citation, ...]) -> tuple[ir.Citation, ...]:
        """Narrows citations for many kinds of pieces to one of them.

        Keeps sentences that a rule naming the kind cites as well, and citations without a
        sentence; all, if there are none.
        """
        spoken = {
            (cite.source, each)
            for section in CLAUSES
            for entry in self.book.section(section).values()
            if kind in words_of(self._in_play(section, entry))
            for cite in citations(entry.get("cites"))
            for each in (cite.print or "").split()
        }
        found: list[ir.Citation] = []
        for cite in cites:
            kept = [each for each in (cite.print or "").split() if (cite.source, each) in spoken]
            if kept or not cite.print:
                found.append(replace(cite, print=" ".join(kept) or None))
        return tuple(found) if any(each.print for each in found) else cites


def aims_at(target: str, id: str) -> bool:
    """Whether a change of a path is about a point: the same, or something inside or around it. The
    path of a series, such as `pieces.tile.kinds.zero_{high}`, is about each of its kinds.
    """
    if target == id or target.startswith(f"{id}.") or id.startswith(f"{target}."):
        return True
    members = _members(target)
    return members is not None and members.fullmatch(id) is not None


@lru_cache(maxsize=1024)
def _members(target: str) -> re.Pattern[str] | None:
    """Matches the points about the kinds of a series, or about their names."""
    series, brace, rest = target.partition("{")
    if not brace:
        return None
    series += brace + rest.partition(".")[0]
    parts = map(re.escape, re.split(r"\{[^{}]*\}", series))
    return re.compile(r"\w+".join(parts) + r"(\..*)?")


def untitled(section: str, keys: tuple[str, ...], node: Node) -> Node:
    """A declaration's node without titles, which do not affect play."""
    if section != "pieces" or not isinstance(node, Mapping):
        return node
    if keys == ("kinds",):
        kinds = ((key, untitled(section, (*keys, key.value), body)) for key, body in node.entries)
        return Mapping(tuple(kinds), node.span)
    if keys and (keys[0] != "kinds" or len(keys) > 2):
        return node
    entries = (
        (key, untitled(section, (*keys, key.value), value))
        for key, value in node.entries
        if key.value != "title"
    )
    return Mapping(tuple(entries), node.span)


def _title(section: str, entry: Entry, keys: tuple[str, ...]) -> dict[str, str]:
    """The title of pieces, or of a kind of them, if any."""
    if section != "pieces" or (keys and keys[-1] != "count" and len(keys) != 2):
        return {}
    kinds = entry.get("kinds") if keys[:1] == ("kinds",) else None
    body = kinds.get(keys[1]) if isinstance(kinds, Mapping) else entry.body
    return texts_of(body.get("title")) if isinstance(body, Mapping) else {}


def _retells(change: Change) -> bool:
    """Whether it belongs to a variant that presents a whole book."""
    return change.variant.root.get("book") is not None


def hung(book: Rulebook, id: str) -> dict[str, Any]:
    """The hooks of a rule: before, after or instead of which rule it comes, and when."""
    found: dict[str, Any] = {}
    for when, around in (("before", book.before), ("after", book.after)):
        targets = [target for target, added in around.items() if id in added]
        if targets:
            found[when] = targets[0]
    for target, others in book.instead.items():
        for other in others:
            if other.id == id:
                found["instead of"] = target
                found["when"] = CodeTree("value", one_line(other.when.value))
    return found


def value_changes(book: Rulebook, entry: Entry) -> list[tuple[str, CodeTree]]:
    """Variants' amendments of a defined value, in order of application."""
    if entry.get("define") is None:
        return []
    changes = sorted(book.amendments.get(entry.id, ()), key=lambda one: one.mode == "and")
    return [
        (each.mode, CodeTree("value", one_line(each.code.value)))
        for each in changes
        if each.code is not None
    ]


def added_guards(book: Rulebook, entry: Entry) -> list[WrittenGuard]:
    """The guards that variants add to the question of a clause."""
    return [
        WrittenGuard(each.name.value, " ".join(("added", *each.labels)), one_line(each.code.value))
        for each in book.added.get(entry.id, ())
    ]


def citations(node: Node | None) -> Iterator[ir.Citation]:
    """Parses a `cites:` node."""
    for key, body in entries_of(node):
        for each in one_or_more(body):
            if isinstance(each, Scalar):
                yield ir.Citation(key.value, each.value, "states")
            elif isinstance(each, Mapping):
                said = {name.value: text_of(value) for name, value in each.entries}
                yield ir.Citation(
                    key.value,
                    said.get("section", ""),
                    said.get("stance", "states"),
                    texts_of(each.get("note")),
                    said.get("print"),
                )


def _said(entry: Entry) -> dict[str, Any]:
    words = {key: texts_of(entry.get(key)) for key in ("says", "asks", "assumed")}
    return {key: texts for key, texts in words.items() if texts}


def texts_of(node: Node | None) -> dict[str, str]:
    """A text by language."""
    if isinstance(node, Scalar):
        return {"en": node.value.strip()} if node.value.strip() else {}
    entries = entries_of(node)
    return {key.value: typeset(text_of(value).strip(), key.value) for key, value in entries}


def _ordered(node: Node, key: str = "") -> Any:
    """Converts a node to plain data in which the order of keys counts, except for sets of
    viewers.
    """
    if isinstance(node, Mapping):
        return [(key.value, _ordered(value, key.value)) for key, value in node.entries]
    if isinstance(node, Sequence):
        found = [_ordered(each) for each in node.items]
        return sorted(found) if key.endswith("seen by") else found
    return plain(node)
