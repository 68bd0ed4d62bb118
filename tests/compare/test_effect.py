"""How much a difference matters, in paired games."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from io import StringIO
from pathlib import Path

import pytest
from jsonschema import validate
from rich.console import Console
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.faces.cli.finding import _pairs
from lawspeaker.faces.render.findings import effect_lines
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.loading import load, schema
from lawspeaker.outside.workers import Rules, Table, sums
from lawspeaker.study.compare.effect import Effect, pairs
from lawspeaker.study.lab.exact_sums import added
from lawspeaker.study.lab.games import Games, games_of, play_games
from lawspeaker.study.lab.record import Record
from tests.compare.stall import tellings


def effect(folder: Path, change: str, count: int = 40) -> Effect:
    first, other = tellings(folder, {"other": f"changes: [{change}]\n"})
    one, two = (
        play_games(each.program, 3, 1, range(count), ["random"] * 3) for each in (first, other)
    )
    found = pairs(one, two)
    assert found == pairs(one[:7], two[:7]) + pairs(one[7:], two[7:])
    return found.effect(NAMES)


NAMES = ("ann", "ben", "cy")


def made_up(number: int) -> Record:
    return Record(number, (1, 2), (1,), 0, 3, 6, 0, (), (), (), trail=4)


def together(*records: Record) -> Games:
    return games_of(load("nim").program, 2, records)


def test_no_difference_is_detected_where_there_is_none(tmp_path: Path) -> None:
    found = effect(tmp_path, "{set: names.plum.de, to: Zwetschge}")
    assert not found.detected
    assert found.clear == ()
    assert found.differs.value == 0
    assert 0 < found.differs.high < 0.1, "how often it can be at most is still said"


def test_a_point_for_everyone_is_just_that(tmp_path: Path) -> None:
    found = effect(tmp_path, "{set: thanks, to: {2 players: 0, 3 players: 3}}")
    assert found.differs.value == found.outcome.value == 1
    assert found.winner.value == 0
    assert (found.score.value, found.score.low, found.score.high) == (2, 2, 2)
    assert found.length.value == 0
    assert "score" in found.clear
    assert [seat.score.value for seat in found.seats] == [2, 2, 2]


def test_who_loses_points_wins_less_often(tmp_path: Path) -> None:
    found = effect(tmp_path, "{remove: farewell}", 60)
    ann, ben, cy = found.seats
    assert ann.score.value == -1
    assert ann.wins.value < 0 < ben.wins.value + cy.wins.value
    assert abs(sum(seat.wins.value for seat in found.seats)) < 1e-9


def test_a_longer_game_has_more_decisions(tmp_path: Path) -> None:
    found = effect(tmp_path, "{set: rounds, to: 3}")
    assert found.length.low > 0


def test_only_pairs_are_compared() -> None:
    with pytest.raises(AssertionError):
        pairs(together(made_up(0)), together(made_up(1)))


def test_the_number_of_workers_does_not_matter() -> None:
    patch = """\
lawspeaker: 1
variant: alone
of: nim
layer: house rule
title: Larger
changes: [{set: heap.sizes, to: [3, 4, 4]}]
"""
    nim = Rules.of("nim")
    rules = [nim, replace(nim, patch=patch)]
    table = Table(("random",) * 2, 1)
    found = [
        reduce(added, sums(rules, table, range(5), _pairs, Crew(workers))) for workers in (1, 2)
    ]
    assert found[0] == found[1]
    same, other = found[0]
    assert (same.games, same.differs) == (other.games, 0) == (5, 0)
    assert other.differs == 5


def test_games_that_break_only_count_as_other_games() -> None:
    whole = [made_up(0), made_up(1)]
    broken = [whole[0], replace(whole[1], scores=(0, 0), winners=(), trail=9, fault="a hole")]
    found = pairs(together(*whole), together(*broken)).effect(("a", "b"))
    assert (found.games, found.broken) == (2, 1)
    assert found.differs.value == 0.5
    assert found.outcome.value == 0
    assert found.score.value == 0


def test_the_holes_are_named_the_most_frequent_first() -> None:
    def broken(number: int, fault: str) -> Record:
        return replace(made_up(number), scores=(0, 0), winners=(), trail=9, fault=fault)

    one = [broken(0, "a: stuck"), made_up(1), made_up(2), made_up(3)]
    other = [broken(0, "a: stuck"), broken(1, "b: empty"), broken(2, "b: empty"), made_up(3)]
    found = pairs(together(*one), together(*other))
    assert found == pairs(together(*one[:2]), together(*other[:2])) + pairs(
        together(*one[2:]), together(*other[2:])
    )
    told = found.effect(("a", "b"))
    assert told.broken == 3
    assert told.holes == (("b: empty", 2), ("a: stuck", 1)), "both games of a pair count once"


def test_games_that_break_alike_are_told_although_nothing_differs() -> None:
    games = together(made_up(0), replace(made_up(1), winners=(), fault="a: no [red] one"))
    found = pairs(games, games).effect(("a", "b"))
    assert not found.detected
    console = Console(file=StringIO(), width=100)
    console.print(effect_lines(found, ("a", "b"), "other", "en"))
    assert isinstance(console.file, StringIO)
    (line,) = (each for each in console.file.getvalue().splitlines() if "break" in each)
    assert line.split("break")[1].strip() == "1: a: no [red] one"


HOLE = """\
changes:
  - set: rules.thanking
    to:
      says: Everyone is thanked.
      cites: {old: The end}
      rule: |
        for each player:
          if score of player > 1:
            draw 5 fruits from crate to basket of player
          player scores thanks
"""


def test_the_command_says_which_rule_has_a_hole_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tellings(tmp_path, {"hole": HOLE})
    monkeypatch.chdir(tmp_path)
    call = ["compare", "stall", "stall+hole", "--effect", "10", "--workers", "1"]
    shown = CliRunner().invoke(app, call, env={"COLUMNS": "200"})
    why = "thanking: there is nothing left to draw"
    broken = [line.split("break")[1] for line in shown.stdout.splitlines() if "that break" in line]
    alone, together = broken
    count = alone.split(":")[0].strip()
    assert int(count) > 0
    assert alone.strip() == f"{count}: {why}", "the difference alone is in no file"
    place = "variants/stall/hole.yaml:14:13"
    assert together.strip() == f"{count}: {place}: {why}"
    data = json.loads(CliRunner().invoke(app, [*call, "--json"]).stdout)
    validate(data, schema("compare"))
    (difference,) = data["differences"]
    (found,) = difference["findings"]
    assert found["effect"]["holes"] == [{"fault": why, "games": int(count)}]
