"""Merges a difference of several rows into one row with all citations.

The book may state the representative row outright but contradict another one by its letter. A
reader of that row alone must not miss this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.kinds import BY_WEIGHT, LETTER, stances_of
from lawspeaker.study.compare.points import CALLED, CLAUSE_SORTS
from lawspeaker.study.compare.rows import Cell, Row


def gathered(difference: Difference) -> Row:
    """The representative row, with citations and remarks of its other rows.

    These are taken from the first ruleset, and from others where they differ from it; where a
    ruleset lacks the rule, from the rules that it would change. A row that subsumes all others is
    unchanged.
    """
    row = difference.row
    others = [
        each
        for each in difference.rows
        if each is not row and (each.changes_play or each.sort in CALLED)
    ]
    beside = [each for each in others if each.sort in CLAUSE_SORTS]
    unseen = {at for at, found in difference.evidence.items() if not found.shows}
    return replace(
        row,
        cells=tuple(
            replace(
                _with(cell, [each.cells[at] for each in others if not at or each.cells[at].kind])
                if cell.there
                else _without(cell, [each.cells[at] for each in beside]),
                unseen=at in unseen,
            )
            for at, cell in enumerate(row.cells)
        ),
    )


def _with(cell: Cell, others: list[Cell]) -> Cell:
    """A cell with the citations and remarks of others, contradictions first."""
    more = [each for each in others if each.there and not each.shared]
    if not any(each.cites or each.remark for each in more):
        return cell
    own = sorted((cell, *more), key=lambda each: each.standing not in LETTER)
    return _citing(cell, (cell, *more), own)


def _without(cell: Cell, others: list[Cell]) -> Cell:
    """A cell of a ruleset that lacks the rule, with the citations of rules that it has."""
    cited = [each for each in others if each.there and each.cites]
    return _citing(cell, cited, (cell, *cited)) if cited else cell


def _citing(cell: Cell, others: Iterable[Cell], remarked: Sequence[Cell]) -> Cell:
    """A cell with the citations of some cells and the remarks of others: statements, then
    rulings.
    """
    cites = dict.fromkeys(cite for each in others for cite in each.cites)
    ordered = tuple(sorted(cites, key=lambda cite: BY_WEIGHT.index(cite.stance)))
    said = (each.remark.removesuffix(each.ruled).strip() for each in remarked)
    every = dict.fromkeys(each for each in (*said, *(one.ruled for one in remarked)) if each)
    told = [each for each in every if not any(each in other != each for other in every)]
    return replace(
        cell,
        cites=ordered,
        stances=stances_of(ordered) or cell.stances,
        remark=" ".join(told),
    )
