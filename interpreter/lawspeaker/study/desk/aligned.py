"""Which sentences of two books on a desk correspond, and what that suggests to cite.

suggested(desk, links)    ("landing", "it", the prints of the partners of what it cites in de)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lawspeaker.study.alignment.aligning import Book as Aligned
from lawspeaker.study.alignment.aligning import align
from lawspeaker.study.desk.reading import Book, Desk

LEAST = 0.5
"""How sure a pair must be to suggest something."""


@dataclass(frozen=True, slots=True)
class Link:
    """Sentences of two books that say the same, by their places, and how sure that is."""

    books: tuple[str, str]
    places: tuple[tuple[int, ...], tuple[int, ...]]
    confidence: float


@dataclass(frozen=True, slots=True)
class Suggestion:
    """That a rule may cite sentences of a book, since it cites their partners in another."""

    point: str
    book: str
    places: tuple[int, ...]
    partner: str
    confidence: float


def links(first: Book, second: Book, known: Iterable[tuple[str, str]] = ()) -> list[Link]:
    """The pairs of two books that have texts."""
    if first.text is None or second.text is None:
        return []
    both = [Aligned.of(each, book.language) for book in (first, second) if (each := book.text)]
    found = align(both[0], both[1], known)
    ids = first.id, second.id
    return [Link(ids, (each.first, each.second), each.confidence) for each in found.pairs]


def suggested(desk: Desk, pairs: Iterable[Link]) -> Iterator[Suggestion]:
    """What rules may cite, rule by rule; nothing that they cite already, and no sentence on which
    somebody has decided that it is no rule."""
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
