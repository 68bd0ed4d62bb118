"""The stages of a reply as a screen can play them: a picture for each moment at which one stops.

The last stage has no picture of its own: it is that of the scene. Nor has one in which points are
given; the next one has them. Things are told by their keys in
the picture (`data-thing`), so that points can rise from where they fell, and a line can be drawn
through the places they were for: `marks` are these lines (see `telling/evidence`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.drawing.things import place_thing
from lawspeaker.match.events import seen_by
from lawspeaker.match.match import Match
from lawspeaker.match.moments import Moments
from lawspeaker.telling.evidence import Groups, evidence
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.stages import LUCK, MOVE, REVEAL, Stage, stages
from lawspeaker.telling.story import Line

DRAWN = (MOVE, REVEAL, LUCK)
"""The sorts of stages after which the table looks otherwise."""


def staged(
    match: Match,
    seat: int | None,
    language: str,
    since: int,
    shape: str,
    labels: Labels,
    told: Mapping[int, Sequence[Line]],
) -> list[dict[str, Any]]:
    """What every reply after `since` brought about, stage by stage, as a seat saw it; nothing of
    what is too long ago. `told` has the story of each reply: a stage says how many of its lines can
    be read by then."""
    found: list[dict[str, Any]] = []
    last = len(match.replies) - 1
    for reply in range(since, last + 1):
        moments = Moments.of(match, reply)
        if moments is None:
            continue
        own = stages(match.machine, match.events_of(reply), seat)
        shown = evidence(match, reply)
        for at, stage in enumerate(own):
            data = _data(match, stage)
            data["marks"] = marks(match, shown, range(stage.first, stage.last + 1), seat)
            data["lines"] = sum(line.at <= stage.last for line in told.get(reply + 1, ()))
            ends = reply == last and at == len(own) - 1
            if not ends and stage.sort in DRAWN:
                # What is written on places is worked out once, for how things stand in the end.
                view = moments.view(seat, stage.last)
                data["svg"] = draw(view, language, shape, labels)
            found.append({"reply": reply + 1, **data})
    return found


def marks(
    match: Match, shown: Mapping[int, Groups], numbers: Iterable[int], seat: int | None
) -> list[list[str]]:
    """What some events were for, as far as a seat is told of them: lines of things."""
    layout, found = match.machine.layout, dict[tuple[int, ...], None]()
    for number in numbers:
        if number in shown and seen_by(match.machine, match.events[number], seat) is not None:
            found.update(dict.fromkeys(shown[number]))
    return [[place_thing(layout, place) for place in group] for group in found]


def last_marks(match: Match, seat: int | None) -> list[list[str]]:
    """What is still to be seen: the line by which the game was won, or for which somebody is asked.
    For what points were is seen only while they are given."""
    if not match.replies:
        return []
    reply = len(match.replies) - 1
    numbers = [event.number for event in match.events_of(reply) if event.kind != "score"]
    return marks(match, evidence(match, reply), numbers, seat)


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
