"""Clauses that come to an outcome: both machines go the same way through them.

A clause that is asked for its outcome may itself ask somebody, so the game waits inside it, and is
saved, taken back, tried out and gone on with from there.
"""

from __future__ import annotations

import json
from functools import cache

import pytest

from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import load
from lawspeaker.players.bots import bot
from lawspeaker.position.rng import RngFactory
from lawspeaker.position.state import State
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide, eager
from tests.language.games import GOOD

GAMES = ["outcomes", "victim_chosen_once"]
each_game = pytest.mark.parametrize("name", GAMES)


@cache
def game(name: str) -> Game:
    return load(str(GOOD / f"{name}.yaml"))


@each_game
def test_both_machines_agree_question_by_question(name: str) -> None:
    players = game(name).players[-1]
    both = SideBySide(game(name).program, players)
    for seed in range(6):
        assert both.play(seed) > 0
        assert both.play(seed, eager, ask_chance=True, discreet=True) > 0


@each_game
def test_whole_games_have_equal_records(name: str) -> None:
    check_records(game(name).program, game(name).players[-1], 40, different=11)


def asked_for_its_outcome(match: Match) -> bool:
    """Whether the game waits in a clause whose outcome somebody waits for."""
    frame = match.state.stack[-1]
    return len(match.state.stack) > 1 and match.program.clauses[frame.clause].outcome is not None


@each_game
def test_a_game_that_waits_inside_is_saved_taken_back_and_gone_on_with(name: str) -> None:
    match = game(name).start(players=game(name).players[-1], seed=5)
    choose, waited = RngFactory(5).stream("choices"), 0
    while decision := match.decision:
        option = choose.choose(decision.options)
        if asked_for_its_outcome(match):
            waited += 1
            before = match.state.canonical()
            assert State.from_json(json.loads(before)).canonical() == before
            match.choose(option)
            after = match.state.canonical()
            assert game(name).replay(match.log()).state.canonical() == after
            match.rewind(len(match.replies) - 1)
            assert match.state.canonical() == before
        match.choose(option.text)
    assert waited > 3


def test_a_bot_tries_out_what_comes_of_a_question_inside() -> None:
    match = game("victim_chosen_once").start(players=3, seed=2)
    choose, asked = RngFactory(2).stream("choices"), 0
    while decision := match.decision:
        if asked_for_its_outcome(match):
            asked += 1
            assert decision.seat is not None
            match.choose(bot("mc:20", 1).choose(match.view(decision.seat)))
        else:
            match.choose(choose.choose(decision.options))
    assert asked > 1


def test_who_may_not_be_chosen_is_told_why() -> None:
    match = game("victim_chosen_once").start(players=3, seed=1)
    while not asked_for_its_outcome(match):
        match.choose(0)
    assert match.decision is not None
    seat = match.decision.seat
    refusal = match.why_not(match.program.player_names[seat or 0], seat)
    assert refusal.guard is not None
    assert refusal.guard.name == "not_yourself"
