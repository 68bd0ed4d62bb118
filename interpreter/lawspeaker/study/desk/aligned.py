"""Aligns two books on a desk, and suggests citations from their links.

suggested(desk, links)     ("landing", "it", the partners of what it cites in de)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lawspeaker.study.alignment.aligning import AlignedBook as Aligned
from lawspeaker.study.alignment.aligning import align
from lawspeaker.study.desk.reading import Desk, DeskBook

LEAST = 0.5
"""Minimum confidence of a pair for suggestions."""


@dataclass(frozen=True, slots=True)
class Link:
    """Corresponding sentences of two books, by position, with confidence."""

    books: tuple[str, str]
    places: tuple[tuple[int, ...], tuple[int, ...]]
    confidence: float


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A possible citation: a rule cites the partners of these sentences in another book."""

    point: str
    book: str
    places: tuple[int, ...]
    partner: str
    confidence: float


def links(first: DeskBook, second: DeskBook, known: Iterable[tuple[str, str]] = ()) -> list[Link]:
    """Aligns two books that have texts."""
    if first.text is None or second.text is None:
        return []
    both = [Aligned.of(each, book.language) for book in (first, second) if (each := book.text)]
    found = align(both[0], both[1], known)
    ids = first.id, second.id
    return [Link(ids, (each.first, each.second), each.confidence) for each in found.pairs]


def suggested(desk: Desk, pairs: Iterable[Link]) -> Iterator[Suggestion]:
    """Suggested citations, rule by rule, without existing ones and sentences marked as no rule."""
    places: dict[str, dict[str, int]] = {
        book.id: {line.sentence.print: at for at, line in reversed([*enumerate(book.lines)])}
        for book in desk.books
    }
    partners: dict[tuple[str, int], list[tuple[str, tuple[int, ...], float]]] = {}
    for each in pairs:
        if each.confidence >= LEAST:
            for side in (0, 1):
                for at in each.places[side]:
                    told = each.books[1 - side], each.places[1 - side], each.confidence
                    partners.setdefault((each.books[side], at), []).append(told)
    lines = {book.id: book.lines for book in desk.books}
    cites: dict[str, list[tuple[str, int]]] = {}
    for point, cited in desk.cited:
        for mark in cited.prints:
            known_at = places.get(cited.book, {})
            if mark in known_at and point in desk.by_id:
                cites.setdefault(point, []).append((cited.book, known_at[mark]))
    for point, known in cites.items():
        seen: set[tuple[str, tuple[int, ...]]] = set()
        for own, at in known:
            for book, others, confidence in partners.get((own, at), ()):
                if book not in lines:
                    continue
                left = tuple(
                    place
                    for place in others
                    if (book, place) not in known and not lines[book][place].reason
                )
                if left and (book, left) not in seen:
                    seen.add((book, left))
                    yield Suggestion(point, book, left, own, confidence)
