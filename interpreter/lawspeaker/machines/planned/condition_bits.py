"""Incremental bitboards of conditions on the top piece of a place, so that runs need no walk.

A walk over a large board goes on while a condition holds of each place: that it is not empty, or
that its top piece is of some kinds. If that depends on the top piece alone, every move updates the
bit of its place, and the length of a run of set bits takes a few instructions, without an
unpredictable branch.

There are two bitboards for each condition, one along the columns and one along the rows. After each
line of the board comes a bit that is never set, so that no run crosses an edge, and there is a
margin before the first line and after the last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Protocol

from lawspeaker import ir
from lawspeaker.ir.walk import rebuilt
from lawspeaker.machines.lower.fold import ConstantFolder, Unknown

Tops = tuple[bool, ...]
"""The value of a condition for an empty place, and then for each possible top piece."""
BEFORE = 64
"""Bits before the first line of a bitboard."""


class WalkConditions:
    """Evaluates the conditions of walks for each top piece; cached."""

    def __init__(self, folder: ConstantFolder, single: Collection[int]) -> None:
        """`single` are the families whose places hold at most one piece."""
        self.folder = folder
        self.single = single
        self._known: dict[tuple[object, ...], Tops | None] = {}

    def tops(self, walk: ir.Walk) -> Tops | None:
        """Returns the top pieces for which a walk goes on; None if its condition depends on more
        than that, or is true of empty places."""
        binder = walk.binder
        key: tuple[object, ...] = (walk.family, binder.slot, binder.where)
        match binder.where:
            case ir.CallFunction(function=number, arguments=(ir.Local(slot=slot),)):
                if slot == binder.slot:
                    key = (walk.family, number)
        if key not in self._known:
            self._known[key] = self._tops(walk)
        return self._known[key]

    def _tops(self, walk: ir.Walk) -> Tops | None:
        layout = self.folder.layout
        known: dict[int, bool] = {}
        try:
            if self._goes_on(walk, None):
                return None
            for piece in layout.pieces_of[self.folder.program.families[walk.family].holds]:
                if layout.alike[piece] not in known:
                    known[layout.alike[piece]] = self._goes_on(walk, piece)
        except Unknown:
            return None
        return (False, *(known.get(alike, False) for alike in layout.alike))

    def _goes_on(self, walk: ir.Walk, top: int | None) -> bool:
        condition = _Known(self, walk.binder.slot, top).substituted(walk.binder.where)
        return bool(self.folder.worth(condition, {}))

    def kept(self, walks: Iterable[ir.Walk]) -> dict[int, set[Tops]]:
        """Returns the conditions of walks, by the number of the family."""
        found: dict[int, set[Tops]] = {}
        for walk in walks:
            tops = self.tops(walk)
            if tops is not None:
                found.setdefault(walk.family, set()).add(tops)
        return found


class _Known:
    """Substitution of a known top piece into a condition on the place in a slot."""

    def __init__(self, going: WalkConditions, slot: int, top: int | None) -> None:
        self.going = going
        self.slot = slot
        self.top = top
        self._names: dict[int, ir.Const] = {}

    def substituted(self, node: Any) -> Any:
        """Returns the condition with the top piece substituted; `Unknown` if it is about anything
        else."""
        match node:
            case ir.TopOf(place=ir.Local(slot=here)) if here == self.slot:
                return ir.Const(node.type, self.top)
            case ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=here))) if here == self.slot:
                return ir.Const(node.type, self.top is None)
            case ir.Exists(binder=ir.Binder(source=ir.Contents(place=ir.Local(slot=here)))):
                if here == self.slot:
                    return self._exists(node)
            case ir.CallFunction(function=number, arguments=(ir.Local(slot=here),)):
                function = self.going.folder.program.functions[number]
                if here == self.slot and not function.lets:
                    return _Known(self.going, 0, self.top).substituted(function.result)
            case ir.Local(slot=here) if here in self._names:
                return self._names[here]
        if isinstance(node, ir.Local | ir.Binder):
            raise Unknown
        return rebuilt(node, self.substituted)

    def _exists(self, node: ir.Exists) -> ir.Expr:
        """Evaluates whether there is a piece: the top one, in places for one piece only."""
        binder = node.binder
        of = binder.source.place.type if isinstance(binder.source, ir.Contents) else None
        if not isinstance(of, ir.PlaceType) or of.index not in self.going.single:
            raise Unknown
        self._names[binder.slot] = ir.Const(binder.type, self.top)
        if self.top is None or binder.where is None:
            return ir.Const(node.type, self.top is not None)
        found: ir.Expr = self.substituted(binder.where)
        return found


class GridPlaces(Protocol):
    """Protocol for a grid of places: the first and their number, and width and height of a
    board."""

    first: int
    size: int
    grid: tuple[int, int]


def lines(board: GridPlaces) -> tuple[tuple[int, int], tuple[int, int]]:
    """Returns the number and length of the lines, with the bit after each: columns, rows. The rows
    of several boards are concatenated."""
    wide, high = board.grid
    columns = board.size // high
    return (columns, high + 1), (high, columns + columns // wide)


def words(board: GridPlaces) -> tuple[int, int]:
    """Returns the words of 64 bits of the two bitboards."""
    columns, rows = (2 + -(-count * length // 64) for count, length in lines(board))
    return columns, rows


def bits(board: GridPlaces, place: int) -> tuple[int, int]:
    """Returns the bit indices of a place in the bitboards along columns and along rows."""
    wide, high = board.grid
    column, row = divmod(place - board.first, high)
    (_, longer), (_, wider) = lines(board)
    return BEFORE + column * longer + row, BEFORE + row * wider + column + column // wide
