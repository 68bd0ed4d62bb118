"""Simulations: the same numbers with any number of workers, and honest intervals."""

from __future__ import annotations

import json
import math
from random import Random

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.cli import app
from lawspeaker.simulate import Mean, Tally, game_seed, play_game, share
from lawspeaker.workers import records

GAME = lawspeaker.load("walhalla")


def test_records_do_not_depend_on_the_number_of_workers() -> None:
    bots = ["random"] * 3
    alone = list(records("walhalla", GAME.program, 3, 7, bots, 10, workers=1))
    together = list(records("walhalla", GAME.program, 3, 7, bots, 10, workers=2))
    assert alone == together
    assert [each.number for each in alone] == list(range(10))


def test_a_game_has_a_seed_of_its_own() -> None:
    assert len({game_seed(1, number) for number in range(1000)}) == 1000
    assert game_seed(1, 5) != game_seed(2, 5)
    one = play_game(GAME.program, 4, 1, 3, ["random"] * 4)
    assert one == play_game(GAME.program, 4, 1, 3, ["random"] * 4)


def test_clauses_are_counted() -> None:
    record = play_game(GAME.program, 4, 1, 0, ["random"] * 4)
    times = {GAME.program.clauses[clause].id: count for clause, count in record.clauses}
    assert times["raid"] == 3
    assert times["next_raid"] == 2
    assert times["turn"] == times["sending"] <= 36


def test_a_clause_that_never_fires_is_named() -> None:
    tally = Tally(GAME.program, 3, ["random"] * 3)
    summary = tally.summary()
    assert "boarding.guest" in summary.never
    tally.add(play_game(GAME.program, 3, 1, 0, ["random"] * 3))
    assert "boarding.guest" not in tally.summary().never


def test_the_mean_and_its_interval() -> None:
    values = [Random(1).gauss(10, 2) for _ in range(1)] + [4.0, 6.0, 8.0, 14.0]
    mean = Mean()
    for value in values:
        mean.add(value)
    expected = sum(values) / len(values)
    deviation = math.sqrt(sum((each - expected) ** 2 for each in values) / (len(values) - 1))
    assert mean.mean == pytest.approx(expected)
    assert mean.deviation == pytest.approx(deviation)
    estimate = mean.estimate()
    assert estimate.high - expected == pytest.approx(1.959964 * deviation / math.sqrt(len(values)))


def test_wilsons_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    luck, truth, hits = Random(3), 0.15, 0
    for _ in range(400):
        found = share(sum(luck.random() < truth for _ in range(60)), 60)
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def test_a_share_of_nothing_says_nothing() -> None:
    found = share(0, 0)
    assert (found.low, found.high) == (0.0, 1.0)


def test_the_command_prints_tables_and_json(tmp_path: object) -> None:
    runner = CliRunner()
    shown = runner.invoke(app, ["simulate", "walhalla", "-n", "4", "--workers", "1"])
    assert shown.exit_code == 0
    assert "By seat" in shown.output
    assert "decisions a game" in shown.output
    found = runner.invoke(app, ["simulate", "walhalla", "-n", "4", "--workers", "1", "--json"])
    data = json.loads(found.stdout)
    assert data["games"] == 4
    assert len(data["seats"]) == 4
    assert data["digest"] == GAME.program.digest


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["walhalla", "--bots", "greedi"], "greedy"),
        (["walhalla", "--players", "7"], "3 to 4 players"),
        (["walhalla", "--bots", "random,random"], "2 bots are named for 4 seats"),
    ],
)
def test_a_wrong_call_is_answered_in_a_line(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["simulate", *arguments])
    assert result.exit_code == 2
    assert words in result.output


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    result = CliRunner().invoke(app, ["simulate", "wallhalla"])
    assert result.exit_code == 1
    assert "walhalla" in result.output
