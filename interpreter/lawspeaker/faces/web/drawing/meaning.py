"""Maps places and pieces to the answers of a question that they stand for.

Where a question asks for a number and the layout says that a place means it (`means`), or a piece
by its state, clicking it enters the number. Of places that every player has one of, only one's own
does: it is what the question asks for (see `own_place`).
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout
from lawspeaker.telling.labels import parts_of


def meanings(layout: Layout) -> dict[int, dict[str, str]]:
    """Returns, by place, the answer that it stands for, for each part of a question."""
    found: dict[int, dict[str, str]] = {}
    for shown in parts_of(layout):
        if shown.family is not None and shown.means and not _everybody_has_one(layout, shown):
            for place in layout.places_of[shown.family]:
                found[place] = _of(layout, shown, place)
    return found


def _of(layout: Layout, shown: ir.Show, place: int) -> dict[str, str]:
    columns = layout.program.families[shown.family or 0].indices
    return {
        part: layout.text(columns[at].type, layout.place_indices[place][at])
        for part, at in shown.means
    }


def own_place(layout: Layout, seat: int, part: str, text: str) -> int | None:
    """Returns a seat's place that stands for `text` as an answer to `part`, if there is one."""
    for shown in parts_of(layout):
        if shown.family is not None and _everybody_has_one(layout, shown):
            for place in layout.places_of[shown.family]:
                if layout.place_owner[place] == seat and _of(layout, shown, place) == {part: text}:
                    return place
    return None


def _everybody_has_one(layout: Layout, shown: ir.Show) -> bool:
    """Whether the places also differ by owner, and mean a single part other than the owner."""
    columns = layout.program.families[shown.family or 0].indices
    told = [columns[at].type for _, at in shown.means]
    return (
        len(told) == 1 and ir.PLAYER not in told and any(each.type == ir.PLAYER for each in columns)
    )


def meant_by(view: View, piece: int, place: int) -> dict[str, str]:
    """Returns the answers that a piece stands for where it is, by part of a question."""
    layout, values = view.layout, view.states.get(piece, ())
    family = layout.place_family[place]
    of = layout.program.families[family].holds
    found: dict[str, str] = {}
    for shown in parts_of(layout):
        for part, state in shown.pieces_mean if shown.family == family and values else ():
            at = layout.first_entry[of][state]
            if values[at] is not None:
                found[part] = layout.text(layout.states[of][at].type, values[at])
    return found
