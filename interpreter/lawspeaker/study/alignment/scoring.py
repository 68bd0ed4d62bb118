"""Scores each pair of sentences of two books: a table of log-odds.

A score compares two explanations of the words of a sentence: as translations of words in the
other sentence, and by chance. Words may be related by equal numbers, by spelling (names and
cognates: `variante` and `Variante`), or by the lexicon learned so far. A word with a known
translation counts against a sentence that lacks it. The mean of both directions is taken. Length
is scored as in Gale and Church (1993), and the relative position a little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawspeaker.study.alignment.lexicon import Floats, Ints, Lexicon
from lawspeaker.study.alignment.words import NUMBER

ALIKE = 0.62
"""Minimum similarity of cognates."""
SHORTEST_COGNATE = 4
LEAST_KNOWN, MOST_KNOWN = 0.1, 0.75
"""Expectation of finding a word's translation, if nothing or everything is known of it."""
MOST_RATIO = 60.0
VARIANCE = 6.8
"""Variance of the length of a translation, per letter (Gale and Church)."""
NEARNESS = 0.08
SPREAD = 0.35
"""Uniform part of the position prior."""


class Vocabulary:
    """Maps words to numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, words: Sequence[str]) -> Ints:
        found = [self.numbers.setdefault(each, len(self.numbers)) for each in words]
        return np.array(found, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences of a book as word numbers, with their lengths in letters."""

    words: Sequence[Ints]
    lengths: Floats

    def __len__(self) -> int:
        return len(self.words)


def term_frequencies(sentences: Sentences, size: int) -> Floats:
    """Term-frequency matrix: sentences by words."""
    found = np.zeros((len(sentences), size))
    for at, words in enumerate(sentences.words):
        np.add.at(found[at], words, 1.0)
    return found


def alikeness(first: Sequence[str], second: Sequence[str]) -> Floats:
    """Similarity matrix of words by spelling, from Dice coefficients of bigrams."""
    found = np.zeros((len(first), len(second)))
    grams = [_grams(each) for each in second]
    for at, one in enumerate(first):
        own = _grams(one)
        for other, word in enumerate(second):
            if one == word:
                found[at, other] = 0.9 if one.startswith(NUMBER) or len(one) > 3 else 0.2
            elif own and grams[other] and (one[0] == word[0] or one[1:4] == word[1:4]):
                shared = sum((own & grams[other]).values())
                dice = 2 * shared / (own.total() + grams[other].total())
                if dice >= ALIKE:
                    found[at, other] = 0.8 * dice
    return found


def _grams(word: str) -> Counter[str]:
    """Bigrams of a word, including its edges."""
    if word.startswith(NUMBER) or len(word) < SHORTEST_COGNATE:
        return Counter()
    edged = f" {word} "
    return Counter(edged[at : at + 2] for at in range(len(edged) - 1))


def one_way(
    first: Sentences,
    second: Sentences,
    alike: Floats,
    lexicon: Lexicon,
    folds: Sequence[int],
) -> Floats:
    """For each sentence of the first book and word of the second, the log-odds that the word is
    a translation of something there. `folds` are those of the sentences of the first book.
    """
    counts = term_frequencies(second, alike.shape[1]).sum(axis=0)
    usual = (counts + 0.5) / (counts.sum() + 0.5 * len(counts))
    found = np.zeros((len(first), alike.shape[1]))
    for fold in sorted({*folds}):
        chances = np.maximum(alike, lexicon.without(fold))
        known = LEAST_KNOWN + (MOST_KNOWN - LEAST_KNOWN) * chances.max(axis=0)
        for at, words in enumerate(first.words):
            if folds[at] != fold:
                continue
            best = chances[words].max(axis=0) if len(words) else np.zeros(len(usual))
            ratio = np.minimum(best / usual, MOST_RATIO)
            found[at] = np.log(1 - known + known * ratio)
    return found


def lengths(first: Floats, second: Floats) -> Floats:
    """Log-likelihood of the length difference (Gale and Church), relative to random pairs."""
    ratio = second.sum() / first.sum()
    mean = (first[:, None] + second[None, :] / ratio) / 2
    off = (second[None, :] / ratio - first[:, None]) / np.sqrt(mean * VARIANCE)
    return np.asarray(0.5 - 0.075 * np.minimum(np.abs(off), 6.0) ** 2)


def places(first: int, second: int) -> Floats:
    """Log-prior of relative positions: equal positions correspond more often."""
    one = (np.arange(first) + 0.5) / first
    other = (np.arange(second) + 0.5) / second
    off = np.abs(one[:, None] - other[None, :])
    near = np.exp(-off / NEARNESS) / (2 * NEARNESS)
    return np.asarray(np.log(SPREAD + (1 - SPREAD) * near))
