"""Bots called by strength: a ladder for all games, and another one where a game says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lawspeaker.faces.web.strengths import FILE, LADDER, ladder, level
from lawspeaker.outside.library import Library
from lawspeaker.players.bots import BOTS


@pytest.mark.parametrize("name", Library().games())
def test_every_level_is_a_bot_that_can_sit_down(name: str) -> None:
    found = ladder(name, Library())
    assert set(found.values()) <= set(BOTS)
    assert set(found) <= set(LADDER)
    assert {"easy", "hard"} <= set(found)


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


def test_a_bot_on_no_step_is_called_by_how_it_thinks() -> None:
    assert level("nim", "mc:100") == "medium"
    assert level("nim", "random") == ""
