"""Places of a text, found again after somebody has typed in it.

What stayed as it was are lines, and of a line that was changed its beginning and its end: places in
them have moved together, and of what was changed itself nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from lawspeaker.base.source import SourceFile, Span

Block = tuple[int, int, int]
"""Where something begins in the old text and in the new one, and how long it is."""


class Shift:
    """The way from a text as it was to what it is now."""

    def __init__(self, then: SourceFile, now: SourceFile) -> None:
        self.now = now
        same = then.text == now.text
        self.blocks = [(0, 0, len(now.text))] if same else list(_blocks(then.text, now.text))

    def back(self, offset: int) -> int | None:
        """Where a place of today was; None if it is in what has been changed."""
        for old, new, length in self.blocks:
            if new <= offset <= new + length:
                return old + offset - new
        return None

    def forth(self, span: Span) -> Span | None:
        """Where a word of then stands today; None if it has been changed, or has grown."""
        for old, new, length in self.blocks:
            if old <= span.start and span.end <= old + length:
                found = Span(self.now, span.start - old + new, span.end - old + new)
                return None if _goes_on(found) and not _goes_on(span) else found
        return None


def _blocks(old: str, new: str) -> Iterator[Block]:
    """What is the same in both texts, in order."""
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
    """How many signs two texts begin with alike."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _goes_on(span: Span) -> bool:
    """Whether a word does not begin where the span begins, or does not end where that ends."""
    text = span.file.text
    before, after = text[max(span.start - 1, 0) : span.start], text[span.end : span.end + 1]
    first, last = text[span.start : span.start + 1], text[max(span.end - 1, 0) : span.end]
    return (_in_word(before) and _in_word(first)) or (_in_word(after) and _in_word(last))


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
