"""Full-text search over rules in all languages and books.

A reader knows the words of his own book. So the index of a row has texts in every language:
titles, sentences, questions, names, remarks and reasons, cited headings, the books' words for it,
and the cited sentences if the texts are available. Case and accents are ignored, and prefixes
match.

All words of a query must match, in any order and in any rows of one difference. A word matches
literally, by stem (`endings`), or by synonym: from the books' glossary, and general vocabulary
for ties, sales and the like. Better matches come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from lawspeaker.base.phrases import LANGUAGES, phrases_of
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.points import Point, texts_of
from lawspeaker.study.compare.rows import Row
from lawspeaker.study.compare.terms import Terms
from lawspeaker.study.sources.quoting import BookTexts
from lawspeaker.text.books.fingerprint import folded

_LONG = (
    "are ere ire ato ata ati ate ito ita iti ite uto uta uti ute ando endo ano ono er ez ent ant "
    "ee re ir ed ing en ern em et te ten ung ungen"
)
ENDINGS = rf"^(.{{4,}}?)(?:{_LONG.replace(' ', '|')})s?$|^(.{{3,}}?)[aeino]?s?$"
"""Regular expression of a light multilingual stemmer; web pages use the same pattern."""
TITLE, SAID, INFLECTED, ALIKE = range(4)
"""Match ranks: title, literal, inflected, synonym."""
_PART, _SAME = "find", "find."
"""Phrase file of general synonyms, and the prefix of their keys."""
Phrase = tuple[str, ...]
"""The folded words of a term."""


class Search:
    """A query: its words, each with synonyms."""

    def __init__(self, query: str, terms: Terms) -> None:
        self.query = query
        self.words = tuple(dict.fromkeys(folded(query).split()))
        found = alike(terms) if self.words else ()
        self.others = {
            word: [each for own in found if _names(own, word) for each in own]
            for word in self.words
        }

    def rank(self, titles: Sequence[str], words: Sequence[str]) -> int | None:
        """Match rank of words, lowest best; None for no match. An empty query matches
        everything.
        """
        if all(_begins(each, titles) for each in self.words):
            return TITLE
        ranks = [self._rank(each, words) for each in self.words]
        return None if None in ranks else max(each for each in ranks if each is not None)

    def _rank(self, wanted: str, words: Sequence[str]) -> int | None:
        if _begins(wanted, words):
            return SAID
        stems = {stem(each) for each in words}
        if stem(wanted) in stems:
            return INFLECTED
        if any(all(stem(each) in stems for each in other) for other in self.others[wanted]):
            return ALIKE
        return None

    def rank_of(
        self, rows: Iterable[Row], terms: Terms, shelf: BookTexts | None = None
    ) -> int | None:
        """Match rank of rows that belong together."""
        rows = list(rows)
        said = [word for row in rows for word in words_of(row, terms, shelf)]
        return self.rank(_words(title for row in rows for title in _titles(row, terms)), said)


def found_by(query: str, comparison: Comparison, shelf: BookTexts | None = None) -> Comparison:
    """Filters a comparison by a query: differences and rows, best first, and terms."""
    terms = comparison.table.terms
    search = Search(query, terms)
    ranks: dict[str, int] = {}
    belongs = {row.id for each in comparison.differences for row in each.rows}
    groups = [each.rows for each in comparison.differences]
    groups += ((row,) for row in comparison.table.rows if row.id not in belongs)
    for rows in groups:
        rank = search.rank_of(rows, terms, shelf)
        if rank is not None:
            ranks.update({row.id: rank for row in rows})
    found = comparison.with_rows(lambda row: row.id in ranks)
    return replace(filter_terms(query, found), ranks=ranks)


def filter_terms(query: str, comparison: Comparison) -> Comparison:
    """Filters only the terms by a query."""
    terms = comparison.table.terms
    search = Search(query, terms)
    named = [each for each in terms.each if _is_meant(search, _words(terms.said_of(each.thing)))]
    return replace(comparison, table=replace(comparison.table, terms=Terms(tuple(named))))


def hits_by_word(
    query: str, comparison: Comparison, shelf: BookTexts | None = None
) -> dict[str, int]:
    """Number of matches of each single word of a query."""
    words = dict.fromkeys(query.split())
    if len(words) < 2:
        return {}
    found = {word: found_by(word, comparison, shelf).ranks for word in words}
    numbers = {row.id: each.number for each in comparison.differences for row in each.rows}
    return {word: len({numbers.get(id, id) for id in ranks}) for word, ranks in found.items()}


def words_of(row: Row, terms: Terms, shelf: BookTexts | None = None) -> tuple[str, ...]:
    """All words in the index of a row."""
    return _words(dict.fromkeys(_texts(row, terms, shelf)))


def alike(terms: Terms) -> tuple[tuple[Phrase, ...], ...]:
    """Synonym groups: the glossary of the books, then general vocabulary."""
    things = [tuple(terms.said_of(each.thing)) for each in terms.each]
    things += (_in_all_languages(key) for key in phrases_of(_PART, "en") if key.startswith(_SAME))
    return tuple(
        tuple(dict.fromkeys(tuple(folded(text).split()) for text in own if text)) for own in things
    )


@cache
def stem(word: str) -> str:
    """A word without its ending."""
    found = re.match(ENDINGS, word)
    return (found[1] or found[2]) if found else word


def _in_all_languages(key: str) -> tuple[str, ...]:
    return tuple(
        each for language in LANGUAGES for each in phrases_of(_PART, language)[key].split(",")
    )


def _names(own: Iterable[Phrase], word: str) -> bool:
    """Whether a word is in a synonym group, in any form."""
    return any(len(each) == 1 and stem(each[0]) == stem(word) for each in own)


def _is_meant(search: Search, words: Sequence[str]) -> bool:
    rank = search.rank((), words)
    return rank is not None and rank < ALIKE


def _begins(wanted: str, words: Iterable[str]) -> bool:
    return any(word.startswith(wanted) for word in words)


def _words(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for text in texts for word in folded(text).split()))


def _titles(row: Row, terms: Terms) -> Iterator[str]:
    """Titles of a row, and the books' words for exactly this."""
    yield row.title
    yield from terms.said_of(row.id)
    yield from terms.said_of(row.id.partition(".")[2])
    for cell in row.cells:
        if cell.point is not None:
            yield from cell.point.title.values()


def _texts(row: Row, terms: Terms, shelf: BookTexts | None) -> Iterator[str]:
    yield row.id
    yield row.title
    for thing in (row.id, *row.id.split(".")):
        yield from terms.said_of(thing)
    for cell in row.cells:
        yield cell.text
        if cell.point is not None:
            yield from _said(cell.point)
        for cite in cell.cites:
            yield cite.section
            yield from cite.note.values()
        if shelf is not None:
            yield from (quote.text for quote in shelf.quotes(cell.cites))


def _said(point: Point) -> Iterable[str]:
    yield from point.title.values()
    if isinstance(point.words, dict):
        for texts in point.words.values():
            yield from texts.values()
    elif point.sort == "names":
        yield from texts_of(point.node).values()
    for change in point.changes:
        yield from texts_of(change.get("because")).values()
