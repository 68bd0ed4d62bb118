"""Removes a piece from its place and inserts it into another.

`lift` removes it, `lay` inserts it on top of a place or at the bottom. Between the two the piece is
nowhere. Heaps are kept sorted. In a place with a loose (shuffled) middle the counts are updated: a
piece laid at the bottom is below the loose ones, one laid on top is above them, and removing a
piece shrinks its part.
"""

from __future__ import annotations

from bisect import bisect_left

from lawspeaker.position.layout import Layout
from lawspeaker.position.state import State


def lift(s: State, piece: int) -> int:
    """Removes a piece from its place; returns that place."""
    origin = s.where[piece]
    contents = s.contents
    held = contents[origin]
    if len(held) == 1:
        del contents[origin]
        if s.loose:
            s.loose.pop(origin, None)
        return origin
    at = held.index(piece)
    contents[origin] = held[:at] + held[at + 1 :]
    if origin in s.loose:
        under, loose = s.loose[origin]
        if at < under:
            s.loose[origin] = (under - 1, loose)
        elif loose == 1 and at == under:
            del s.loose[origin]
        elif at < under + loose:
            s.loose[origin] = (under, loose - 1)
    return origin


def lay(layout: Layout, s: State, piece: int, to: int, under: bool) -> None:
    """Inserts a removed piece into a place."""
    contents = s.contents
    held = contents.get(to)
    s.where[piece] = to
    if held is None:
        contents[to] = (piece,)
    elif layout.heap[to]:
        if piece > held[-1]:
            contents[to] = (*held, piece)
        else:
            at = bisect_left(held, piece)
            contents[to] = (*held[:at], piece, *held[at:])
    elif under:
        contents[to] = (piece, *held)
        if to in s.loose:
            below, loose = s.loose[to]
            s.loose[to] = (below + 1, loose)
    else:
        contents[to] = (*held, piece)
