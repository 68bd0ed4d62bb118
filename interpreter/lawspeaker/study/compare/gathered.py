"""A difference of several rows as one row: what its books say about any part of it.

The row that stands for a difference may be one that a book states outright while it says otherwise
about another, by its letter. Who reads only that row must not miss it.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.kinds import BY_WEIGHT, LETTER, stances_of
from lawspeaker.study.compare.rows import Cell, Row


def gathered(difference: Difference) -> Row:
    """The row that stands for a difference, with all that is cited and remarked on its rows where
    tellings differ from the first."""
    row = difference.row
    others = [each for each in difference.rows if each is not row]
    first, *cells = row.cells
    return replace(
        row,
        cells=(
            first,
            *(_with(cell, [each.cells[at] for each in others]) for at, cell in enumerate(cells, 1)),
        ),
    )


def _with(cell: Cell, others: list[Cell]) -> Cell:
    """A cell with what is cited and remarked on others, the letter of a book before all else."""
    more = [each for each in others if each.kind and not each.shared]
    if not cell.kind or not any(each.cites or each.remark for each in more):
        return cell
    own = sorted((cell, *more), key=lambda each: each.standing not in LETTER)
    cites = dict.fromkeys(cite for each in (cell, *more) for cite in each.cites)
    ordered = tuple(sorted(cites, key=lambda cite: BY_WEIGHT.index(cite.stance)))
    every = dict.fromkeys(each.remark for each in own if each.remark)
    remarks = [each for each in every if not any(each in other != each for other in every)]
    return replace(
        cell,
        cites=ordered,
        stances=stances_of(ordered) or cell.stances,
        remark=" ".join(remarks),
    )
