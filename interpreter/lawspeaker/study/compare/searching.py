"""Rules found by a word of any language, in whatever book it stands.

Whoever looks for something knows the word of his own book. So a row is known by all that is said
of it in every language: titles, sentences, questions, remarks and reasons, the headings that are
cited, the books' words for what it is about, and the cited sentences themselves for those who have
the texts. Capital letters and accents do not matter, and the beginning of a word is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.points import Point, texts_of
from lawspeaker.study.compare.rows import Row
from lawspeaker.study.compare.terms import Terms
from lawspeaker.study.sources.quoting import Shelf
from lawspeaker.text.books.fingerprint import folded


def words_of(row: Row, terms: Terms, shelf: Shelf | None = None) -> tuple[str, ...]:
    """All words by which a row is found, each once."""
    return _words(dict.fromkeys(_texts(row, terms, shelf)))


def finds(query: str, words: Sequence[str]) -> bool:
    """Whether each word that is looked for begins one of these; nothing finds everything."""
    return all(any(word.startswith(each) for word in words) for each in folded(query).split())


def found_by(query: str, comparison: Comparison, shelf: Shelf | None = None) -> Comparison:
    """What a word of any language is about: rows with all that belongs to them, and terms."""
    terms = comparison.table.terms
    found = comparison.with_rows(lambda row: finds(query, words_of(row, terms, shelf)))
    named = (each for each in terms.each if finds(query, _words(terms.said_of(each.thing))))
    return replace(found, table=replace(found.table, terms=Terms(tuple(named))))


def _words(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for text in texts for word in folded(text).split()))


def _texts(row: Row, terms: Terms, shelf: Shelf | None) -> Iterator[str]:
    yield row.id
    yield row.title
    for thing in row.id.split("."):
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
    for change in point.changes:
        yield from texts_of(change.get("because")).values()
