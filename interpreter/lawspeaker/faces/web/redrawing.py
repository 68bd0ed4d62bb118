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

    def show(self, drawn: Picture | str) -> Parts:
        """The parts of a picture, which is shown from now on; another process sends its text."""
        picture = drawn if isinstance(drawn, Picture) else Picture([drawn])
        before, now = self._prints, picture.prints
        self._prints = now
        where: dict[int, int] = {}
        parts: Parts = []
        at = following = 0
        """Where the picture goes on, and where the last one does: mostly with the same."""
        while at < len(now):
            first: int | None = following
            if following >= len(before) or before[following] != now[at]:
                where = where or dict(zip(before, range(len(before)), strict=True))
                first = where.get(now[at])
            if first is None:
                parts.append(picture.part(at))
                at, following = at + 1, following + 1
            else:
                length = _alike(before, first, now, at)
                parts.append([first, first + length])
                at, following = at + length, first + length
        return parts


def _alike(one: array[int], first: int, other: array[int], at: int) -> int:
    """How many prints are the same from here and from there on. They are compared many at once, as
    one long number each, in which the lowest bit that differs tells the place."""
    most = min(len(one) - first, len(other) - at)
    same, many = 0, 32
    while same < most:
        many = min(many, most - same)
        begin, end = first + same, at + same
        differing = _number(one[begin : begin + many]) ^ _number(other[end : end + many])
        if differing:
            lowest = (differing & -differing).bit_length() - 1
            return same + lowest // (8 * one.itemsize)
        same, many = same + many, 4 * many
    return most


def _number(prints: array[int]) -> int:
    return int.from_bytes(prints.tobytes(), "little")
