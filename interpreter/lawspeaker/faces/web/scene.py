"""Builds the scene that a screen shows: what a seat sees, and nothing else, as plain data.

A scene holds the picture of the table, the question to the seat with all its options, and the
events as the seat knows them. Options are given twice: in words, and by the things in the picture
to click.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play import answers
from lawspeaker.faces.play.shown import Sum
from lawspeaker.faces.play.watching import beginning, past_of
from lawspeaker.faces.web.drawing import assembled, draw
from lawspeaker.faces.web.drawing.appearance import Looks
from lawspeaker.faces.web.drawing.blocks import Picture
from lawspeaker.faces.web.drawing.sketches import Sketches
from lawspeaker.faces.web.question import question
from lawspeaker.faces.web.staging import last_marks, staged
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.out_of_play import out_of_play
from lawspeaker.telling.story import Story, StoryLine

EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" class="table" viewBox="0 0 400 300"></svg>'
"""The picture of an empty table."""
REMEMBERED = 3
"""Number of replies before the new ones that are replayed, because they affect how the new ones are
told."""


def scene(
    match: Match,
    seat: int | None,
    language: str,
    since: int = 0,
    shape: str = "wide",
    people: Sequence[str] = (),
    in_stages: bool = False,
    in_parts: bool = False,
    teller: Teller | None = None,
    sketches: Sketches | None = None,
    view: View | None = None,
) -> dict[str, Any]:
    """Returns the scene of a seat (None for a spectator).

    `since` is the number of replies already shown, `people` the names that players chose.
    `in_stages` adds the events step by step for animation; `in_parts` returns pictures as parts for
    a diff. `teller` is the narrator used so far, `sketches` the cache of drawings, and `view` the
    seat's current view, if they exist.
    """
    view = view or match.view(seat)
    labels = Labels(view)
    layout = view.layout.named(people)
    told = (teller or Teller(match, seat, language, layout)).told(since, labels)
    drawing = assembled if in_parts else draw
    found = {
        "svg": drawing(view, language, shape, labels, sketches),
        "players": players(layout, language, out_of_play(view, labels)),
        "question": question(view, labels, language, layout),
        "scores": list(view.points),
        "asked": [each for each in view.asked if each != seat or view.reply is None],
        "log": _entries(match, told, language),
        "marks": last_marks(match, seat),
        "finished": view.finished,
        "winners": list(view.winners),
        "result": result(match, language, layout) if view.finished else None,
    }
    if in_stages:

        def drawn(moment: View) -> str | Picture:
            # Labels of places are computed once, for the final position.
            return drawing(moment, language, shape, labels, sketches)

        found["stages"] = staged(match, seat, since, dict(told), drawn)
    return found


def unbegun(layout: Layout, language: str, in_parts: bool = False) -> dict[str, Any]:
    """Returns the scene of a game that has not begun: the players and an empty table."""
    return {
        "svg": Picture([EMPTY]) if in_parts else EMPTY,
        "players": players(layout, language),
        "question": None,
        "scores": [0] * len(layout.seats),
        "asked": [],
        "log": [],
        "marks": [],
        "finished": False,
        "winners": [],
        "result": None,
    }


def players(
    layout: Layout, language: str, out: frozenset[int] = frozenset()
) -> list[dict[str, Any]]:
    """Returns the players with their colours.

    `seat_name` is the game's name for a player, whatever name he chose; `out` is a phrase for those
    who are out of the game, else None.
    """
    looks = Looks(layout, language)
    program = layout.program
    return [
        {
            "seat": seat,
            "name": layout.name(ir.PLAYER, seat, language),
            "seat_name": layout.called(program.player_names[seat], "player", language),
            "letter": looks.letter(seat),
            "colour": looks.seat(seat).main,
            "ink": looks.seat(seat).ink,
            "out": phrase("word.out", language) if seat in out else None,
        }
        for seat in layout.seats
    ]


def log(
    match: Match, seat: int | None, language: str, labels: Labels, since: int
) -> list[dict[str, Any]]:
    """Returns the log entries of every reply after `since`, as the seat knows them, with their
    rules."""
    teller = Teller(match, seat, language, match.machine.layout)
    return _entries(match, teller.told(since, labels), language)


class Teller:
    """Narrates the replies of a match to a seat (None for a spectator).

    A narrator that has told all replies so far tells only the next one; otherwise it starts over.
    """

    def __init__(self, match: Match, seat: int | None, language: str, layout: Layout) -> None:
        self._match = match
        self._seat = seat
        self._language = language
        self._layout = layout
        self._story: Story | None = None
        self._following = 0
        """The number of the reply to be told next."""

    def told(self, since: int, labels: Labels) -> list[tuple[int, list[StoryLine]]]:
        """Returns each reply after `since` with its lines; with 0, all of them and the setup."""
        match = self._match
        if self._story is None or not since or self._following != since + 1:
            self._story, self._following = self._begun(), max(0, since - REMEMBERED)
        self._story.labels = labels
        told = []
        for number in range(self._following, len(match.replies) + 1):
            first = 0 if number else beginning(match, self._seat)
            events = match.events_of(None if number == 0 else number - 1)[first:]
            lines = self._story.lines(events)
            if not since or number > since:
                told.append((number, lines))
        self._following = len(match.replies) + 1
        return told

    def _begun(self) -> Story:
        match, seat = self._match, self._seat
        return Story(
            match.machine,
            seat,
            self._language,
            past=past_of(match),
            layout=self._layout,
            circumstances=Circumstances(match, seat),
        )


def _entries(
    match: Match, told: Sequence[tuple[int, Sequence[StoryLine]]], language: str
) -> list[dict[str, Any]]:
    return [
        {
            "reply": number,
            "lines": [
                {
                    "text": line.text,
                    "seat": line.seat,
                    "kind": line.kind,
                    "verb": line.verb,
                    "trifle": line.trifle,
                    "implied": line.implied,
                    "clause": _id(match, line.clause),
                    "rule": _sentence(match, line.clause, language),
                }
                for line in lines
            ],
        }
        for number, lines in told
    ]


def _id(match: Match, clause: int | None) -> str | None:
    return None if clause is None else match.program.clauses[clause].id


def _sentence(match: Match, clause: int | None, language: str) -> str:
    return "" if clause is None else ir.in_language(match.program.clauses[clause].says, language)


def result(match: Match, language: str, layout: Layout) -> dict[str, Any]:
    """Returns the result: who won, the sources of everybody's points, and their course.

    `course` has the points of all after every reply that changed them.
    """
    found = answers.result(match, language, layout)
    return {
        "title": found.title,
        "text": found.text,
        "why": found.why,
        "winners": list(found.winners),
        "fewest": match.program.goal is ir.Goal.FEWEST,
        "scores": [
            {
                "seat": holder.seats[0],
                "total": total,
                "parts": parts,
                "sources": points_by_rule(match, holder.seats[0], language),
            }
            for holder, total, parts in found.scores
        ],
        "holders": _holders(layout, language),
        "course": _course(match),
    }


def points_by_rule(match: Match, seat: int, language: str) -> list[dict[str, Any]]:
    """Lists the points of a seat by rule."""
    (shown,) = answers.points(match, seat, language)
    rows = shown.rows if isinstance(shown, Sum) else ()
    return [{"points": points, "name": name, "rule": says} for points, name, _, says in rows]


def _holders(layout: Layout, language: str) -> list[dict[str, Any]]:
    """Lists the holders of a score by their first seat: a player, or a side with its first player's
    sign."""
    signs = players(layout, language)
    return [
        {**signs[side[0]], "name": layout.holder_name(side[0], language), "seats": list(side)}
        for side in layout.sides
    ]


def _course(match: Match) -> list[dict[str, Any]]:
    """Lists the points of all holders over time, in the order of `_holders`."""
    holders = match.machine.layout.sides
    scores = [0] * match.players
    course: list[dict[str, Any]] = []
    for number in range(len(match.replies) + 1):
        given = [
            event
            for event in match.events_of(None if number == 0 else number - 1)
            if event.kind == "score"
        ]
        for event in given:
            seat, _, total, *_ = event.data
            scores[seat] = total
        if given or number == 0:
            course.append({"reply": number, "scores": [scores[side[0]] for side in holders]})
    return course
