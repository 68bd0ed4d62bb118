"""Changes of the head of an entry file: names in its lists, and lines that it lacks."""

from __future__ import annotations

from lawspeaker.base.source import Span
from lawspeaker.editing.fixes import Edit
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence
from lawspeaker.text.rulebook import HEAD


def values(node: Node | None) -> list[Scalar]:
    """What stands in a list."""
    items = node.items if isinstance(node, Sequence) else ()
    return [each for each in items if isinstance(each, Scalar)]


def put_in(root: Mapping, key: str, name: str) -> Edit:
    """A name at the end of a list of the head, which is begun if there is none."""
    found = root.get(key)
    known = values(found)
    if found is None or not known:
        return lines(root, f"{key}: [{name}]\n")
    last = known[-1].span
    between = ", " if found.span.text.startswith("[") else f"\n{_indent(last)}- "
    return Edit(Span(last.file, last.end, last.end), between + name)


def take_out(root: Mapping, key: str, name: str) -> list[Edit]:
    """A list of the head without a name; one that is empty then goes."""
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
    """Lines behind what the head has."""
    ends = [value.span for key, value in root.entries if key.value in ("game", *HEAD)]
    last = max(ends, key=lambda each: each.end, default=root.span)
    return Edit(_after(last), text)


def _indent(item: Span) -> str:
    """What stands before the dash of an item."""
    return item.file.line_text(item.line).partition("-")[0]


def _whole_lines(span: Span) -> Span:
    text = span.file.text
    return Span(span.file, text.rfind("\n", 0, span.start) + 1, _after(span).start)


def _after(span: Span) -> Span:
    """The beginning of the line behind a stretch of text."""
    text = span.file.text
    end = span.end if text[: span.end].endswith("\n") else text.find("\n", span.end) + 1
    at = end or len(text)
    return Span(span.file, at, at)
