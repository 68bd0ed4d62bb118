"""The sentences of books where rules cite them, for those who have the texts.

Citations know sentences by their prints. Here the prints are looked up in the text of the book, so
that each book can be read in its own words. What has changed since it was cited is named: a
sentence that has another number now has moved; one that reads otherwise between the same
neighbours has changed (see `following`); one that cannot be found is gone.

Where two books are in one language, the words can be marked in which sentences differ that
correspond to each other: those of which at least half the words are the same.
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
"""How much of two sentences is the same, at the least, if they correspond to each other."""
FEW_WORDS = 3
"""So many words in a row may be the same in two books by chance."""
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a book, where it is cited, and what the book does with it about the rule.
    `since` is what became of it since it was cited, if anything."""

    source: str
    where: str
    stance: str
    text: str
    since: str = ""


@dataclass(slots=True)
class Shelf:
    """The texts of books that somebody has, by their sources; and the files of those he has not."""

    texts: Mapping[str, Text]
    locks: Mapping[str, Lock]
    missing: Mapping[str, str] = field(default_factory=dict)
    _followed: dict[str, Following] = field(default_factory=dict, repr=False)
    _words: dict[str, str] = field(default_factory=dict, repr=False)

    def quotes(self, cites: Iterable[ir.Citation]) -> tuple[Quote, ...]:
        """The sentences that are cited, each once; those of a book in its order."""
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
        """Where a sentence stands in its book; one that is gone comes last."""
        sentences = self.texts[quote.source].sentences
        known = (at for at, each in enumerate(sentences) if each.text == quote.text)
        return next(known, len(sentences))

    def marked(self, quote: Quote, others: Sequence[Quote]) -> Pieces:
        """A sentence with the words marked in which it differs from the one of others that it
        corresponds to; nothing is marked if there is none, nor what their book has word for
        word."""
        matches = ((_ratio(quote.text, each.text), each) for each in others)
        ratio, nearest = max(matches, key=lambda each: each[0], default=(0.0, quote))
        if ratio < ALIKE or self._says(nearest.source, quote.text):
            return ((quote.text, False),)
        return tuple(
            (text, unlike and not (_many(text) and self._says(nearest.source, text)))
            for text, unlike in marked(quote.text, nearest.text)
        )

    def _says(self, source: str, words: str) -> bool:
        """Whether a book has some words, one after the other."""
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
        """What stands now where a sentence stood."""
        if source not in self._followed:
            self._followed[source] = Following(lock, self.texts[source], lock.marks)
        old = next((each for each in lock.text.sentences if each.print == mark), None)
        return None if old is None else self._followed[source].found.get(id(old))


def _caption(sentence: Sentence, text: Text, lock: Lock) -> str:
    """What stands above an example, up to the end of its section: a few words that end with a
    colon, and that the lock marks as an example."""
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
"""A text in pieces, and of each whether the other text has it not."""


def marked(text: str, other: str) -> Pieces:
    """A text with the words marked in which it differs from another; case and signs count for
    nothing."""
    words = list(_WORD.finditer(text))
    own = [normalised(each[0]) for each in words]
    theirs = [normalised(each[0]) for each in _WORD.finditer(other)]
    beside = SequenceMatcher(None, own, theirs, autojunk=False)
    same = {
        at for block in beside.get_matching_blocks() for at in range(block.a, block.a + block.size)
    }
    return tuple(_pieces(text, words, same))


def _ratio(one: str, other: str) -> float:
    """How much of two sentences is the same, from 0 to 1, word by word."""
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
