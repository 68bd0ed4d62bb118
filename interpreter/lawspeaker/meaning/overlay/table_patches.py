"""The layout of the table, patched: a part put in beside another, changed, or taken out.

A part of the layout is known by its `id`; without one, by the place or marker that it shows. The
points are called `score`, and the lines of the players `players`. A name that fits several parts
means none of them: one of them must be given an id.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.meaning.overlay.trees import put
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence

LISTS = ("across", "down", "flow", "players")
_NAMED_BY = ("id", "place", "marker")
_ITSELF = ("score", "players")

Path = tuple[int, ...]
"""The way to a part: its number in the list, and so on inwards."""


def name_of(part: Node) -> str | None:
    """What a part of the layout is called."""
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
    """All parts that have a name, with the way to each."""
    name = name_of(table)
    if name is not None:
        yield name, way
    for number, part in enumerate(_list(table)):
        yield from parts(part, (*way, number))


def part_at(table: Node, way: Path) -> Node:
    for number in way:
        table = _list(table)[number]
    return table


def put_beside(table: Node, way: Path, part: Node, after: bool) -> Node:
    """The table with a part put in before or after the one to which a way leads."""
    if not way:
        both = (table, part) if after else (part, table)
        return Mapping(
            ((Scalar("down", part.span, part.span), Sequence(both, part.span)),), part.span
        )
    *outer, at = way
    items = _list(part_at(table, tuple(outer)))
    at += after
    return _with_list(table, tuple(outer), (*items[:at], part, *items[at:]))


def put_last(table: Node, part: Node) -> Node:
    """The table with a part at the end of its outermost list."""
    last = len(_list(table)) - 1
    return put_beside(table, (last,) if last >= 0 else (), part, after=True)


def changed(table: Node, way: Path, *parts: Node) -> Node:
    """The table with others in place of a part, or with nothing in its place."""
    if not way:
        return parts[0] if parts else table
    *outer, at = way
    items = _list(part_at(table, tuple(outer)))
    return _with_list(table, tuple(outer), (*items[:at], *parts, *items[at + 1 :]))


def _list(part: Node) -> tuple[Node, ...]:
    """The parts of a part."""
    for shape in LISTS:
        found = part.get(shape) if isinstance(part, Mapping) else None
        if isinstance(found, Sequence):
            return found.items
    return ()


def _with_list(table: Node, way: Path, items: tuple[Node, ...]) -> Node:
    """The table with other parts in the list to which a way leads."""
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
            return put(table, (shape,), Sequence(items, found.span))
    return table
