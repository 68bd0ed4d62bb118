"""Lines that are drawn through places tell nothing that is hidden.

Each game here gives points or asks after a condition; by the places that the condition was about
one could tell what Ben holds. Nothing else of it is to be seen, so if everything were gone through,
as is tried here, too, twins would be told apart by their lines.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.faces.web.scene import scene
from lawspeaker.ir.walk import rebuilt
from lawspeaker.match.events import Viewer, seen_by
from lawspeaker.match.match import Match
from lawspeaker.study.secrets.api_output import OutputChannel
from lawspeaker.study.secrets.trial import Leak, LeakSearch, TrialTable
from lawspeaker.telling import evidence
from tests.secrets.leaking import leaking
from tests.tiers import sample

CY_AND = "(count of purses where owner of purse is cy or owner of purse is {whose}) >= 2"
PURSES = ["purse ann", "purse ben", "purse cy"]

OPEN = {
    "a condition": "if (count of purses where bank is not empty) >= 2: skip\nplayer scores 1",
    "points": "player scores count of purses",
    "a name": "let all_of_them be all purses\nif (count of all_of_them) >= 2: player scores 1",
    "a name for a condition": "let so be (count of purses) >= 2\nif so: player scores 1",
    "a name for luck": (
        "pick a random few\nif (count of purses where few >= 0) >= 2: skip\nplayer scores 1"
    ),
    "after a loop": "repeat 2 times: active becomes player\nplayer scores count of purses",
    "what was told": (
        "mind becomes aces of ben\ntell everyone mind\n"
        "if (count of purses where mind >= 0) >= 2: player scores 1"
    ),
}
"""What everyone could work out."""

HIDDEN = {
    "a condition": f"if {CY_AND.format(whose='whoever(player)')}: skip\nplayer scores 1",
    "a name": (
        f"let wanted be whoever(player)\nif {CY_AND.format(whose='wanted')}: skip\nplayer scores 1"
    ),
    "a condition that was told": (
        f"tell everyone whether {CY_AND.format(whose='whoever(player)')}\n"
        f"if {CY_AND.format(whose='whoever(player)')}: player scores 1"
    ),
    "a name for a condition that was told": (
        f"let so be {CY_AND.format(whose='whoever(player)')}\n"
        "tell everyone so\nif so: player scores 1"
    ),
    "a name that is given or not": (
        "let wanted be all purses where owner of purse is ann\n"
        "if aces of ben > 0: wanted becomes all purses\n"
        "if (count of wanted) >= 1: skip\nplayer scores 1"
    ),
    "points for something else": (
        f"player scores if {CY_AND.format(whose='whoever(player)')} then count of purses\n  else 3"
    ),
    "a marker": (
        "mind becomes aces of ben\nif (count of purses where mind > 0) >= 2: skip\nplayer scores 1"
    ),
    "a condition that is asked or not": (
        "if (count of purses where bank is not empty) >= 2: skip\n"
        "if aces of ben > 0:\n  if (count of purses where bank is not empty) >= 2: skip\n"
        "player scores 1"
    ),
    "a loop that is gone through or not": (
        "if (count of purses where bank is not empty) >= 2: skip\n"
        "for each card in hand of ben where card is ace:\n"
        "  if aces of ben > 9: skip\n"
        "player scores 1"
    ),
    "so many repetitions": (
        "if (count of purses where bank is not empty) >= 2: skip\n"
        "repeat aces of ben times:\n  if aces of ben > 9: skip\n"
        "player scores 1"
    ),
    "a clause that is done or not": (
        "if aces of ben > 0:\n  player scores count of purses\nelse:\n  player scores 3"
    ),
}
"""What would betray whether Ben holds an ace."""


def screen_text(match: Match, seat: int | None, language: str) -> str:
    """All that a screen is given of the last reply, but for its pictures."""
    return json.dumps(scene(match, seat, language, max(0, len(match.replies) - 1), in_stages=True))


def leaks(program: ir.Program) -> list[Leak]:
    trial = LeakSearch(program, 3, [OutputChannel("lines", screen_text)])
    for seed in range(1, 3):
        trial.game(TrialTable(3, seed, ("reference",)), moments=4)
    return trial.findings.leaks


@pytest.fixture(autouse=True)
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawspeaker.faces.web.scene.draw", lambda *how: "")


def all_evident(program: ir.Program) -> ir.Program:
    """The same program, if everyone could work everything out."""

    def changed(node: Any) -> Any:
        if isinstance(node, ir.Statement):
            node = replace(node, evident=True)
        return rebuilt(node, changed)

    clauses = tuple(replace(each, body=rebuilt(each.body, changed)) for each in program.clauses)
    return replace(program, clauses=clauses)


def mark_lines(match: Match) -> list[list[str]]:
    """What is drawn of the first reply."""
    stages = scene(match, 0, "en", 0, in_stages=True)["stages"]
    return [line for stage in stages for line in stage["marks"]]


@pytest.mark.parametrize("deed", OPEN.values(), ids=OPEN)
def test_what_everyone_could_work_out_is_drawn(deed: str) -> None:
    match = Match(leaking(deed), 3, 1)
    match.choose("wait")
    assert mark_lines(match) == [PURSES]


@pytest.mark.parametrize("deed", sample(HIDDEN.values(), test=4), ids=sample(HIDDEN, test=4))
def test_a_line_tells_nothing_that_is_hidden(deed: str) -> None:
    program = leaking(deed)
    assert not leaks(program)
    assert leaks(all_evident(program))


QUESTION = """
if aces of ben > 0: mind becomes 1
if (count of purses where bank is not empty) >= 2:
  player must choose one of
    go
    stay
"""


@pytest.mark.full
def test_what_a_question_is_about_hangs_on_no_hidden_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to the last event that is told, whether another one was hidden since or not."""
    program = leaking(QUESTION)
    match = Match(program, 3, 1)
    match.choose("go")
    match.choose("wait")
    assert scene(match, 0, "en")["marks"] == [PURSES]
    assert not leaks(program)
    by_event = evidence.evidence

    def hanging(match: Match, reply: int, viewer: Viewer) -> evidence.Evidence:
        found = by_event(match, reply, "all")
        events = {event.number: event for event in match.events_of(reply)}
        return {
            number: shown
            for number, shown in found.items()
            if seen_by(match.machine, events[number], viewer) is not None
        }

    monkeypatch.setattr("lawspeaker.faces.web.staging.evidence", hanging)
    assert leaks(program)


CARDS = """
if stall of player is empty:
  draw card from deck to stall of player
    otherwise: skip
player scores count of cards where there is a stall where card is in stall
"""


def test_a_line_does_not_tell_equal_pieces_apart() -> None:
    """Which of two equal cards lies where, nobody can know: the line goes from place to place."""
    match = Match(leaking(CARDS), 3, 1)
    match.choose("wait")
    stalls = ["stall ann", "stall ben"]
    places = match.machine.layout.places_by_text()
    first, second = (match.state.contents[places[each]] for each in stalls)
    assert first > second
    assert mark_lines(match) == [stalls]
