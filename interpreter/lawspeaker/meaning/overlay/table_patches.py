"""Tree operations on the layout of the table: insert a part beside another, change or remove it.

A part is addressed by its `id`, or else by the place or marker that it shows. The points are called
`score`, the rows of the players `players`. An ambiguous name addresses no part: one of the parts
needs an id.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.meaning.overlay.trees import with_value
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, child, mapping_at

LISTS = ("across", "down", "flow", "players")
_NAMED_BY = ("id", "place", "marker")
_ITSELF = ("score", "players")

Path = tuple[int, ...]
"""The path to a part: its index in the list, and so on inwards."""


def name_of(part: Node) -> str | None:
    """The name by which a part of the layout is addressed, if it has one."""
    if not isinstance(part, Mapping):
        return None
    for key in _NAMED_BY:
        found = part.get(key)
        if isinstance(found, Sequence) and key == "place":
            found = next(iter(found.items), None)
        if isinstance(found, Scalar):
            return found.value
    return next((key for key in _ITSELF if part.get(key) is not None), None)


def parts(table: Node, way: Path = ()) -> Iterator[tuple[str, Path]]:
    """All parts that have a name, with their paths."""
    name = name_of(table)
    if name is not None:
        yield name, way
    for number, part in enumerate(_list(table)):
        yield from parts(part, (*way, number))


def part_at(table: Node, way: Path) -> Node:
    """The part at a path."""
    for number in way:
        table = _list(table)[number]
    return table


def with_part_beside(table: Node, way: Path, part: Node, after: bool) -> Node:
    """The layout with a part inserted before or after the one at a path."""
    if not way:
        both = (table, part) if after else (part, table)
        return mapping_at({"down": Sequence(both, part.span)}, part)
    *outer, at = way
    items = _list(part_at(table, tuple(outer)))
    at += after
    return _with_list(table, tuple(outer), (*items[:at], part, *items[at:]))


def put_last(table: Node, part: Node) -> Node:
    """The layout with a part appended to its outermost list."""
    last = len(_list(table)) - 1
    return with_part_beside(table, (last,) if last >= 0 else (), part, after=True)


def changed(table: Node, way: Path, *parts: Node) -> Node:
    """The layout with the part at a path replaced by others, or removed."""
    if not way:
        return parts[0] if parts else table
    *outer, at = way
    items = _list(part_at(table, tuple(outer)))
    return _with_list(table, tuple(outer), (*items[:at], *parts, *items[at + 1 :]))


def _list(part: Node) -> tuple[Node, ...]:
    """The child parts of a part."""
    for shape in LISTS:
        found = child(part, shape)
        if isinstance(found, Sequence):
            return found.items
    return ()


def _with_list(table: Node, way: Path, items: tuple[Node, ...]) -> Node:
    """The layout with the list at a path replaced."""
    if way:
        first, *rest = way
        inner = _with_list(_list(table)[first], tuple(rest), items)
        own = _list(table)
        items = (*own[:first], inner, *own[first + 1 :])
    if not isinstance(table, Mapping):
        return table
    for shape in LISTS:
        found = table.get(shape)
        if isinstance(found, Sequence):
            return with_value(table, (shape,), Sequence(items, found.span))
    return table
