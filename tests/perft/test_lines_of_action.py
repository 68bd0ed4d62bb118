"""Lines of Action against a plain reckoning that knows nothing of its rule file.

Which moves there are and who has won, in random games.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import lawspeaker
from lawspeaker.match.perft import opening, perft
from tests.tiers import pick, sample

if TYPE_CHECKING:
    from collections.abc import Iterator

Square = tuple[int, int]
Board = dict[Square, int]
"""The seat of whose man stands on each square that is not empty."""

SIDE = range(1, 9)
AXES = [(1, 0), (0, 1), (1, 1), (1, -1)]
WAYS = [*AXES, *((-across, -upwards) for across, upwards in AXES)]


def first_board(name: str) -> Board:
    edge = [(x, y) for x in SIDE for y in SIDE if (x in (1, 8)) != (y in (1, 8))]
    if name == "lines_of_action":
        return {square: 0 if square[1] in (1, 8) else 1 for square in edge}
    return {square: sum(square) % 2 for square in edge}


def moves(board: Board, seat: int) -> Iterator[tuple[Square, Square]]:
    for (x, y), owner in board.items():
        for across, upwards in WAYS if owner == seat else ():
            line = [(x + n * across, y + n * upwards) for n in range(-7, 8)]
            far = sum(square in board for square in line)
            *between, target = [(x + n * across, y + n * upwards) for n in range(1, far + 1)]
            rivals = [square for square in between if board.get(square) == 1 - seat]
            if target[0] in SIDE and target[1] in SIDE and board.get(target) != seat and not rivals:
                yield (x, y), target


def united(board: Board, seat: int) -> bool:
    mine = {square for square, owner in board.items() if owner == seat}
    edge = [mine.pop()]
    while edge:
        x, y = edge.pop()
        beside = {(a, b) for a, b in mine if abs(a - x) <= 1 and abs(b - y) <= 1}
        mine -= beside
        edge += beside
    return not mine


def counted(board: Board, seat: int, depth: int) -> int:
    found = list(moves(board, seat))
    return (
        len(found)
        if depth == 1
        else sum(counted(board_after(board, move), 1 - seat, depth - 1) for move in found)
    )


def board_after(board: Board, move: tuple[Square, Square]) -> Board:
    start, target = move
    return {square: owner for square, owner in board.items() if square != start} | {
        target: board[start]
    }


@pytest.mark.parametrize("name", sample(["lines_of_action", "lines_of_action+mixed_edges"], test=1))
def test_games_go_as_a_plain_reckoning_says(name: str) -> None:
    game = lawspeaker.load(name)
    chance = random.Random(11)
    for seed in range(pick(test=1, full=1, nightly=30)):
        match = game.start(players=2, seed=seed)
        board, seat = first_board(name), 0
        for _ in range(pick(test=40, full=80, nightly=400)):
            found = {
                f"go square {x} {y}, square {a} {b}": ((x, y), (a, b))
                for (x, y), (a, b) in moves(board, seat)
            }
            text = chance.choice(sorted(found))
            if len(found) > 1:
                assert match.decision is not None
                assert match.decision.seat == seat
                assert {option.text for option in match.decision.options} == set(found)
                match.choose(text)
            board, seat = board_after(board, found[text]), 1 - seat
            if united(board, 0) or united(board, 1):
                assert match.winners == ((1 - seat,) if united(board, 1 - seat) else (seat,))
                break


def test_the_tree_has_the_size_of_a_plain_reckoning() -> None:
    start = opening(lawspeaker.load("lines_of_action").program, 2)
    board = first_board("lines_of_action")
    for depth in range(1, pick(test=2, full=2, nightly=3) + 1):
        assert perft(start, depth, forced=True) == counted(board, 0, depth)
