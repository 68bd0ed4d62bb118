"""Boards as bits: what is asked of all cells at once, and of lines without walking them, is what
the reference machine finds cell by cell.

Random conditions about what lies in a cell, beside it and along lines from it, and about another
cell that is given, are counted on boards of all shapes, on both machines, while the boards fill up.
Boards of more than 64 cells are several words of bits. Very large ones are not kept as bits: there
the same conditions go the other way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lawspeaker.ir import cost
from lawspeaker.machines.compiled.compile.compiler import written
from lawspeaker.machines.middle.forms import Loop
from lawspeaker.machines.middle.walk import statements
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.game import Game
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from lawspeaker.position.rng import RngFactory, Stream
from tests.compiled.side_by_side import SideBySide
from tests.tiers import sample

pytestmark = pytest.mark.full

OWNED = """\
  disc: {of each: player, kinds: {flat: 35, tall: 25}, starts in: box}
places:
  box:  {of each: player, holds: disc, seen by: everyone}
"""
COLOURED = """\
  disc:
    kinds: {flat: 35, tall: 29}
    starts in: box
    changes: {colour: {is: player, starts as: ann}}
places:
  box:  {holds: disc, seen by: everyone}
"""
GAME = """\
lawspeaker: 1
game: filling
players: {{from: 2, to: {seats}, called: [{names}]}}
words:
  direction:
    has: {{across: number, down: number}}
    are:
      north: {{down: -1}}
      north_east: {{across: 1, down: -1}}
      east: {{across: 1}}
      south: {{down: 1}}
      south_west: {{across: -1, down: 1}}
      west: {{across: -1}}
      leap: {{across: 2, down: -1}}
      stay: {{across: 0}}
pieces:
{pieces}
  cell: {{{each}grid: {wide} by {high}, holds: disc, room: 1, seen by: everyone}}
rules:
  game:
    says: Discs are laid around a cell.
    asks: Where do you lay?
    guards: {{free: The cell must be free.}}
    rule: |
      repeat 3 times:
        for each player:
          player must choose cell
            where free: cell is empty
            otherwise: finish
          for each direction:
            for each cell as turned in flanked(cell, direction, player):
              {turn}
            for each cell as met in late_run(cell, direction):
              player scores row of met
            player scores 10 * count of own_run(cell, direction, player)
            if free_run(cell, direction) is empty: player scores 1
          do lay(player, cell)
          for each cell as near in surroundings of cell:
            if near is empty and there is a disc in {box}:
              if remainder(column of near + 2 * row of near, 3) = 0:
                do lay(left_neighbour of player, near)
              else if column of near > row of near:
                do lay(player, near)
          do suppose(player)
          do count(player, cell)
  suppose:
    says: It is supposed that discs were not there, and then they are there again.
    given: {{player: player}}
    rule: |
      for each cell where holder of cell is player:
        let disc be the disc in cell
        let lonely be own_run(cell, east, player) is empty
        if supposing disc moves to {box}, (cell is empty and lonely): player scores 1
  lay:
    says: A disc is laid.
    given: {{player: player, cell: cell}}
    rule: |
      {lay}
  holder:
    says: Whose disc it is.
    define: holder of cell
    as: if there is a disc in cell then {holder} of disc else nothing
  kind:
    says: Of which kind its disc is.
    define: figure of cell
    as: if there is a disc in cell then kind of disc else nothing
  own_run:
    says: The player's discs in a line.
    define: own_run(cell, direction, player)
    as: walk cell as next from cell along direction while holder of next is player
  free_run:
    says: Empty cells in a line.
    define: free_run(cell, direction)
    as: walk cell as next from cell along direction while next is empty
  barrier:
    says: The cell behind the empty ones in a line.
    define: barrier(cell, direction)
    as: |
      let final be last of free_run(cell, direction)
      neighbour of (if final is nothing then cell else final) along direction
  late_run:
    says: Empty cells in a line, but not from the first row.
    define: late_run(cell, direction)
    as: |
      let ahead be free_run(cell, direction)
      if row of cell > 1 then ahead else []
  other_run:
    says: The others' discs in a line, up to an edge.
    define: other_run(cell, direction, player)
    as: |
      walk cell as next from cell along direction while (
        next is not empty and holder of next is not player and row of next > 1)
  beyond:
    says: Whose disc lies next to a cell.
    define: beyond(cell, direction)
    as: |
      let next be neighbour of cell along direction
      if next is nothing then nothing else holder of next
  flanked:
    says: What lies between two discs of a player.
    define: flanked(cell, direction, player)
    as: |
      let rival be left_neighbour of player
      let others be walk cell as next from cell along direction while holder of next is rival
      let final be last of others
      if final is nothing then []
      else if beyond(final, direction) is not player then []
      else others
  ended:
    says: Whether the first and the last of a run are of different players.
    define: ended(cell, direction)
    as: |
      let run be walk cell as next from cell along direction while next is not empty
      let first_one be first of run
      let last_one be last of run
      if first_one is nothing or last_one is nothing then no
      else holder of first_one is not holder of last_one and column of last_one > 1
  count:
    says: Everything is counted.
    given: {{player: player, base: cell}}
    rule: |
      {counts}
"""
RUNS = ("own_run({0}, {1}, player)", "free_run({0}, {1})", "other_run({0}, {1}, player)",
        "flanked({0}, {1}, left_neighbour of player)")  # fmt: skip


class Maker:
    """Makes random conditions on the cells and directions that have names."""

    def __init__(self, luck: Stream) -> None:
        self.luck = luck
        self.names = 0

    def name(self) -> str:
        self.names += 1
        return f"name{self.names}"

    def condition(self, cells: list[str], ways: list[str], depth: int) -> str:
        make = self.luck.choose(
            [self.plain, self.plain, self.line, self.line]
            if depth == 0
            else [self.line, self.joined, self.turned, self.some_way, self.near, self.met]
        )
        return make(cells, ways, depth - 1)

    def plain(self, cells: list[str], ways: list[str], depth: int) -> str:
        cell = self.luck.choose(cells)
        who = self.luck.choose(["player", "left_neighbour of player", "ann", "nothing"])
        return self.luck.choose(
            [
                f"{cell} is empty",
                f"holder of {cell} is {who}",
                f"holder of {cell} is not holder of {self.luck.choose(cells)}",
                f"column of {cell} > {self.luck.below(4)}",
                f"{cell} is CORNER",
                f"{cell} is neighbour of base along {self.luck.choose(ways)}",
                f"column of {cell} {self.luck.choose(['=', '<', '>='])} row of base",
                f"{cell} is in {self.luck.choose(RUNS).format('base', self.luck.choose(ways))}",
                f"figure of {cell} is {self.luck.choose(['flat', 'tall', 'figure of base'])}",
                f"(there is a disc in {cell} where WHOSE of disc is player)",
                f"(there is a disc in {cell} where kind of disc is tall and WHOSE of disc is ann)",
            ]
        )

    def line(self, cells: list[str], ways: list[str], depth: int) -> str:
        cell, way, number = self.luck.choose(cells), self.luck.choose(ways), self.luck.below(4)
        run = self.luck.choose(RUNS).format(cell, way)
        more = self.luck.choose(RUNS).format(cell, self.luck.choose(ways))
        sign = self.luck.choose(["=", "<", ">=", ">", "<="])
        return self.luck.choose(
            [
                f"{run} is empty",
                f"{run} is not empty",
                f"beyond({cell}, {way}) is player",
                f"beyond({cell}, {way}) is nothing",
                f"ended({cell}, {way})",
                f"count of {run} {sign} {number}",
                f"{number} {sign} 1 + count of {run} + count of {more}",
            ]
        )

    def joined(self, cells: list[str], ways: list[str], depth: int) -> str:
        one, two = (self.condition(cells, ways, depth) for _ in range(2))
        return f"({one} {self.luck.choose(['and', 'or'])} {two})"

    def turned(self, cells: list[str], ways: list[str], depth: int) -> str:
        return f"not ({self.condition(cells, ways, depth)})"

    def some_way(self, cells: list[str], ways: list[str], depth: int) -> str:
        way = self.name()
        condition = self.condition(cells, [*ways, way], depth)
        if self.luck.below(2):
            return f"({condition} for every direction as {way})"
        return f"(there is a direction as {way} where {condition})"

    def near(self, cells: list[str], ways: list[str], depth: int) -> str:
        near, around = self.name(), self.luck.choose(["neighbours", "surroundings"])
        members = f"{around} of {self.luck.choose(cells)}"
        condition = self.condition([*cells, near], ways, depth)
        if self.luck.below(2):
            return f"({condition} for every cell as {near} in {members})"
        return f"(there is a cell as {near} in {members} where {condition})"

    def met(self, cells: list[str], ways: list[str], depth: int) -> str:
        met = self.name()
        run = self.luck.choose(RUNS[:3]).format(self.luck.choose(cells), self.luck.choose(ways))
        known = [met] if self.luck.below(3) else [*cells, met]
        return f"(there is a cell as {met} in {run} where {self.condition(known, ways, depth)})"


@dataclass(frozen=True)
class Board:
    """A board, how its discs tell whose they are, and how many players there are and may be."""

    wide: int
    high: int
    coloured: bool
    players: int = 2
    seats: int = 2
    each: str = ""
    """What else is said of the cells."""

    def __str__(self) -> str:
        return f"{self.wide}x{self.high}{self.each and ' each'}"


BOARDS = [
    Board(5, 3, coloured=True),
    Board(8, 8, coloured=True),
    Board(8, 8, coloured=False),
    Board(1, 7, coloured=False),
    Board(64, 1, coloured=True),
    Board(32, 2, coloured=False),
    Board(3, 6, coloured=True, seats=3),
    Board(4, 3, coloured=False, players=3, seats=3, each="of each: player, "),
    Board(9, 8, coloured=True),
    Board(13, 11, coloured=False),
]
HUGE = Board(20, 20, coloured=False)
ALWAYS = [
    "cell is empty and (there is a direction where flanked(cell, direction, player) is not empty)",
    "(there is a direction where count of own_run(cell, direction, player) = 2)",
    "(there is a direction where ended(cell, direction))",
    "(beyond(cell, direction) is nothing for every direction)",
    "last of free_run(cell, north) is CORNER or first of free_run(cell, south) is nothing",
    "other_run(cell, west, player) is empty and cell is not CORNER",
    "cell is in surroundings of base and figure of cell is not figure of base",
    "(there is a direction where base is in free_run(cell, direction))",
    "(there is a direction where cell is barrier(base, direction))",
    "(there is a direction where base is barrier(cell, direction))",
]


@cache
def loaded(board: Board, conditions: tuple[str, ...]) -> Game:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "filling.yaml"
        file.write_text(rules(board, conditions), encoding="utf-8")
        return load(str(file))


def rules(board: Board, conditions: tuple[str, ...]) -> str:
    word = "colour" if board.coloured else "owner"
    box = "box" if board.coloured else "box of player"
    names = ["ann", "ben", "cleo"][: board.seats]
    colour = "colour of disc becomes player\n      " if board.coloured else ""
    turn = "colour of the disc in turned becomes player"
    corner = "cell(ann, 1, 1)" if board.each else "cell(1, 1)"
    counts = (f"player scores count of cells where {each}" for each in conditions)
    return GAME.format(
        seats=board.seats,
        names=", ".join(names),
        pieces=(COLOURED if board.coloured else OWNED).rstrip(),
        each=board.each,
        wide=board.wide,
        high=board.high,
        box=box,
        lay=f"let disc be the disc in {box}\n      {colour}move disc to cell",
        turn=turn if board.coloured else "move the disc in turned to box of player",
        holder=word,
        counts="\n      ".join(counts).replace("WHOSE", word).replace("CORNER", corner),
    )


@pytest.mark.parametrize("board", sample(BOARDS, test=4, full=2), ids=str)
def test_conditions_hold_for_the_same_cells(board: Board) -> None:
    maker = Maker(RngFactory(board.wide).stream(f"conditions on {board}"))
    conditions = tuple(maker.condition(["cell"], ["north", "east"], 2) for _ in range(4))
    conditions += tuple(maker.condition(["cell", "base"], ["north", "east"], 2) for _ in range(4))
    both = SideBySide(loaded(board, (*ALWAYS, *conditions)).program, board.players)
    for seed in range(2):
        assert both.play(seed) > 0


@pytest.mark.parametrize("board", [*sample(BOARDS, test=4, full=2), HUGE], ids=str)
def test_a_small_board_is_asked_without_a_loop(board: Board) -> None:
    program = loaded(board, tuple(ALWAYS)).program
    unit = written(Layout(program, board.players), PLAYING)
    (count,) = (each for each in unit.module.functions if each.name == "clause.count")
    loops = any(isinstance(each, Loop) for each in statements(count.body))
    assert loops == (board is HUGE)


def test_what_pays_for_itself_is_asked_without_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """All cells are asked at once, whether or not each pays for itself."""
    program = load("othello").program

    def loops() -> int:
        unit = written(Layout(program, 2), PLAYING)
        bodies = (function.body for function in unit.module.functions)
        return sum(isinstance(each, Loop) for body in bodies for each in statements(body))

    monkeypatch.setattr(cost, "HEAVY_PART", cost.MOST_STEPS)
    fewest = loops()
    monkeypatch.setattr(cost, "HEAVY_PART", 0)
    assert loops() == fewest
