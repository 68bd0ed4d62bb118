"""Finished parts of pictures: their texts, and worked out once, what they use and how they are cut.

A picture is cut where its groups begin. What stands before the first cut of a block, and behind its
last one, goes with what stands around it.
"""

from __future__ import annotations

from array import array
from functools import cached_property, lru_cache

from lawspeaker.faces.web.drawing.pictures import hrefs

CUT = "<g "


class Block:
    """A finished part of a picture."""

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def parts(self) -> list[str]:
        """What there is between the cuts."""
        return _parts(self.text)

    @cached_property
    def uses(self) -> tuple[str, ...]:
        """The names of what it uses."""
        return tuple(hrefs(self.text))

    @cached_property
    def cut(self) -> tuple[str, array[int], str]:
        """The first and the last part, and the prints of those between."""
        first, *between, last = self.parts
        return first, prints_of(between), last


def prints_of(parts: list[str]) -> array[int]:
    return array("q", map(hash, parts))


@lru_cache(maxsize=64)
def _parts(text: str) -> list[str]:
    """The parts of a text; those of a new block are read by one screen after the other."""
    return text.split(CUT)
