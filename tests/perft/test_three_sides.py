"""Three Sides: random games against a plain search for the chain, to full boards without a draw."""

from __future__ import annotations

import random

import pytest

from lawspeaker.match.match import Match
from tests.library import game
from tests.tiers import pick

SIZE = 11
CELLS = [(column, row) for row in range(1, SIZE + 1) for column in range(1, SIZE + 2 - row)]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
Stones = dict[tuple[int, int], int]


def stones(match: Match) -> Stones:
    """The seat whose stone lies on each cell of the triangle."""
    layout = match.machine.layout
    places = layout.places_by_text()
    lying = {cell: match.state.contents.get(places[f"cell {cell[0]} {cell[1]}"]) for cell in CELLS}
    return {cell: layout.piece_owner[held[0]] or 0 for cell, held in lying.items() if held}


def joined(lying: Stones, seat: int) -> bool:
    """Whether one chain of a seat's stones touches all three sides."""
    left = {cell for cell, owner in lying.items() if owner == seat}
    while left:
        chain, waiting = set(), [left.pop()]
        while waiting:
            column, row = waiting.pop()
            chain.add((column, row))
            beside = {(column + across, row + down) for across, down in STEPS} & left
            left -= beside
            waiting += beside
        if (
            any(row == 1 for _, row in chain)
            and any(column == 1 for column, _ in chain)
            and any(column + row == SIZE + 1 for column, row in chain)
        ):
            return True
    return False


@pytest.mark.parametrize("rules", ["", "+two_stones", "+who_joins_loses"])
def test_a_game_ends_with_the_chain_that_touches_all_sides(rules: str) -> None:
    chance = random.Random(7)
    for seed in range(pick(test=1, full=2, nightly=200)):
        match = game(f"three_sides{rules}").start(players=2, seed=seed)
        while match.decision is not None:
            assert not any(joined(stones(match), seat) for seat in (0, 1))
            free = {f"lay cell {column} {row}" for column, row in CELLS} - {
                f"lay cell {column} {row}" for column, row in stones(match)
            }
            offered = {option.text for option in match.decision.options}
            assert offered in (free, {"swap", "pass"})
            match.choose(chance.choice(match.decision.options))
        (winner,) = match.winners
        assert joined(stones(match), winner) is (rules != "+who_joins_loses")


def test_a_full_board_has_one_winner() -> None:
    """Whatever lies on it: so nobody can be asked when it is full."""
    chance = random.Random(3)
    for _ in range(pick(test=50, full=50, nightly=5000)):
        lying = {cell: chance.randrange(2) for cell in CELLS}
        assert joined(lying, 0) != joined(lying, 1)
