"""Computes the sides of a tile.

A tile has sides if an attribute of its kind has a word for each of four directions, such as `side:
{at each: direction, is: land}`. A state whose word has a `turn` among the symbols rotates them. If
another state names a player, that player is on the tile; if one names a word of the same set as the
sides, the player is on the side with this word.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.position.layout import Layout, Value

AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Steps across and down to the four sides, clockwise from the top."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The words on the sides, clockwise from the top; None where there is nothing.

    `seat` is the player on the tile, and `at` the index of the player's side, if it is one of them.
    """

    of: ir.WordType
    words: tuple[int | None, ...]
    seat: int | None = None
    at: int | None = None


def sides_of(layout: Layout, piece: int, states: tuple[Value, ...]) -> Sides | None:
    """Returns the sides of a piece in its current rotation; None if it has none."""
    number = layout.piece_type[piece]
    declared = layout.program.pieces[number]
    values = declared.kinds[layout.piece_kind[piece]].values
    for column, value in zip(declared.columns, values, strict=True):
        of = _plain(column.type)
        order = _order(layout.program, column)
        if order is not None and isinstance(of, ir.WordType) and isinstance(value, tuple):
            words = tuple(value[at] for at in order)
            return _as_it_lies(layout, Sides(of, words), number, states)
    return None


def _plain(of: ir.Type) -> ir.Type:
    return of.of if isinstance(of, ir.MaybeType) else of


def _order(program: ir.Program, column: ir.Column) -> list[int] | None:
    """Returns the positions of the four directions among the words of an attribute's index."""
    if len(column.indices) != 1 or not isinstance(column.indices[0].type, ir.WordType):
        return None
    words = program.word_sets[column.indices[0].type.index]
    named = [each.name for each in words.columns]
    if "across" not in named or "down" not in named:
        return None
    across, down = named.index("across"), named.index("down")
    steps = [(row[across], row[down]) for row in words.rows]
    return [steps.index(step) for step in AROUND] if sorted(steps) == sorted(AROUND) else None


def _as_it_lies(layout: Layout, sides: Sides, number: int, states: tuple[Value, ...]) -> Sides:
    turned, seat, on = 0, None, None
    for entry, value in zip(layout.states[number], states, strict=False):
        of = _plain(entry.type)
        if entry.indices or value is None:
            continue
        if of == ir.PLAYER:
            seat = value
        elif of == sides.of:
            on = value
        elif isinstance(of, ir.WordType):
            turned += _turn(layout.program, of, value)
    by = turned // 90 % len(AROUND)
    words = sides.words[len(AROUND) - by :] + sides.words[: len(AROUND) - by]
    there = seat is not None and on is not None and on in words
    return Sides(sides.of, words, seat, words.index(on) if there else None)


def _turn(program: ir.Program, of: ir.WordType, value: int) -> int:
    word = program.word_sets[of.index].words[value]
    symbol = program.symbols.get(f"{of.name}.{word}") or program.symbols.get(word)
    return 0 if symbol is None else symbol.turn
