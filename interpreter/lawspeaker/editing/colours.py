"""Syntax highlighting for code inside YAML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lawspeaker.base.source import Span
from lawspeaker.editing.occurrences import Occurrence
from lawspeaker.text.document import Node
from lawspeaker.text.format.roles import codes
from lawspeaker.text.parse import reserved_words

_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)|(?P<number>\b[0-9]+\b)|(?P<name>[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)"
    r"|(?P<operator><=|>=|\.\.|[-+*/<>=])"
)


def colours(root: Node | None, named: Iterable[Occurrence]) -> Iterator[tuple[Span, str]]:
    """Yields every token of code with its kind: a kind of symbol, `keyword`, `number`, `comment`
    …"""
    if root is None:
        return
    meant = {each.span.start: each.meaning.sort for each in named}
    for scalar, _ in codes(root):
        content = scalar.content
        for token in _TOKEN.finditer(content.file.text, content.start, content.end):
            sort = token.lastgroup or ""
            if sort == "name":
                sort = meant.get(token.start(), "")
                sort = sort or ("keyword" if token[0] in reserved_words() else "name")
            yield Span(content.file, token.start(), token.end()), sort
