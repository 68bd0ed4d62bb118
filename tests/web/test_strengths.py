"""Bots called by strength: a ladder for all games, and another one where a game says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.faces.web.bots_at_table import advised
from lawspeaker.faces.web.strengths import (
    FILE,
    LADDER,
    called,
    ladder,
    level,
    usual,
    who_can_sit,
)
from lawspeaker.outside.learned import LearnedShelf
from lawspeaker.outside.library import Library
from lawspeaker.players.bots import BOTS, LEARNED_BOTS
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from lawspeaker.players.bots.policies import SOLVED_OPEN, About, keep_learned_on, packed_plan
from lawspeaker.players.solving.solved import solved
from tests.library import names
from tests.web.conftest import House
from tests.web.visitors import set_up


@pytest.mark.parametrize("name", names())
def test_every_level_is_a_bot_that_can_sit_down(name: str) -> None:
    found = ladder(name, Library())
    assert set(found.values()) <= set(BOTS)
    assert set(found) <= set(LADDER)
    assert set(found) == set(LADDER), "there is somebody to play against at every level"


def test_a_game_may_have_another_ladder(tmp_path: Path) -> None:
    folder = tmp_path / "rules" / "duel"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text("lawspeaker: 1\ngame: duel\n", encoding="utf-8")
    library = Library(tmp_path, ())
    assert ladder("duel", library) == LADDER
    for told, expected in (
        (json.dumps({"easy": "mc:100", "hard": "greedy"}), {"easy": "mc:100", "hard": "greedy"}),
        (json.dumps({"easy": "no such bot"}), LADDER),
        (json.dumps(["easy"]), LADDER),
        ("{", LADDER),
    ):
        (folder / FILE).write_text(told, encoding="utf-8")
        assert ladder("duel", library) == expected


@pytest.mark.parametrize(
    "game, level",
    [
        ("liars_dice", "hard"),  # dice under cups
        ("rock_paper_scissors", "hard"),  # all answer at once
        ("connect_four", "medium"),  # nothing is hidden
        ("hearts", "medium"),  # cards are, but a game is long
    ],
)
def test_who_sits_down_goes_by_what_is_hidden_and_how_large_a_game_is(
    game: str, level: str
) -> None:
    assert usual(lawspeaker.load(game).program, LADDER) == LADDER[level]


def test_a_ladder_without_a_middle_is_taken_from_its_top() -> None:
    program = lawspeaker.load("connect_four").program
    assert usual(program, {"easy": "mc:100", "hard": "greedy"}) == "greedy"


def test_a_bot_on_no_step_is_called_by_how_it_thinks() -> None:
    assert level("nim", "mc:100") == "medium"
    assert level("nim", "random") == ""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LearnedShelf:
    """An empty shelf that a server in this process finds, too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    keep_learned_on(None)
    return LearnedShelf()


def solve_nim(shelf: LearnedShelf) -> None:
    program = lawspeaker.load("nim").program
    about = About("nim", program.digest, 2, way=SOLVED_OPEN)
    shelf.keep(about, packed_plan(about, solved(program, 2, points=False).plan))


@pytest.mark.full
def test_who_has_learned_these_very_rules_can_sit_down(house: House, shelf: LearnedShelf) -> None:
    wish = {"rules": "nim", "seats": [{"who": "me"}, {"who": "learned"}], "seed": 3}
    refused = house.client.post("/api/tables", json=wish)
    assert refused.status_code == 400
    assert "a seat is for one of" in refused.text
    solve_nim(shelf)
    entries = {each["name"]: each for each in house.get("/api/games")["games"]}
    assert entries["nim"]["learned"] == {"2": list(LEARNED_BOTS)}
    assert entries["pig"]["learned"] == {}
    program = lawspeaker.load("nim").program
    assert who_can_sit(program.digest, 2) == (*BOTS, *LEARNED_BOTS)
    assert who_can_sit(program.digest, 3) == BOTS
    screen = house.connect(set_up(house.post, "nim", ("learned", "me"), seed=3))
    screen.see(lambda scene: scene["ask"] is not None)
    assert screen.shown["at"] == 1


@pytest.mark.full
def test_who_has_learned_these_very_rules_can_play_for_somebody(
    house: House, shelf: LearnedShelf
) -> None:
    screen = house.connect(set_up(house.post, "nim", ("me", "me"), seed=3))
    offered = [each["strength"] for each in screen.shown["table"]["stand_ins"]]
    assert offered[0] == LADDER["medium"]
    assert set(offered) == set(BOTS)
    assert screen.answer_to("bot", seat=1, strength="learned")["why"]["code"] == "no_seat"
    solve_nim(shelf)
    screen = house.connect(set_up(house.post, "nim", ("me", "me"), seed=3))
    offered = [each["strength"] for each in screen.shown["table"]["stand_ins"]]
    assert set(offered) == {*BOTS, *LEARNED_BOTS}
    screen.say("bot", seat=1, strength="learned")
    shown = screen.see(lambda shown: shown["table"]["seats"][1]["who"] == "bot")
    assert shown["table"]["seats"][1]["strength"] == "learned"


def test_an_old_file_of_something_learned_is_as_good_as_none(shelf: LearnedShelf) -> None:
    program = lawspeaker.load("nim").program
    shelf.keep(About("nim", program.digest, 2), b"lawspeaker learned 0\n")
    assert who_can_sit(program.digest, 2) == BOTS
    assert not shelf.has(program)


@pytest.mark.full
def test_a_hint_goes_by_what_was_learned(shelf: LearnedShelf) -> None:
    """Nim is solved: only what the plan takes is advised."""
    solve_nim(shelf)
    keep_learned_on(shelf)
    view = lawspeaker.load("nim").start(players=2, seed=1).view(0)
    found = advised(view, MonteCarloBot("mc", 1, Effort(40), ""))["options"]
    best = MonteCarloBot("mc", 1, Effort(1), "").choose(view)
    assert view.decision is not None
    assert best.text in [view.decision.options[each["number"]].text for each in found]
    assert len(found) < len(view.decision.options)
    assert all(each["games"] for each in found)
    keep_learned_on(None)


@pytest.mark.parametrize(
    "game, bot, language, told",
    [
        ("walhalla", "greedy", "en", "easy"),
        ("walhalla", "mc:1000", "de", "schwer"),
        ("voluspa", "greedy", "en", "medium"),
        ("./a_game_of_my_own", "mc:100", "en", "medium"),
        ("walhalla", "flat:50", "en", "plays 50 games in its head"),
        ("walhalla", "mc:40ms", "en", "thinks for 40\u00a0ms"),
        ("walhalla", "random", "en", "plays at random"),
        ("walhalla", "learned", "en", "has learned the game"),
        ("walhalla", "learned+mc:200", "en", "has learned the game and thinks ahead"),
    ],
)
def test_a_bot_is_called_by_how_well_it_plays_or_how_it_thinks(
    game: str, bot: str, language: str, told: str
) -> None:
    assert called(game, bot, language) == told
