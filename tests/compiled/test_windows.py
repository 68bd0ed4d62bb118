"""Windows that must be used, cards that are shown, and cards that play cards: both machines go the
same way through them."""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker.machines.compiled import Instance, compile_module
from lawspeaker.match.game import Game
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.record import play_game
from tests.compiled.side_by_side import SideBySide, eager
from tests.language.games import GOOD

GAMES = ["windows_that_do_more", "cards_that_play_cards"]
each_game = pytest.mark.parametrize("name", GAMES)


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
    program, players = game(name).program, game(name).players[-1]
    wanted = [play_game(program, players, 3, at, ["random"] * players) for at in range(30)]
    fast = Instance(compile_module(Layout(program, players), stepping=False))
    for found, record in zip(fast.games(3, 0, 30), wanted, strict=True):
        assert (found.decisions, found.options) == (record.decisions, record.options)
        assert (found.clauses, found.scores) == (record.clauses, record.scores)
    assert len({(record.decisions, record.options) for record in wanted}) > 10
