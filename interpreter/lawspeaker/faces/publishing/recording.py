"""A played game as one page in which one can step through it, with the rule behind each step.

The page is the server's own for looking back. What it would ask the server for is in the file: for
each view (a seat's, or that of somebody who looks on) and shape of screen the table after every
reply, and the story. A picture is told by what is new in it (`redrawing`), and every text is there
once.

A file for one seat alone holds only what that seat was shown: no other view, no seed, no log.
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
"""A seat, or (None) somebody who looks on."""

SERVER = "js/server.js"


def recording(
    moments: Iterable[Match], viewers: Sequence[Viewer], language: str, sitters: Sequence[str] = ()
) -> dict[str, Any]:
    """A game as some saw it; `moments` is the match at its start and after each reply, and may be
    one that goes on. `sitters` are the names of bots, or `human`, by seat."""
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
    """The file of a recording."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    pressed = b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    blocks = {"game": json.dumps(pressed)}
    language = data["words"]["language"]
    return one_file("replay.html", {SERVER: own_text("replay_server.js")}, blocks, language)


def _message(
    match: Match, viewers: Sequence[Viewer], language: str, sitters: Sequence[str]
) -> dict[str, Any]:
    """What the server tells of a table with every scene, to somebody with these views."""
    seats = [Seat(who == "human", "" if who == "human" else who, taken=True) for who in sitters]
    people = seats or [Seat(True, taken=True)] * match.players
    discretion = "discreet" if match.state.discreet else "quick"
    kept = KeptTable("", match.rules, 0, discretion, language, tuple(people))
    table = Table(1, kept, (), GameInPlay.of(match), cast(Any, None))
    told = about(table, Link(1, WATCH), "", language)
    told.pop("seed", None)  # who knows it knows every hand
    own = [who for who in viewers if who is not None]
    return {
        "type": "scene",
        "of": len(match.replies),
        "since": 0,
        "ask": None,
        "curtain": None,
        "you": {"seats": own, "host": False, "watch": not own},
        "table": {**told, "log": False, "since": 0},  # when it was written is nobody's business
    }


def _key(who: Viewer, shape: str) -> str:
    return f"{_seat(who)}/{shape}"


def _seat(who: Viewer) -> str:
    return "" if who is None else str(who)
