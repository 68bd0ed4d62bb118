"""Positions and games in the signs that players of a game use, as its rules declare them.

`squares` names the squares of the board, `positions` reads and writes positions, `written_games`
writes moves and whole games, `read_games` reads them. `study/scenario/from_position` begins a match
in a position.
"""

from lawspeaker.study.notation.positions import position_text, situation
from lawspeaker.study.notation.squares import NoNotation, Squares, notation_of
from lawspeaker.study.notation.written_games import game_text, move_text

__all__ = [
    "NoNotation",
    "Squares",
    "game_text",
    "move_text",
    "notation_of",
    "position_text",
    "situation",
]
