"""Where a tile of each kind may be put. Options are put into words as the interpreter does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tests.differential.all_tiles.board import (
    DIRECTIONS,
    Board,
    Cell,
    Tile,
    adjacent_cells,
    surrounding_cells,
    text,
)

COVERS = {
    "dragon": ("dragon", "hel"),
    "raven": ("raven", "hel"),
    "lightning_bolt": ("lightning_bolt", "hel"),
    "hel": ("hel",),
}
"""The kinds that may cover, and what each may not be put on."""

ONLY_COVER = ("hel", "lightning_bolt")

Place = tuple[str, Cell, str]
"""How (lay, cover, swap, push), where, and for a push in which direction."""


def words(place: Place) -> str:
    how, cell, direction = place
    return f"{how} {text(cell)}{', ' if direction else ''}{direction}"


def places(
    board: Board, kind: str, hermod: Cell | None = None, left: Cell | None = None
) -> Iterator[Place]:
    """All that a tile may do, after a Hermod only close to it. `left`: where a Raven was."""
    for place in chain(laying(board, kind), on_top(board, kind), pushing(board, kind)):
        if place[1] != left and (hermod is None or follows(board, kind, place[1], hermod)):
            yield place


def has_place(board: Board, kind: str, hermod: Cell | None) -> bool:
    return next(places(board, kind, hermod), None) is not None


def follows(board: Board, kind: str, cell: Cell, hermod: Cell) -> bool:
    if kind == "hel":
        return cell == hermod or cell in surrounding_cells(hermod)
    return board.in_line_with(cell, hermod)


def laying(board: Board, kind: str) -> Iterator[Place]:
    if kind in ONLY_COVER:
        return
    for cell in {near for each in board.stacks for near in adjacent_cells(each)}:
        welcome = kind in ("troll", "dwarf") or not board.beside_a("troll", cell)
        if cell not in board.stacks and welcome and not board.too_long(cell):
            yield "lay", cell, ""


def on_top(board: Board, kind: str) -> Iterator[Place]:
    if kind != "skadi" and kind not in COVERS:
        return
    how, spared = ("swap", ("skadi", "hel")) if kind == "skadi" else ("cover", COVERS[kind])
    for cell in board.stacks:
        guarded = kind != "hel" and board.beside_a("troll", cell)
        if board.kind(cell) not in spared and not guarded:
            yield how, cell, ""


def pushing(board: Board, kind: str) -> Iterator[Place]:
    if kind != "jotunn":
        return
    for cell in filter(board.filled, list(board.stacks)):
        for direction, step in DIRECTIONS.items():
            *_, (x, y) = cell, *board.run(cell, *step)
            target = x + step[0], y + step[1]
            if target not in board.stacks and may_push(board, cell, target):
                yield "push", cell, direction


def may_push(board: Board, cell: Cell, target: Cell) -> bool:
    """Tries it: neither of the two may come to lie beside a Troll, nor a line grow too long."""
    after = Board()
    after.stacks = {**board.stacks, target: board.stacks[cell], cell: [Tile("jotunn")]}
    pushed_to_troll = after.kind(target) != "troll" and after.beside_a("troll", target)
    return not (pushed_to_troll or after.beside_a("troll", cell) or after.too_long(target))
