"""Oware against a plain reckoning that knows nothing of its rule file.

Which houses may be sown, and what a sowing leaves: in random games of the base and of the variants.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

import lawspeaker
from tests.tiers import pick, sample

NAMES = [f"house {number}" for number in range(1, 13)]
GAMES = ("oware", "oware+slam_takes", "oware+slam_forbidden", "oware+no_feeding")


class Board(NamedTuple):
    houses: tuple[int, ...]
    stores: tuple[int, int]


def sown(board: Board, seat: int, start: int, game: str) -> tuple[Board, bool]:
    """The board after a sowing, and whether it was a grand slam."""
    houses, stores = list(board.houses), list(board.stores)
    seeds, houses[start], place = houses[start], 0, start
    while seeds:
        place = (place + 1) % 12
        if place != start:
            houses[place] += 1
            seeds -= 1
    theirs = range(6, 12) if seat == 0 else range(6)
    caught = []
    while place in theirs and houses[place] in (2, 3):
        caught.append(place)
        place -= 1
    slam = sum(houses[house] for house in theirs) == sum(houses[house] for house in caught)
    if not slam or game == "oware+slam_takes":
        for house in caught:
            stores[seat] += houses[house]
            houses[house] = 0
    return Board(tuple(houses), (stores[0], stores[1])), slam and bool(caught)


def allowed(board: Board, seat: int, game: str) -> list[int]:
    mine = range(6) if seat == 0 else range(6, 12)
    theirs = [house for house in range(12) if house not in mine]
    found = [house for house in mine if board.houses[house]]
    if game != "oware+no_feeding" and not any(board.houses[house] for house in theirs):
        found = [house for house in found if board.houses[house] > mine[-1] - house]
    if game == "oware+slam_forbidden":
        found = [house for house in found if not sown(board, seat, house, game)[1]]
    return found


@pytest.mark.parametrize("name", sample(GAMES, test=1))
def test_games_go_as_a_plain_reckoning_says(name: str) -> None:
    game = lawspeaker.load(name)
    chance = random.Random(7)
    for seed in range(pick(test=2, full=4, nightly=300)):
        match = game.start(players=2, seed=seed)
        board, seat, quiet = Board((4,) * 12, (0, 0)), 0, 0
        while max(board.stores) <= 24 and quiet < 60:
            options = allowed(board, seat, name)
            if len(options) > 1:
                assert match.decision is not None
                assert match.decision.seat == seat
                found = [NAMES.index(option.text[4:]) for option in match.decision.options]
                assert found == options
            if not options:
                break
            house = chance.choice(options)
            if len(options) > 1:
                match.choose(f"sow {NAMES[house]}")
            before = board.stores
            board, seat = sown(board, seat, house, name)[0], 1 - seat
            quiet = quiet + 1 if board.stores == before else 0
        assert match.decision is None
        ends = [sum(board.houses[:6]) + board.stores[0], sum(board.houses[6:]) + board.stores[1]]
        assert match.scores == ends
