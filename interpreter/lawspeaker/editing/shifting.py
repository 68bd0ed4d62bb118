"""Places of a text, found again after somebody has typed in it.

What was typed since lies between a beginning and an end that stayed as they were: places before it
stay, places behind it move along, and of what was changed itself nothing is known.
"""

from __future__ import annotations

from lawspeaker.base.source import SourceFile, Span


class Shift:
    """The way from a text as it was to what it is now."""

    def __init__(self, then: SourceFile, now: SourceFile) -> None:
        self.then, self.now = then, now
        old, new = then.text, now.text
        self.head = _alike(old, new)
        room = min(len(old), len(new)) - self.head
        self.tail = _alike(old[len(old) - room :][::-1], new[len(new) - room :][::-1])
        self.by = len(new) - len(old)

    def back(self, offset: int) -> int | None:
        """Where a place of today was; None if it is in what has been changed."""
        if offset <= self.head:
            return offset
        return offset - self.by if offset >= len(self.now.text) - self.tail else None

    def forth(self, span: Span) -> Span | None:
        """Where a word of then stands today; None if it has been changed, or has grown."""
        if span.end <= self.head:
            start = span.start
        elif span.start >= len(self.then.text) - self.tail:
            start = span.start + self.by
        else:
            return None
        found = Span(self.now, start, start + span.end - span.start)
        return None if _goes_on(found) and not _goes_on(span) else found


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
