"""References to sentences of a book: section and numbers.

    Landing             the section
    Landing § 3         its third sentence
    Landing § 2 5-7     four of its sentences

After the last § come numbers and ranges, separated by blanks (commas work too, but have a meaning
of their own in YAML's brackets). So a reference needs no quotes where the heading needs none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SIGN = "§"
LARGEST = 9_999
_PARTS = re.compile(rf"(?P<section>.*\S)\s*{SIGN}(?P<numbers>[\s\d,–-]*)", re.DOTALL)
_RUN = re.compile(r"(\d{1,4})(?:[-–](\d{1,4}))?")


class BadReference(ValueError):
    """A text that is no valid reference; the message is for its author."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A section of a book, and the numbers of sentences in it; without numbers, the section."""

    section: str
    numbers: tuple[int, ...] = ()

    def __str__(self) -> str:
        return named(self.section, self.numbers)


def named(section: str, numbers: tuple[int, ...]) -> str:
    """Formats a reference."""
    return f"{section} {SIGN} {in_runs(numbers)}" if numbers else section


def reference(text: str) -> Reference:
    """Parses a reference; raises BadReference."""
    found = _PARTS.fullmatch(text.strip())
    if found is None:
        return Reference(text.strip())
    numbers: list[int] = []
    for part in re.split(r"[\s,]+", found["numbers"].strip(" ,")):
        run = _RUN.fullmatch(part)
        first = int(run[1]) if run else 0
        last = int(run[2] or run[1]) if run else 0
        if not 0 < first <= last:
            what = f"`{part}`" if part else "what stands after §"
            raise BadReference(f"{what} is no number of a sentence")
        numbers += range(first, last + 1)
    return Reference(found["section"], tuple(numbers))


def in_runs(numbers: Iterable[int]) -> str:
    """Formats numbers in order, with ranges: `2 5-7`."""
    return " ".join(
        str(first) if first == last else f"{first}-{last}" for first, last in _runs(numbers)
    )


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    run: tuple[int, int] | None = None
    for number in numbers:
        if run is not None and number == run[1] + 1:
            run = run[0], number
            continue
        if run is not None:
            yield run
        run = number, number
    if run is not None:
        yield run
