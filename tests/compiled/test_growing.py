"""Large boards: runs kept as bits, open cells and neighbours are what the reference machine finds
step by step, while pieces are laid, covered, taken away and supposed to lie elsewhere.

Boards that grow are played from edge to edge, and long boards have lines of more bits than a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lawspeaker.machines.compiled.compile.compiler import written
from lawspeaker.machines.middle.forms import Unary
from lawspeaker.machines.middle.walk import expressions, statements
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.game import Game
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from tests.compiled.side_by_side import SideBySide
from tests.tiers import sample

pytestmark = pytest.mark.full

GAME = """\
lawspeaker: 1
game: laying
players: {{from: 2, to: 2, called: [ann, ben]}}
words:
  direction:
    has: {{across: number, down: number}}
    are:
      north: {{down: -1}}
      east: {{across: 1}}
      south: {{down: 1}}
      west: {{across: -1}}
      slant: {{across: 1, down: -1}}
      leap: {{across: -2}}
      stay: {{across: 0}}
  axis:
    plural: axes
    has: {{back: direction, forth: direction}}
    are:
      row:    {{back: west, forth: east}}
      column: {{back: north, forth: south}}
pieces:
  tile:
    starts in: heap
    kinds:
      stone: {{count: {stones}}}
      tree:  {{count: 2}}
      hole:  {{count: 2}}
places:
  heap: {{holds: tile, seen by: everyone}}
  cell: {{{each}grid: {grid}, holds: tile, {kept}, seen by: everyone}}
rules:
  game:
    says: Tiles are laid and taken.
    rule: |
      {begins}
      repeat {turns} times:
        for each player:
          do turn(player)
          do count(player)
  turn:
    says: A tile is laid beside others, or on one, or taken away.
    asks: What do you do?
    guards:
      free: The cell must be free.
      touches: It must touch another.
      short: The line is too long.
      no_tree: There is a tree.
{alone}      near: There must be one near.
    given: {{player: player}}
    rule: |
      player must choose one of
        lay: tile in heap, cell in open_cells
          where free: cell is empty
          where touches: there is a cell as other in neighbours of cell where other is not empty
          where short: count of line of cell along axis <= {longest} for every axis
          where no_tree: tile is tree or cell is not beside_a_tree
          then: move tile to cell
{cover}        take: cell in occupied_cells
          where near: there is a cell as other in surroundings of cell where other is filled
          then: move all tiles in cell to heap
        otherwise: finish
  beside_a_tree:
    says: A tree is near.
    define: cell is beside_a_tree
    as: there is a cell as other in neighbours of cell where other is wooded
  wooded:
    says: A tree lies there.
    define: cell is wooded
    as: {wooded}
  stony:
    says: A stone lies there.
    define: cell is stony
    as: {stony}
  filled:
    says: A hole is a gap.
    define: cell is filled
    as: {filled}
  run:
    says: Tiles in a line.
    define: run of cell along direction
    as: walk cell as step from cell along direction while step is filled
  line:
    says: Tiles in a line through a cell.
    define: line of cell along axis
    as: (run of cell along back of axis) + [cell] + (run of cell along forth of axis)
  taken_run:
    says: Tiles and holes in a line.
    define: taken_run(cell, direction)
    as: walk cell as step from cell along direction while step is not empty
  free_run:
    says: Empty cells in a line.
    define: free_run(cell, direction)
    as: walk cell as step from cell along direction while step is empty
  last_one:
    says: Where a run ends.
    define: last_one(cell, direction)
    as: |
      let final be last of run of cell along direction
      if final is nothing then cell else final
  outline:
    says: What is told of the lines through a cell; long enough to be a function of its own.
    define: outline(cell, axis)
    as: |
      let before be last_one(cell, back of axis)
      let after be last_one(cell, forth of axis)
      (if before is wooded then 1 else 0) + (if after is stony then 2 else 0)
      + (if before is cell then 4 else 0) + (if after is cell then 8 else 0)
      + 16 * (count of cells as other in line of cell along axis where other is wooded)
      + 100 * (count of cells as other in line of cell along axis where other is beside_a_tree)
      + 1000 * (count of line of cell along axis)
  count:
    says: Everything is counted.
    given: {{player: player}}
    rule: |
      for each cell in occupied_cells:
        {lifted}
      for each cell in occupied_cells:
        for each axis:
          player scores outline(cell, axis)
        for each direction:
          player scores count of taken_run(cell, direction)
          player scores 7 * count of run of cell along direction
        if there is a cell as near in neighbours of cell where near is stony:
          player scores column of near + row of near
          player scores row of the cell as first_one in neighbours of cell where (
            first_one is stony)
      for each cell in open_cells where cell is not beside_a_tree:
        player scores column of cell
        for each direction where direction is not north:
          player scores 3 * count of run of cell along direction
      player scores count of cells in open_cells where (
        there is a cell as near in surroundings of cell where near is not filled)
      player scores 9 * (count of cells in open_cells where (
        there is a cell as taken in neighbours of cell where taken is not empty
      ) and column of taken > row of taken)
      let start be {start}
      player scores count of free_run(start, east) + 10 * count of free_run(start, north)
      player scores 100 * count of free_run(start, slant)
"""

PILES = {
    "kept": "arranged: pile",
    "filled": "cell is not empty and top of cell is not hole",
    "wooded": "top of cell is tree",
    "stony": "top of cell is stone",
    "alone": """\
      alone: It would be too lonely.
      lies: There must be a tile.
""",
    "cover": """\
        cover: tile in heap, cell in occupied_cells
          where lies: cell is not empty
          where alone: supposing tile moves to cell, (count of line of cell along row > 1)
          then: move tile to cell
""",
    "lifted": """\
let lying be top of cell
        if lying is not nothing:
          if supposing lying moves to heap, (count of line of cell along row > 1):
            player scores 5""",
}
SINGLE = {
    "kept": "room: 1",
    "filled": "there is a tile in cell where tile is not hole",
    "wooded": "there is a tile in cell where tile is tree",
    "stony": "there is a tile in cell and tile is stone",
    "alone": "",
    "cover": "",
    "lifted": "player scores row of cell",
}
SUPPOSED = {
    **SINGLE,
    "lifted": """\
let lying be the tile in cell
        let empty_one be first of open_cells
        if empty_one is not nothing:
          if supposing lying moves to empty_one, (count of line of cell along row > 1):
            player scores 5""",
}
KEEPS = {"piles": PILES, "single": SINGLE, "supposed": SUPPOSED}


@dataclass(frozen=True)
class Board:
    grid: str
    begins: tuple[str, ...]
    stones: int
    longest: int = 4
    turns: int = 6
    each: str = ""
    start: str = "cell(1, 1)"
    keeps: str = "piles"

    def __str__(self) -> str:
        return f"{self.grid}{self.each and ' each'} {self.keeps}"


BOARDS = [
    Board("grows", ("move a tile in heap to cell(0, 0)",), 2, turns=2),
    Board("grows", ("move a tile in heap to cell(0, 0)",), 9, start="cell(-3, 2)"),
    Board(
        "grows",
        (
            "move a tile in heap to cell(7, 7)",
            "move a tile in heap to cell(7, -7)",
            "move a tile in heap to cell(-7, -6)",
            "move a tile in heap to cell(-7, 7)",
            "move a tile in heap to cell(-6, -7)",
            "move a tile in heap to cell(0, 7)",
        ),
        3,
        turns=3,
    ),
    Board(
        "90 by 3",
        ("for each cell where row of cell = 2 and column of cell is not 61:",
         "  move a tile in heap to cell"),
        96,
        longest=70,
        turns=2,
    ),
    Board(
        "2 by 130",
        ("for each cell where column of cell = 2 and row of cell is not 60:",
         "  move a tile in heap to cell"),
        133,
        longest=80,
        turns=1,
        start="cell(1, 70)",
    ),
    Board(
        "5 by 4",
        ("move a tile in heap to cell(ann, 5, 4)", "move a tile in heap to cell(ben, 1, 1)"),
        20,
        each="of each: player, ",
        start="cell(ann, 2, 3)",
    ),
    Board("grows", ("move a tile in heap to cell(0, 0)",), 9, keeps="single"),
    Board("grows", ("move a tile in heap to cell(0, 0)",), 9, keeps="supposed"),
    Board("grows", ("move a tile in heap to cell(0, 0)",), 70, turns=3, keeps="single"),
]  # fmt: skip


@cache
def loaded(board: Board) -> Game:
    text = GAME.format(
        grid=board.grid,
        begins="\n      ".join(board.begins),
        stones=board.stones,
        longest=board.longest,
        turns=board.turns,
        each=board.each,
        start=board.start,
        **KEEPS[board.keeps],
    )
    with TemporaryDirectory() as folder:
        file = Path(folder) / "laying.yaml"
        file.write_text(text, encoding="utf-8")
        return load(str(file))


@pytest.mark.parametrize("board", sample(BOARDS, test=3), ids=str)
def test_lines_and_neighbours_are_the_same(board: Board) -> None:
    both = SideBySide(loaded(board).program, 2)
    for seed in range(2):
        assert both.play(seed) > 0


@pytest.mark.parametrize("board", sample(BOARDS, test=3), ids=str)
def test_runs_are_not_walked(board: Board) -> None:
    """There is a function for each direction, in which bits are counted; but not where two tiles
    might be supposed to lie in a cell, of which only one is looked at."""
    unit = written(Layout(loaded(board).program, 2), PLAYING)
    outlines = [each for each in unit.module.functions if ".outline." in each.name]
    assert len(outlines) == 2
    for each in outlines:
        measured = any(
            isinstance(part, Unary) and part.operation == "clz"
            for statement in statements(each.body)
            for part in expressions(statement)
        )
        assert measured == (board.keeps != "supposed")
