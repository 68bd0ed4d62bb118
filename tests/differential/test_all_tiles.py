"""Völuspá with its further tiles, by its rule files and written by hand, is the same game.

Games are played in lockstep on both (see `all_tiles`), with all tiles and with mixes of some. In
a nightly run each manner plays many games with each mix and with each kind alone. The
number of players goes round from two to five.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import lawspeaker
from lawspeaker.match.game import Game
from tests.differential.all_tiles.game import FURTHER, HANDED_OUT
from tests.differential.all_tiles.lockstep import Lockstep, Policy, in_order
from tests.differential.all_tiles.manners import MANNERS, crowded, hoarding, scattered
from tests.tiers import NIGHTLY, pick, sample

GAMES = pick(test=1, full=1, nightly=20)

KINDS = (*FURTHER, *HANDED_OUT)
EDDA = ("hermod", "jotunn", "sea_serpent", "hel", "no_late_hel")
SHIPS = ("drakkar", "hermod", "freya", "raven")
COVERS = ("hel", "raven", "lightning_bolt", "niohoggr", "dwarf")

Tiles = tuple[str, ...]
FEW: list[tuple[Tiles, Policy]] = [
    *((KINDS, policy) for policy in MANNERS),
    (EDDA, scattered),
    (SHIPS, hoarding),
    (COVERS, crowded),
]
MANY: list[tuple[Tiles, Policy]] = [
    (tiles, policy)
    for tiles in (KINDS, EDDA, SHIPS, COVERS, *((kind,) for kind in KINDS))
    for policy in MANNERS
]


@cache
def voluspa(tiles: Tiles) -> Game:
    return lawspeaker.load("+".join(("voluspa", *tiles)))


@cache
def play_lockstep(tiles: Tiles, policy: Policy, seed: int) -> Counter[str]:
    """Plays a game on both; what was asked and answered."""
    match = voluspa(tiles).start(2 + seed % 4, seed, chance="ask")
    table = Lockstep(match, tiles, policy, seed)
    table.run()
    return table.asked


@pytest.mark.full
@pytest.mark.parametrize("tiles, policy", sample(MANY if NIGHTLY else FEW, test=8, full=2))
def test_both_play_the_same_game(tiles: Tiles, policy: Policy) -> None:
    first = MANNERS.index(policy)
    for seed in range(first, first + GAMES):
        play_lockstep(tiles, policy, seed)


@pytest.mark.full
def test_these_manners_bring_up_the_questions_of_all_tiles() -> None:
    asked: Counter[str] = Counter()
    for seed, policy in enumerate(MANNERS):
        asked += play_lockstep(KINDS, policy, seed)
    questions = "playing placing hermod.next serpent.scoring freya.asked raven.flight bolt.scoring"
    assert {question.split()[0] for question in asked} >= {*questions.split(), "drakkar.next"}
    assert all(asked[f"placing {way}"] for way in ("lay", "cover", "swap", "push"))


def test_options_are_compared_in_order() -> None:
    assert in_order("load 1, thor + odin") == "load 1, odin + thor"
    assert in_order("drop odin + 2 loki") == "drop 2 loki + odin"
    assert in_order("push cell 0 -1, north") == "push cell 0 -1, north"
    assert in_order("stop") == "stop"
