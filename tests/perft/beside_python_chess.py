"""Random games of a variant of chess in lockstep with python-chess."""

from __future__ import annotations

import random

import chess
import chess.variant

import lawspeaker
from lawspeaker.match.decision import Option
from lawspeaker.match.match import Match
from tests.perft.chess_positions import FIGURES

CALLED = {
    "king_of_the_hill": "kingofthehill",
    "three_check": "3check",
    "racing_kings": "racingkings",
}
"""What python-chess calls differently."""
SIGNS = {figure: sign for sign, figure in FIGURES.items()}
QUIET = 100
"""After so many moves in a row without a capture or a pawn's move nobody wins."""


def play_beside(variant: str, positions: int) -> int:
    """Plays games until so many positions have been compared; how many were."""
    program = lawspeaker.load(f"chess+{variant}").program
    compared = seed = 0
    while compared < positions:
        luck = random.Random(seed)
        match = Match(program, 2, seed, machine="wasm")
        board = _board(variant, match)
        while match.decision is not None and compared < positions:
            theirs = {_sign(board, move): move for move in board.legal_moves}
            ours = {_spelled(option): option for option in match.decision.options}
            assert ours.keys() == theirs.keys(), f"seed {seed}: {board.fen()}"
            compared += 1
            sign = luck.choice(sorted(ours))
            since = len(match.replies)
            match.choose(ours[sign])
            board.push(theirs[sign])
            for event in match.events_of(since):
                if event.kind == "forced":
                    (only,) = board.legal_moves
                    board.push(only)
        if match.decision is None:
            _ended_alike(match, board, seed)
        seed += 1
    return compared


def _board(variant: str, match: Match) -> chess.Board:
    if variant != "chess960":
        return chess.variant.find_variant(CALLED.get(variant, variant))()
    places = match.table()["places"]
    rank = "".join(
        SIGNS[places[f"square {file} 1"]["pieces"][0].split()[0]] for file in range(1, 9)
    )
    fen = f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/{rank.upper()} w KQkq - 0 1"
    return chess.Board(fen, chess960=True)


def _sign(board: chess.Board, move: chess.Move) -> str:
    if board.is_castling(move):
        return f"castle {'kingside' if board.is_kingside_castling(move) else 'queenside'}"
    target = chess.square_name(move.to_square)
    if move.drop is not None:
        return f"{chess.piece_symbol(move.drop)}@{target}"
    promoted = chess.piece_symbol(move.promotion) if move.promotion is not None else ""
    return f"{chess.square_name(move.from_square)}{target}{promoted}"


def _spelled(option: Option) -> str:
    label, _, rest = option.text.partition(" ")
    if label == "castle":
        return option.text
    parts = rest.split(", ")
    squares = "".join(_square(part) for part in parts if part.startswith("square "))
    figures = "".join(SIGNS[part] for part in parts if part in SIGNS)
    return f"{figures}@{squares}" if label == "drop" else squares + figures


def _square(text: str) -> str:
    _, file, rank = text.split()
    return f"{'abcdefgh'[int(file) - 1]}{rank}"


def _ended_alike(match: Match, board: chess.Board, seed: int) -> None:
    """Checks that the winner is the same. A draw that may be claimed there is one here."""
    outcome = board.outcome()
    if match.winners:
        (winner,) = match.winners
        assert outcome is not None, f"seed {seed}: {board.fen()}"
        assert outcome.winner == (winner == 0), f"seed {seed}: {board.fen()}"
        return
    drawn = outcome is not None and outcome.winner is None
    claimed = board.is_repetition(3) or board.halfmove_clock >= QUIET
    assert drawn or claimed, f"seed {seed}: {board.fen()}"
