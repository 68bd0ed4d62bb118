"""Ludo against a plain reckoning that knows nothing of its rule file, and its board.

Which men may move, in random games; and whether the fields of each way lie side by side in the
drawing of the table.
"""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from lawspeaker.match.match import Match
from lawspeaker.telling.arrangement import board
from tests.library import game
from tests.tiers import pick

ARMS = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}


def way(arm: int) -> list[int]:
    """The fields that a man passes, from the first one of the track to the end of the lane."""
    track = [*range(10 * arm + 1, 41), *range(1, 10 * arm + 1)]
    return track + [41 + 4 * arm + step for step in range(4)]


def standing(match: Match) -> dict[int, int | None]:
    """The seat of whose man stands on each field that is not empty."""
    layout = match.machine.layout
    fields = {layout.places_by_text()[f"field {number}"]: number for number in range(1, 73)}
    return {
        fields[place]: layout.piece_owner[pieces[0]]
        for place, pieces in match.state.contents.items()
        if place in fields and pieces
    }


def movable(men: dict[int, int | None], seat: int, arm: int, die: int) -> set[int]:
    mine = {field for field, owner in men.items() if owner == seat}
    passed = way(arm)
    found = set()
    for field in mine & set(passed):
        goal = passed.index(field) + die
        if goal < len(passed) and passed[goal] not in mine:
            found.add(field)
    at_home = sorted(mine - set(passed))
    if die == 6 and at_home and passed[0] not in mine:
        found.add(at_home[0])
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_men_who_may_move_are_those_of_a_plain_reckoning(players: int) -> None:
    chance = random.Random(players)
    match = game("ludo").start(players=players, seed=players)
    die = [marker.name for marker in match.program.markers].index("die")
    place = match.machine.layout.marker_at[die]
    for _ in range(pick(test=40, full=80, nightly=2000)):
        if match.decision is None:
            break
        seat = match.decision.seat
        thrown = match.state.markers[place]
        assert seat is not None
        assert thrown is not None
        expected = movable(standing(match), seat, ARMS[players][seat], thrown)
        assert {option.text for option in match.decision.options} == {
            f"go field {field}" for field in expected
        }
        match.choose(chance.choice(match.decision.options))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_fields_of_a_way_lie_side_by_side(players: int) -> None:
    match = game("ludo").start(players=players, seed=1)
    layout = match.machine.layout
    table = match.program.table
    assert table is not None
    shown = next(each for each in table.parts if each.style == "board")
    places = [layout.places_by_text()[f"field {number}"] for number in range(1, 73)]
    at = board(match.view(None), shown, places).places
    for arm in ARMS[players]:
        squares = [at[layout.places_by_text()[f"field {number}"]] for number in way(arm)]
        steps = {(abs(x - a), abs(y - b)) for (x, y), (a, b) in pairwise(squares)}
        assert steps == {(0, 1), (1, 0)}
