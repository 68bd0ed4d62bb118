"""The table of Völuspá with all its tiles: stacks on cells, lines, values, and what tiles score.

Written for clarity, not for speed: nothing is remembered, everything is looked up anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Cell = tuple[int, int]
"""How far to the right of the first tile, and how far below it."""

VALUES = {"odin": 8, "thor": 7, "troll": 6, "dragon": 5, "fenrir": 4, "skadi": 3, "valkyrie": 2}
VALUES |= {"loki": 1, "hermod": 4, "jotunn": 5, "sea_serpent": 6, "hel": 0, "dwarf": 2, "freya": 3}
VALUES |= {"raven": 4, "niohoggr": 7, "lightning_bolt": 0, "drakkar": 0}

AXES = {"row": (1, 0), "column": (0, 1)}
DIRECTIONS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


@dataclass(slots=True)
class Tile:
    """A tile on the table, with the number of Freyas it was raised by."""

    kind: str
    boosts: int = 0


def text(cell: Cell) -> str:
    return f"cell {cell[0]} {cell[1]}"


def adjacent_cells(cell: Cell) -> list[Cell]:
    return [(cell[0] + x, cell[1] + y) for x, y in DIRECTIONS.values()]


def surrounding_cells(cell: Cell) -> list[Cell]:
    near = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    return [(cell[0] + x, cell[1] + y) for x, y in near]


class Board:
    """`stacks` holds for each cell that is not empty its tiles, the one on top last."""

    def __init__(self) -> None:
        self.stacks: dict[Cell, list[Tile]] = {}

    def kind(self, cell: Cell) -> str:
        """What lies on top; nothing on an empty cell."""
        return self.stacks[cell][-1].kind if cell in self.stacks else ""

    def filled(self, cell: Cell) -> bool:
        """Hel is a gap."""
        return self.kind(cell) not in ("", "hel")

    def beside_a(self, kind: str, cell: Cell) -> bool:
        return any(self.kind(near) == kind for near in adjacent_cells(cell))

    # ------------------------------------------------------------ lines

    def run(self, cell: Cell, x: int, y: int) -> Iterator[Cell]:
        """The tiles from a cell in one direction up to a gap."""
        cell = cell[0] + x, cell[1] + y
        while self.filled(cell):
            yield cell
            cell = cell[0] + x, cell[1] + y

    def line(self, cell: Cell, axis: str) -> list[Cell]:
        """The line through a cell, as if a tile lay there."""
        x, y = AXES[axis]
        return [*reversed(list(self.run(cell, -x, -y))), cell, *self.run(cell, x, y)]

    def too_long(self, cell: Cell) -> bool:
        return any(len(self.line(cell, axis)) > 7 for axis in AXES)

    def in_line_with(self, cell: Cell, other: Cell) -> bool:
        return any(other in self.line(cell, axis) for axis in AXES)

    # ------------------------------------------------------------ values

    def worth(self, cell: Cell) -> int:
        tile = self.stacks[cell][-1]
        if tile.kind != "loki" and self.beside_a("loki", cell):
            return 0
        return VALUES[tile.kind] + tile.boosts

    def strength(self, cell: Cell, axis: str) -> int:
        """The value in a line: that of a Fenrir with any value is the sum of all Fenrirs."""
        worth = self.worth(cell)
        if not worth or self.kind(cell) != "fenrir":
            return worth
        pack = [each for each in self.line(cell, axis) if self.kind(each) == "fenrir"]
        return sum(self.worth(each) for each in pack)

    def highest(self, cell: Cell, others: list[Cell], axis: str) -> bool:
        mine = self.strength(cell, axis)
        for other in others:
            newer = mine > 0 and self.kind(cell) == self.kind(other) == "fenrir"
            if other != cell and not newer and self.strength(other, axis) >= mine:
                return False
        return True

    def held_by_valkyries(self, line: list[Cell]) -> bool:
        return len(line) > 1 and self.kind(line[0]) == self.kind(line[-1]) == "valkyrie"

    # ------------------------------------------------------------ points

    def bonus(self, cells: list[Cell]) -> int:
        return 2 * sum(self.kind(cell) == "niohoggr" for cell in cells)

    def of_lines(self, cell: Cell, covered: str) -> int:
        """What an ordinary tile scores; `covered` is what a Dragon or Raven was put on."""
        points = 0
        for axis in AXES:
            line = self.line(cell, axis)
            if self.held_by_valkyries(line):
                won = cell in (line[0], line[-1])
            else:
                won = len(line) > 1 and self.highest(cell, line, axis)
            if won:
                points += len(line) + self.bonus(line) + 2 * (covered == "niohoggr")
        return points

    def of_new_line(self, cell: Cell) -> int:
        """What a tile scores that was laid beside Hel and nothing else."""
        near = {self.kind(each) for each in adjacent_cells(cell)} - {""}
        return 1 + self.bonus([cell]) if near == {"hel"} else 0

    def of_hel(self, cell: Cell, covered: str) -> int:
        return sum(map(self.filled, surrounding_cells(cell))) + 2 * (covered == "niohoggr")

    def of_dwarf(self, cell: Cell) -> int:
        total = 0
        for axis, (x, y) in AXES.items():
            for near in ((cell[0] - x, cell[1] - y), (cell[0] + x, cell[1] + y)):
                total += self.strength(near, axis) if self.filled(near) else 0
        return total // 2

    def of_serpent(self, cell: Cell) -> dict[str, int]:
        """By axis, what a Sea Serpent would score there; only where it does."""
        points = {}
        for axis, (x, _) in AXES.items():
            at = 0 if x else 1
            whole = [each for each in self.stacks if each[1 - at] == cell[1 - at]]
            tiles = [each for each in whole if self.filled(each)]
            held = self.held_by_valkyries(self.line(cell, axis))
            if len(tiles) > 1 and not held and self.highest(cell, tiles, axis):
                ends = [each[at] for each in tiles]
                points[axis] = max(ends) - min(ends) + 1 + self.bonus(tiles)
        return points

    def of_bolt(self, cell: Cell, covered: str) -> dict[str, int]:
        """By axis, what a Lightning Bolt may score: the shorter line, or either if equal."""
        lines = {axis: self.line(cell, axis) for axis in AXES}
        lines = {axis: line for axis, line in lines.items() if len(line) > 1}
        once = 2 * (covered == "niohoggr")
        if not lines:
            return {"": 1 + once}
        shortest = min(map(len, lines.values()))
        return {
            axis: len(line) + self.bonus(line) + once
            for axis, line in lines.items()
            if len(line) == shortest
        }
