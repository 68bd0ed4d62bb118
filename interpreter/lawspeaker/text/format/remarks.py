"""Finds the comments in the YAML of a file, and assigns each to what it belongs to.

YAML's parsers drop comments, so they are found here: a `#` outside of all values begins one.
Comments inside code belong to the code; see `code_layout`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator
from dataclasses import dataclass

from lawspeaker.base.source import SourceFile
from lawspeaker.text.document import Mapping, Node, Scalar

_REMARK = re.compile(r"#[^\r\n]*")
_HEADER = re.compile(r"[|>][0-9+-]*")


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment: its offset, whether it is alone on its line, and its column."""

    start: int
    text: str
    alone: bool
    line: int
    column: int


def scalars(node: Node) -> Iterator[Scalar]:
    """All scalars of a tree, including keys, in the order of the file."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield key
            yield from scalars(value)
    else:
        for item in node.items:
            yield from scalars(item)


def find(file: SourceFile, root: Node) -> list[Remark]:
    """All comments of a file's YAML, in order."""
    text, found, at = file.text, list[Remark](), 0
    for low, high in [*_values(file, root), (len(text), len(text))]:
        found += (_remark(file, match) for match in _REMARK.finditer(text, at, low))
        at = high
    return found


def _values(file: SourceFile, root: Node) -> Iterator[tuple[int, int]]:
    """The ranges of text in which a `#` does not begin a comment."""
    for scalar in scalars(root):
        start, end = scalar.span.start, scalar.span.end
        if scalar.style in ("literal", "folded"):
            header = _HEADER.match(file.text, start)
            yield start, header.end() if header else start + 1
            start = min(scalar.content.start, end)
        yield start, end


def _remark(file: SourceFile, match: re.Match[str]) -> Remark:
    line, column = file.position(match.start())
    before = file.text[file.line_start(line) : match.start()]
    return Remark(match.start(), match[0].rstrip(), not before.strip(), line, column - 1)


class Remarks:
    """Hands out each comment once, in order."""

    def __init__(self, file: SourceFile, root: Node, without: Container[int] = ()) -> None:
        """`without` are the offsets of comments to drop."""
        self.file = file
        self.all = [each for each in find(file, root) if each.start not in without]
        self.starts = [each.start for each in self.all]
        self.at = 0

    @property
    def _next(self) -> Remark | None:
        return self.all[self.at] if self.at < len(self.all) else None

    def before(self, offset: int) -> list[Remark]:
        """The unclaimed comments up to an offset."""
        first = self.at
        while (remark := self._next) and remark.start < offset:
            self.at += 1
        return self.all[first : self.at]

    def beside(self, offset: int) -> str:
        """The comment at the end of the line of an offset, with the spaces before it."""
        remark = self._next
        if remark is None or remark.alone or remark.line != self.file.position(offset)[0]:
            return ""
        self.at += 1
        return f"  {remark.text}"

    def below(self, column: int, offset: int) -> list[Remark]:
        """The comments up to an offset that are indented like the collection that ends here."""
        first = self.at
        while (remark := self._next) and remark.start < offset:
            if not remark.alone or remark.column < column:
                break
            self.at += 1
        return self.all[first : self.at]

    def between(self, start: int, end: int) -> list[Remark]:
        """The comments in a range of the file, claimed or not."""
        return self.all[bisect_left(self.starts, start) : bisect_left(self.starts, end)]
