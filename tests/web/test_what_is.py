"""What is this? Everything in a picture answers, and no more than its seat sees."""

from __future__ import annotations

import re
from html import unescape

import pytest

from lawspeaker.faces.web.books import measured
from lawspeaker.faces.web.game_in_play import GameInPlay
from lawspeaker.faces.web.scene import scene
from tests.library import game
from tests.properties.tables import Table, start, table_id

TABLES = [("walhalla", 4), ("voluspa", 3), ("hearts", 4)]


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_everything_in_the_picture_answers(table: Table) -> None:
    match = start(table, seed=3)
    for _ in range(3):
        assert match.decision is not None
        match.choose(match.decision.options[0])
    drawn = scene(match, 0, "de")["svg"]
    things = set(map(unescape, re.findall(r'data-(?:thing|what)="([^"]*)"', drawn)))
    assert len(things) > 10
    play = GameInPlay.of(match)
    for thing in things:
        found = play.what_is(0, thing, "de", ("Frida",) + ("",) * (match.players - 1))
        assert found is not None, thing
        assert found["name"]


def test_every_kind_of_tile_says_what_it_does() -> None:
    match = start(("voluspa", 3), seed=3)
    drawn = scene(match, 0, "en")["svg"]
    held = re.findall(r'data-thing="([^"]* in hand red[^"]*)"', drawn)
    assert held
    for thing in held:
        found = GameInPlay.of(match).what_is(0, unescape(thing), "en")
        assert found is not None
        assert found["now"], thing


def test_what_is_not_there_is_not_explained() -> None:
    match = start(("walhalla", 4), seed=3)
    play = GameInPlay.of(match)
    assert play.what_is(0, "hunt in hand black", "en") is None
    assert play.what_is(0, "nonsense", "en") is None


def test_what_others_hold_is_told_from_behind() -> None:
    match = start(("walhalla", 4), seed=3)
    found = GameInPlay.of(match).what_is(0, "hidden card in hand black", "en")
    assert found is not None
    assert found["name"] == "action card"


def test_the_length_of_a_game_is_measured() -> None:
    length = measured(game("tic_tac_toe"), 2)
    assert length.games
    assert 5 <= min(length.decisions) <= max(length.decisions) <= 9
