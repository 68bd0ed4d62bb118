"""Völuspá by its rule files and Völuspá written by hand are the same game.

Games are played in lockstep on both (see `voluspa_lockstep`), with two to five players.
Policies bring up different parts of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

import lawspeaker
from benchmarks.voluspa_by_hand import (
    DRAGON,
    FENRIR,
    LOKI,
    MIDDLE,
    PLAYERS,
    SIDES,
    SKADI,
    TROLL,
    VALKYRIE,
    cell,
    play,
    position,
)
from lawspeaker.match.game import Game
from tests.differential.voluspa_lockstep import Lockstep, Policy
from tests.tiers import pick, sample

GAMES = pick(test=1, full=1, nightly=20)


def at_random(random: Random, table: Lockstep, question: str, options: Sequence[int]) -> int:
    """Any option with the same chance."""
    return random.choice(options)


def on_top(random: Random, table: Lockstep, question: str, options: Sequence[int]) -> int:
    """Dragons and Skadis first, and on tiles that lie there, so that powers come and go."""
    if question == "place":
        return max(options, key=lambda place: (table.game.board[place] > 0, random.random()))
    return max(options, key=lambda tile: (tile in (DRAGON, SKADI), random.random()))


def crowded(random: Random, table: Lockstep, question: str, options: Sequence[int]) -> int:
    """Where most tiles lie around, so that lines get long and are closed."""
    if question != "place":
        return random.choice(options)
    board = table.game.board
    around = {place: sum(board[place + side] > 0 for side in SIDES) for place in options}
    return max(options, key=lambda place: (around[place], random.random()))


def sideways(random: Random, table: Lockstep, question: str, options: Sequence[int]) -> int:
    """As far out as can be; only a tile here and there starts a column."""
    if question != "place" or random.random() < 0.1:
        return random.choice(options)
    return max(options, key=lambda place: (position(place)[0], random.random()))


def with_powers(random: Random, table: Lockstep, question: str, options: Sequence[int]) -> int:
    """Those tiles first that act on others, close to the middle."""
    if question == "place":
        return min(options, key=lambda place: (_distance(place), random.random()))
    ranking = (TROLL, LOKI, FENRIR, VALKYRIE)
    return max(options, key=lambda tile: (tile in ranking, random.random()))


def _distance(place: int) -> int:
    return sum(map(abs, position(place)))


MANNERS = (at_random, on_top, crowded, sideways, with_powers)


@cache
def voluspa() -> Game:
    return lawspeaker.load("voluspa")


def play_lockstep(policy: Policy, players: int, seed: int) -> Lockstep:
    match = voluspa().start(players, seed, chance="ask")
    table = Lockstep(match, policy, seed)
    scores = table.run()
    assert match.scores == scores
    best = max(scores)
    assert match.winners == tuple(seat for seat in range(players) if scores[seat] == best)
    return table


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("policy", sample(MANNERS, test=2))
def test_both_play_the_same_game(policy: Policy, players: int) -> None:
    for seed in range(GAMES):
        play_lockstep(policy, players, seed)


@pytest.mark.full
def test_these_manners_bring_up_every_way_to_play() -> None:
    asked: Counter[str] = Counter()
    for policy in MANNERS:
        asked += play_lockstep(policy, 3, 100).asked
    assert set(asked) >= {"lay", "cover", "swap", "play troll", "play odin"}


def test_cells_are_told_by_their_distance_from_the_first() -> None:
    assert cell(0, 0) == MIDDLE
    assert position(cell(-3, 2)) == (-3, 2)


def test_a_seed_gives_one_game() -> None:
    assert play(4, 7) == play(4, 7)
    assert play(4, 7) != play(4, 8)
