"""Quotes the sentences that rules cite, for readers who have the texts.

Citations identify sentences by fingerprint, which are looked up in the text of the book. Changes
since the citation are flagged: a sentence with another number has moved; one that reads
differently between the same neighbours has changed (see `following`); one that is not found is
gone.

Between two books in one language, a word diff marks the differences of corresponding sentences:
those with at least half of the words in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import takewhile

from lawspeaker import ir
from lawspeaker.base.typography import typeset
from lawspeaker.study.sources.following import Following
from lawspeaker.study.sources.splitter import MOST_WORDS_OF_HEADING
from lawspeaker.text.books.fingerprint import normalised
from lawspeaker.text.books.lock import Lock
from lawspeaker.text.books.outline import Sentence, Text
from lawspeaker.text.books.reference import named

MOVED, CHANGED, GONE = "moved", "changed", "gone"
ALIKE = 0.5
"""Minimum similarity of corresponding sentences."""
FEW_WORDS = 3
"""Runs of words up to this length may agree by chance."""
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted sentence with its location and the book's stance on the rule.

    `since` is its change since it was cited, if any.
    """

    source: str
    where: str
    stance: str
    text: str
    since: str = ""


@dataclass(slots=True)
class BookTexts:
    """The texts of books that a reader has, by source; and the files of those he has not."""

    texts: Mapping[str, Text]
    locks: Mapping[str, Lock]
    missing: Mapping[str, str] = field(default_factory=dict)
    _followed: dict[str, Following] = field(default_factory=dict, repr=False)
    _words: dict[str, str] = field(default_factory=dict, repr=False)

    def quotes(self, cites: Iterable[ir.Citation]) -> tuple[Quote, ...]:
        """The cited sentences without duplicates, in the order of each book."""
        found: dict[tuple[str, str], Quote] = {}
        books: dict[str, int] = {}
        for cite in cites:
            text = self.texts.get(cite.source)
            books.setdefault(cite.source, len(books))
            for mark in (cite.print or "").split() if text is not None else ():
                quote = self._quote(cite, mark)
                found.setdefault((cite.source, quote.text or mark), quote)
        return tuple(sorted(found.values(), key=lambda each: (books[each.source], self._at(each))))

    def _at(self, quote: Quote) -> int:
        """Position of a sentence in its book; missing ones come last."""
        sentences = self.texts[quote.source].sentences
        known = (at for at, each in enumerate(sentences) if each.text == quote.text)
        return next(known, len(sentences))

    def marked(self, quote: Quote, others: Sequence[Quote]) -> Pieces:
        """A sentence with a word diff against the corresponding one of others.

        Nothing is marked if there is none, nor text that their book has verbatim.
        """
        matches = ((_ratio(quote.text, each.text), each) for each in others)
        ratio, nearest = max(matches, key=lambda each: each[0], default=(0.0, quote))
        if ratio < ALIKE or self._says(nearest.source, quote.text):
            return ((quote.text, False),)
        return tuple(
            (text, unlike and not (_many(text) and self._says(nearest.source, text)))
            for text, unlike in marked(quote.text, nearest.text)
        )

    def _says(self, source: str, words: str) -> bool:
        """Whether a book has a sequence of words."""
        if source not in self._words:
            sentences = (normalised(each.text) for each in self.texts[source].sentences)
            self._words[source] = f" {' '.join(sentences)} "
        return f" {normalised(words)} " in self._words[source]

    def _quote(self, cite: ir.Citation, mark: str) -> Quote:
        text, lock = self.texts[cite.source], self.locks.get(cite.source)
        section = cite.section if lock is None else lock.marks.misread.get(cite.section, "")
        under = text.under(section or cite.section)
        known = () if lock is None else _numbers(mark, lock.under(cite.section))
        now = _numbers(mark, under)
        where = typeset(named(cite.section, now or known), "")
        if now:
            since = MOVED if known and known != now else ""
            sentence = under[now[0] - 1]
            caption = "" if lock is None else _caption(sentence, text, lock)
            told = ", ".join(each for each in (where, caption) if each)
            return Quote(cite.source, told, cite.stance, sentence.text, since)
        elsewhere = next((each for each in text.sentences if each.print == mark), None)
        if elsewhere is not None:
            since = MOVED if cite.section else ""
            return Quote(cite.source, where, cite.stance, elsewhere.text, since)
        changed = None if lock is None else self._changed(cite.source, lock, mark)
        if changed is None:
            return Quote(cite.source, where, cite.stance, "", GONE)
        return Quote(cite.source, where, cite.stance, changed.text, CHANGED)

    def _changed(self, source: str, lock: Lock, mark: str) -> Sentence | None:
        """The sentence that replaced a changed one."""
        if source not in self._followed:
            self._followed[source] = Following(lock, self.texts[source], lock.marks)
        old = next((each for each in lock.text.sentences if each.print == mark), None)
        return None if old is None else self._followed[source].found.get(id(old))


def _caption(sentence: Sentence, text: Text, lock: Lock) -> str:
    """The caption of an example in its section: a short sentence with a colon, marked as
    example.
    """
    above = takewhile(lambda each: each is not sentence, text.sentences)
    captions = [
        each.text.rstrip(": ")
        for each in above
        if each.headings == sentence.headings
        and each.text.endswith(":")
        and lock.marks.reasons.get(each.print) == "example"
        and len(normalised(each.text).split()) <= MOST_WORDS_OF_HEADING
    ]
    return captions[-1] if captions else ""


def _numbers(mark: str, sentences: Sequence[Sentence]) -> tuple[int, ...]:
    return tuple(at for at, each in enumerate(sentences, start=1) if each.print == mark)


Pieces = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether the other text lacks it."""


def marked(text: str, other: str) -> Pieces:
    """Word diff of a text against another; ignores case and punctuation."""
    words = list(_WORD.finditer(text))
    own = [normalised(each[0]) for each in words]
    theirs = [normalised(each[0]) for each in _WORD.finditer(other)]
    beside = SequenceMatcher(None, own, theirs, autojunk=False)
    same = {
        at for block in beside.get_matching_blocks() for at in range(block.a, block.a + block.size)
    }
    return tuple(_pieces(text, words, same))


def _ratio(one: str, other: str) -> float:
    """Similarity of two sentences, from 0 to 1, by words."""
    return SequenceMatcher(
        None, normalised(one).split(), normalised(other).split(), autojunk=False
    ).ratio()


def _many(words: str) -> bool:
    return len(normalised(words).split()) > FEW_WORDS


def _pieces(
    text: str, words: Sequence[re.Match[str]], same: set[int]
) -> Iterator[tuple[str, bool]]:
    at, run = 0, 0
    while run < len(words):
        unlike = run not in same
        last = run
        while last + 1 < len(words) and (last + 1 not in same) == unlike:
            last += 1
        if text[at : words[run].start()]:
            yield text[at : words[run].start()], False
        yield text[words[run].start() : words[last].end()], unlike
        at, run = words[last].end(), last + 1
    if text[at:]:
        yield text[at:], False
