"""How long a game takes people: measured if the operator agrees, else a guess."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.web.minutes import AWAY, FEWEST_REPLIES, Minutes, minutes
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import FILE
from tests.web.conftest import House
from tests.web.visitors import everyone, set_up

GAMES = [{"deal": 2, "play": 10}, {"deal": 2, "play": 30}]


@pytest.fixture
def timed(settings: Settings) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(replace(settings, times=True), stack)


def waited(house: House, seconds: int) -> None:
    """The question has stood for so long."""
    table = next(iter(house.web.registry._open.values()))
    table.waiting = replace(table.waiting, since=table.waiting.since - seconds)


def known(house: House, rules: str = "nim") -> dict[str, tuple[int, int]]:
    return house.web.registry.store.thinking(rules)


def test_minutes_are_those_of_the_questions() -> None:
    thinking = {"deal": (FEWEST_REPLIES, 30 * FEWEST_REPLIES), "play": (10, 60)}
    assert minutes(GAMES, thinking) == Minutes(2, 4, FEWEST_REPLIES + 10)
    seldom = minutes([{"else": 12}], thinking)
    assert seldom is not None
    assert seldom.longest == math.ceil(12 * (30 * FEWEST_REPLIES + 60) / (FEWEST_REPLIES + 10) / 60)


def test_before_enough_is_known_it_is_a_guess() -> None:
    assert minutes(GAMES, {"play": (FEWEST_REPLIES - 1, 10**6)}) == Minutes(1, 8, 0)
    assert minutes([], {}) is None
    assert minutes([{"play": 1}], {}) == Minutes(1, 2, 0)


def test_times_are_added_up_by_question(timed: House) -> None:
    host = timed.connect(set_up(timed.post, "nim", ("me", "random")))
    waited(timed, 40)
    host.reply()
    ((question, (count, seconds)),) = known(timed).items()
    assert question == "turn"
    assert count == 1, "and not that of the bot"
    assert 40 <= seconds < 60
    host.see(lambda scene: scene["at"] == 2)
    waited(timed, AWAY + 1)
    host.reply()
    assert known(timed)[question][0] == 1, "whoever was away did not think"


def test_what_an_answer_took_is_not_added_before_all_have_answered(timed: House) -> None:
    host = timed.connect(set_up(timed.post, "rock_paper_scissors", ("me", "friend")))
    friend = timed.connect(everyone(host.token, host.shown)[1])
    waited(timed, 20)
    host.reply()
    friend.see_at(1)
    assert not known(timed, "rock_paper_scissors")
    friend.reply()
    host.see_at(2)
    ((count, seconds),) = known(timed, "rock_paper_scissors").values()
    assert count == 2
    assert seconds >= 40


def test_nothing_is_added_up_unless_the_operator_agrees(house: House) -> None:
    host = house.connect(set_up(house.post, "nim", ("me", "random")))
    host.reply()
    assert not known(house)


def test_what_is_stored_names_nobody(timed: House, settings: Settings) -> None:
    host = timed.connect(set_up(timed.post, "nim", ("me", "random")))
    host.reply()
    with closing(sqlite3.connect(f"{settings.data}/{FILE}")) as base:
        columns = [row[1] for row in base.execute("PRAGMA table_info(thinking)")]
    assert columns == ["rules", "question", "replies", "seconds"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_of_a_game_tells_minutes(timed: House, language: str) -> None:
    path = f"/api/brief?name=nim&players=2&language={language}"
    guess = timed.get(path)["sentences"][-1]
    assert "15" in guess
    store = timed.web.registry.store
    store._base.execute("INSERT INTO thinking VALUES ('nim', 'turn', 400, 40000)")
    told = timed.get(path)["sentences"][-1]
    assert "400" in told
    assert told != guess
