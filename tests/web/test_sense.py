"""What a table shows makes sense to somebody who has never seen it: markers, names, the end."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.base.typography import enumerated
from lawspeaker.faces.render.symbols import Symbols
from lawspeaker.faces.web.scene import players, scene
from lawspeaker.ir.types import PLAYER
from lawspeaker.match.match import Match
from tests.library import game
from tests.web.conftest import House
from tests.web.visitors import everyone, set_up

RULES = Path(__file__).parents[2] / "rules"


def markers(match: Match) -> dict[str, str]:
    """What the markers in the picture show, as they are read aloud."""
    svg = scene(match, None, "en")["svg"]
    told = re.findall(r'<g[^>]*class="marker"[^>]*>', svg)
    labels = [unescape(label) for each in told for label in re.findall(r'aria-label="(.*?)"', each)]
    pairs = [label.rsplit(": ", 1) for label in labels]
    return {each[0]: each[1] for each in pairs}


def test_what_nobody_has_set_shows_nothing() -> None:
    match = lawspeaker.load("liars_dice").start(3, 1)
    asked = match.decision
    assert asked is not None
    assert asked.seat is not None
    before = markers(match)
    assert before["bidder"] == before["of face"] == "–"
    assert before["bid"] == "–", "the table shows it only while there is a bid"
    assert before["on turn"] != "–", "it was set, be it to what it would have shown anyway"
    match.choose("say 2, 1")
    after = markers(match)
    assert after["bidder"] == match.machine.layout.name(PLAYER, asked.seat, "en")
    assert after["of face"] == "1", "it was bid, though it would have shown that anyway"


def test_what_the_rules_say_it_starts_as_is_shown() -> None:
    match = lawspeaker.load("nim").start(2, 1)
    assert "Ann" in markers(match).values()


def test_a_game_without_points_ends_with_who_won_and_why() -> None:
    match = lawspeaker.load("nim").start(2, 1)
    while match.decision is not None:
        match.choose(match.decision.options[-1])
    told = scene(match, None, "en")["result"]
    assert told["title"] == "The game is over"
    assert told["why"].endswith("whoever took the last one wins.")
    assert not told["scores"]


@pytest.mark.parametrize(
    "language, told",
    [("en", "A, B and C"), ("de", "A, B und C"), ("fr", "A, B et C"), ("it", "A, B e C")],
)
def test_names_are_said_with_a_word_before_the_last(language: str, told: str) -> None:
    assert enumerated(["A", "B", "C"], language) == told
    assert enumerated(["A"], language) == "A"
    assert enumerated([], language) == ""


def test_each_looks_back_with_his_own_eyes(house: House) -> None:
    """While others still play, a seat steps through what it saw itself, and nothing else."""
    host = set_up(house.post, "kuhn_poker", ("me", "friend"))
    screen = house.connect(host)
    watcher = str(everyone(host, screen.shown)[None])
    house.connect(everyone(host, screen.shown)[1])
    for token, seat in ((host, 0), (watcher, None)):
        found = house.get(f"/api/scene/{token}?after=0")
        assert found["seat"] == seat
        assert not found["table"]["log"]
    assert house.client.get(f"/api/scene/{host}?after=0&seat=1").status_code == 403


def test_a_bot_that_plays_well_stands_in(house: House) -> None:
    host = set_up(house.post, "nim", ("me", "me"))
    screen = house.connect(host)
    substitute = screen.shown["table"]["stand_ins"][0]
    assert substitute["level"] == "medium"
    screen.say("bot", seat=1, strength=substitute["strength"])
    shown = screen.see(lambda shown: shown["table"]["seats"][1]["who"] == "bot")
    assert shown["table"]["seats"][1]["level"] == "medium"


@pytest.mark.parametrize(
    "name",
    sorted({each.name for each in RULES.iterdir()} - {"tic_tac_toe"}),  # there they are drawn
)
def test_the_letter_of_a_player_is_of_the_name_in_that_language(name: str) -> None:
    layout = game(name).start(seed=1).machine.layout
    for language in layout.program.languages:
        for each in players(layout, language):
            assert each["letter"][0].lower() in each["seat_name"].lower(), (language, each)


@pytest.mark.parametrize("language, sign", [("en", "Q"), ("de", "D"), ("it", "D"), ("fr", "D")])
def test_the_index_of_a_card_is_of_its_name_in_that_language(language: str, sign: str) -> None:
    layout = game("hearts").start(seed=1).machine.layout
    assert Symbols(layout, language).sign("queen", "rank") == sign
