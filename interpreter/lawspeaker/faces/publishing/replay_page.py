"""Publishes a played game as a page to step through, with the rule behind each step.

The page is the server's own replay page. The file contains what it would request from the server:
for each view (a seat's or a spectator's) and screen shape the scene after every reply, and the
story. Pictures are stored as diffs (`redrawing`), and every text only once.

A file for one seat contains only what that seat was shown: no other view, no seed, no log.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any, cast

from lawspeaker.faces.publishing.one_file import one_file, own_text
from lawspeaker.faces.web.channel import SHAPES, about
from lawspeaker.faces.web.drawing.sketches import Sketches
from lawspeaker.faces.web.game_in_play import GameInPlay
from lawspeaker.faces.web.page_words import words
from lawspeaker.faces.web.redrawing import Screen
from lawspeaker.faces.web.scene import scene
from lawspeaker.faces.web.seats import WATCH, Link, Seat
from lawspeaker.faces.web.store import KeptTable
from lawspeaker.faces.web.tables import Table
from lawspeaker.match.match import Match

Viewer = int | None
"""A seat, or None for a spectator."""

SERVER = "js/server.js"


def recording(
    moments: Iterable[Match], viewers: Sequence[Viewer], language: str, sitters: Sequence[str] = ()
) -> dict[str, Any]:
    """Records a game from some views.

    `moments` yields the match at its start and after each reply, and may yield the same mutable
    one. `sitters` are the names of bots, or `human`, by seat.
    """
    texts: dict[str, int] = {}
    screens = {(who, shape): Screen() for who in viewers for shape in SHAPES}
    sketches = Sketches()
    views: dict[str, list[Any]] = {_key(*each): [] for each in screens}
    match: Match | None = None
    for match in moments:
        sketches.tidy()
        for (who, shape), screen in screens.items():
            found = scene(
                match,
                who,
                language,
                len(match.replies) + 1,
                shape,
                in_parts=True,
                sketches=sketches,
            )
            shown = screen.show(found.pop("svg"))
            parts = [
                part if isinstance(part, list) else texts.setdefault(part, len(texts))
                for part in shown
            ]
            views[_key(who, shape)].append({"parts": parts, "scene": {**found, "question": None}})
    assert match is not None
    return {
        "words": {"language": language, "words": words(language)},
        "message": _message(match, viewers, language, sitters),
        "first": _seat(viewers[0]),
        "last": len(match.replies),
        "logs": {_seat(who): scene(match, who, language)["log"] for who in viewers},
        "views": views,
        "texts": list(texts),
    }


def page(data: dict[str, Any]) -> str:
    """Renders a recording as an HTML file."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    pressed = b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    blocks = {"game": json.dumps(pressed)}
    language = data["words"]["language"]
    return one_file("replay.html", {SERVER: own_text("replay_server.js")}, blocks, language)


def _message(
    match: Match, viewers: Sequence[Viewer], language: str, sitters: Sequence[str]
) -> dict[str, Any]:
    """Returns the table data that the server sends with every scene, for these views."""
    seats = [Seat(who == "human", "" if who == "human" else who, taken=True) for who in sitters]
    people = seats or [Seat(True, taken=True)] * match.players
    discretion = "discreet" if match.state.discreet else "quick"
    kept = KeptTable("", match.rules, 0, discretion, language, tuple(people))
    table = Table(1, kept, (), GameInPlay.of(match), cast(Any, None))
    told = about(table, Link(1, WATCH), "", language)
    told.pop("seed", None)  # the seed reveals every hand
    own = [who for who in viewers if who is not None]
    return {
        "type": "scene",
        "of": len(match.replies),
        "since": 0,
        "ask": None,
        "curtain": None,
        "you": {"seats": own, "host": False, "watch": not own},
        "table": {**told, "log": False, "since": 0},  # the time of writing is private
    }


def _key(who: Viewer, shape: str) -> str:
    return f"{_seat(who)}/{shape}"


def _seat(who: Viewer) -> str:
    return "" if who is None else str(who)
