"""How much a difference matters, in paired games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate
from rich.console import Console
from typer.testing import CliRunner

from lawspeaker.faces.cli import app, finding
from lawspeaker.faces.render.findings import effect_lines, how_measured, measures
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.loading import load, schema
from lawspeaker.outside.rules import MatchSetup, Rules
from lawspeaker.outside.workers import Paired, paired, paired_jobs
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.control import independent_seed
from lawspeaker.study.compare.effect import Effect, Pairs, pairs
from lawspeaker.study.compare.findings import Findings
from lawspeaker.study.compare.triggers import point_of, rules_with
from lawspeaker.study.lab.games import Games, games_of, play_games
from lawspeaker.study.lab.record import Record, play_game
from lawspeaker.study.lab.statistics import share
from tests.compare.stall import stall_rulesets


def effect(folder: Path, change: str, count: int = 40) -> Effect:
    first, other = stall_rulesets(folder, {"other": f"changes: [{change}]\n"})
    one, two, anew = (
        play_games(each.program, 3, seed, range(count), ["random"] * 3)
        for each, seed in ((first, 1), (other, 1), (first, independent_seed(1)))
    )
    found = pairs(one, two, anew)
    assert found == pairs(one[:7], two[:7], anew[:7]) + pairs(one[7:], two[7:], anew[7:])
    return found.effect(NAMES)


NAMES = ("ann", "ben", "cy")


def made_up(number: int) -> Record:
    return Record(number, (1, 2), (1,), 0, 3, 6, 0, (), (), (), trail=4)


def games_from(*records: Record) -> Games:
    return games_of(load("nim").program, 2, records)


def test_no_difference_is_detected_where_there_is_none(tmp_path: Path) -> None:
    found = effect(tmp_path, "{set: names.plum.de, to: Zwetschge}")
    assert not found.detected
    assert found.in_step
    assert found.clear == ()
    assert found.weight == (0, 0, 0)
    assert found.differs.value == 0
    assert found.anew.value > 0.3, "other luck makes other winners"
    assert 0 < found.differs.high < 0.1, "how often it can be at most is still said"


def test_a_point_for_everyone_is_just_that(tmp_path: Path) -> None:
    found = effect(tmp_path, "{set: thanks, to: {2 players: 0, 3 players: 3}}")
    assert found.differs.value == found.outcome.value == 1
    assert found.winner.value == 0
    assert found.in_step
    assert found.weight == (0, 2, 1)
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
        pairs(games_from(made_up(0)), games_from(made_up(1)), games_from(made_up(0)))


@pytest.mark.full
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
    others, tables = [nim, replace(nim, patch=patch)], [MatchSetup(("random",) * 2, 1)]
    found = [
        [each for part in paired(nim, others, tables, range(5), Crew(workers)) for each in part]
        for workers in (1, 2)
    ]
    assert found[0] == found[1]
    assert len(found[0]) == paired_jobs(len(others), tables, range(5)) == 2
    same, other = found[0]
    assert (same.other, same.pairs.games, same.pairs.differs) == (0, 5, 0)
    assert (other.other, other.pairs.games, other.pairs.differs) == (1, 5, 5)


def test_bots_who_think_play_all_rules_number_by_number() -> None:
    nim = Rules.of("nim")
    tables = [MatchSetup(("greedy", "random"), 1)]
    parts = list(paired(nim, [nim, nim], tables, range(2), Crew(1)))
    assert len(parts) == paired_jobs(2, tables, range(2)) == 2
    for part in parts:
        assert [(each.other, each.pairs.games, each.pairs.differs) for each in part] == [
            (0, 1, 0),
            (1, 1, 0),
        ]


PRAISE = """\
changes:
  - add: praise
    says: Who takes a plum is praised.
    after: picking
    given: {player: player}
    rule: |
      if there is a fruit in basket of player where fruit is plum:
        do praise.said
  - add: praise.said
    says: Praise is worth a point to Ann.
    rule: |
      ann scores 1
"""


def test_in_how_many_games_a_rule_is_done_is_counted(tmp_path: Path) -> None:
    first, other = stall_rulesets(tmp_path, {"other": PRAISE})
    both = (first.program, other.program)
    (new,) = rules_with(both, "praise.said")
    (number,) = (each.index for each in other.program.clauses if each.id == new)
    one, two, anew = (
        play_games(each.program, 3, seed, range(40), ["random"] * 3)
        for each, seed in ((first, 1), (other, 1), (first, independent_seed(1)))
    )
    found = pairs(one, two, anew, ((), (number,)))
    halves = [
        pairs(one[some], two[some], anew[some], ((), (number,)))
        for some in (slice(7), slice(7, 40))
    ]
    assert found == halves[0] + halves[1]
    records = (play_game(other.program, 3, 1, each, ["random"] * 3) for each in range(40))
    done = sum(any(clause == number for clause, _ in each.clauses) for each in records)
    assert 0 < done < 40
    told = found.effect(NAMES)
    assert told.came_up == share(done, 40)
    shown = dict(measures(told, NAMES, "en"))["came_up"]
    assert shown.startswith(f"{done / 0.4:.1f}\N{NO-BREAK SPACE}%")
    assert pairs(one, two, anew).effect(NAMES).came_up is None


def test_a_value_comes_up_with_the_rules_that_use_it(tmp_path: Path) -> None:
    first, other = stall_rulesets(tmp_path, {"other": "changes: [{set: thanks, to: 4}]\n"})
    both = (first.program, other.program)
    assert rules_with(both, "thanks") == {"thanking"}
    assert rules_with(both, "picking.not_full") == {"picking"}
    assert rules_with(both, "pieces.fruit") == set()
    (difference,) = compare([first, other]).differences
    assert point_of(difference, 1) == "thanks"


@pytest.mark.full
def test_whoever_stops_gets_what_is_known_by_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stall_rulesets(tmp_path, {"other": "changes: [{set: rounds, to: 3}]\n"})
    monkeypatch.chdir(tmp_path)

    def interrupted(*args: Any) -> Iterator[list[Paired]]:
        parts = paired(*args)
        yield from (next(parts) for _ in range(4))
        raise KeyboardInterrupt

    monkeypatch.setattr("lawspeaker.faces.cli.finding.paired", interrupted)
    bots = ("--bots", "greedy,random,random", "--workers", "1")
    call = ["compare", "stall", "stall+other", "--effect", "9", *bots]
    shown = CliRunner().invoke(app, call)
    assert shown.exit_code == 130
    assert "stopped after 4 of 9 pairs" in shown.stderr
    assert "other book, 4 pairs, 3 players, bots: greedy,random,random" in shown.stdout
    data = json.loads(CliRunner().invoke(app, [*call, "--json"]).stdout)
    validate(data, schema("compare"))
    assert data["played"]["stopped"]
    assert data["played"]["pairs"] == 9
    assert [each["games"] for each in data["tellings"][1]["effects"]] == [4]


def test_a_long_wait_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    seconds = iter([0.0, 30.0, 60.0])
    monkeypatch.setattr("lawspeaker.faces.cli.finding.complain", told.append)
    monkeypatch.setattr("lawspeaker.faces.cli.finding.monotonic", lambda: next(seconds))
    pace = finding._Pace(parts=22, hands=2)
    for _ in range(4):
        pace.advance()
    assert told == ["about 10 min more to play; Ctrl-C shows what is known by then"]


def test_games_that_break_only_count_as_other_games() -> None:
    whole = [made_up(0), made_up(1)]
    broken = [whole[0], replace(whole[1], scores=(0, 0), winners=(), trail=9, fault="a hole")]
    found = pairs(games_from(*whole), games_from(*broken), games_from(*whole)).effect(("a", "b"))
    assert (found.games, found.broken) == (2, 1)
    assert found.differs.value == 0.5
    assert found.outcome.value == 0
    assert found.score.value == 0


def test_the_holes_are_named_the_most_frequent_first() -> None:
    def broken(number: int, fault: str) -> Record:
        return replace(made_up(number), scores=(0, 0), winners=(), trail=9, fault=fault)

    one = [broken(0, "a: stuck"), made_up(1), made_up(2), made_up(3)]
    other = [broken(0, "a: stuck"), broken(1, "b: empty"), broken(2, "b: empty"), made_up(3)]
    anew = [made_up(number) for number in range(4)]

    def some(numbers: slice) -> Pairs:
        without, with_it, again = (games_from(*each[numbers]) for each in (one, other, anew))
        return pairs(without, with_it, again)

    found = some(slice(4))
    assert found == some(slice(2)) + some(slice(2, 4))
    told = found.effect(("a", "b"))
    assert told.broken == 3
    assert told.holes == (("b: empty", 2), ("a: stuck", 1)), "both games of a pair count once"


def test_games_that_break_alike_are_told_although_nothing_differs() -> None:
    games = games_from(made_up(0), replace(made_up(1), winners=(), fault="a: no [red] one"))
    found = pairs(games, games, games).effect(("a", "b"))
    assert not found.detected
    console = Console(file=StringIO(), width=100)
    console.print(effect_lines(found, Findings(bots="random", seats=("a", "b")), "other", "en"))
    assert isinstance(console.file, StringIO)
    (line,) = (each for each in console.file.getvalue().splitlines() if "break" in each)
    assert line.split("break")[1].strip() == "1: a: no [red] one"


@pytest.mark.parametrize("language", ["en", "de", "it", "fr"])
def test_what_only_skill_can_use_does_not_show_with_random_players(language: str) -> None:
    for bots in ("random", "random,random"):
        assert "--bots=mc:50" in how_measured(Findings(bots=bots), language)[-1]
    for bots in ("mc:50", "random,mc:50", "greedy"):
        assert len(how_measured(Findings(bots=bots), language)) == 1


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


@pytest.mark.full
def test_the_command_says_which_rule_has_a_hole_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stall_rulesets(tmp_path, {"hole": HOLE})
    monkeypatch.chdir(tmp_path)
    call = ["compare", "stall", "stall+hole", "--effect", "10", "--players", "3", "--workers", "1"]
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
    (measured,) = found["effects"]
    assert measured["holes"] == [{"fault": why, "games": int(count)}]
    (again,) = data["played"]["again"]
    assert (again["players"], again["games"], again["differs"]["value"]) == (3, 10, 0)


@pytest.mark.full
def test_pairs_are_played_until_changes_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stall_rulesets(tmp_path, {"other": "changes: [{set: rounds, to: 3}]\n"})
    monkeypatch.chdir(tmp_path)
    call = ["compare", "stall", "stall+other", "--players", "2", "--workers", "1", "--json"]
    result = CliRunner().invoke(app, [*call, "--effect", "3000", "--precision", "10"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    effects = told["tellings"][1]["effects"]
    validate(told, schema("compare"))
    assert effects
    for each in effects:
        assert 100 <= each["games"] < 3000
        assert each["looks"] >= 1
        assert all(seat["wins"]["high"] - seat["wins"]["low"] <= 0.2 for seat in each["seats"])
    refused = CliRunner().invoke(app, [*call, "--precision", "10"])
    assert refused.exit_code == 2
    assert "--effect 20000" in refused.output
