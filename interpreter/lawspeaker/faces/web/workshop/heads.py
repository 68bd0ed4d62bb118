"""Edits the head of an entry file: items of its lists, and missing lines."""

from __future__ import annotations

from lawspeaker.base.source import Span
from lawspeaker.editing.fixes import Edit
from lawspeaker.text.document import Mapping, Node, Scalar, items_of
from lawspeaker.text.rulebook import HEAD


def values(node: Node | None) -> list[Scalar]:
    """Returns the scalars of a list."""
    return [each for each in items_of(node) if isinstance(each, Scalar)]


def put_in(root: Mapping, key: str, name: str) -> Edit:
    """Appends a name to a list in the head, creating the list if there is none."""
    found = root.get(key)
    known = values(found)
    if found is None or not known:
        return lines(root, f"{key}: [{name}]\n")
    last = known[-1].span
    between = ", " if found.span.text.startswith("[") else f"\n{_indent(last)}- "
    return Edit(Span(last.file, last.end, last.end), between + name)


def take_out(root: Mapping, key: str, name: str) -> list[Edit]:
    """Removes a name from a list in the head, and the list if it becomes empty."""
    found, head = root.get(key), root.key(key)
    known = values(found)
    at = next((place for place, each in enumerate(known) if each.value == name), None)
    if at is None or found is None or head is None:
        return []
    span = known[at].span
    if len(known) == 1:
        return [Edit(_whole_lines(head.span.to(found.span)), "")]
    if not found.span.text.startswith("["):
        return [Edit(_whole_lines(span), "")]
    if at == 0:
        return [Edit(Span(span.file, span.start, known[1].span.start), "")]
    return [Edit(Span(span.file, known[at - 1].span.end, span.end), "")]


def lines(root: Mapping, text: str) -> Edit:
    """Appends lines to the head."""
    ends = [value.span for key, value in root.entries if key.value in ("game", *HEAD)]
    last = max(ends, key=lambda each: each.end, default=root.span)
    return Edit(_after(last), text)


def _indent(item: Span) -> str:
    """Returns the indentation of a list item."""
    return item.file.line_text(item.line).partition("-")[0]


def _whole_lines(span: Span) -> Span:
    text = span.file.text
    return Span(span.file, text.rfind("\n", 0, span.start) + 1, _after(span).start)


def _after(span: Span) -> Span:
    """Returns the start of the line after a span."""
    text = span.file.text
    end = span.end if text[: span.end].endswith("\n") else text.find("\n", span.end) + 1
    at = end or len(text)
    return Span(span.file, at, at)
