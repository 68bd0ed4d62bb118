"""A dictionary learned from pairs of sentences: IBM model 1, with folds left out.

The model says how likely a word of one sentence stands for a word of the other. It is trained on
texts that are known to correspond (translations of a game) and on the pairs that an alignment has
found so far. A pair must not vouch for itself: pairs found so far are dealt into folds, and each
sentence is scored by counts from which its own fold is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FOLDS = 8
ROUNDS = 6
SMOOTHING = 0.6
"""So much evidence is missing for a word that was seen once."""
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences that correspond, by the numbers of their words. Fold 0 is never left out."""

    first: Ints
    second: Ints
    fold: int = 0


class Lexicon:
    """How likely a word stands for another, learned from pairs.

    `sizes` are the numbers of words of the books; pairs may have more words than those.
    """

    def __init__(self, pairs: Iterable[Pair], sizes: tuple[int, int]) -> None:
        self.sizes = sizes
        self.cells, self.shares, self.folds = _trained([*pairs], sizes)
        self.counts = self._counts(np.ones(len(self.cells), dtype=bool))

    def without(self, fold: int) -> Floats:
        """The chance of each word of the second book to stand for each of the first."""
        counts = self.counts
        if fold:
            counts = counts - self._counts(self.folds == fold)
        return np.asarray(counts / (counts.sum(axis=1, keepdims=True) + SMOOTHING))

    def _counts(self, wanted: NDArray[np.bool_]) -> Floats:
        size = self.sizes[0] * self.sizes[1]
        found = np.bincount(self.cells[wanted], weights=self.shares[wanted], minlength=size)
        return np.asarray(found.reshape(self.sizes), dtype=np.float64)


def _trained(pairs: Sequence[Pair], sizes: tuple[int, int]) -> tuple[Ints, Floats, Ints]:
    """Each word that may explain another, as a cell of the table of the books' words; how much of
    it this is expected to be; and the fold it comes from."""
    pairs = [each for each in pairs if len(each.first) and len(each.second)]
    if not pairs:
        empty = np.zeros(0, dtype=np.int64)
        return empty, np.zeros(0), empty
    first, second, explained, fold = map(np.concatenate, zip(*_entries(pairs), strict=True))
    names, cell = np.unique(first * (second.max() + 1) + second, return_inverse=True)
    _, row = np.unique(names // (second.max() + 1), return_inverse=True)
    chance = np.ones(len(names))
    for _ in range(ROUNDS):
        weight = chance[cell]
        share = weight / np.bincount(explained, weights=weight)[explained]
        summed = np.bincount(cell, weights=share)
        chance = summed / np.bincount(row, weights=summed)[row]
    known = (first < sizes[0]) & (second < sizes[1])
    return (first * sizes[1] + second)[known], share[known], fold[known]


def _entries(pairs: Sequence[Pair]) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
    at = 0
    for each in pairs:
        one, other = len(each.first), len(each.second)
        yield (
            np.repeat(each.first, other),
            np.tile(each.second, one),
            np.tile(np.arange(at, at + other), one),
            np.full(one * other, each.fold),
        )
        at += other
