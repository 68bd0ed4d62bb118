"""What is planned as straight is written without branches, loops, calls, stores and stops."""

from __future__ import annotations

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.compiled import compile_module
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.middle.forms import (
    Binary,
    Call,
    Either,
    Expr,
    Set,
    Statement,
    Variable,
)
from lawspeaker.machines.middle.walk import STOPPING, expressions
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from lawspeaker.position.layout import Layout
from tests.compiled.side_by_side import SideBySide


def is_crooked(node: Expr | Statement) -> bool:
    """Whether something branches, calls, stores or may stop."""
    match node:
        case Binary(operation=operation):
            return operation in STOPPING
        case Set(target=target):
            return not isinstance(target, Variable)
    return isinstance(node, Call | Either | Statement)


@pytest.mark.parametrize("name", ["chess", "mill_wheel", "stowaways", "walhalla"])
def test_what_is_planned_as_straight_is_written_so(
    name: str, uncached: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []
    straight = Code.straight

    def checked(c: Code, expr: ir.Expr) -> Expr | None:
        before = len(c.f._open)
        value = straight(c, expr)
        if value is None:
            return None
        written: list[Expr | Statement] = [*c.f._open[before:], value]
        parts = [part for node in written for part in (node, *expressions(node))]
        assert not any(map(is_crooked, parts)), expr
        lengths.append(len(parts))
        return value

    monkeypatch.setattr(Code, "straight", checked)
    program = load(name).program
    compile_module(Layout(program, program.most), WATCHING)
    assert lengths
    assert max(lengths) <= 100


GUARDED = """\
lawspeaker: 1
game: guarded
players: {from: 2, to: 2, called: [black, white]}
pieces:
  stone: {of each: player, count: 4, starts in: bowl}
places:
  bowl:  {of each: player, holds: stone, seen by: everyone}
  point: {grid: 3 by 2, holds: stone, room: 1, seen by: everyone}
rules:
  game:
    says: The players place stones in turn, three times each.
    rule: |
      repeat 3 times:
        for each player:
          do turn(player)
  turn:
    says: A player places a stone that does not lie above another one.
    given: {player: player}
    asks: Where do you place a stone?
    guards: {free: Nothing lies below.}
    rule: |
      player may place: point where point is empty
        where free: CONDITION
        then: do placing(player, point)
  placing:
    says: A stone is placed.
    given: {player: player, point: point}
    rule: move a stone in bowl of player to point
"""


NO_PLACE = "row of point = 2 or point(column of point, row of point + 1) is empty"
NO_NAME = "there is a stone in point(column of point, 2) and owner of stone is not player"


def guarded(condition: str) -> ir.Program:
    text, out = GUARDED.replace("CONDITION", condition), Diagnostics()
    program = compile_game(SourceFile("guarded", text), lambda *_: None, schema("game"), out)
    assert program is not None, [(each.message, each.span.text) for each in out]
    return program


@pytest.mark.usefixtures("uncached")
@pytest.mark.parametrize("condition", [NO_PLACE, f"row of point = 2 or {NO_NAME}"])
def test_what_counts_on_a_condition_is_never_straight(condition: str) -> None:
    """There is no point below the last row, and a stone has a name only where there is one."""
    both = SideBySide(guarded(condition), 2)
    assert sum(both.play(seed) for seed in range(4)) > 12


@pytest.mark.usefixtures("uncached")
def test_a_place_that_is_not_there_is_a_fault() -> None:
    """Numbers that can be too large are never taken for indices that are harmless."""
    both = SideBySide(guarded("point(column of point, row of point + 1) is empty"), 2)
    assert both.play(1) == 0
