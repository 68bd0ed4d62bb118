"""Page layout analysis: turns positioned words into lines, column by column, with headings.

A page is a list of words with their boxes and font sizes. The steps are:

**Columns.** Where a vertical strip is free of words in several rows, with words on both sides,
there are two columns. Rows that cross the strip, such as a title over both, split the page into
parts above and below. Columns are split recursively.

**Paragraphs.** A line gap that is larger than usual begins a paragraph, and so does another font
size, or a list marker.

**Headings.** A row in a larger font than most of the book is a heading; the larger, the higher.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

LARGER = 1.12
GUTTER = 1.1
"""Minimum width of the strip between columns, in font sizes."""
LEAST_ROWS = 2
SPACED = 1.45
"""A gap larger than usual by this factor begins a paragraph."""
MOST_LEVELS = 4
_MARK = re.compile(r"[-–—•·▪►✦→]")
_NUMBERED = re.compile(r"\d{1,2}[.)]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word on a page: its box, from the top left, and its font size."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float


@dataclass(frozen=True, slots=True)
class _Row:
    words: tuple[Word, ...]

    @property
    def top(self) -> float:
        return min(each.top for each in self.words)

    @property
    def bottom(self) -> float:
        return max(each.bottom for each in self.words)

    @property
    def size(self) -> float:
        sizes = Counter({round(each.size, 1): 0 for each in self.words})
        for each in self.words:
            sizes[round(each.size, 1)] += len(each.text)
        return sizes.most_common(1)[0][0]

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.words)


def lines(pages: Sequence[Sequence[Word]]) -> list[list[str]]:
    """The lines of each page, as Markdown."""
    letters: Counter[float] = Counter()
    for each in (word for page in pages for word in page):
        letters[round(each.size, 1)] += len(each.text)
    if not letters:
        return [[] for _ in pages]
    usual = letters.most_common(1)[0][0]
    larger = sorted((size for size in letters if size > usual * LARGER), reverse=True)
    levels = {size: min(at, MOST_LEVELS) for at, size in enumerate(larger, start=1)}
    parts = [[*_columns(page)] for page in pages]
    usual_gap = median([*_gaps(part for own in parts for part in own)] or [1.0])
    return [
        [line for part in own for line in (*_paragraphs(part, levels, usual_gap), "")]
        for own in parts
    ]


def _gaps(parts: Iterable[Sequence[_Row]]) -> Iterator[float]:
    """Line distances, in font sizes."""
    for rows in parts:
        for one, two in pairwise(rows):
            yield (two.top - one.top) / two.size


def _rows(words: Iterable[Word]) -> list[_Row]:
    """Groups words into rows."""
    found: list[list[Word]] = []
    for word in sorted(words, key=lambda each: ((each.top + each.bottom) / 2, each.left)):
        middle = (word.top + word.bottom) / 2
        if found and found[-1][0].top <= middle <= found[-1][0].bottom:
            found[-1].append(word)
        else:
            found.append([word])
    return [_Row(tuple(sorted(row, key=lambda each: each.left))) for row in found]


def _columns(words: Sequence[Word]) -> Iterator[list[_Row]]:
    """The rows of a page or a column, part by part, in reading order."""
    rows = _rows(words)
    middle = _gutter(words, rows)
    if middle is None:
        if rows:
            yield rows
        return
    for across, run in groupby(rows, lambda row: _crosses(row, middle)):
        band = [*run]
        inside = [each for own in band for each in own.words]
        left = [each for each in inside if each.right <= middle]
        right = [each for each in inside if each.right > middle]
        if across or not (left and right):
            yield band
        else:
            yield from _columns(left)
            yield from _columns(right)


def _gutter(words: Sequence[Word], rows: Sequence[_Row]) -> float | None:
    """The middle of the strip that splits most rows into two columns; None if there is no such
    strip.
    """
    if len(rows) < LEAST_ROWS:
        return None
    half = GUTTER * median(each.size for each in words) / 2
    best, where = 0.0, None
    for middle in sorted({round(each.right + half + 0.1, 1) for each in words}):
        apart = [row for row in rows if not _near(row, middle, half)]
        both = [row for row in apart if row.words[0].right < middle < row.words[-1].left]
        left = sum(row.words[0].right < middle for row in apart)
        right = sum(row.words[-1].left > middle for row in apart)
        enough = min(left, right) >= LEAST_ROWS and len(both) >= LEAST_ROWS
        if enough and len(apart) > len(rows) / 2 and len(apart) > best:
            best, where = len(apart), middle
    return where


def _near(row: _Row, middle: float, half: float) -> bool:
    return any(each.left < middle + half and each.right > middle - half for each in row.words)


def _crosses(row: _Row, middle: float) -> bool:
    """Whether a row crosses the strip: a word lies in it, or its gap there is no wider than a
    word gap.
    """
    before = [each.right for each in row.words if each.right <= middle]
    after = [each.left for each in row.words if each.left >= middle]
    if len(before) + len(after) < len(row.words):
        return True
    return bool(before and after) and min(after) - max(before) < GUTTER * row.size


def _paragraphs(rows: Sequence[_Row], levels: dict[float, int], usual: float) -> Iterator[str]:
    before: _Row | None = None
    for row in rows:
        level = levels.get(row.size)
        if before is not None:
            spaced = row.top - before.top > usual * row.size * SPACED
            other = abs(row.size - before.size) > 0.3
            marked = _MARK.match(row.text) or _NUMBERED.match(row.text)
            if spaced or other or (marked and level is None):
                yield ""
        text = _MARK.sub("-", row.text, count=1) if _MARK.match(row.text) else row.text
        if level is None:
            yield text
        elif before is not None and levels.get(before.size) == level and not spaced and not other:
            yield f"\x00{text}"
        else:
            yield f"{'#' * level} {text}"
        before = row


def whole(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Joins headings of two rows into one line."""
    found: list[list[str]] = []
    for page in pages:
        kept: list[str] = []
        for line in page:
            if line.startswith("\x00") and kept:
                kept[-1] += f" {line[1:]}"
            else:
                kept.append(line)
        found.append(kept)
    return found
