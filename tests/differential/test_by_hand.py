"""Walhalla by its rule files and Walhalla written by hand are the same game.

Games are played in step on both (see `in_step`), with three and with four players, by seats that
play in different manners, so that everything in the rules comes up. LAWSPEAKER_GAMES says how many
games each manner plays with each number of players.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

import lawspeaker
from lawspeaker.game import Game
from tests.differential.in_step import InStep, Policy, plain_option

GAMES = int(os.environ.get("LAWSPEAKER_GAMES", "6"))


def at_random(random: Random, table: InStep, seat: int, question: str, options: Any) -> Any:
    """Any option with the same chance."""
    return random.choice(options)


def eagerly(random: Random, table: InStep, seat: int, question: str, options: Any) -> Any:
    """Boards as much as possible, attacks where it can, plays and lays down all cards."""
    if question == "land":
        return max(options, key=lambda field: (_taken(table, field), random.random()))
    if question == "send":
        return random.choice(options)
    if question == "defend":
        return options[-1]
    return max(options, key=_size)


def greedily(random: Random, table: InStep, seat: int, question: str, options: Any) -> Any:
    """Boards as much as possible, collects cards, and plays none until the last raid."""
    if question == "land":
        return max(options, key=lambda field: (_land(table, field) == "cult", random.random()))
    if question in ("send", "defend"):
        return random.choice(options)
    if question in ("attack", "hunt", "end_of_raid") and table.game.raid < 3:
        return min(options, key=_size)
    return max(options, key=_size)


def timidly(random: Random, table: InStep, seat: int, question: str, options: Any) -> Any:
    """Sends hardly anybody, and always gives in."""
    if question == "board" and random.random() < 0.2:
        return random.choice(options)
    return random.choice(options) if question in ("land", "send") else min(options, key=_size)


def wilfully(random: Random, table: InStep, seat: int, question: str, options: Any) -> Any:
    """Everyone in another manner, and now and then anything at all."""
    manners = (eagerly, greedily, at_random, timidly)
    manner = at_random if random.random() < 0.2 else manners[(seat + table.game.raid) % 4]
    return manner(random, table, seat, question, options)


def _size(option: Any) -> tuple[int, int]:
    """How much an option does: places boarded, cards laid, a yes."""
    if not isinstance(option, Sequence):
        return int(option), 0
    pairs = [item for item in option if isinstance(item, tuple)]
    return sum(count for _, count in pairs), 0 if isinstance(option, str) else len(option)


def _index(field: tuple[int, int]) -> int:
    peninsula, row = field
    return 12 * (peninsula - 1) + row - 1


def _taken(table: InStep, field: tuple[int, int]) -> bool:
    return table.game.who[_index(field)] >= 0


def _land(table: InStep, field: tuple[int, int]) -> str:
    return table.game.kind[_index(field)]


MANNERS = (at_random, eagerly, greedily, timidly, wilfully)


@cache
def walhalla() -> Game:
    return lawspeaker.load("walhalla")


def play(policy: Policy, players: int, seed: int) -> InStep:
    match = walhalla().start(players, seed, chance="ask", check_always=True)
    table = InStep(match, policy, seed)
    scores = table.run()
    table.compare_situations()
    assert match.scores == scores
    best = max(scores)
    assert match.winners == tuple(seat for seat in range(players) if scores[seat] == best)
    return table


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("policy", MANNERS)
def test_both_play_the_same_game(policy: Policy, players: int) -> None:
    for seed in range(GAMES):
        play(policy, players, seed)
