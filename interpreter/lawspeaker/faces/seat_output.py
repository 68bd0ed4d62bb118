"""Serializes the output of terminal and server for a seat, for byte-wise comparison.

    terminal   the whole screen, and the answers to all commands of a player
    socket     the message that shows the table in the browser, the picture in it, and the answers
               to what a player can ask there
    staged     the same message with the effects of the last reply, stage by stage
    past       the table as it was, which the server hands out to whoever looks back
    recording  the last moments of the game, as they go into a file for one seat alone
    puzzle     the table and the question as they would be guessed at, and why something is refused
               (what comes of an answer, and whether it is right, may well depend on what is hidden)
    hint       what a bot would do in the seat's place, and why
    foreseen   what comes of some answers at once

They are produced by the functions that the terminal and the server use (see `study/secrets`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from io import StringIO
from typing import Any, cast

from rich.console import Console

from lawspeaker.faces.play.input import command_name
from lawspeaker.faces.play.session import Session
from lawspeaker.faces.play.shown import Shown, ShownTable
from lawspeaker.faces.play.watching import Watching
from lawspeaker.faces.publishing.puzzle import posed, refusal
from lawspeaker.faces.publishing.replay_page import recording as recorded
from lawspeaker.faces.render.screen import Screen
from lawspeaker.faces.web.bots_at_table import advised
from lawspeaker.faces.web.channel import SHAPES, Around, Connection, picture
from lawspeaker.faces.web.game_in_play import GameInPlay, Look
from lawspeaker.faces.web.pace import Waiting
from lawspeaker.faces.web.seats import SEAT, WATCH, Link, Seat
from lawspeaker.faces.web.store import KeptTable
from lawspeaker.faces.web.tables import Table as WebTable
from lawspeaker.match.match import Match
from lawspeaker.players.bots import bot
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from lawspeaker.study.secrets.api_output import CHANNELS, OutputChannel, refused_texts
from lawspeaker.telling.labels import Labels

WIDTH = 100
FEW_REFUSED = 3
NONSENSE = "xyzzy"
"""An input that is no choice: its answer suggests what could have been meant."""
FEW_PLAYOUTS = 24
EVERY_THING = 12
"""Of so many things on the table, one is described."""


def terminal(match: Match, seat: int | None, language: str) -> str:
    """Renders the screen of a seat with the output of all its commands, or the spectators'
    screen."""
    sheet = StringIO()
    console = Console(file=sheet, width=WIDTH, force_terminal=True, color_system="truecolor")
    shown = _watched(match, language) if seat is None else _asked(match.copy(), seat, language)
    Screen(console, match.machine.layout, language).show(shown)
    return sheet.getvalue()


def _watched(match: Match, language: str) -> list[Shown]:
    view = match.view(None)
    return [ShownTable(view, Labels(view)), *Watching(match, language).news(all_of_it=True)]


def _asked(match: Match, seat: int, language: str) -> list[Shown]:
    others = [None if each == seat else bot("random", 0) for each in range(match.players)]
    session = Session(match, others, language)
    if not match.decisions:
        return session.step()
    if all(each.seat != seat for each in match.decisions):
        return []
    shown = session.turn_to(seat)
    points, why = command_name("points", language), command_name("why", language)
    lines = [f"{points} {session.name(each)}" for each in range(match.players)]
    lines += [f"{why} {text}" for text in (*_wanted(match, seat), NONSENSE)]
    lines += [command_name(name, language) for name in ("rule", "events", "undo")]
    lines.append(f"{command_name('events', language)} all")
    for line in lines:
        shown += session.answer(line)
    return shown


def _wanted(match: Match, seat: int) -> list[str]:
    """Returns some choices that are not offered to a seat that is asked, and the last one that
    is."""
    offered = [option.text for option in match.shown(seat).options[-1:]]
    return [*refused_texts(match, seat)[:FEW_REFUSED], *offered]


def _at_the_server(match: Match, language: str) -> WebTable:
    """Makes a table of people without a store, since nothing is changed at it."""
    discretion = "discreet" if match.state.discreet else "quick"
    people = (Seat(person=True, taken=True),) * match.players
    since = Waiting(1)  # wall-clock time is no part of the game
    kept = KeptTable("", match.rules, 0, discretion, language, people, waiting=since)
    return WebTable(1, kept, (), GameInPlay.of(match), cast(Any, None))


def socket(match: Match, seat: int | None, language: str) -> str:
    table = _at_the_server(match, language)
    link = Link(1, WATCH) if seat is None else Link(1, SEAT, (seat,))
    shape = SHAPES[len(match.replies) % len(SHAPES)]
    connection = Connection(cast(Any, None), "", link, language, shape)
    answers: list[Any] = [table.points(each, language) for each in range(match.players)]
    things = re.findall(r'data-thing="([^"]*)"', table.scene(Look(seat, language, shape))["svg"])
    things = sorted(set(map(unescape, things)))[len(match.replies) % EVERY_THING :: EVERY_THING]
    answers += [GameInPlay.of(match).what_is(seat, each, language) for each in things]
    if seat is not None and seat in table.asked():
        answers.append(table.rule(seat, "", language))
        wanted = _wanted(match, seat)
        answers += [table.why_not(seat, text, language) for text in wanted]
        barred = GameInPlay.of(match).barred(seat, language)
        answers.append(None if barred is None else barred.to_json())
    return picture(table, connection, Around()) + json.dumps(answers, ensure_ascii=False)


def staged(match: Match, seat: int | None, language: str) -> str:
    """Serializes the scene with the effects of the last reply, stage by stage."""
    if not match.replies:
        return ""
    shape = SHAPES[len(match.replies) % len(SHAPES)]
    look = Look(seat, language, shape, len(match.replies) - 1, in_stages=True)
    return json.dumps(_at_the_server(match, language).scene(look), ensure_ascii=False)


def past(match: Match, seat: int | None, language: str) -> str:
    """Serializes the scene after half of the replies."""
    if not match.replies:
        return ""
    table, look = _at_the_server(match, language), Look(seat, language)
    return json.dumps(table.scene_after(len(match.replies) // 2, look), ensure_ascii=False)


def recording(match: Match, seat: int | None, language: str) -> str:
    """Serializes a recording of the last moments for this seat alone."""

    def moments() -> Iterator[Match]:
        before = match.copy()
        before.rewind(max(0, len(match.replies) - 1))
        yield before
        yield match

    return json.dumps(recorded(moments(), [seat], language), ensure_ascii=False)


def puzzle(match: Match, seat: int | None, language: str) -> str:
    """Serializes the question as a puzzle, with some refused answers."""
    asked = match.view(seat).decision
    if seat is None or asked is None:
        return ""
    offered = {each.text for each in asked.options}
    refused = [each for each in match.well_formed(seat) if each.text not in offered][:FEW_REFUSED]
    pictures: dict[str, int] = {}
    shown = posed(match, seat, refused, language, pictures)
    told = [refusal(match, seat, each.text, language) for each in refused]
    return json.dumps([shown, told, list(pictures)], ensure_ascii=False)


def hint(match: Match, seat: int | None, language: str) -> str:
    view = match.view(seat)
    if seat is None or view.decision is None:
        return ""
    thinker = MonteCarloBot("mc", 1, Effort(FEW_PLAYOUTS))
    return json.dumps(advised(view, thinker))


def foreseen(match: Match, seat: int | None, language: str) -> str:
    if seat is None or match.view(seat).decision is None:
        return ""
    play = GameInPlay.of(match)
    offered = range(len(match.shown(seat).options))
    told = [play.foreseen(seat, number, language) for number in [*offered[:2], *offered[-1:]]]
    return json.dumps(told, ensure_ascii=False)


ALL_CHANNELS = (
    *CHANNELS,
    OutputChannel("terminal", terminal, 6),
    OutputChannel("socket", socket, 4),
    OutputChannel("staged", staged, 4),
    OutputChannel("past", past, 12),
    OutputChannel("recording", recording, 24),
    OutputChannel("puzzle", puzzle, 24),
    OutputChannel("hint", hint, 12),
    OutputChannel("foreseen", foreseen, 6),
)
