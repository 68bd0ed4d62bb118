"""Players who are out of the game, as defined by the table's condition `only` beside `players`."""

from __future__ import annotations

from lawspeaker.match.view import View
from lawspeaker.telling.labels import Labels, parts_of


def out_of_play(view: View, labels: Labels) -> frozenset[int]:
    """The seats that are out, as far as everyone can know. `labels` may be of a later moment:
    nobody is out before it happens."""
    conditions = [
        shown.only
        for shown in parts_of(view.layout)
        if shown.shape == "players" and shown.only is not None
    ]
    if not conditions:
        return frozenset()
    if labels.view is not view:
        labels = Labels(view)
    return frozenset(
        seat
        for seat in view.layout.seats
        if any(labels.value(condition, seat) is False for condition in conditions)
    )
