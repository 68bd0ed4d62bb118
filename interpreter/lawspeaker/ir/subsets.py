"""Counts the subsets of a set, up to a limit."""

from __future__ import annotations

from lawspeaker.ir.types import LARGEST

MOST_OPTIONS = 50_000
"""The most options of a question, and combinations of a set."""


def subset_count(members: int, least: int, most: int) -> int:
    """Returns the number of subsets of these sizes, or one more than the most options."""
    total = 0
    for size in range(max(0, least), min(members, most) + 1):
        found, taken = 1, min(size, members - size)
        for at in range(taken):
            found = found * (members - at) // (at + 1)
            if found > MOST_OPTIONS:
                return MOST_OPTIONS + 1
        total += found
        if total > MOST_OPTIONS:
            return MOST_OPTIONS + 1
    return total


MOST_CHOSEN = next(
    size for size in range(LARGEST) if subset_count(size + 1, 1, size + 1) > MOST_OPTIONS
)
"""The largest set whose subsets are within the limit."""
