"""Translation lexicon: IBM model 1 with held-out folds.

The model estimates the probability that a word translates another. It is trained on known
parallel texts (translations of a game) and on the pairs aligned so far. A pair must not confirm
itself: pairs are split into folds, and each sentence is scored with counts that exclude its own
fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FOLDS = 8
ROUNDS = 6
SMOOTHING = 0.6
"""Pseudo-count of unseen translations."""
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two parallel sentences, as word numbers. Fold 0 is never held out."""

    first: Ints
    second: Ints
    fold: int = 0


class Lexicon:
    """Translation probabilities learned from pairs.

    `sizes` are the vocabulary sizes of the books; pairs may have further words.
    """

    def __init__(self, pairs: Iterable[Pair], sizes: tuple[int, int]) -> None:
        self.sizes = sizes
        self.cells, self.shares, self.folds = _trained([*pairs], sizes)
        self.counts = self._counts(np.ones(len(self.cells), dtype=bool))

    def without(self, fold: int) -> Floats:
        """Translation probabilities of each word of the first book, with a fold held out."""
        counts = self.counts
        if fold:
            counts = counts - self._counts(self.folds == fold)
        return np.asarray(counts / (counts.sum(axis=1, keepdims=True) + SMOOTHING))

    def _counts(self, wanted: NDArray[np.bool_]) -> Floats:
        size = self.sizes[0] * self.sizes[1]
        found = np.bincount(self.cells[wanted], weights=self.shares[wanted], minlength=size)
        return np.asarray(found.reshape(self.sizes), dtype=np.float64)


def _trained(pairs: Sequence[Pair], sizes: tuple[int, int]) -> tuple[Ints, Floats, Ints]:
    """Expected alignment counts by EM: cells of the word table, their shares, and their folds."""
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
