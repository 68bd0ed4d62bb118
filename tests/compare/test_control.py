"""Changes that mean nothing have no effect, and one that does has: the control of a difference.

Each run compares a game with five variants that mean nothing and weighs all their measures, as
`compare --effect` does. A run that claims any effect is wrong, which may be in 5 % of runs. Of 100
runs 12 or more are wrong in 4 of 1,000 nights (the upper tail of a binomial with 0.05).
"""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.study.compare.control import CONTROLLED, control_effect, independent_seed
from lawspeaker.study.compare.effect import Effect, pairs
from lawspeaker.study.lab.games import play_games
from tests.compare.test_luck import CUT, GAME, NAMES, ONCE

RUNS, WRONG = 100, 12
PAIRS = 300
KINDS = GAME[GAME.index("      low:") : GAME.index("\nplaces:")]
NULLS = {
    "more of each": {"count: 6": "count: 7"},
    "another order": {KINDS: "".join(f"{line}\n" for line in reversed(KINDS.splitlines()) if line)},
    "other names": {"low:": "pebble:", "high:": "rock:", "deck": "heap"},
    "idle question": {
        "      player may call\n": "      do nodding(player)\n      player may call\n",
        "  setup:\n": (
            "  nodding:\n    says: A player may nod.\n    asks: Nod?\n"
            "    given: {player: player}\n"
            "    rule: |\n      player may nod\n        then: player scores 0\n\n  setup:\n"
        ),
    },
    "shuffled again": {ONCE: CUT},
}
GIFT = {"then: player scores 1": "then: player scores 6"}


@cache
def rules(name: str) -> ir.Program:
    text = GAME
    for old, new in {**NULLS, "gift": GIFT, "": {}}[name].items():
        assert old in text, name
        text = text.replace(old, new)
    diagnostics = Diagnostics()
    found = compile_bundle((RuleFile("game.yaml", text, None),), diagnostics)
    assert found is not None, (name, list(diagnostics))
    return found


def effect(name: str, seed: int, among: int) -> Effect:
    numbers, bots = range(PAIRS), ["random"] * 2
    one, other = rules(""), rules(name)
    games = (
        play_games(one, 2, seed, numbers, bots),
        play_games(other, 2, seed, numbers, bots),
        play_games(one, 2, independent_seed(seed), numbers, bots),
    )
    return pairs(*games, None, control_effect(one, other, seed, games)).effect(NAMES, among)


@pytest.mark.full
def test_what_means_nothing_parts_games_and_has_no_effect() -> None:
    seed = 1
    for name in NULLS:
        found = effect(name, seed, len(NULLS))
        assert found.control is not None
        assert found.beyond is not None
        assert not found.matters, (name, found)
    assert effect("shuffled again", seed, 1).winner.value > 0.2, "luck alone does much"


def test_a_rule_that_gives_points_alone_has_a_control_in_which_nothing_happens() -> None:
    found = effect("gift", 1, 1)
    assert found.control is not None
    assert found.beyond is not None
    assert found.control.value == 0
    assert found.beyond.clear
    assert abs(found.beyond.value - found.winner.value) < 0.1
    assert found.weight[0] >= found.beyond.value


def test_only_the_first_pairs_have_a_control() -> None:
    numbers, bots = range(CONTROLLED - 3, CONTROLLED + 3), ["random"] * 2
    games = play_games(rules(""), 2, 1, numbers, bots)
    control, more = control_effect(rules(""), rules(""), 1, (games, games, games))
    assert control.count == more.count == 3
    assert control.total == more.total == 0


@pytest.mark.nightly
def test_a_hundred_runs_seldom_claim_an_effect() -> None:
    wrong = sum(
        any(effect(name, seed, len(NULLS)).matters for name in NULLS) for seed in range(1, RUNS + 1)
    )
    assert wrong < WRONG
