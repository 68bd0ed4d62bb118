"""Games that stop, since their rules fault: counted apart and named, and the first of
them can be looked at. All others are summed up as if nothing had happened."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lawspeaker import study
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli import app
from lawspeaker.outside.loading import game_of, load
from lawspeaker.outside.storage import open_log
from lawspeaker.position.fault import RuleFault
from lawspeaker.study.lab.broken import Broken, Hole
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.tally import tally

GAME = """\
lawspeaker: 1
game: purse
title: The Purse
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  coin: {count: 3, starts in: purse}
places:
  purse: {holds: coin, seen by: everyone}
  out: {holds: coin, seen by: everyone}
numbers:
  amount: 1..4
choices:
  most: {says: How many coins are taken at the most., is: 4}
rules:
  game:
    says: Ann takes coins, and then Ben does.
    rule: |
      do taking(ann)
      do taking(ben)
  taking:
    says: A player takes coins, and has a point for each.
    given: {player: player}
    asks: How many coins do you take?
    guards:
      not_too_many: No more coins are taken than may be.
    rule: |
      player must take: amount
        where not_too_many: amount <= most
        otherwise: cannot happen
      draw amount coins from purse to out
      player scores amount
"""
THE_HOLE = "there is nothing left to draw"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--workers", "1"])


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "purse.yaml").write_text(GAME, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_what_is_kept_of_them_adds_up() -> None:
    one = Broken.of([(3, "a"), (5, "b"), (7, "a")])
    other = Broken.of([(1, "b"), (2, "c")])
    assert (
        one + other == other + one == Broken.of([(1, "b"), (2, "c"), (3, "a"), (5, "b"), (7, "a")])
    )
    assert (one + other).holes == (Hole("b", 2, 1), Hole("c", 1, 2), Hole("a", 2, 3))
    assert (one + other).games == 5
    assert Broken().games == 0


def test_the_others_are_summed_up() -> None:
    result = run("simulate", "./purse.yaml", "--games", "40", "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    broken = tally(play_games(load("./purse.yaml").program, 2, 1, range(40), ["random"] * 2)).broke
    assert 0 < broken.games < 40
    assert found["games"] == 40 - broken.games
    assert found["broken"]["games"] == broken.games
    assert [each["first"] for each in found["broken"]["holes"]] == [
        each.first for each in broken.holes
    ]
    assert sum(seat["wins"]["value"] for seat in found["seats"]) == pytest.approx(1)


def test_the_first_can_be_looked_at(tmp_path: Path) -> None:
    result = run("simulate", "./purse.yaml", "--games", "40", "--json")
    file = Path(json.loads(result.stdout)["log_of_broken"])
    assert str(file) in result.stderr.replace("'", "")
    log = open_log(file, Diagnostics())
    assert log is not None
    found = game_of(log, Diagnostics())
    assert found is not None
    game, _ = found
    match = game.replay(log)
    assert match.decision is not None
    broken = [option for option in match.decision.options if f"`{option.text}`" in result.stderr]
    (breaking,) = broken
    with pytest.raises(RuleFault, match=THE_HOLE):
        match.choose(breaking)


def test_a_line_of_the_table_tells_how_many() -> None:
    result = run("simulate", "./purse.yaml", "--games", "40")
    assert "stopped on a fault, besides" in result.stdout
    assert "purse.yaml:30:7: taking: there is nothing left to draw" in result.stderr


def test_where_all_break_there_is_nothing_to_sum_up() -> None:
    Path("purse.yaml").write_text(GAME.replace("count: 3", "count: 1"), encoding="utf-8")
    result = run("simulate", "./purse.yaml", "--games", "10")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "10 games stopped" in result.stderr
    told = json.loads(run("simulate", "./purse.yaml", "--games", "10", "--json").stdout)
    assert (told["games"], told["broken"]["games"]) == (0, 10)
    assert Path(told["log_of_broken"]).is_file()
    studied = study.simulate("./purse.yaml", 10, workers=1)
    assert (studied.json["games"], studied.json["broken"]["games"]) == (0, 10)
    assert len(studied["games"]) == 10


def test_what_breaks_before_anybody_is_asked_says_so() -> None:
    text = GAME.replace("      do taking(ann)\n", "      draw 4 coins from purse to out\n")
    Path("purse.yaml").write_text(text, encoding="utf-8")
    result = run("simulate", "./purse.yaml", "--games", "3")
    assert result.exit_code == 1
    assert "Game 0 breaks before anybody is asked." in result.stderr


@pytest.mark.full
def test_a_sweep_tells_of_the_values_under_which_games_break() -> None:
    words = ("sweep", "./purse.yaml", "--vary", "most=1..4", "--games", "30", "--json")
    result = run(*words)
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [each["values"]["most"] for each in found["broken"]] == [2, 3, 4]
    assert [each["values"]["most"] for each in found["points"]] == [1, 2, 3, 4]
    assert "with most = 2 stopped" in result.stderr
    assert found["points"][0]["measures"]["score"]["value"] == 1


@pytest.mark.full
def test_a_change_tells_how_many_pairs_it_rests_on() -> None:
    words = ("sweep", "./purse.yaml", "--vary", "most=2,3", "--games", "30", "--csv", "swept.csv")
    result = run(*words)
    rows = list(csv.DictReader(Path("swept.csv").read_text(encoding="utf-8").splitlines()))
    program = load("./purse.yaml").program
    ended = play_games(program, 2, 1, range(30), ["random"] * 2).ended
    (reference, *others) = rows
    assert [row["values.most"] for row in rows] == ["4", "2", "3"]
    assert (reference["games"], reference["pairs"]) == (str(ended.sum()), "")
    for row in others:
        assert 0 < int(row["pairs"]) < int(row["games"]) <= 30
        assert f"{row['values.most']}: {row['pairs']} of 30 pairs" in result.stdout


def test_of_a_game_that_broke_nothing_is_told_that_was_not_worked_out() -> None:
    run("simulate", "./purse.yaml", "--games", "20", "--csv", "games.csv")
    rows = list(csv.DictReader(Path("games.csv").read_text(encoding="utf-8").splitlines()))
    assert {bool(row["fault"]) for row in rows} == {True, False}
    for row in rows:
        told = {bool(row[name]) for name in ("score.ann", "score.ben", "winners")}
        assert told == {not row["fault"]}
    frame = study.simulate("./purse.yaml", 20, workers=1)["games"]
    assert {type(each) for each in frame.columns["score.ann"]} == {int, type(None)}


@pytest.mark.full
def test_a_measure_that_cannot_be_worked_out_is_blamed_itself() -> None:
    Path("purse.yaml").write_text(GAME.replace("count: 3", "count: 9"), encoding="utf-8")
    broken = "rest=1 / (count of coins in purse - count of coins in purse) rounded down"
    words = ("sweep", "./purse.yaml", "--vary", "most=1..2", "--games", "4", "--measure", broken)
    result = run(*words)
    assert result.exit_code == 1
    assert "4 games with most = 1 cannot be measured, since a measure has a hole:" in result.stderr
    assert "after its end: measure.rest: a division by zero" in result.stderr
    assert "the rules fault" not in result.stderr


@pytest.mark.full
def test_tuning_leaves_them_out() -> None:
    words = ("tune", "./purse.yaml", "--vary", "most=1..3", "--target", "score=2", "--games", "30")
    result = run(*words)
    assert result.exit_code == 0
    assert "Closest of 3 tried: most = 1." in result.stdout
    assert "Under 2 of those tried, games stop on a fault" in result.stdout


def test_where_all_values_break_there_is_no_answer() -> None:
    words = ("tune", "./purse.yaml", "--vary", "most=3..4", "--target", "score=2", "--games", "30")
    result = run(*words)
    assert result.exit_code == 1
    assert "games stop on a fault under all of these values" in result.stderr


@pytest.mark.full
def test_the_log_of_other_rules_or_players_is_another_file() -> None:
    """What was told before still opens the game it was told of."""
    common = ("simulate", "./purse.yaml", "--games", "40", "--json")
    logs = [
        json.loads(run(*common, *bots).stdout)["log_of_broken"]
        for bots in ((), ("--bots", "greedy,random"))
    ]
    Path("purse.yaml").write_text(GAME.replace("player scores amount", "player scores 2"))
    logs.append(json.loads(run(*common).stdout)["log_of_broken"])
    assert all(Path(each).is_file() for each in logs)
    assert len(set(logs)) == len(logs)
