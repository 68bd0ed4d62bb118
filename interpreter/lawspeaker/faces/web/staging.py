"""Splits replies into stages that a screen can animate, each with a picture.

The last stage has no picture of its own: it is that of the scene. Nor has a stage that awards
points; the next one shows them. Things are identified by their `data-thing`, so that points can
rise from their places, and a line can be drawn through the places they were for: `marks` are these
lines (see `telling/evidence`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lawspeaker.faces.web.drawing.blocks import Picture
from lawspeaker.faces.web.drawing.things import place_thing
from lawspeaker.match.match import Match
from lawspeaker.match.past_views import Moments
from lawspeaker.match.view import View
from lawspeaker.telling.evidence import ShownEvidence, evidence
from lawspeaker.telling.stages import LUCK, MOVE, REVEAL, Stage, stages
from lawspeaker.telling.story import StoryLine

DRAWN = (MOVE, REVEAL, LUCK)
"""The kinds of stages that change the picture."""


def staged(
    match: Match,
    seat: int | None,
    since: int,
    told: Mapping[int, Sequence[StoryLine]],
    drawn: Callable[[View], str | Picture],
) -> list[dict[str, Any]]:
    """Returns the stages of every reply after `since`, as a seat saw them; too old ones are
    omitted.

    `told` has the lines of each reply: a stage says how many of them are visible by then. `drawn`
    draws a view.
    """
    found: list[dict[str, Any]] = []
    last = len(match.replies) - 1
    for reply in range(since, last + 1):
        moments = Moments.of(match, reply)
        if moments is None:
            continue
        own = stages(match.machine, match.events_of(reply), seat)
        shown = evidence(match, reply, seat)
        for at, stage in enumerate(own):
            data = _data(match, stage)
            numbers = range(stage.first, stage.last + 1)
            data["marks"] = _lines(match, (each for at in numbers for each in shown.get(at, ())))
            data["lines"] = sum(line.at <= stage.last for line in told.get(reply + 1, ()))
            ends = reply == last and at == len(own) - 1
            if not ends and stage.sort in DRAWN:
                data["svg"] = drawn(moments.view(seat, stage.last))
            found.append({"reply": reply + 1, **data})
    return found


def last_marks(match: Match, seat: int | None) -> list[list[str]]:
    """Returns the lines that stay visible: those that won the game, or for which somebody is asked.

    The lines for points are visible only while the points are awarded.
    """
    if not match.replies:
        return []
    found = evidence(match, len(match.replies) - 1, seat).values()
    return _lines(match, (shown for several in found for shown in several if shown.stays))


def _lines(match: Match, found: Iterable[ShownEvidence]) -> list[list[str]]:
    """Converts evidence to lines of things."""
    layout = match.machine.layout
    groups = dict.fromkeys(group for shown in found for group in shown.groups)
    return [[place_thing(layout, place) for place in group] for group in groups]


def _data(match: Match, stage: Stage) -> dict[str, Any]:
    layout = match.machine.layout
    return {
        "sort": stage.sort,
        "clause": match.program.clauses[stage.clause].id,
        "points": [
            {
                "seat": each.seat,
                "points": each.points,
                "things": [place_thing(layout, place) for place in each.places],
            }
            for each in stage.given
        ],
    }
