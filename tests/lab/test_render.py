"""How the findings of the lab are told: digits, quantiles, and what is left out."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from lawspeaker.base.typography import NO_BREAK
from lawspeaker.faces.cli import app
from lawspeaker.faces.render import plots
from lawspeaker.faces.render.estimates import (
    Telling,
    at_most,
    mean_and_span,
    rounded,
    share_and_span,
)
from lawspeaker.faces.render.plots import quantiles
from lawspeaker.faces.render.simulation import FEW, compared, pace_of
from lawspeaker.outside.loading import load
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.statistics import Estimate, share
from lawspeaker.study.lab.tally import tally


def within(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half)


@pytest.mark.parametrize(
    "half, told",
    [
        (12, "52.3 (40.3 to 64.3)"),
        (0.34, "52.3 (52.0 to 52.7)"),
        (0.034, "52.35 (52.31 to 52.38)"),
        (0.0034, "52.346 (52.342 to 52.349)"),
        (0, "52.3 (52.3 to 52.3)"),
    ],
)
def test_a_mean_has_as_many_digits_as_it_bears(half: float, told: str) -> None:
    assert mean_and_span(within(52.3456, half)) == told


def test_a_share_is_told_in_percent() -> None:
    for half, told in (
        (0.01, "25.1 % (24.1 % to 26.1 %)"),
        (0.0004, "25.12 % (25.08 % to 25.16 %)"),
    ):
        found = share_and_span(within(0.25123, half))
        assert found == told.replace(" %", f"{NO_BREAK}%"), "no line breaks before the sign"


def test_the_widest_interval_sets_the_digits_of_all() -> None:
    telling = Telling.of([within(1, 0.004), within(2, 0.4)])
    assert telling.value(within(1.234, 0.004)) == "1.2"
    assert telling.change(within(0.5, 0.4)) == "+0.5"
    assert telling.change(within(0.3, 0.4)) == "≈ +0.3", "it may be chance"


def test_what_is_not_nought_does_not_read_so() -> None:
    telling = Telling.of([within(1, 0.4)])
    assert telling.value(within(0.02, 0.03)) + telling.half(within(0.02, 0.03)) == "0.02 ±0.03"
    assert telling.change(within(-0.02, 0.03)) == "≈ -0.02"
    assert telling.change(within(-0.02, 0.4)) == "≈ +0.0", "nought has no minus"


def test_the_terminal_rounds_as_the_browser_does() -> None:
    assert Telling(1, 100).number(0.0174999999999) == f"1.8{NO_BREAK}%", "JSON has 0.0175"
    assert rounded(0.125, 2) == "0.13", "halves go up"
    assert rounded(-0.125, 2) == "-0.13"


@pytest.mark.parametrize("games, told", [(20, "16.1"), (200, "1.9"), (1_000_000, "0.00038")])
def test_a_bound_is_never_nought(games: int, told: str) -> None:
    assert at_most(share(0, games).high) == f"{told}{NO_BREAK}%"


def test_quantiles_of_counted_values() -> None:
    counted = [(1, 10), (5, 80), (9, 10)]
    assert quantiles(counted, (0.05, 0.1, 0.5, 0.9, 0.95)) == [1, 1, 5, 5, 9]
    assert quantiles([(3, 7)], (0.05, 0.95)) == [3, 3]


@pytest.mark.parametrize(
    "rate, told",
    [
        (23456.7, "23,457 a second"),
        (99.0, "99.0 a second"),
        (1.25, "1.2 a second"),
        (0.4, "2.5 seconds each"),
        (0.004, "250.0 seconds each"),
    ],
)
def test_slow_games_are_told_by_how_long_each_takes(rate: float, told: str) -> None:
    assert pace_of(rate) == told


def simulated(name: str, *more: str) -> str:
    result = CliRunner().invoke(app, ["simulate", name, "-n", "60", "--workers", "1", *more])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_game_without_points_is_told_without_points() -> None:
    shown = simulated("tic_tac_toe")
    assert "nobody wins" in shown
    for word in ("score", "margin", "lead", "Where points"):
        assert word not in shown


def test_a_fair_share_leaves_out_what_nobody_wins() -> None:
    found = json.loads(simulated("tic_tac_toe", "--json"))
    draws, wins = found["draws"]["value"], [seat["wins"]["value"] for seat in found["seats"]]
    assert 0 < draws < 0.5
    assert sum(wins) == pytest.approx(1 - draws, abs=1e-5)
    assert f"fair: {50 * (1 - draws):.1f}{NO_BREAK}%" in simulated("tic_tac_toe")


def test_a_title_is_not_broken_by_a_narrow_table() -> None:
    assert "How often clauses changed something, a game" in simulated("tic_tac_toe").splitlines()


@pytest.mark.full
@pytest.mark.parametrize("games, drawn", [(FEW - 1, False), (2 * FEW, True)])
def test_what_too_few_games_compare_is_not_drawn(games: int, drawn: bool) -> None:
    pytest.importorskip("matplotlib")
    program, bots = load("pig").program, ("random", "random")
    found = tally(play_games(program, 2, 1, range(games), bots)).summary(program, bots)
    assert bool(compared(found)) is drawn
    titles = [axis.get_title(loc="left") for axis in plots.simulation(found, "").axes]
    assert any("chose it more often" in each for each in titles) is drawn
    shown = simulated("pig", "-n", str(games))
    assert ("too few games" in shown) is not drawn
    assert "forced" in shown, "it is said what is not counted"


@pytest.mark.full
def test_victories_are_drawn_by_order_of_play_from_three_seats_on() -> None:
    pytest.importorskip("matplotlib")
    for game, seats, drawn in (("pig", 3, True), ("pig", 2, False)):
        program, bots = load(game).program, ("random",) * seats
        found = tally(play_games(program, seats, 1, range(40), bots)).summary(program, bots)
        axes = {axis.get_title(loc="left"): axis for axis in plots.simulation(found, "").axes}
        panel = next((axis for title, axis in axes.items() if "by order of play" in title), None)
        assert (panel is not None) is drawn
        if panel is not None:
            rows = [label.get_text() for label in panel.get_yticklabels()]
            assert rows == ["starts", "1 seat after", "2 seats after"]
            drawn_marks = [line for line in panel.lines if line.get_marker() == "o"]
            marks = [np.asarray(line.get_xdata()).item() for line in drawn_marks]
            assert marks == pytest.approx([100 * wins.value for wins in found.order])
