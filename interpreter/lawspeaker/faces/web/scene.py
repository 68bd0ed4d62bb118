"""All that one screen shows of a table, as plain data: what a seat sees, and nothing else.

A scene holds the picture of the table, the question to the seat with all that can be chosen, and
what happened as the seat knows it. What can be chosen is told twice: in words, and by the things in
the picture that have to be pointed at for it.
"""

from __future__ import annotations

from typing import Any

from lawspeaker.faces.play import answers
from lawspeaker.faces.play.watching import beginning, past_of
from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.drawing.looks import Looks
from lawspeaker.faces.web.question import question
from lawspeaker.ir.types import PLAYER
from lawspeaker.match.match import Match
from lawspeaker.position.layout import Layout
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story

REMEMBERED = 3
"""So many replies before the news still matter for what is news."""


def scene(
    match: Match, seat: int | None, language: str, since: int = 0, shape: str = "wide"
) -> dict[str, Any]:
    """What a seat (None: a spectator) sees; `since` says how many replies it has been told of."""
    view = match.view(seat)
    labels = Labels(view)
    return {
        "svg": draw(view, language, shape, labels),
        "players": players(view.layout, language),
        "question": question(view, labels, language),
        "scores": list(view.scores),
        "asked": [each for each in view.asked if each != seat or view.reply is None],
        "log": log(match, seat, language, labels, since),
        "finished": view.finished,
        "winners": list(view.winners),
        "result": result(match, language) if view.finished else None,
    }


def players(layout: Layout, language: str) -> list[dict[str, Any]]:
    """The players with the colours in which they are drawn."""
    looks = Looks(layout, language)
    return [
        {
            "seat": seat,
            "name": layout.name(PLAYER, seat, language),
            "letter": looks.letter(seat),
            "colour": looks.seat(seat).main,
            "ink": looks.seat(seat).ink,
        }
        for seat in layout.seats
    ]


def log(
    match: Match, seat: int | None, language: str, labels: Labels, since: int
) -> list[dict[str, Any]]:
    """What every reply after `since` brought about, as the seat knows it, each with its rule."""
    story = Story(match.machine, seat, language, labels, past_of(match))
    entries = []
    for number in range(max(0, since - REMEMBERED), len(match.replies) + 1):
        events = match.events_of(None if number == 0 else number - 1)
        lines = story.lines(events[beginning(match) :] if number == 0 else events)
        if since and number <= since:
            continue
        told = [
            {
                "text": line.text,
                "seat": line.seat,
                "kind": line.kind,
                "clause": None if line.clause is None else match.program.clauses[line.clause].id,
                "rule": _sentence(match, line.clause, language),
            }
            for line in lines
        ]
        entries.append({"reply": number, "lines": told})
    return entries


def _sentence(match: Match, clause: int | None, language: str) -> str:
    return "" if clause is None else answers.sentence(match.program.clauses[clause].says, language)


def result(match: Match, language: str) -> dict[str, Any]:
    """Who won, and where everybody's points came from."""
    found = answers.result(match, language)
    return {
        "title": found.title,
        "text": found.text,
        "winners": list(found.winners),
        "scores": [
            {"seat": seat, "total": total, "parts": parts} for seat, total, parts in found.scores
        ],
        "together": list(found.together),
    }
