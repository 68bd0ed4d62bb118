"""Maps places between two versions of a text.

Equal lines are matched, and in a changed line its common prefix and suffix: places in them shift
along, and those in the changed part are lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from lawspeaker.base.source import SourceFile, Span

Block = tuple[int, int, int]
"""A matching block: its start in the old text and in the new one, and its length."""


class Shift:
    """The mapping from an old text to the current one."""

    def __init__(self, then: SourceFile, now: SourceFile) -> None:
        self.now = now
        same = then.text == now.text
        self.blocks = [(0, 0, len(now.text))] if same else list(_blocks(then.text, now.text))

    def back(self, offset: int) -> int | None:
        """Maps a current offset to the old text; None if it is in a changed part."""
        for old, new, length in self.blocks:
            if new <= offset <= new + length:
                return old + offset - new
        return None

    def forth(self, span: Span) -> Span | None:
        """Maps an old span to the current text; None if the word was changed or extended."""
        for old, new, length in self.blocks:
            if old <= span.start and span.end <= old + length:
                found = Span(self.now, span.start - old + new, span.end - old + new)
                return None if _goes_on(found) and not _goes_on(span) else found
        return None


def _blocks(old: str, new: str) -> Iterator[Block]:
    """Yields the matching blocks of both texts, in order."""
    lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [[0, *accumulate(map(len, each))] for each in lines]
    for what, first, end, begins, ends in SequenceMatcher(
        None, *lines, autojunk=False
    ).get_opcodes():
        at, to = starts[0][first], starts[1][begins]
        one, other = old[at : starts[0][end]], new[to : starts[1][ends]]
        if what == "equal":
            yield at, to, len(one)
        elif what == "replace":
            head = _alike(one, other)
            room = min(len(one), len(other)) - head
            tail = _alike(one[len(one) - room :][::-1], other[len(other) - room :][::-1])
            yield at, to, head
            yield at + len(one) - tail, to + len(other) - tail, tail


def _alike(one: str, other: str) -> int:
    """Returns the length of the common prefix."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _goes_on(span: Span) -> bool:
    """Whether a span begins or ends in the middle of a word."""
    text = span.file.text
    before, after = text[max(span.start - 1, 0) : span.start], text[span.end : span.end + 1]
    first, last = text[span.start : span.start + 1], text[max(span.end - 1, 0) : span.end]
    return (_in_word(before) and _in_word(first)) or (_in_word(after) and _in_word(last))


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
