"""Renders the stances of all books on each rule side by side, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lawspeaker import ir
from lawspeaker.study.sources.readings import Reading
from lawspeaker.text.books.lock import Lock, Marks
from lawspeaker.text.books.reference import named


@dataclass(frozen=True, slots=True)
class BookColumn:
    """A book, its reading of each point, and its marks."""

    source: str
    points: Mapping[str, Reading]
    marks: Marks
    lock: Lock | None

    def where(self, cite: ir.Citation) -> str:
        """Formats the cited place with sentence numbers."""
        prints = tuple((cite.print or "").split())
        numbers = self.lock.numbers(cite.section, prints) if self.lock and prints else None
        return named(cite.section, numbers or ())

    def read(self, id: str) -> str:
        """Returns when a point was reviewed beside the book, unless it has changed since."""
        mark, now = self.marks.read.get(id), self.points[id]
        return mark.date if mark is not None and mark == now.read(mark.date) else ""


def matrix_text(columns: Sequence[BookColumn]) -> str:
    return "\n".join(_lines(columns))


def _lines(columns: Sequence[BookColumn]) -> Iterator[str]:
    wide = max((len(each.source) for each in columns), default=0)
    for id, says in _points(columns).items():
        yield f"{id}: {says}" if says else id
        for each in columns:
            point = each.points.get(id)
            if point is None:
                yield f"  {each.source:{wide}}  no such rule"
                continue
            cites = "; ".join(
                " ".join(filter(None, (cite.stance, each.where(cite)))) for cite in point.cites
            )
            read = each.read(id)
            told = f"{cites or 'not said'}  ({f'read {read}' if read else 'not read'})"
            yield f"  {each.source:{wide}}  {told}"
            notes = dict.fromkeys(cite.note_in("en") for cite in point.cites)
            yield from (f"  {'':{wide}}    {note}" for note in notes if note)


def _points(columns: Sequence[BookColumn]) -> dict[str, str]:
    """Returns all points with their sentences, those of the first book first."""
    found: dict[str, str] = {}
    for each in columns:
        for id, point in each.points.items():
            found.setdefault(id, point.says)
    return found


def matrix_json(columns: Sequence[BookColumn]) -> list[dict[str, Any]]:
    return [
        {
            "id": id,
            "says": says,
            "books": {
                each.source: None if id not in each.points else _cell(each, each.points[id])
                for each in columns
            },
        }
        for id, says in _points(columns).items()
    ]


def _cell(column: BookColumn, point: Reading) -> dict[str, Any]:
    return {
        "standing": point.standing,
        "cites": [
            {
                "stance": cite.stance,
                "where": column.where(cite),
                "note": cite.note_in("en") or None,
            }
            for cite in point.cites
        ],
        "read": column.read(point.id) or None,
    }
