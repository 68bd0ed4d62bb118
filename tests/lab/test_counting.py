"""What the lab counts of a game: alternatives and parts that were chosen, and clauses that changed
something, on both machines alike."""

from __future__ import annotations

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.study.lab.games import games_of, play_games
from lawspeaker.study.lab.record import play_game
from lawspeaker.study.lab.tally import tally

CHOOSING = """\
lawspeaker: 1
game: choosing
players: {from: 2, to: 2, called: [red, blue]}
words:
  corner: [north, south]
pieces:
  stone: {of each: player, starts in: bag, kinds: {pebble: 3, rock: 3}}
places:
  bag: {of each: player, holds: stone, seen by: everyone}
  yard: {at: corner, holds: stone, arranged: pile, seen by: everyone}
rules:
  game:
    says: Three rounds.
    rule: |
      repeat 3 times:
        for each player:
          do turn(player)
  turn:
    says: A player may go somewhere with a stone.
    given: {player: player}
    asks: Where do you go?
    rule: |
      player may choose one of
        go: corner, stone in bag of player
          then: move stone to yard(corner)
        stay
      do gaining(player)
      do order
  gaining:
    says: A point for each stone in the north, for red only.
    given: {player: player}
    rule: |
      if player is red:
        player scores count of stones in yard(north)
  order:
    says: Nothing is ever changed by this one.
    rule: |
      red scores 0
      do idle
  idle:
    says: Nothing is done at all.
    rule: |
      if red is blue:
        shuffle yard(north)
"""


def compile_text(text: str) -> ir.Program:
    diagnostics = Diagnostics()
    source = SourceFile("game.yaml", text)
    program = compile_game(source, lambda *_: None, schema("game"), diagnostics)
    assert program is not None, diagnostics.sorted()
    return program


@pytest.mark.parametrize("machine", ["compiled", "reference"])
def test_alternatives_and_what_changed_something_are_counted(machine: str) -> None:
    program = compile_text(CHOOSING)
    bots = ["random"] * 2
    if machine == "compiled":
        games = play_games(program, 2, 4, range(200), bots)
    else:
        records = [play_game(program, 2, 4, number, bots) for number in range(200)]
        games = games_of(program, 2, records)
    found = tally(games).summary(program, bots)
    times = {each.option: each.times for each in found.uses}
    goes = ("go corner, stone", "go north, …", "go south, …", "go …, pebble", "go …, rock")
    assert tuple(times) == ("pass", *goes, "stay")
    assert times["go north, …"] + times["go south, …"] == times["go corner, stone"]
    assert times["pass"] + times["go corner, stone"] + times["stay"] == pytest.approx(6)
    assert {each.question for each in found.uses} == {"turn"}
    fired = dict(found.fired)
    assert found.never == ("order", "idle")
    assert 0 < fired["gaining"] < 3, "blue gains nothing, red only from stones"
    assert fired["gaining"] + times["go south, …"] / 2 < fired["turn"] < 6


@pytest.mark.full
def test_what_a_bot_imagines_is_not_counted() -> None:
    for name in ("greedy", "random"):
        record = play_game(compile_text(CHOOSING), 2, 4, 0, [name] * 2)
        assert max(times for _, times in record.clauses) <= 6
