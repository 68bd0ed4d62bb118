"""Lists what a book says on each point of the rules, and tracks who has reviewed it.

A point is a clause, a guard with citations of its own, or a piece. Its book's statements are the
citations: where it states the point, implies it, is silent, says otherwise or contradicts itself,
and own rulings. A mark in the lock records that somebody has reviewed a point beside its
sentences, and when, with two fingerprints: of the rule, and of its citations. If one differs
today, the review is outdated.

A book may describe modules, too: its marks cover their points as well. A point that a module or a
house rule changes need not agree with the book any more; it is neither requested nor marked
there.
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
from lawspeaker.study.compare.clause_trees import CodeTree
from lawspeaker.study.compare.kinds import stances, standing
from lawspeaker.study.compare.points import CLAUSES, Point, Points
from lawspeaker.study.compare.ruleset import Ruleset
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
    """A point with its book's statements; `rule` and `said` are the fingerprints of both.

    `changed_by` are the modules and house rules that change it.
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
    """Reviewed points with dates, open points, and outdated reviews."""

    read: Mapping[str, str]
    unread: tuple[str, ...]
    faults: tuple[Fault, ...]


def readings(ruleset: Ruleset) -> dict[str, Reading]:
    """All points of a ruleset with the statements of its own books, in the order of the rules."""
    points = Points(ruleset)
    wanted = {*ids(ruleset.program)}
    found = {each.id: each for each in _points(points) if each.id in wanted}
    language = ruleset.program.languages[0]
    return {id: _reading(found[id], language) for id in ids(ruleset.program) if id in found}


def review(known: Mapping[str, Reading], marks: Marks, elsewhere: Collection[str] = ()) -> Review:
    """Evaluates the marks of a book for its current points.

    `elsewhere` are points of variants that may not be part of the ruleset.
    """
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
        # A change to one kind does not affect citations for the whole.
        point = points.declared("pieces", entry, (), entry.body)
        cites = (*points.whole("pieces", entry).cites, *point.cites)
        yield replace(point, cites=tuple(dict.fromkeys(cites)))


def _reading(point: Point, language: str) -> Reading:
    words = point.words if isinstance(point.words, dict) else {}
    says = words.get("says", {})
    told = ir.in_language(says, language)
    cited = sorted((each.stance, each.print or each.section) for each in point.cites)
    return Reading(
        point.id,
        told,
        point.cites,
        standing(stances(point)),
        _print([told, _plain(point.in_play)]),
        _print(cited),
        tuple(dict.fromkeys(_changing(point))),
    )


def _changing(point: Point) -> Iterator[str]:
    """The modules and house rules that change a point, other than by adding it."""
    for change in point.changes:
        if change.variant.layer != EDITION and not _brings(change, point.id):
            yield change.variant.name


def _brings(change: Change, id: str) -> bool:
    section, _, rest = change.target.partition(".")
    target = rest if section in CLAUSES else change.target
    return change.action == "add" and f"{id}.".startswith(f"{target}.")


def _plain(in_play: Any) -> Any:
    """The code and data of a point, ignoring layout and comments."""
    if isinstance(in_play, CodeTree):
        return " ".join(_COMMENT.sub("", in_play.text).split())
    if isinstance(in_play, dict):
        return [[key, _plain(value)] for key, value in sorted(in_play.items())]
    return [_plain(each) for each in in_play] if isinstance(in_play, list | tuple) else in_play


def _print(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:PRINTED]
