"""How positions and games are written down, in the signs that players of a game use.

The checker has resolved all names. The uses are in `study/notation`: positions as FEN or as lists
of squares, games as PGN, PDN or SGF.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Layout = Literal["rows", "lists"]
GameFormat = Literal["pgn", "pdn", "sgf"]


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign for a piece: type, kind, owner and states; None for a kind or owner that does not
    matter. `text` describes the piece in the words of a scenario."""

    sign: str
    text: str
    type: int
    kind: int | None
    owner: int | None
    states: tuple[tuple[int, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a written position.

    It is the board; a marker, with signs for its values, or with flags: signs of those of its
    entries that are true; or a constant text.
    """

    board: bool = False
    marker: int | None = None
    name: str = ""
    signs: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class GameNotation:
    """How a game is written: its format, a template for each alternative by label, signs of kinds
    and words, the sign of a capture, a predicate that tells whether a player is in check, and
    fixed tags."""

    format: GameFormat
    moves: Mapping[str, str]
    signs: Mapping[str, str] = field(default_factory=dict)
    capture: str = ""
    quiet: str = ""
    check: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notation:
    """The notation of a game.

    `family` is the board. Its squares have a letter and a number; or, if `numbered` names a
    definition, those for which it holds have numbers, in order. In the layout `lists`, a position
    lists the squares of each sign instead of rows. `clause` continues a game from a position.
    """

    family: int
    pieces: tuple[Sign, ...]
    numbered: str = ""
    layout: Layout = "rows"
    fields: tuple[Field, ...] = ()
    clause: str = ""
    game: GameNotation | None = None
