"""The outline of a file: its sections, their declarations, and the guards of clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.base.source import Span
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, entries_of, text_of
from lawspeaker.text.rulebook import SECTIONS
from lawspeaker.text.translation.places import ACTIONS

_INSIDE = ("kinds", "guards", "are", "steps")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An outline entry; `sort` is the section of the declaration, `whole` its full span."""

    name: str
    sort: str
    detail: str
    span: Span
    whole: Span
    below: tuple[OutlineEntry, ...] = ()


def outline(root: Node | None) -> list[OutlineEntry]:
    if not isinstance(root, Mapping):
        return []
    found: list[OutlineEntry] = []
    for key, value in root.entries:
        below = tuple(_below(key.value, value))
        if below or key.value in (*SECTIONS, "scenario", "variant", "game"):
            detail = text_of(value)
            whole = key.span.to(value.span)
            found.append(OutlineEntry(key.value, "section", detail, key.span, whole, below))
    return found


def _below(section: str, node: Node) -> Iterator[OutlineEntry]:
    if section == "changes" and isinstance(node, Sequence):
        for each in node.items:
            yield from _change(each)
    elif section in (*SECTIONS, "changes") and isinstance(node, Mapping):
        for key, value in node.entries:
            yield _entry(section, key, value)


def _entry(section: str, key: Scalar, node: Node) -> OutlineEntry:
    title = node.get("title") or node.get("says") if isinstance(node, Mapping) else node
    detail = text_of(title)
    below = tuple(
        _entry(name.value, each, value)
        for name, inner in entries_of(node)
        if name.value in _INSIDE and isinstance(inner, Mapping)
        for each, value in inner.entries
    )
    return OutlineEntry(key.value, section, detail, key.span, key.span.to(node.span), below)


def _change(node: Node) -> Iterator[OutlineEntry]:
    for key, value in entries_of(node):
        if key.value in ACTIONS and isinstance(value, Scalar):
            yield OutlineEntry(f"{key.value} {value.value}", "changes", "", value.span, node.span)


def foldings(root: Node | None) -> Iterator[tuple[int, int]]:
    """Yields the folding ranges of mappings, lists and code blocks, as lines counted from 1."""
    if isinstance(root, Mapping):
        for key, value in root.entries:
            last = _last_line(value)
            if last > key.span.line:
                yield key.span.line, last
            yield from foldings(value)
    elif isinstance(root, Sequence):
        for each in root.items:
            last = _last_line(each)
            if last > each.span.line:
                yield each.span.line, last
            yield from foldings(each)


def _last_line(node: Node) -> int:
    end = max(node.span.start, node.span.end - 1)
    return Span(node.span.file, end, end).line
