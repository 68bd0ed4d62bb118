"""Writes a variant file that turns one ruleset into another, completely or in some rows.

For some rows, it holds only their difference, without citations: that is how a difference is
played alone, and equal differences have equal patches. Otherwise it holds everything, including
wording and citations, so that comparing the result with the other ruleset finds nothing. For a
`mix` it holds some rows of each ruleset, with their reasons and citations.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from lawspeaker.base.diagnostics import Failure
from lawspeaker.study.compare.changes import Changes, Data
from lawspeaker.study.compare.kinds import HEAD, HOW_MANY
from lawspeaker.study.compare.plain_data import data_of
from lawspeaker.study.compare.rows import RowTable, table
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.yaml_writer import document
from lawspeaker.text.document import entries_of

LAYER = "house rule"
_SOURCE = ("title", "called", "publisher", "author", "year", "language", "note", "words", "box")
_PLACED = ("title", "says", "cites", "asks", "guards")
_LAST = ("before", "after", "instead of", "when", "given", "rule", "define", "as")


class CannotPatch(Failure):
    """The rulesets differ in something that no variant can change."""


def patch(
    one: Ruleset,
    other: Ruleset,
    name: str,
    rows: Collection[str] | None = None,
    side_by_side: RowTable | None = None,
    column: int = 1,
) -> str:
    """The text of a variant file; `rows` are the ids of the wanted rows.

    `side_by_side` is an existing table with the two rulesets in its first column and in `column`.
    """
    found = side_by_side
    if found is None or rows is None:
        found, column = table([one, other], "en", everything=rows is None), 1
    head = [row.id for row in found.rows if row.sort == HEAD and row.id != HOW_MANY]
    if any(rows is None or id in rows for id in head):
        raise CannotPatch("of the head of a game a variant can change how many play, and who wins")
    writing = Changes(one, other, found.rows, column, rows, cited=rows is None)
    changes = [_tidy(change) for change in writing.changes()]
    return document(_whole(one, other, name, changes, rows is None))


def cited_changes(
    one: Ruleset, other: Ruleset, rows: Collection[str], side_by_side: RowTable, column: int
) -> list[Data]:
    """The changes of some rows, with reasons and citations; empty citations are omitted."""
    writing = Changes(one, other, side_by_side.rows, column, rows, cited=True)
    found = (
        {key: value for key, value in change.items() if key != "cites" or value}
        for change in writing.changes()
    )
    return [_tidy(change) for change in found if "cite" not in change or "cites" in change]


def new_sources(one: Ruleset, other: Ruleset) -> Data:
    """Declarations of the sources that only the other ruleset has."""
    sources = other.book.head.get("sources")
    old = {key.value for key, _ in entries_of(one.book.head.get("sources"))}
    return {
        key.value: {name: value for name, value in data_of(body).items() if name in _SOURCE}
        for key, body in entries_of(sources)
        if key.value not in old
    }


def laid_over(one: Ruleset) -> Data:
    """Keys that order a house rule after those of a ruleset."""
    layered = [each.name for each in one.variants if each.layer == LAYER]
    return {"after": layered} if layered else {}


def _whole(
    one: Ruleset, other: Ruleset, name: str, changes: list[Data], retold: bool
) -> dict[str, Any]:
    declared = new_sources(one, other)
    whole: dict[str, Any] = {
        "lawspeaker": 1,
        "variant": name,
        "of": one.program.name,
        "layer": LAYER,
        "title": f"{one.name} made into {other.name}" if retold else "A difference alone",
    }
    if retold:
        whole["about"] = f"All that turns {one.name} into {other.name}."
        whole["book"] = list(other.own)
    if declared and retold:
        whole["sources"] = declared
    return {**whole, **laid_over(one), "changes": changes}


def _tidy(change: Data) -> Data:
    """Sorts keys in the customary order."""
    first = [key for key in change if key not in (*_PLACED, *_LAST)]
    order = [*first, *(key for key in (*_PLACED, *_LAST) if key in change)]
    return {key: change[key] for key in order}
