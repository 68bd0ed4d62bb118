"""What of a picture has to be sent to a screen that shows an earlier one.

Of a part that was in the last picture only its place there is told, and most parts were. Of what a
screen shows only the prints of the parts are remembered.
"""

from __future__ import annotations

from array import array

from lawspeaker.faces.web.drawing.blocks import Picture, prints_of

Parts = list[str | list[int]]
"""New parts as texts; `[from, to]` are those parts of the last picture, `to` not included."""


class Screen:
    """The picture that one screen shows."""

    def __init__(self) -> None:
        self._prints = prints_of([])

    def show(self, picture: Picture) -> Parts:
        """The parts of a picture, which is shown from now on."""
        before, now = self._prints, picture.prints
        self._prints = now
        where = dict(zip(before, range(len(before)), strict=True))
        parts: Parts = []
        at = following = 0
        """Where the picture goes on, and where the last one does: mostly with the same."""
        while at < len(now):
            same = following < len(before) and before[following] == now[at]
            first = following if same else where.get(now[at])
            if first is None:
                parts.append(picture.part(at))
                at, following = at + 1, following + 1
            else:
                length = _alike(before, first, now, at)
                parts.append([first, first + length])
                at, following = at + length, first + length
        return parts


def _alike(one: array[int], first: int, other: array[int], at: int) -> int:
    """How many prints are the same from here and from there on. Most are, so that they are compared
    many at once."""
    most = min(len(one) - first, len(other) - at)

    def same(begin: int, end: int) -> bool:
        return one[first + begin : first + end] == other[at + begin : at + end]

    found, until = 0, min(32, most)
    while same(found, until):
        if until == most:
            return most
        found, until = until, min(3 * until, most)
    while until - found > 1:
        middle = (found + until) // 2
        if same(found, middle):
            found = middle
        else:
            until = middle
    return found
