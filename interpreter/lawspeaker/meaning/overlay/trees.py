"""Small operations on trees of nodes: looking inside, putting in, taking out."""

from __future__ import annotations

from lawspeaker.text.document import Mapping, Node, Scalar


def inside(node: Node, keys: tuple[str, ...]) -> Node | None:
    """What stands at the end of a path of keys."""
    for key in keys:
        found = node.get(key) if isinstance(node, Mapping) else None
        if found is None:
            return None
        node = found
    return node


def put(node: Mapping, keys: tuple[str, ...], value: Node, key: Scalar | None = None) -> Mapping:
    """The mapping with a value at the end of a path; the rest stays as it is."""
    first, *rest = keys
    old = node.get(first)
    if rest:
        inner = old if isinstance(old, Mapping) else Mapping((), value.span)
        value = put(inner, tuple(rest), value, key)
        key = None
    if old is None:
        name = key or Scalar(first, value.span, value.span)
        return Mapping((*node.entries, (name, value)), node.span)
    entries = tuple((each, value if each.value == first else held) for each, held in node.entries)
    return Mapping(entries, node.span)


def without(node: Node, keys: tuple[str, ...]) -> Node:
    """The node with what stands at the end of a path taken out."""
    if not isinstance(node, Mapping):
        return node
    first, *rest = keys
    entries = tuple(
        (key, without(value, tuple(rest)) if rest and key.value == first else value)
        for key, value in node.entries
        if rest or key.value != first
    )
    return Mapping(entries, node.span)
