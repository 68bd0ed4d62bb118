"""Small persistent operations on trees of nodes: get, put and remove by path."""

from __future__ import annotations

from lawspeaker.text.document import Mapping, Node, Scalar, child, scalar_at


def inside(node: Node, keys: tuple[str, ...]) -> Node | None:
    """The node at a path of keys, or None."""
    for key in keys:
        found = child(node, key)
        if found is None:
            return None
        node = found
    return node


def with_value(
    node: Mapping, keys: tuple[str, ...], value: Node, key: Scalar | None = None
) -> Mapping:
    """The mapping with a value at a path of keys; everything else is shared."""
    first, *rest = keys
    old = node.get(first)
    if rest:
        inner = old if isinstance(old, Mapping) else Mapping((), value.span)
        value = with_value(inner, tuple(rest), value, key)
        key = None
    if old is None:
        name = key or scalar_at(first, value)
        return Mapping((*node.entries, (name, value)), node.span)
    entries = tuple((each, value if each.value == first else held) for each, held in node.entries)
    return Mapping(entries, node.span)


def without(node: Node, keys: tuple[str, ...]) -> Node:
    """The node with the entry at a path of keys removed."""
    if not isinstance(node, Mapping):
        return node
    first, *rest = keys
    entries = tuple(
        (key, without(value, tuple(rest)) if rest and key.value == first else value)
        for key, value in node.entries
        if rest or key.value != first
    )
    return Mapping(entries, node.span)
