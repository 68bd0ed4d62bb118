"""Answers that come to the same are offered once, the first of them, and called without what it
stands for. Held against the same game without these guards."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

import lawspeaker
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.position.state import Reply
from tests.language.games import GOOD

GAME = str(GOOD / "one_is_enough.yaml")
WITHOUT = """\
lawspeaker: 1
variant: all_of_them
of: one_is_enough
layer: house rule
title: All of them
changes:
  - remove: paying.one_payment
  - remove: loading.another_load
  - remove: taking_up.another_kind
"""


@pytest.fixture(scope="module")
def all_of_them(tmp_path_factory: pytest.TempPathFactory) -> Game:
    file = tmp_path_factory.mktemp("variant") / "all_of_them.yaml"
    file.write_text(WITHOUT, encoding="utf-8")
    return lawspeaker.load(f"{GAME}+{file}")


def option_replies(match: Match) -> list[Reply]:
    assert match.decision is not None
    return [option.reply for option in match.decision.options]


def what_it_comes_to(match: Match, reply: Reply) -> Hashable:
    """Equal for answers that differ in nothing that counts."""
    assert match.decision is not None
    number, values = reply
    layout = match.machine.layout
    if number < 0:
        return "pass"
    match match.decision.clause.id:
        case "paying":
            return values[1:]
        case "loading":
            assert match.decision.seat is not None
            player = layout.program.player_names[match.decision.seat]
            boat = layout.place_text.index(f"boat {player} {values[1]}")
            return len(match.state.contents.get(boat, ()))
        case _:
            (ticket,) = values
            return layout.piece_kind[ticket]


@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_of_each_the_first_is_offered(all_of_them: Game, machine: str) -> None:
    game = lawspeaker.load(GAME)
    fewer = 0
    for seed in range(20):
        choose = random.Random(seed)
        match = game.start(players=2, seed=seed, machine=machine)
        other = all_of_them.start(players=2, seed=seed, machine=machine)
        while match.decision is not None:
            assert other.decision is not None
            firsts: dict[Hashable, Reply] = {}
            for reply in option_replies(other):
                firsts.setdefault(what_it_comes_to(other, reply), reply)
            assert option_replies(match) == [*firsts.values()]
            fewer += len(option_replies(match)) < len(option_replies(other))
            texts = [option.text for option in match.decision.options]
            assert len({*texts}) == len(texts)
            number = choose.randrange(len(texts))
            wanted = option_replies(match)[number]
            match.choose(texts[number])
            other.choose(other.decision.options[option_replies(other).index(wanted)])
    assert fewer > 20


def test_it_is_called_without_what_it_stands_for(all_of_them: Game) -> None:
    game = lawspeaker.load(GAME)
    match = game.start(players=2, seed=4)
    match.choose("pass")
    match.choose("pass")
    assert match.decision is not None
    said = "The same tickets are one payment, whatever colour they stand for."
    assert "pay 2 joker" in [option.text for option in match.decision.options]
    assert match.why_not("pay blue, 2 joker").sentence("en") == said
    assert match.why_not("pay red, 2 joker").offered
    other = all_of_them.start(players=2, seed=4)
    other.choose("pass")
    other.choose("pass")
    assert other.decision is not None
    assert "pay blue, 2 joker" in [option.text for option in other.decision.options]
    match.choose("pay 2 joker")
    assert match.scores == [0, 1]
    again = game.replay(match.log())
    assert again.scores == match.scores
