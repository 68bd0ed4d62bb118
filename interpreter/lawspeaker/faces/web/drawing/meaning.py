"""Places that stand for a word of a question.

Where a question asks for a number and the table says that a place means it (`means`), pointing at
the place says the number.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.match.view import View
from lawspeaker.telling.labels import everything


def meanings(view: View) -> dict[int, dict[str, str]]:
    """By place, for each part of a question it answers, the text of the answer."""
    layout = view.layout
    found: dict[int, dict[str, str]] = {}
    for shown in everything(layout.program.table):
        if shown.family is not None and shown.means:
            for place in layout.places_of[shown.family]:
                found[place] = _of(view, shown, place)
    return found


def _of(view: View, shown: ir.Show, place: int) -> dict[str, str]:
    layout = view.layout
    columns = layout.program.families[shown.family or 0].indices
    return {
        part: layout.text(columns[at].type, layout.place_indices[place][at])
        for part, at in shown.means
    }
