"""Aligns two books sentence by sentence.

    align(Book(german, "de"), Book(italian, "it")).pairs

All pairs of headings and sentences are scored (`scoring`), and the best chains of them are linked
(`chains`). From these links a lexicon is learned (`lexicon`), and scores are recomputed with it,
a few times. Known parallel texts, such as the translations of a game, train the lexicon as well.

Raw scores depend on how well the lexicon covers the languages. So they are normalised by the
distribution over all pairs of these books: the median is 0, and the ninth decile is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp

import numpy as np
from numpy.typing import NDArray

from lawspeaker.study.alignment.chains import Link, chains
from lawspeaker.study.alignment.flags import Flag, in_lists, in_numbers, in_sums, out_of_order
from lawspeaker.study.alignment.lexicon import FOLDS, Floats, Lexicon, Pair
from lawspeaker.study.alignment.scoring import (
    Sentences,
    Vocabulary,
    alikeness,
    lengths,
    one_way,
    places,
    term_frequencies,
)
from lawspeaker.study.alignment.words import language_of, stems, tokens
from lawspeaker.text.books.outline import Heading, Sentence, Text

THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.7)
"""Minimum score of linked sentences, by round."""
FLOOR = 1.3
"""Minimum score of a chain, above the threshold."""
WEAKEST = 0.1
NEVER = -1e6
SUGGESTED = 3

Item = Heading | Sentence


@dataclass(frozen=True, slots=True)
class AlignedBook:
    """A book's text and its language."""

    text: Text
    language: str

    @classmethod
    def of(cls, text: Text, language: str = "") -> AlignedBook:
        """A book; its language is detected if not given."""
        return cls(text, language or language_of(" ".join(each.text for each in text.sentences)))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Corresponding sentences, by position in their books."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    confidence: float
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Alignment:
    """Alignment of two books.

    `alone` are the sentences of each without a partner. `near` has for every sentence of each
    book its nearest in the other, best first. `wrong` are sentences with wrong sums: book,
    position and flag.
    """

    books: tuple[AlignedBook, AlignedBook]
    pairs: tuple[Pairing, ...]
    alone: tuple[tuple[int, ...], tuple[int, ...]]
    near: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
    wrong: tuple[tuple[int, int, Flag], ...]


def align(
    first: AlignedBook, second: AlignedBook, known: Iterable[tuple[str, str]] = ()
) -> Alignment:
    """Aligns two books; `known` are parallel texts in both languages."""
    table = _Table((first, second), [*known])
    links: Sequence[Link] = ()
    for threshold in THRESHOLDS:
        score = table.score(links, threshold)
        links = chains(score, (len(table.items[0]), len(table.items[1])), FLOOR, WEAKEST)
    return _told(table, links, score(1, 1))


class _Table:
    """Two books in numeric form, for scoring."""

    def __init__(
        self, books: tuple[AlignedBook, AlignedBook], known: Sequence[tuple[str, str]]
    ) -> None:
        self.books = books
        self.items = _items(books[0].text), _items(books[1].text)
        sides, taught = [], []
        self.names: list[list[str]] = []
        for side, book in enumerate(books):
            own = [tokens(each.text, book.language) for each in self.items[side]]
            extra = [tokens(each[side], book.language) for each in known]
            cut = stems(own + extra, book.language)
            vocabulary = Vocabulary()
            numbered = [vocabulary.of(each) for each in cut[: len(own)]]
            self.names.append(list(vocabulary.numbers))
            sides.append(
                Sentences(numbered, np.array([float(len(each.text)) for each in self.items[side]]))
            )
            taught.append([vocabulary.of(each) for each in cut[len(own) :]])
        self.sides = sides[0], sides[1]
        self.sizes = len(self.names[0]), len(self.names[1])
        self.taught = [Pair(one, other) for one, other in zip(*taught, strict=True)]
        self.alike = alikeness(self.names[0], self.names[1])
        self.words = (
            term_frequencies(sides[0], self.sizes[0]),
            term_frequencies(sides[1], self.sizes[1]),
        )
        headings = [
            np.array([isinstance(each, Heading) for each in own], dtype=bool) for own in self.items
        ]
        self.unlike = headings[0][:, None] != headings[1][None, :]
        self.heading = headings[0][:, None] | headings[1][None, :]
        self.places = places(len(self.items[0]), len(self.items[1]))

    def score(self, links: Sequence[Link], threshold: float) -> Callable[[int, int], Floats]:
        """Returns the scoring function learned from links: tables for joined sentences."""
        pairs, folds = self._learned(links)
        turned = [Pair(each.second, each.first, each.fold) for each in pairs]
        there = one_way(*self.sides, self.alike, Lexicon(pairs, self.sizes), folds[0])
        back = one_way(*self.sides[::-1], self.alike.T, Lexicon(turned, self.sizes[::-1]), folds[1])

        def plain(down: int, right: int) -> Floats:
            own, theirs = _sum(self.words[0], down), _sum(self.words[1], right)
            said = _most(there, down) @ theirs.T + (_most(back, right) @ own.T).T
            size = (own.sum(axis=1)[:, None] + theirs.sum(axis=1)[None, :]) / 2
            long = lengths(_sum(self.sides[0].lengths, down), _sum(self.sides[1].lengths, right))
            return np.asarray(said / np.sqrt(np.maximum(size, 1.0)) + long + self.places)

        middle, high = np.percentile(plain(1, 1)[~self.unlike], [50, 90])
        unit = max(high - middle, 0.5)

        def score(down: int, right: int) -> Floats:
            found = (plain(down, right) - middle) / unit - threshold
            apart = self.unlike if (down, right) == (1, 1) else self.unlike | self.heading
            found[_any(_any(apart, down).T, right).T] = NEVER
            return np.asarray(found)

        return score

    def _learned(self, links: Sequence[Link]) -> tuple[list[Pair], tuple[list[int], list[int]]]:
        """Training pairs, and for each sentence the fold of its own pair."""
        pairs = [*self.taught]
        folds = [0] * len(self.items[0]), [0] * len(self.items[1])
        for at, link in enumerate(links):
            fold = at % FOLDS + 1
            joined = []
            for side, members in enumerate((link.first, link.second)):
                for each in members:
                    folds[side][each] = fold
                joined.append(np.concatenate([self.sides[side].words[each] for each in members]))
            pairs.append(Pair(joined[0], joined[1], fold))
        return pairs, folds


def _items(text: Text) -> list[Item]:
    """Headings and sentences, in order."""
    found: list[Item] = [*text.headings, *text.sentences]
    return sorted(found, key=lambda each: (each.line, isinstance(each, Sentence)))


def _most(table: Floats, size: int) -> Floats:
    """Sliding maximum over so many rows, from each row on."""
    found = table.copy()
    for further in range(1, size):
        found[:-further] = np.maximum(found[:-further], table[further:])
    return found


def _sum(table: Floats, size: int) -> Floats:
    found = table.copy()
    for further in range(1, size):
        found[:-further] += table[further:]
    return found


def _any(table: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    found = table.copy()
    for further in range(1, size):
        found[:-further] |= table[further:]
    return found


# ---------------------------------------------------------------- what came of it


def _told(table: _Table, links: Sequence[Link], scores: Floats) -> Alignment:
    places = [
        [at for at, each in enumerate(own) if isinstance(each, Sentence)] for own in table.items
    ]
    number = [{at: new for new, at in enumerate(own)} for own in places]
    said = [each for each in links if each.first[0] in number[0]]
    texts = table.books[0].text, table.books[1].text
    found = [
        Pairing(
            tuple(number[0][at] for at in each.first),
            tuple(number[1][at] for at in each.second),
            _confidence(each, scores),
        )
        for each in said
    ]
    parts = [(each.first, each.second) for each in found]
    ordered = out_of_order(parts)
    lists = in_lists(texts, parts)
    pairs = []
    for at, each in enumerate(found):
        told = [
            " ".join(texts[side].sentences[one].text for one in members)
            for side, members in enumerate((each.first, each.second))
        ]
        flags = [
            *in_numbers((told[0], table.books[0].language), (told[1], table.books[1].language)),
            *([Flag("order")] if at in ordered else ()),
            *([lists[at]] if at in lists else ()),
        ]
        pairs.append(Pairing(each.first, each.second, each.confidence, tuple(flags)))
    linked = (
        {*chain.from_iterable(each.first for each in found)},
        {*chain.from_iterable(each.second for each in found)},
    )
    inner = scores[np.ix_(places[0], places[1])]
    return Alignment(
        table.books,
        tuple(pairs),
        (_others(texts[0], linked[0]), _others(texts[1], linked[1])),
        (_nearest(inner), _nearest(inner.T)),
        tuple(_wrong(texts)),
    )


def _confidence(link: Link, scores: Floats) -> float:
    """Confidence from 0 to 1: margin of a link over the threshold and over its rivals."""
    own = scores[np.ix_(link.first, link.second)].max()
    row = np.delete(scores[[*link.first]], link.second, axis=1)
    column = np.delete(scores[:, [*link.second]], link.first, axis=0)
    rival = max(row.max(initial=NEVER), column.max(initial=NEVER))
    margin = min(max(own - rival, -2.0), 2.0)
    return round(1 / (1 + exp(-(link.score + margin + 0.5))), 2)


def _others(text: Text, linked: set[int]) -> tuple[int, ...]:
    return tuple(at for at in range(len(text.sentences)) if at not in linked)


def _nearest(scores: Floats) -> tuple[tuple[int, ...], ...]:
    ranked = np.argsort(-scores, axis=1, kind="stable")[:, :SUGGESTED]
    return tuple(tuple(int(at) for at in row) for row in ranked)


def _wrong(texts: tuple[Text, Text]) -> Iterator[tuple[int, int, Flag]]:
    for side, text in enumerate(texts):
        for at, sentence in enumerate(text.sentences):
            for flag in in_sums(sentence.text):
                yield side, at, flag
