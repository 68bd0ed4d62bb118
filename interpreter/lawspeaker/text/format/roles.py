"""Classifies values by path: which are code, and which mappings are tables.

A path is the keys and indices from the root of a file to a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from lawspeaker.text.document import Mapping, Node, Scalar, Sequence
from lawspeaker.text.rulebook import SECTIONS

Path: TypeAlias = tuple[str, ...]
Kind = Literal["game", "variant", "other"]
Start = Literal["rule", "value", "header", "offers"]

_CLAUSE: dict[str, Start] = {
    "rule": "rule",
    "offers": "offers",
    "define": "header",
    "as": "value",
    "where": "value",
    "holds": "value",
}
_CHANGE: dict[str, Start] = {
    **_CLAUSE,
    "plus": "value",
    "or": "value",
    "and": "value",
    "unless": "value",
    "also": "value",
}
_TABLES: frozenset[Path] = frozenset(
    {
        ("words",),
        ("words", "*", "are"),
        ("pieces",),
        ("pieces", "*", "kinds"),
        ("pieces", "*", "changes"),
        ("places",),
        ("markers",),
        ("names",),
        ("symbols",),
        ("sources",),
    }
)
DEEDS: tuple[Start, ...] = ("rule", "offers")


def kind_of(root: Node) -> Kind:
    """The kind of a file; scenarios, lists of texts and translations contain no code."""
    other = ("scenario", "text", "translates")
    if not isinstance(root, Mapping) or any(root.get(key) for key in other):
        return "other"
    return "variant" if root.get("variant") else "game"


def code_at(kind: Kind, path: Path, parent: Node) -> Start | None:
    """The grammar's start symbol for a value; None if it is no code. `parent` is its collection."""
    if kind == "game" and len(path) > 2:
        if path[0] == "rules":
            return _clause(_CLAUSE, path[2:]) if path[2] != "holds" else None
        if path[0] == "always" and path[2:] == ("holds",):
            return "value"
    if kind == "variant" and len(path) > 1:
        if path[0] == "demands" and len(path) == 2:
            return "value"
        if path[0] == "changes" and path[2:] == ("when",):
            instead = isinstance(parent, Mapping) and parent.get("instead of")
            return "value" if instead else None
        if path[0] == "changes" and len(path) > 2:
            return _clause(_CHANGE, path[2:])
    return None


def codes(root: Node) -> Iterator[tuple[Scalar, Start]]:
    """All code of a file, in order, with its start symbol."""
    yield from codes_in(kind_of(root), root, root, ())


def codes_in(kind: Kind, node: Node, parent: Node, path: Path) -> Iterator[tuple[Scalar, Start]]:
    """All code in a subtree, which is in `parent` at this path."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield from codes_in(kind, value, node, (*path, key.value))
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from codes_in(kind, item, node, (*path, str(number)))
    elif node.kind != "nothing" and (start := code_at(kind, path, parent)):
        yield node, start


def _clause(words: dict[str, Start], rest: Path) -> Start | None:
    if len(rest) == 1 or (len(rest) == 2 and rest[0] == "where"):
        return words.get(rest[0])
    return None


def is_table(kind: Kind, path: Path) -> bool:
    """Whether the entries of a mapping are alike, so that their details are aligned."""
    if kind == "variant":
        return path == ("sources",)
    wild = (path[0], "*", path[2]) if len(path) == 3 else path
    return kind == "game" and wild in _TABLES


def stands_apart(kind: Kind, path: Path) -> bool:
    """Whether a blank line precedes an entry: before sections and clauses."""
    if kind != "game":
        return False
    return (len(path) == 1 and path[0] in (*SECTIONS, "table")) or (
        len(path) == 2 and path[0] == "rules"
    )
