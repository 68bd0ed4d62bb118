"""A difference of several rows as one row: what its books say about any part of it.

The row that stands for a difference may be one that a book states outright while it says otherwise
about another, by its letter. Who reads only that row must not miss it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.kinds import BY_WEIGHT, LETTER, stances_of
from lawspeaker.study.compare.points import CALLED, CLAUSE_SORTS
from lawspeaker.study.compare.rows import Cell, Row


def gathered(difference: Difference) -> Row:
    """The row that stands for a difference, with what is cited and remarked on its other rows by
    the first telling, and by others where they differ from it; and where a telling has no such
    rule, with what its book says of the rules that this one would change. A row that says no more
    than the one that stands for them all has nothing to add."""
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
    """A cell with what is cited and remarked on others, the letter of a book before all else."""
    more = [each for each in others if each.there and not each.shared]
    if not any(each.cites or each.remark for each in more):
        return cell
    own = sorted((cell, *more), key=lambda each: each.standing not in LETTER)
    return _citing(cell, (cell, *more), own)


def _without(cell: Cell, others: list[Cell]) -> Cell:
    """A cell of a telling that has no such rule, with what is cited on others that it has."""
    cited = [each for each in others if each.there and each.cites]
    return _citing(cell, cited, (cell, *cited)) if cited else cell


def _citing(cell: Cell, others: Iterable[Cell], remarked: Sequence[Cell]) -> Cell:
    """A cell with what is cited on others, and with the remarks on some: all that is said first,
    then all that we decided."""
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
