"""Regions and borders: both machines find the same, however large the board is and whatever is kept
of it.

On a small board regions grow as bits, unless something is supposed there; on larger ones, and where
words or players hang together, they are gone through one by one.
"""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.compiled import compile_module
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import Flood, Searched, Sets
from lawspeaker.machines.purpose import STEPPING
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from lawspeaker.position.layout import Layout
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide
from tests.language.games import GOOD
from tests.tiers import sample

pytestmark = pytest.mark.full

BOARD = """\
lawspeaker: 1
game: board
players: {{from: 2, to: 2}}
words:
  town:
    has: {{road: {{with each: town, is: truth}}}}
    are:
      york:  {{road: {{leeds: true}}}}
      leeds: {{road: {{york: true, hull: true}}}}
      hull:  {{road: {{ely: true}}}}
      ely:   {{}}
pieces:
  stone: {{of each: player, count: 60, starts in: bowl}}
places:
  bowl: {{of each: player, holds: stone, seen by: everyone}}
  point: {{{size}, holds: stone, room: 1, seen by: everyone}}
rules:
  game:
    says: Stones are laid at random, and what hangs together is counted.
    asks: How do you go on?
    rule: |
      repeat 8 times:
        for each player:
          pick a random point where point is empty
          move a stone in bowl of player to point
          player must look: number in 1..2
          for each point as other in surroundings of point:
            player scores count of group of other + 10 * count of liberties of other
          let own be all points as mine where holder of mine is player
          let area be region from own by surroundings of next to each point as next
            while next is empty and {where}
          player scores count of area
          if point is in area: player scores number
          if {supposed}: player scores count of surroundings of (area - [point])
          let edge be neighbours of area
          player scores sum of column of outer * row of outer for each point as outer in edge
          let corner be last of group of point
          if corner is not nothing: player scores row of corner
          for each town where york is in region from town by linked of next to each town as next
              while next is not ely or score of player > 40:
            player scores number of town

  linked:
    says: Where roads lead to from a town.
    define: linked of town
    as: all towns as other where road of town with other

  group:
    says: Stones of one player that hang together.
    define: group of point
    as: region from point to each point as next while holder of next is holder of point

  liberties:
    says: What is free beside a group.
    define: liberties of point
    as: all points as free in neighbours of group of point where free is empty

  holder:
    says: Whose stone lies there.
    define: holder of point
    as: if there is a stone in point then owner of stone else nothing
"""
SUPPOSED = (
    "there is a stone in bowl of player where supposing stone moves to point(1, 1), "
    "count of group of point(1, 1) > 1"
)


@cache
def board(size: str, where: str, supposed: str) -> ir.Program:
    text = BOARD.format(size=size, where=where, supposed=supposed)
    out = Diagnostics()
    program = compile_game(SourceFile("board", text), lambda *_: None, schema("game"), out)
    assert program is not None, [(each.message, each.span.text) for each in out]
    return program


@pytest.mark.parametrize(
    "size, where, supposed",
    sample(
        [
            ("grid: 5 by 5", "yes", "yes"),
            ("grid: 8 by 8", "column of next < 7", "yes"),
            ("grid: 5 by 4", "yes", SUPPOSED),
            ("hexes: 6 by 5", "yes", "yes"),
            ("hexes: 9 by 8", "yes", SUPPOSED),
            ("grid: 9 by 9", "row of next > 2", "yes"),
            ("grid: 13 by 13", "yes", SUPPOSED),
            ("grid: 13 by 13", "column of next < 9", "yes"),
            ("hexes: 11 by 11", "row of next > 2", "yes"),
            ("grid: 9 by 9", "12 / (column of next - 3) rounded down > 0", "yes"),
            ("grid: 6 by 6", "12 / (column of next - 3) rounded down > 0", "yes"),
        ],
        test=2,
    ),
)
def test_both_machines_find_the_same(size: str, where: str, supposed: str) -> None:
    """Or the same fault, of the same place."""
    both = SideBySide(board(size, where, supposed), 2)
    for seed in range(3):
        both.play(seed)


@pytest.mark.parametrize("name", ["regions", "lines"])
def test_they_do_so_on_tables_of_other_sorts_and_with_words(name: str) -> None:
    both = SideBySide(load(str(GOOD / f"{name}.yaml")).program, 2)
    for seed in range(4):
        assert both.play(seed) > 3


def test_whole_games_have_equal_records() -> None:
    check_records(load(str(GOOD / "regions.yaml")).program, 2, 20)


def test_a_small_board_is_flooded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless something is supposed there, when nobody keeps who holds a place."""
    answers: list[bool] = []
    region = Sets.region

    def noted(sets: Sets, source: ir.Region, names: Names) -> Flood | Searched:
        found = region(sets, source, names)
        answers.append(isinstance(found, Flood))
        return found

    monkeypatch.setattr(Sets, "region", noted)
    for where, supposed, wanted in (("yes", "yes", True), ("yes", SUPPOSED, False)):
        answers.clear()
        compile_module(Layout(board("grid: 5 by 5", where, supposed), 2), STEPPING)
        assert any(answers) is wanted
