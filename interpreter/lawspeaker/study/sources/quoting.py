"""The sentences of books where rules cite them, for those who have the texts.

Citations know sentences by their prints. Here the prints are looked up in the text of the book, so
that each book can be read in its own words. What has changed since it was cited is named: a
sentence that has another number now has moved; one that reads otherwise between the same
neighbours has changed (see `following`); one that cannot be found is gone.

Where two books are in one language, the words that differ can be marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from lawspeaker import ir
from lawspeaker.study.sources.following import Following
from lawspeaker.text.books.fingerprint import normalised
from lawspeaker.text.books.lock import Lock
from lawspeaker.text.books.outline import Sentence, Text
from lawspeaker.text.books.reference import named

MOVED, CHANGED, GONE = "moved", "changed", "gone"
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

    def quotes(self, cites: Iterable[ir.Citation]) -> tuple[Quote, ...]:
        """The sentences that are cited, each once."""
        found: dict[tuple[str, str], Quote] = {}
        for cite in cites:
            text = self.texts.get(cite.source)
            for mark in (cite.print or "").split() if text is not None else ():
                quote = self._quote(cite, mark)
                found.setdefault((cite.source, quote.text or mark), quote)
        return tuple(found.values())

    def _quote(self, cite: ir.Citation, mark: str) -> Quote:
        text, lock = self.texts[cite.source], self.locks.get(cite.source)
        section = cite.section if lock is None else lock.marks.misread.get(cite.section, "")
        under = text.under(section or cite.section)
        known = () if lock is None else _numbers(mark, lock.under(cite.section))
        now = _numbers(mark, under)
        where = named(cite.section, now or known)
        if now:
            since = MOVED if known and known != now else ""
            return Quote(cite.source, where, cite.stance, under[now[0] - 1].text, since)
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
