"""The compiled machine plays every game as the reference machine does.

`make nightly` plays more games, with every number of players and all variants.
"""

from __future__ import annotations

import pytest

from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load
from tests.compiled.side_by_side import SideBySide, any_option, eager
from tests.library import names
from tests.tiers import NIGHTLY, SLOW, pick, sample

LONGEST = pick(test=60, full=60, nightly=10_000)
"""So many decisions of a game are looked at."""
GAMES = names()
FEW = 20
"""So many, where a question takes the reference machine long."""
CHOICE = (
    "walhalla+italian",
    "walhalla+french",
    "walhalla+full_hands",
    "walhalla+random_peninsulas",
    "voluspa+saga_of_edda",
    "voluspa+drakkar",
)
NEEDS = {"no_late_hel": "hel+no_late_hel"}
ALL = tuple(
    f"{game}+{NEEDS.get(variant, variant)}"
    for game in GAMES
    for variant in Library().variants(game)
)


@pytest.mark.parametrize(
    "name", [*sample(GAMES, test=3), *(ALL if NIGHTLY else sample(CHOICE, test=3, full=2))]
)
def test_every_game_goes_the_same_way(name: str) -> None:
    game = load(name)
    seeds = pick(test=1, full=1, nightly=10)
    longest = FEW if name in SLOW else LONGEST
    for players in game.players if NIGHTLY else {game.players[0], game.players[-1]}:
        both = SideBySide(game.program, players)
        for seed in range(seeds):
            discreet = (seed + len(name)) % 2 == 1
            assert both.play(seed, any_option, discreet=discreet, longest=longest) >= 0
            assert both.play(seed + 100, eager, ask_chance=seed % 2 == 0, longest=longest) >= 0
