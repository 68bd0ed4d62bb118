"""What a book says of each point of the rules, and who has read the two side by side.

A point is a clause, a guard that cites for itself, or a piece. What its book says of it are the
citations of that book: where it states the point, implies it, is silent, says otherwise or
contradicts itself, and what we decided where it leaves it open. A mark in the lock of the book says
that somebody has read a point beside its sentences, and when. It keeps two prints: of the rule, and
of what is cited for it. If one of them is another today, the mark names what has changed since.

A book may tell of modules, too: its marks are for their points as well. A module or a house rule
that changes a point of another makes it one that owes the book no answer; such a point is neither
asked for nor marked there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from lawspeaker import ir
from lawspeaker.meaning.variant import EDITION, Change
from lawspeaker.study.compare.clause_trees import Code
from lawspeaker.study.compare.kinds import stances, standing
from lawspeaker.study.compare.points import CLAUSES, Point, Points
from lawspeaker.study.compare.telling import Telling
from lawspeaker.study.sources.coverage import Fault, ids
from lawspeaker.text.books.lock import Marks, Read

PRINTED = 10
_COMMENT = re.compile(r"#.*")
_CHANGED = {
    (True, False): "its rule has changed since",
    (False, True): "what it cites has changed since",
    (True, True): "its rule and what it cites have changed since",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One point and what its book says of it; `rule` and `said` are the prints of the two.

    `changed_by` are the modules and house rules that make it another point than it was.
    """

    id: str
    says: str
    cites: tuple[ir.Citation, ...]
    standing: str
    rule: str
    said: str
    changed_by: tuple[str, ...] = ()

    def read(self, date: str) -> Read:
        return Read(date, self.rule, self.said)


@dataclass(frozen=True, slots=True)
class Review:
    """Which points of a book were read, by their dates, which were not, and what changed since."""

    read: Mapping[str, str]
    unread: tuple[str, ...]
    faults: tuple[Fault, ...]


def readings(telling: Telling) -> dict[str, Reading]:
    """All points of a telling and what its own books say of them, in the order of the rules."""
    points = Points(telling)
    wanted = {*ids(telling.program)}
    found = {each.id: each for each in _points(points) if each.id in wanted}
    language = telling.program.languages[0]
    return {id: _reading(found[id], language) for id in ids(telling.program) if id in found}


def review(known: Mapping[str, Reading], marks: Marks, elsewhere: Collection[str] = ()) -> Review:
    """What the marks of a book say of its points as they are today; `elsewhere` are points of
    variants that may not be part of the telling."""
    faults: list[Fault] = []
    for id, mark in marks.read.items():
        now = known.get(id)
        if now is None:
            if id not in elsewhere:
                told = f"was read on {mark.date}, and is no point now"
                faults.append(Fault("read-before", told, id))
        elif now.changed_by:
            continue
        elif changed := _CHANGED.get((mark.rule != now.rule, mark.said != now.said)):
            faults.append(Fault("read-before", f"was read on {mark.date}; {changed}", id))
    asked = [id for id, each in known.items() if not each.changed_by]
    read = {id: marks.read[id].date for id in asked if id in marks.read}
    return Review(read, tuple(id for id in asked if id not in marks.read), tuple(faults))


def _points(points: Points) -> Iterator[Point]:
    for section in CLAUSES:
        for entry in points.book.section(section).values():
            yield points.clause(section, entry)
            yield from points.guards(entry)
    for entry in points.book.section("pieces").values():
        # A change to one kind of them says no more than that: the whole keeps what is cited for it.
        point = points.declared("pieces", entry, (), entry.body)
        cites = (*points.whole("pieces", entry).cites, *point.cites)
        yield replace(point, cites=tuple(dict.fromkeys(cites)))


def _reading(point: Point, language: str) -> Reading:
    words = point.words if isinstance(point.words, dict) else {}
    says = words.get("says", {})
    told = says.get(language) or next(iter(says.values()), "")
    cited = sorted((each.stance, each.print or each.section) for each in point.cites)
    return Reading(
        point.id,
        told,
        point.cites,
        standing(stances(point)),
        _print([told, _plain(point.deeds)]),
        _print(cited),
        tuple(dict.fromkeys(_changing(point))),
    )


def _changing(point: Point) -> Iterator[str]:
    """The modules and house rules that change a point, other than by bringing it along."""
    for change in point.changes:
        if change.variant.layer != EDITION and not _brings(change, point.id):
            yield change.variant.name


def _brings(change: Change, id: str) -> bool:
    section, _, rest = change.target.partition(".")
    target = rest if section in CLAUSES else change.target
    return change.action == "add" and f"{id}.".startswith(f"{target}.")


def _plain(deeds: Any) -> Any:
    """What decides play, as data; layout and comments of code count for nothing."""
    if isinstance(deeds, Code):
        return " ".join(_COMMENT.sub("", deeds.text).split())
    if isinstance(deeds, dict):
        return [[key, _plain(value)] for key, value in sorted(deeds.items())]
    return [_plain(each) for each in deeds] if isinstance(deeds, list | tuple) else deeds


def _print(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:PRINTED]
