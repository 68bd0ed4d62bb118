"""Markers without a value to show: the rules give no initial value, and nobody has set them.

Such a marker has a default value all the same: the first player, the first word, the lowest number
of a range. Shown at the table, it would look as if somebody had bid. A counter starts at 0, which
is what it means, and so does a boolean. In a set-up position, where it is unknown who has set what,
every marker is shown.

A marker can lose its meaning again, as the bid of the last round does before the next one. The
table's condition `only` says when.
"""

from __future__ import annotations

from functools import lru_cache

from lawspeaker.ir.types import NumberType, TruthType
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout
from lawspeaker.telling.labels import Labels, parts_of

UNSET = "–"
"""Shown in place of a value."""


def unset(view: View) -> frozenset[int]:
    """The entries of markers that are unset now, as far as the viewer can know."""
    return _never_set(view) | _without_meaning(view)


def _without_meaning(view: View) -> frozenset[int]:
    """Those excluded by a condition of the table."""
    layout, at_times = view.layout, _shown_at_times(view.layout)
    if not at_times:
        return frozenset()
    labels = Labels(view)
    return frozenset(
        at
        for marker, only in at_times
        if labels.value(only) is False
        for at, _ in layout.entries(marker)
    )


@lru_cache(maxsize=64)
def _shown_at_times(layout: Layout) -> tuple[tuple[int, int], ...]:
    """The markers that have a condition, each with it."""
    return tuple(
        (shown.marker, shown.only)
        for shown in parts_of(layout)
        if shown.marker is not None and shown.only is not None
    )


def _never_set(view: View) -> frozenset[int]:
    layout = view.layout
    open_ones = {
        at for at in _unset_at_first(layout) if view.markers[at] == (layout.first_markers[at],)
    }
    if not open_ones or not _whole_game(view):
        return frozenset()
    for event in view.told("marker"):
        number, which, _ = event.data
        open_ones.discard(layout.marker_at[number] + (which or 0))
        if not open_ones:
            break
    return frozenset(open_ones)


@lru_cache(maxsize=64)
def _unset_at_first(layout: Layout) -> tuple[int, ...]:
    """The entries of markers that are unset at the start."""
    return tuple(
        at
        for number, marker in enumerate(layout.program.markers)
        if marker.unset and not isinstance(marker.type, TruthType) and not _counts(marker.type)
        for at, _ in layout.entries(number)
    )


def _whole_game(view: View) -> bool:
    """Whether the match started at the beginning rather than in a set-up position: the main rule is
    on the stack, or, between two questions, has run."""
    main = view.layout.program.main
    if view.stack:
        return view.stack[0][0] == main
    return any(view.told_by(main))


def _counts(of: object) -> bool:
    return isinstance(of, NumberType) and (not of.listed or of.low == 0)
