"""Source files and spans.

A `SourceFile` is a name and a text; nothing here does I/O. A `Span` is a half-open range of
character offsets in one file. All stages pass offsets; lines and columns are computed only for
display. For that a file indexes its line starts once, on first use, and bisects the index.

Lines end at LF, CR LF or a lone CR, as in YAML. A byte order mark at the start of the text counts
for offsets but not for columns, since no editor shows it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from lawspeaker.base.light import light

BYTE_ORDER_MARK = "\ufeff"
_LINE_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A text and the name it is shown under (a path, as the reader of messages knows it)."""

    name: str
    text: str = field(repr=False)
    _starts: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    def _line_starts(self) -> list[int]:
        if not self._starts:
            later = [match.end() for match in _LINE_BREAK.finditer(self.text)]
            self._starts.extend([0, *later])
        return self._starts

    @property
    def line_count(self) -> int:
        return len(self._line_starts())

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; the offset is clamped to the text."""
        offset = max(0, min(offset, len(self.text)))
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        column = offset - starts[line - 1] + 1
        if line == 1 and column > 1 and self.text.startswith(BYTE_ORDER_MARK):
            column -= 1
        return line, column

    def line_start(self, line: int) -> int:
        """The offset of the first character of a line (after a byte order mark)."""
        start = self._line_starts()[line - 1]
        return start + (start == 0 and self.text.startswith(BYTE_ORDER_MARK))

    def line_text(self, line: int) -> str:
        """The text of a line, counted from 1, without its line break."""
        starts = self._line_starts()
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[self.line_start(line) : end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A file of the rules, named as the entry file names it.

    `given` is None for a file of the game; for a file of a variant, the values of its parameters.
    `shown` is the name to display, while the origin of the file is known.
    """

    name: str
    text: str = field(repr=False)
    given: tuple[str, ...] | None = None
    shown: str = field(default="", compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"name": self.name}
        if self.given is not None:
            data["given"] = list(self.given)
        return {**data, "text": self.text}


@light
@dataclass(frozen=True, slots=True)
class Span:
    """The half-open range of characters `start` to `end` in `file`."""

    file: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.file.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.file.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.file.text[self.start : self.end]

    @property
    def head(self) -> Span:
        """The first line, without a comment: of a statement, all but its block."""
        line = self.text.partition("\n")[0].partition("#")[0].rstrip()
        return Span(self.file, self.start, self.start + len(line))

    @property
    def known(self) -> bool:
        """Whether this is a span of a real file, rather than `NOWHERE`."""
        return bool(self.file.name)

    def to(self, other: Span) -> Span:
        """The range from the start of this span to the end of another in the same file."""
        return Span(self.file, self.start, other.end)

    def __str__(self) -> str:
        if not self.known:
            return "(no place)"
        line, column = self.file.position(self.start)
        return f"{self.file.name}:{line}:{column}"


NOWHERE = Span(SourceFile("", ""), 0, 0)
"""The span of nodes without source text: built-in things, and nodes that a stage synthesises."""
