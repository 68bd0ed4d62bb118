"""Searches pages of the documentation by words, and takes a page apart into sections.

Sections are ranked by BM25, with the words of headings counted several times. Words are compared
without case and without a plural s.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lawspeaker.editing.manual import headed

K1, B = 1.2, 0.75
"""The usual parameters of BM25: saturation, and how much the length of a section counts."""
TITLE_WEIGHT = 4
_WORD = re.compile(r"[a-z][a-z0-9_]+")
_COMMON = frozenset(
    "a an and are as at be by do does for from how i in is it its of on or that the this to what "
    "when where which who with".split()
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its text, up to the next heading. `key` is PAGE#ANCHOR, or PAGE for the first.

    `title` has the headings above it, too.
    """

    key: str
    title: str
    text: str


def sections(pages: Mapping[str, str]) -> Iterator[Section]:
    """Yields the sections of pages, in order."""
    for page, text in pages.items():
        yield from _sections(page, text)


def _sections(page: str, text: str) -> Iterator[Section]:
    above: dict[int, str] = {}
    for key, level, title, body in headed(page, text):
        above = {at: each for at, each in above.items() if at < level} | {level: title}
        yield Section(key, " › ".join(above.values()), "\n".join(body).strip())


class Index:
    """An index of sections."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self.sections = list(sections(pages))
        self._counts = [_weighted(each) for each in self.sections]
        self._lengths = [each.total() for each in self._counts]
        self._mean = sum(self._lengths) / max(len(self._lengths), 1) or 1.0
        self._in: Counter[str] = Counter(word for each in self._counts for word in each)

    def search(self, words: str, most: int) -> list[Section]:
        """Returns the best sections for some words; none if no word occurs."""
        wanted = dict.fromkeys(_words(words))
        scored = [(self._score(at, wanted), -at) for at in range(len(self.sections))]
        best = sorted((each for each in scored if each[0] > 0), reverse=True)[:most]
        return [self.sections[-at] for _, at in best]

    def _score(self, at: int, wanted: Mapping[str, None]) -> float:
        counts, total = self._counts[at], 0.0
        for word in wanted:
            times, among = counts[word], self._in[word]
            if times:
                rarity = math.log(1 + (len(self.sections) - among + 0.5) / (among + 0.5))
                length = 1 - B + B * self._lengths[at] / self._mean
                total += rarity * times * (K1 + 1) / (times + K1 * length)
        return total


def _weighted(section: Section) -> Counter[str]:
    counts = Counter(_words(section.text))
    for word in _words(f"{section.title} {section.key}"):
        counts[word] += TITLE_WEIGHT
    return counts


def _words(text: str) -> list[str]:
    found = (word for word in _WORD.findall(text.lower()) if word not in _COMMON)
    return [
        word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word
        for word in found
    ]
