"""Windows that must be used, cards that are shown, and cards that play cards; things for several
receivers at once: both machines go the same way through them."""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker.match.game import Game
from lawspeaker.outside.loading import load
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide, eager
from tests.language.games import GOOD
from tests.tiers import sample

GAMES = [
    "windows_that_do_more",
    "cards_that_play_cards",
    "for_each_receiver",
    "interrupting",
    "climbing",
]
each_game = pytest.mark.parametrize("name", sample(GAMES, test=2))


@cache
def game(name: str) -> Game:
    return load(str(GOOD / f"{name}.yaml"))


@each_game
def test_both_machines_agree_question_by_question(name: str) -> None:
    both = SideBySide(game(name).program, game(name).players[-1])
    for seed in range(4):
        assert both.play(seed) > 0
        assert both.play(seed, eager, ask_chance=True, discreet=True) > 0


@each_game
def test_whole_games_have_equal_records(name: str) -> None:
    check_records(game(name).program, game(name).players[-1], 30, different=11)
