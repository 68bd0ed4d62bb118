"""Simulations: the same numbers with any number of workers, and all that is counted is right."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial, reduce
from io import StringIO
from operator import add
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.faces.render.simulation import tables
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.rules import MatchSetup, Rules, program_of
from lawspeaker.outside.workers import sums
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.position.standing import sole_leader
from lawspeaker.study.lab.broken import Hole
from lawspeaker.study.lab.choice_names import things, told
from lawspeaker.study.lab.exact_sums import mean
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import Games, games_of, play_games
from lawspeaker.study.lab.measures import measured
from lawspeaker.study.lab.record import Record, game_seed, play_game
from lawspeaker.study.lab.statistics import Mean
from lawspeaker.study.lab.tally import Summary, Tally, tally
from tests import library
from tests.tiers import sample

walhalla = partial(library.game, "walhalla")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["simulate", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def tallied(games: Sequence[Games]) -> Tally:
    (played,) = games
    return tally(played)


@pytest.mark.parametrize(
    "name, bots", [("walhalla", ("random",) * 3), ("nim", ("greedy", "random"))]
)
def test_a_tally_does_not_depend_on_who_counted_what(name: str, bots: tuple[str, ...]) -> None:
    rules = Rules.of(name)
    at_once = tally(play_games(program_of(rules), len(bots), 7, range(3, 11), bots))
    for workers in (1, 2):
        found = list(sums([rules], MatchSetup(bots, 7), range(3, 11), tallied, Crew(workers)))
        assert len(found) > 1
        assert reduce(add, found) == reduce(add, reversed(found)) == at_once
    assert at_once.games == 8


def test_a_game_has_a_seed_of_its_own() -> None:
    assert len({game_seed(1, number) for number in range(1000)}) == 1000
    assert game_seed(1, 5) != game_seed(2, 5)
    one = play_game(walhalla().program, 4, 1, 3, ["random"] * 4)
    assert one == play_game(walhalla().program, 4, 1, 3, ["random"] * 4)


def test_what_is_counted_is_what_happened() -> None:
    """The same game, played by hand and counted from what the match tells of itself."""
    own = game_seed(1, 2)
    match = walhalla().start(4, own)
    seats = [bot("random", seat_seed(own, seat)) for seat in range(4)]
    asked: list[int] = []
    options = 0
    leaders: list[int] = []
    while decision := match.decision:
        seat = decision.seat
        assert seat is not None
        asked.append(seat)
        options += len(decision.options)
        option = reply(seats[seat], match, seat)
        match.choose(option, seat=seat)
        ahead = sole_leader(match.machine.layout, match.scores)
        if ahead is not None and leaders[-1:] != [ahead]:
            leaders.append(ahead)
    record = play_game(walhalla().program, 4, 1, 2, ["random"] * 4)
    assert record.scores == tuple(match.scores)
    assert record.winners == match.winners
    assert record.starter == asked[0]
    assert (record.decisions, record.options) == (len(asked), options)
    assert record.leads == len(leaders) - 1
    for seat in range(4):
        told: Counter[int] = Counter()
        for row in match.why_points(seat):
            assert row.clause is not None
            told[row.clause.index] += row.total
        counted = {clause: points for clause, who, points in record.points if who == seat}
        assert counted == told


def test_what_was_chosen_is_counted() -> None:
    record = play_game(walhalla().program, 4, 1, 0, ["random"] * 4)
    choosable = things(walhalla().program, 4)
    chosen: Counter[str] = Counter()
    for number, _, times in record.uses:
        chosen[told(choosable.layout, choosable.things[number])] += times
    fired = {walhalla().program.clauses[clause].id: times for clause, times in record.clauses}
    assert chosen["play hunt"] == fired.get("cards.hunt", 0)
    assert chosen["play attack"] == fired.get("cards.attack", 0) > 0
    assert chosen["dock …, bow_first"] + chosen["dock …, stern_first"] == fired["sending"]
    assert chosen["win"] == fired["attack.won"] > 0, "alternatives without parts"
    assert 0 < chosen["ride_along"] < 36
    assert {seat for _, seat, _ in record.uses} == {0, 1, 2, 3}


def test_clauses_are_counted() -> None:
    record = play_game(walhalla().program, 4, 1, 0, ["random"] * 4)
    times = {walhalla().program.clauses[clause].id: count for clause, count in record.clauses}
    assert times["raid"] == 3
    assert times["next_raid"] == 2
    assert times["turn"] == times["sending"] <= 36


def test_a_clause_that_never_fires_is_named() -> None:
    assert "boarding.guest" in summed_up().never
    record = play_game(walhalla().program, 3, 1, 0, ["random"] * 3)
    assert "boarding.guest" not in summed_up(record).never


def summed_up(*records: Record) -> Summary:
    """What games of three players say."""
    return tally(games_of(walhalla().program, 3, records)).summary(
        walhalla().program, ["random"] * 3
    )


def made_up(number: int, scores: tuple[int, ...], **more: object) -> Record:
    best = max(scores)
    winners = tuple(seat for seat, score in enumerate(scores) if score == best)
    return replace(Record(number, scores, winners, 0, 10, 30, 1, (), (), (), trail=0), **more)  # type: ignore[arg-type]


def test_a_summary_of_games_made_up() -> None:
    clause = walhalla().program.clauses[3]
    found = summed_up(
        made_up(0, (5, 2, 1), uses=((0, 0, 2),)),
        made_up(1, (1, 9, 9), starter=1, points=((3, 1, 6), (3, 2, 3)), decisions=20),
    )
    assert [seat.wins.value for seat in found.seats] == [0.5, 0.25, 0.25]
    assert found.seats[1].scores == ((2, 1), (9, 1))
    assert found.starter is not None
    assert found.starter.value == 0.75, "seat 0 won a game it began, seat 1 half of one"
    assert found.margin.value == 1.5
    assert found.ties.value == 0.5
    assert found.lengths == ((10, 1), (20, 1))
    (source,) = found.sources
    assert (source.clause, source.points.value, source.part) == (clause.id, 1.5, 1.0)
    (use,) = found.uses
    assert use.times == 1
    assert use.players == pytest.approx(1 / 6)
    assert (use.wins.value, use.score.value) == (1.0, 3.5)


@pytest.mark.full
def test_the_command_prints_tables_and_json() -> None:
    shown = run("walhalla", "-n", "4", "--workers", "1")
    for heading in ("By seat", "decisions a game", "Where points come from", "What was chosen"):
        assert heading in shown
    data = json.loads(run("walhalla", "-n", "4", "--workers", "1", "--json"))
    assert data["games"] == 4
    assert len(data["seats"]) == 4
    assert data["digest"] == walhalla().program.digest
    assert sum(each["part"] for each in data["sources"]) == pytest.approx(1, abs=1e-5)


def test_games_are_played_until_the_wanted_precision() -> None:
    data = json.loads(run("nim", "--precision", "6", "--workers", "1", "--json"))
    widths = [seat["wins"]["high"] - seat["wins"]["low"] for seat in data["seats"]]
    assert max(widths) <= 0.12
    assert 200 <= data["games"] <= 400, "and not many more than it takes"


def test_blocks_of_many_games_are_put_together() -> None:
    assert (
        json.loads(run("tic_tac_toe", "-n", "60000", "--workers", "1", "--json"))["games"] == 60000
    )


@pytest.mark.full
def test_files_are_written(tmp_path: Path) -> None:
    files = {kind: tmp_path / f"found.{kind}" for kind in ("csv", "png", "svg", "html")}
    run(
        *("nim", "-n", "6", "--workers", "1", "--csv", str(files["csv"])),
        *("--plot", str(files["svg"]), "--html", str(files["html"])),
    )
    run("nim", "-n", "6", "--workers", "1", "--plot", str(files["png"]))
    rows = list(csv.DictReader(files["csv"].read_text().splitlines()))
    assert [row["number"] for row in rows] == list("012345")
    behind = {(row["game"], row["bots"], row["games"], row["seed"]) for row in rows}
    assert behind == {("nim", '["random", "random"]', "6", "1")}
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    page = files["html"].read_text()
    assert "<svg" in page
    assert "By seat" in page
    assert not re.search(r"(src|href)\s*=\s*[\"']https?:|@import|url\(http", page)


@pytest.mark.full
def test_a_plot_of_the_same_games_is_the_same_file(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        run("nim", "-n", "6", "--workers", "1", "--plot", str(tmp_path / name))
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["walhalla", "--bots", "greedi"], "greedy"),
        (["walhalla", "--players", "7"], "3 to 4 players"),
        (["walhalla", "--bots", "random,random"], "2 bots are named for 4 seats"),
        (["walhalla", "--plot", "picture.gif"], "png, svg, pdf"),
    ],
)
def test_a_wrong_call_is_answered_in_a_line(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["simulate", *arguments])
    assert result.exit_code == 2
    assert words in result.output


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    result = CliRunner().invoke(app, ["simulate", "wallhalla"])
    assert result.exit_code == 2
    assert "walhalla" in result.output


@pytest.mark.parametrize(
    "name, players",
    sample(
        [("walhalla", 3), ("walhalla+italian", 4), ("rock_paper_scissors", 2), ("voluspa", 2)],
        test=2,
    ),
)
def test_the_compiled_machine_gives_the_same_records(name: str, players: int) -> None:
    program = lawspeaker.load(name).program
    bots = ["random"] * players
    inside = play_games(program, players, 11, range(3, 9), bots)
    records = [play_game(program, players, 11, number, bots) for number in range(3, 9)]
    one_by_one = games_of(program, players, records)
    for column in fields(Games):
        assert np.array_equal(getattr(inside, column.name), getattr(one_by_one, column.name))


def test_a_precision_that_is_not_reached_is_told() -> None:
    words = ["simulate", "nim", "--games", "30", "--workers", "1", "--precision"]
    result = CliRunner().invoke(app, [*words, "1"])
    assert result.exit_code == 0
    assert re.search(r"±1 % is not reached: it is ±1\d\.\d % after 30 games", result.stderr)
    assert "reached" not in CliRunner().invoke(app, [*words, "40"]).output


@pytest.mark.full
def test_one_game_has_no_deviation() -> None:
    (seat, _) = json.loads(run("pedlars", "-n", "1", "--players", "2", "--json"))["seats"]
    assert seat["deviation"] is None
    assert "unknown" in run("pedlars", "-n", "1", "--players", "2")


MEASURED = """\
lawspeaker: 1
game: measured
players: {from: 2, to: 2, called: [ann, ben]}
rules:
  game:
    says: Ann has points, and never another.
    rule: |
      ann scores 3
  measure.lead:
    says: How far Ann is ahead.
    define: by_how_much
    as: score of ann - score of ben
  measure.won:
    says: Whether she is ahead.
    define: is_ahead
    as: score of ann > score of ben
"""


def test_what_the_rules_measure_is_told(tmp_path: Path) -> None:
    file = tmp_path / "measured.yaml"
    file.write_text(MEASURED, encoding="utf-8")
    found = json.loads(run(str(file), "-n", "5", "--json"))
    assert found["measures"]["lead"]["value"] == 3
    assert found["measures"]["won"]["value"] == 1
    assert found["measures"]["won"]["low"] < 1
    assert "measure.won" in run(str(file), "-n", "5")
    # What never happened may still do so: the interval says how often at most.
    assert found["leads"] == found["draws"]
    assert found["leads"]["high"] > 0.4


def test_two_bots_can_be_told_apart() -> None:
    games = games_of(walhalla().program, 3, [made_up(0, (5, 2, 1)), made_up(1, (1, 2, 9))])
    long = "learned:a_name_that_is_rather_long.learned"
    found = tally(games).summary(walhalla().program, [long, f"{long}+mc:50", "random"])
    told = StringIO()
    Console(file=told, width=80).print(tables(found))
    assert "…" not in told.getvalue()
    assert "+" in told.getvalue()


def test_games_that_broke_are_told_apart() -> None:
    hole = made_up(1, (0, 0, 0), winners=(), fault="a hole")
    games = games_of(walhalla().program, 3, [made_up(0, (5, 2, 1)), hole, made_up(2, (1, 2, 9))])
    found = tally(games)
    assert (found.games, found.broke.holes) == (2, (Hole("a hole", 1, 1),))
    assert found == tally(games[:1] + games[2:]) + tally(games[1:2])
    assert found == tally(games[1:] + games[:1]), "in any order"


def test_sums_are_exact_however_large_the_numbers() -> None:
    huge = 2**31 - 1
    scores = [(huge, -huge, at) for at in range(40)]
    games = games_of(walhalla().program, 3, [made_up(at, each) for at, each in enumerate(scores)])
    spread = measured(games)[1]
    assert isinstance(spread, Mean)
    assert (spread.total, spread.squares) == (40 * 2 * huge, 40 * (2 * huge) ** 2)
    many = np.zeros((2, 64), bool)
    many[0, :61] = many[1, 0] = True
    whole = replace_winners(games[:2], many).victories()
    assert whole.sum(axis=1).tolist() == [victory(64)] * 2
    assert mean(whole[:, 0], victory(64)).value == pytest.approx((1 + 1 / 61) / 2)


def replace_winners(games: Games, winners: np.ndarray) -> Games:
    alone = tuple((seat,) for seat in range(winners.shape[1]))
    scores = np.zeros(winners.shape, np.int64)
    return replace(games, winners=winners, scores=scores, sides=alone)
