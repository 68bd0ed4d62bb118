"""Bots at tables take options that are offered, also sets of things in another order."""

from __future__ import annotations

import pytest

from lawspeaker.faces.web.bots_at_table import Position, Turn, chosen
from tests.library import game


@pytest.mark.parametrize("name", ["five_dice", "hot_dice"])
def test_a_bot_may_say_the_members_of_a_set_in_another_order(name: str) -> None:
    for seed in range(3, 6):
        match = game(name).start(players=2, seed=seed)
        for number in range(8):
            (decision,) = match.decisions
            assert decision.seat is not None
            position = Position(0, "", (), 2, seed, "quick", ((0, 0),) * number)
            taken = chosen(match, Turn(decision.seat, "random", 0, position))
            match.choose(decision.options[taken])
