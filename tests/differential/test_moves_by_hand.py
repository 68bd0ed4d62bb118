"""Board games by their rule files and written by hand are the same games.

Games are played in lockstep on both: the offered moves are compared before each
move, and the winner in the end. A forced move is not asked for. A nightly run plays many games of
each to their end.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

import lawspeaker
from benchmarks import chess_by_hand, draughts_by_hand, go_by_hand
from tests.tiers import pick

GAMES = pick(test=1, full=1, nightly=20)
MOST_MOVES = pick(test=40, full=150, nightly=10_000)


FIGURES = dict(zip(chess_by_hand.PROMOTIONS, ("queen", "rook", "bishop", "knight"), strict=True))
Ended = tuple[tuple[int, ...], list[int]]
"""Who has won, and the scores."""


class Chess(chess_by_hand.Game):
    def said(self, move: chess_by_hand.Move) -> str:
        start, target, extra = move
        if extra == chess_by_hand.CASTLES:
            return f"castle {'kingside' if target > start else 'queenside'}"
        way = squares(map(chess_by_hand.square, (start, target)))
        figures = dict(
            zip(chess_by_hand.PROMOTIONS, ("queen", "rook", "bishop", "knight"), strict=True)
        )
        return f"promote {way}, {figures[extra]}" if extra else f"go {way}"

    def ended(self) -> Ended:
        return winners(self.winner, chess_by_hand.WHITE), [0, 0]


class Draughts(draughts_by_hand.Game):
    def said(self, move: draughts_by_hand.Move) -> str:
        label = "jump" if draughts_by_hand.jumps(move) else "step"
        return f"{label} {squares(map(draughts_by_hand.square, move))}"

    def ended(self) -> Ended:
        return winners(self.winner, draughts_by_hand.BLACK), [0, 0]


class Go(go_by_hand.Game):
    def said(self, move: int) -> str:
        return (
            "pass" if move == go_by_hand.PASS else "lay point {} {}".format(*go_by_hand.place(move))
        )

    def ended(self) -> Ended:
        black, white = self.scores()
        return (0,) if black > white else (1,), [black, white]


def winners(winner: int | None, beginner: int) -> tuple[int, ...]:
    """The seats that have won; who begins sits on the first."""
    return () if winner is None else (0,) if winner == beginner else (1,)


def squares(places: Iterable[tuple[int, int]]) -> str:
    return ", ".join(f"square {column} {row}" for column, row in places)


@pytest.mark.parametrize("name, engine", [("chess", Chess), ("draughts", Draughts), ("go", Go)])
def test_both_play_the_same_game(name: str, engine: Any) -> None:
    for seed in range(GAMES):
        luck, by_hand = Random(seed), engine()
        match = lawspeaker.load(name).start(2, seed, machine="wasm")
        for _ in range(MOST_MOVES):
            moves = {by_hand.said(move): move for move in by_hand.offered()}
            if not moves:
                assert match.decision is None
                assert (match.winners, match.scores) == by_hand.ended()
                break
            text = luck.choice(sorted(moves))
            if len(moves) > 1:
                assert match.decision is not None
                assert {option.text for option in match.decision.options} == moves.keys()
                match.choose(text)
            by_hand.make(moves[text])
