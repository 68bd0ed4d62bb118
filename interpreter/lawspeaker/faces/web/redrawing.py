"""What of a picture has to be sent to a screen that shows an earlier one.

A picture is cut where its groups begin. Of a part that was in the last picture only its place there
is told, and most parts were. Of what a screen shows only the prints of the parts are remembered.
"""

from __future__ import annotations

CUT = "<g "

Parts = list[str | list[int]]
"""New parts as texts; `[from, to]` are those parts of the last picture, `to` not included."""


class Screen:
    """The picture that one screen shows."""

    def __init__(self) -> None:
        self._prints: list[int] = []

    def show(self, picture: str) -> Parts:
        """The parts of a picture, which is shown from now on."""
        texts = picture.split(CUT)
        before, self._prints = self._prints, list(map(hash, texts))
        if before == self._prints:
            return [[0, len(before)]]
        where = {known: at for at, known in enumerate(before)}
        parts: Parts = []
        first = last = 0
        """The parts of the last picture that go on here."""
        for text, known in zip(texts, self._prints, strict=True):
            if first < last < len(before) and before[last] == known:
                last += 1
                continue
            if first < last:
                parts.append([first, last])
            first = last = where.get(known, -1)
            if first < 0:
                parts.append(text)
            else:
                last += 1
        return [*parts, [first, last]] if first < last else parts
