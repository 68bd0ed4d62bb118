"""Chooses the pair of rulebooks that isolates a difference in rules from one in pieces.

Normally these are the first ruleset with and without the difference. If the difference adds
pieces, games diverge as soon as one of these is drawn, whatever the rules. So both get the same
pieces: the first ruleset gets those that the difference adds, or the difference keeps those it
would remove.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.study.compare.alone import NAME, Alone, breaks
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.patch import patch
from lawspeaker.study.compare.points import CALLED, CLAUSE_SORTS, DECLARED
from lawspeaker.study.compare.position_setup import in_the_box
from lawspeaker.study.compare.rows import Row
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.table_parts import TABLE
from lawspeaker.study.compare.witness import Rulebooks


@dataclass(frozen=True, slots=True)
class Contrast:
    """`one`, `alone` and `other` are patches of the first ruleset that produce the rulebooks in
    `rules`.

    Without a patch `one` is the first ruleset, and `other` (None) the other.
    """

    rules: Rulebooks = field(repr=False)
    alone: str
    one: str = ""
    other: str | None = None


def contrast(rulesets: Sequence[Ruleset], comparison: Comparison, alone: Alone) -> Contrast | None:
    """Builds the contrast of a difference; None if it cannot be played alone."""
    if alone.program is None:
        return None
    first, other = rulesets[0], rulesets[alone.column]
    as_it_is = Rulebooks(first.program, alone.program, other.program, first.books, other.books)
    if _same_pieces(first.program, alone.program):
        return Contrast(as_it_is, alone.patch)
    boxes = (first.program, alone.program)
    rows = _rows(comparison, alone)
    laws = [row for row in rows if row.sort in CLAUSE_SORTS]
    if not laws:
        return Contrast(as_it_is, alone.patch)
    told = _Patches(rulesets, comparison, alone.column)
    text, given = told.with_rows(_things(rows))
    if given is not None and _same_pieces(given, alone.program):
        books = Rulebooks(given, alone.program, other.program, first.books, other.books, boxes)
        return Contrast(books, alone.patch, one=text)
    text, kept = told.with_rows(laws)
    if kept is not None and _same_pieces(first.program, kept):
        books = Rulebooks(first.program, kept, kept, first.books, other.books, boxes)
        return Contrast(books, text, other=text)
    return Contrast(as_it_is, alone.patch)


def _rows(comparison: Comparison, alone: Alone) -> list[Row]:
    """The rows of a difference and of those it needs."""
    differences = [each for each in comparison.differences if each.number in alone.along]
    return [
        row
        for each in (alone.difference, *differences)
        for row in each.rows
        if row.cells[alone.column].kind
    ]


def _things(rows: Sequence[Row]) -> list[Row]:
    """The rows that declare something, and the rows of their names."""
    declared = [row for row in rows if row.sort in DECLARED]
    words = {row.id.rpartition(".")[2] for row in declared}
    called = [row for row in rows if row.sort in CALLED and row.sort != TABLE]
    return declared + [row for row in called if row.id.partition(".")[2] in words]


def _same_pieces(one: ir.Program, other: ir.Program) -> bool:
    return in_the_box(one) == in_the_box(other)


class _Patches:
    """Patches the first ruleset with rows of another one."""

    def __init__(self, rulesets: Sequence[Ruleset], comparison: Comparison, column: int) -> None:
        self.first, self.other = rulesets[0], rulesets[column]
        self.table = comparison.table
        self.column = column

    def with_rows(self, rows: Sequence[Row]) -> tuple[str, ir.Program | None]:
        """The patch, and the program it produces; None if that does not compile."""
        ids = {row.id for row in rows}
        text = patch(self.first, self.other, NAME, ids, self.table, self.column)
        told = self.first.with_patch(text, NAME, Diagnostics())
        if told is None or breaks(told.program):
            return text, None
        return text, told.program
