"""Finds chains of corresponding sentences by repeated local alignment.

The best chain through the score table is found by dynamic programming (Smith-Waterman): it
advances in both books, may join up to three sentences, may skip some, and ends where an extension
costs more than it gains. Its sentences are removed, and the next best chain is searched. So
chapters and sentences may be in another order, and unmatched sentences stay alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lawspeaker.study.alignment.lexicon import Floats

JOINS = {(1, 1): 0.0, (1, 2): -0.5, (2, 1): -0.5, (1, 3): -1.0, (3, 1): -1.0}
"""Number of sentences of each book that a link may join, with its cost."""
SKIP = 0.15
"""Gap penalty."""


@dataclass(frozen=True, slots=True)
class Link:
    """Corresponding sentences of both books, and the chain they were found in."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    score: float
    chain: int


Free = NDArray[np.bool_]
Score = Callable[[int, int], Floats]
"""The score table of so many joined sentences of each book, from each position on."""


def chains(score: Score, sizes: tuple[int, int], floor: float, weakest: float) -> list[Link]:
    """All links of chains that score at least the floor; links below the weakest score are
    dropped.
    """
    tables = {join: score(*join) for join in JOINS}
    free = np.ones(sizes[0], dtype=bool), np.ones(sizes[1], dtype=bool)
    found: list[Link] = []
    number = 0
    while True:
        number += 1
        links, total = _best(tables, free, number)
        if total < floor or not links:
            return sorted(found, key=lambda each: (each.first, each.second))
        for each in links:
            free[0][[*each.first]] = False
            free[1][[*each.second]] = False
            if each.score >= weakest:
                found.append(each)


def _best(
    tables: dict[tuple[int, int], Floats],
    free: tuple[Free, Free],
    number: int,
) -> tuple[list[Link], float]:
    """The best chain among free sentences, and its score."""
    rows, columns = len(free[0]), len(free[1])
    gains = {}
    for join, cost in JOINS.items():
        usable = _all_free(free[0], join[0])[:, None] & _all_free(free[1], join[1])[None, :]
        gains[join] = np.where(usable, tables[join] + cost, -np.inf).tolist()
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    came: list[list[tuple[int, int]]] = [[(0, 0)] * (columns + 1) for _ in range(rows + 1)]
    top, where = 0.0, (0, 0)
    for i in range(rows + 1):
        row = best[i]
        for j in range(columns + 1):
            value, way = 0.0, (0, 0)
            if i and best[i - 1][j] - SKIP > value:
                value, way = best[i - 1][j] - SKIP, (1, 0)
            if j and row[j - 1] - SKIP > value:
                value, way = row[j - 1] - SKIP, (0, 1)
            for (down, right), table in gains.items():
                if i >= down and j >= right:
                    gain = best[i - down][j - right] + table[i - down][j - right]
                    if gain > value:
                        value, way = gain, (down, right)
            row[j], came[i][j] = value, way
            if value > top:
                top, where = value, (i, j)
    links: list[Link] = []
    i, j = where
    while came[i][j] != (0, 0):
        down, right = came[i][j]
        i, j = i - down, j - right
        if down and right:
            gain = float(tables[down, right][i, j]) + JOINS[down, right]
            links.append(Link((*range(i, i + down),), (*range(j, j + right),), gain, number))
    return links[::-1], top


def _all_free(free: Free, size: int) -> Free:
    """Positions from which so many sentences are free."""
    found = free.copy()
    for further in range(1, size):
        found[: len(free) - further] &= free[further:]
        found[len(free) - further :] = False
    return found
