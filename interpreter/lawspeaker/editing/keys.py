"""Looks up which keys and values the schema of a file allows at a place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker.text.document import Mapping, Node, Sequence, entries_of
from lawspeaker.text.schema import Schema

Path = tuple[str, ...]


def keys_at(form: Schema, root: Node, path: Path) -> Iterator[tuple[str, str]]:
    """Yields the keys that a mapping may have and does not have yet, with their descriptions."""
    node = _inside(root, path)
    there = {key.value for key, _ in entries_of(node)}
    for part in _parts(form, path):
        for key, body in part.get("properties", {}).items():
            if key not in there and body is not False:
                yield key, body.get("description", "") if isinstance(body, dict) else ""


def values_at(form: Schema, path: Path) -> Iterator[str]:
    """Yields the enumerated values of a place."""
    for part in _parts(form, path):
        listed = [*part.get("enum", ()), *([part["const"]] if "const" in part else ())]
        yield from (each for each in listed if isinstance(each, str))
        if part.get("type") == "boolean":
            yield from ("true", "false")


def _inside(node: Node, path: Path) -> Node | None:
    for step in path:
        found: Node | None = None
        if isinstance(node, Mapping):
            found = node.get(step)
        elif isinstance(node, Sequence) and step.isdecimal() and int(step) < len(node.items):
            found = node.items[int(step)]
        if found is None:
            return None
        node = found
    return node


def _parts(form: Schema, path: Path) -> list[dict[str, Any]]:
    """Returns all parts of the schema that apply to a path."""
    parts = list(_meant(form, form))
    for step in path:
        parts = [
            inner for part in parts for below in _below(part, step) for inner in _meant(form, below)
        ]
    return parts


def _below(part: dict[str, Any], step: str) -> Iterator[Any]:
    properties = part.get("properties", {})
    if step in properties:
        yield properties[step]
    elif "additionalProperties" in part:
        yield part["additionalProperties"]
    for listed in ("patternProperties",):
        yield from part.get(listed, {}).values() if step not in properties else ()
    if step.isdecimal() and "items" in part:
        yield part["items"]


def _meant(form: Schema, part: Any) -> Iterator[dict[str, Any]]:
    """Yields a part with everything it references, and all its alternatives."""
    if not isinstance(part, dict):
        return
    yield part
    reference = part.get("$ref")
    if isinstance(reference, str):
        found: Any = form
        for step in reference.removeprefix("#").split("/")[1:]:
            found = found[step]
        yield from _meant(form, found)
    for several in ("anyOf", "oneOf", "allOf"):
        for each in part.get(several, ()):
            yield from _meant(form, each)
