"""Immutable parts of pictures, with their references and part hashes computed once.

A block is text. A picture, whole or partial, is a sequence of texts, blocks and other pictures, and
is concatenated only on request. Both are cut where SVG groups begin. The text before the first cut
of a block and after its last one belongs to the parts around it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property, lru_cache

from lawspeaker.faces.web.drawing.pictures import hrefs

CUT = "<g "


class Block:
    """A finished part of a picture, as text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    @property
    def size(self) -> int:
        """Its approximate memory use in characters."""
        return len(self._text)

    def part(self, number: int) -> str:
        """Returns the text between two cuts."""
        return _parts(self._text)[number]

    @cached_property
    def uses(self) -> frozenset[str]:
        """The ids of the elements that it references."""
        return frozenset(hrefs(self._text))

    @cached_property
    def cut(self) -> tuple[str, array[int], str]:
        """The first and the last part, and the hashes of those between."""
        first, *between, last = _parts(self._text)
        return first, prints_of(between), last


class Picture:
    """A picture, or a part of one, as a sequence of fragments."""

    def __init__(self, fragments: Iterable[Fragment]) -> None:
        self.fragments = tuple(fragments)
        self.prints = prints_of([])
        """The hashes of all its parts."""
        self.size = 0
        """Its approximate memory use besides its blocks."""
        self._runs: list[tuple[str, ...] | Block | Picture] = []
        """Its parts in order: texts between blocks, and blocks, whose parts count from their
        second."""
        self._starts: list[int] = []
        """For each run, the index of its first part."""
        prints, texts = self.prints, [""]
        for each in self.fragments:
            if isinstance(each, str):
                self.size += len(each)
                first, *others = each.split(CUT)
                texts[-1] += first
                texts += others
            else:
                first, between, last = each.cut
                texts[-1] += first
                self._run_on(texts)
                self._starts.append(len(prints))
                self._runs.append(each)
                prints.extend(between)
                texts = [last]
        self._run_on(texts)
        self.size += len(prints) * prints.itemsize

    def _run_on(self, texts: list[str]) -> None:
        self._starts.append(len(self.prints))
        self._runs.append(tuple(texts))
        self.prints.extend(map(hash, texts))

    def part(self, number: int) -> str:
        """Returns the text of a part."""
        at = bisect_right(self._starts, number) - 1
        run, within = self._runs[at], number - self._starts[at]
        return run[within] if isinstance(run, tuple) else run.part(1 + within)

    @cached_property
    def cut(self) -> tuple[str, array[int], str]:
        """Like `Block.cut`."""
        return self.part(0), self.prints[1:-1], self.part(len(self.prints) - 1)

    @cached_property
    def uses(self) -> frozenset[str]:
        """The ids of the elements that it references."""
        return names_in(self.fragments)

    def __str__(self) -> str:
        return "".join(map(str, self.fragments))


Fragment = str | Block | Picture
"""An element of a picture: text, or a finished part."""


def names_in(fragments: Iterable[Fragment]) -> frozenset[str]:
    """Returns the ids that fragments reference."""
    each = [hrefs(one) if isinstance(one, str) else one.uses for one in fragments]
    return frozenset().union(*each)


def prints_of(parts: list[str]) -> array[int]:
    return array("q", map(hash, parts))


@lru_cache(maxsize=64)
def _parts(text: str) -> list[str]:
    """Splits a text into its parts, cached: several screens read those of a new block in turn."""
    return text.split(CUT)
