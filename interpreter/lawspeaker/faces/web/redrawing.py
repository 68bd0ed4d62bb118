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
        before, self._prints = self._prints, [hash(text) for text in texts]
        where = {known: at for at, known in enumerate(before)}
        parts: Parts = []
        for text, known in zip(texts, self._prints, strict=True):
            last = parts[-1] if parts else ""
            if isinstance(last, list) and last[1] < len(before) and before[last[1]] == known:
                last[1] += 1
            elif (at := where.get(known)) is not None:
                parts.append([at, at + 1])
            else:
                parts.append(text)
        return parts
