"""What of a picture has to be sent to a screen that shows an earlier one.

Of a part that was in the last picture only its place there is told, and most parts were. Of what a
screen shows only the prints of the parts are remembered.
"""

from __future__ import annotations

from array import array
from itertools import takewhile
from operator import eq

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
    found, until = 0, 32
    while found < most:
        until = min(until, most)
        here, there = one[first + found : first + until], other[at + found : at + until]
        if here != there:
            return found + sum(1 for _ in takewhile(bool, map(eq, here, there)))
        found, until = until, 3 * until
    return most
