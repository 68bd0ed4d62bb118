"""Trees counted, against numbers known from elsewhere.

Tic-tac-toe: 255,168 games. Connect Four: 7 to the power of the depth until a column is full or
somebody wins; 823,536 at depth seven. Othello: the counts published for the standard opening.
Kuhn poker: six deals with five ways to bet each. Nim with 3, 4 and 5: twelve first moves.
"""

from __future__ import annotations

import os

import pytest

import lawspeaker
from lawspeaker.match.perft import divide, games, perft

KNOWN = {
    "tic_tac_toe": (9, 72, 504, 3024, 15120, 54720),
    "connect_four": (7, 49, 343, 2401, 16807, 117649, 823536),
    "othello": (4, 12, 56, 244, 1396, 8200, 55092),
    "nim": (12,),
    "rock_paper_scissors": (3, 9, 27),
    "kuhn_poker": (3, 6, 12, 24, 12),
}
FAST = {"tic_tac_toe": 5, "connect_four": 5, "othello": 4}
WHOLE = bool(os.environ.get("LAWSPEAKER_NIGHTLY"))


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_the_tree_has_the_known_size(name: str) -> None:
    program = lawspeaker.load(name).program
    depths = KNOWN[name] if WHOLE else KNOWN[name][: FAST.get(name)]
    assert tuple(perft(program, 2, depth + 1) for depth in range(len(depths))) == depths


def test_all_games_of_tic_tac_toe() -> None:
    assert games(lawspeaker.load("tic_tac_toe").program, 2) == 255_168


def test_all_games_of_kuhn_poker() -> None:
    assert games(lawspeaker.load("kuhn_poker").program, 2) == 30


def test_the_parts_add_up() -> None:
    program = lawspeaker.load("connect_four").program
    parts = divide(program, 2, 3)
    assert sum(parts.values()) == perft(program, 2, 3)
    assert list(parts) == [f"drop {slot}" for slot in range(1, 8)]


def test_a_tree_ends_where_the_games_end() -> None:
    """No game of Kuhn poker has more than five decisions, its two deals included."""
    program = lawspeaker.load("kuhn_poker").program
    assert perft(program, 2, 6) == 0
