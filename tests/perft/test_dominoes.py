"""Dominoes: the sets, and random games against a plain reckoning of the line."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from lawspeaker.match.match import Match
from tests.library import game
from tests.tiers import pick

NUMBERS = "zero one two three four five six seven eight nine".split()


def tiles(name: str) -> list[tuple[int, int]]:
    kinds = game(name).program.pieces[0].kinds
    return [
        (NUMBERS.index(low), NUMBERS.index(high))
        for low, high in (kind.name.split("_") for kind in kinds for _ in range(kind.count))
    ]


def test_a_set_has_each_pair_once() -> None:
    found = tiles("dominoes")
    assert len(found) == 28
    assert sorted(found) == [(low, high) for low in range(7) for high in range(low, 7)]
    assert sum(map(sum, found)) == 168


def test_the_larger_set_goes_to_double_nine() -> None:
    found = tiles("dominoes+double_nine")
    assert len(found) == 55
    assert sorted(found) == [(low, high) for low in range(10) for high in range(low, 10)]


def lying(match: Match, place: str) -> tuple[int, ...]:
    return match.state.contents.get(match.machine.layout.places_by_text()[place], ())


def line(match: Match) -> list[tuple[int, int]]:
    """The tiles of the line from left to right, each as it is read."""
    found = []
    for piece in lying(match, "line"):
        low, high = SET[piece]
        turned = match.state.states[piece] == 2
        found.append((high, low) if turned else (low, high))
    return found


SET = tiles("dominoes")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_numbers_touch_and_all_that_fits_is_offered(players: int) -> None:
    chance = random.Random(players)
    match = game("dominoes").start(players=players, seed=players)
    for _ in range(pick(test=30, full=60, nightly=2000)):
        if match.decision is None:
            break
        chain = line(match)
        assert all(one[1] == other[0] for one, other in pairwise(chain))
        asked = match.decision.seat
        assert asked is not None
        seat = match.program.player_names[asked]
        hand = [SET[piece] for piece in lying(match, f"hand {seat}")]
        expected = {
            f"lay {NUMBERS[low]}_{NUMBERS[high]}, {side}"
            for low, high in hand
            for side in ("left", "right")
            if (chain and (chain[0][0] if side == "left" else chain[-1][1]) in (low, high))
            or (not chain and side == "right")
        }
        assert {option.text for option in match.decision.options} == (expected or {"none_fits"})
        match.choose(chance.choice(match.decision.options))
