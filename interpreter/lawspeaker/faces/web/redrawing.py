"""Sends a picture as a diff against the one that a screen shows.

A part that was in the last picture is sent as an index, and most parts were. Only the hashes of the
shown parts are stored for a screen.
"""

from __future__ import annotations

from array import array

from lawspeaker.faces.web.drawing.blocks import Picture, prints_of

Parts = list[str | list[int]]
"""New parts as texts; `[from, to]` is a half-open range of parts of the last picture."""


class Screen:
    """The hashes of the picture that one screen shows."""

    def __init__(self) -> None:
        self._prints = prints_of([])

    def show(self, drawn: Picture | str) -> Parts:
        """Returns the diff to a new picture and stores its hashes; a sandbox sends pictures as
        text."""
        picture = drawn if isinstance(drawn, Picture) else Picture([drawn])
        before, now = self._prints, picture.prints
        self._prints = now
        where: dict[int, int] = {}
        parts: Parts = []
        at = following = 0
        """Current index in the new picture, and the expected one in the old: mostly they match."""
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
    """Returns the length of the common run of hashes from two positions.

    They are compared in chunks, each as one big integer, whose lowest differing bit gives the
    position.
    """
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
