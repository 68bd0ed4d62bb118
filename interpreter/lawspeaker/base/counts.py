"""Numbers of players that a game supports: parsing them from rule files and formatting them.

`2`, `2 to 4`, `2 or 4`, `2, 3 or 5 to 8`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import enumerated

_WRITTEN = re.compile(r"\d+(?: to \d+)?(?:(?:, or |, | or )\d+(?: to \d+)?)*")
_RUN = re.compile(r"(\d+)(?: to (\d+))?")


def counts_in(text: str, most: int) -> tuple[int, ...]:
    """Parses player counts, in order; empty if the text is invalid or a count exceeds `most`."""
    text = " ".join(text.split())
    if not _WRITTEN.fullmatch(text):
        return ()
    found: set[int] = set()
    for few, many in _RUN.findall(text):
        last = int(many or few)
        if not 1 <= int(few) <= last <= most:
            return ()
        found.update(range(int(few), last + 1))
    return tuple(sorted(found))


def counts_in_sentence(counts: Sequence[int], language: str = "en") -> str:
    """Formats counts for a sentence: `2 to 4`, `2 or 4`."""
    return _told(counts, language, phrase("counts.range", language))


def counts_in_table(counts: Sequence[int], language: str = "en") -> str:
    """Formats counts for a table: `2–4`, `2 or 4`."""
    return _told(counts, language, "{low}–{high}")


def not_for(name: str, counts: Sequence[int], wanted: int) -> str:
    """The error message for a number of players that a game does not support."""
    return f"{name} is for {counts_in_sentence(counts)} {_players(counts)}, not {wanted}"


def _players(counts: Sequence[int]) -> str:
    return "player" if tuple(counts) == (1,) else "players"


def nearest_count(counts: Sequence[int], wanted: int) -> int:
    """The closest supported count; of two equally close ones, the greater."""
    return min(counts, key=lambda each: (abs(each - wanted), -each))


def in_both(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The counts that two versions of a game share, in ascending order."""
    return tuple(each for each in one if each in other)


def _told(counts: Sequence[int], language: str, run: str) -> str:
    runs = list(_runs(counts))
    parts = []
    for low, high in runs:
        if high > low + 1 or (high > low and len(runs) == 1):
            parts.append(run.format(low=low, high=high))
        else:
            parts += map(str, range(low, high + 1))
    return enumerated(parts, language, either=True)


def _runs(counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Groups consecutive numbers into runs, each as (first, last)."""
    start = 0
    for at in range(1, len(counts) + 1):
        if at == len(counts) or counts[at] != counts[at - 1] + 1:
            yield counts[start], counts[at - 1]
            start = at
