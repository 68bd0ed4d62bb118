"""The bench: ratios within one run, and a plain word where there is no baseline."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app, bench
from lawspeaker.outside import startup_times
from tests.native.common import needs_compiler

QUICK = ["bench", "walhalla", "--rounds", "1", "--seconds", "0.1"]


@pytest.mark.full
def test_the_bench_gives_the_rates_and_their_ratio() -> None:
    result = CliRunner().invoke(app, [*QUICK, "--json"])
    assert result.exit_code == 0
    (figures,) = json.loads(result.stdout)
    assert figures["game"] == "walhalla"
    assert figures["ratio"] == pytest.approx(figures["compiled"] / figures["by hand"])
    assert figures["reference"] > 0


@pytest.mark.full
def test_machine_code_takes_part_where_it_is_wanted() -> None:
    needs_compiler()
    quick = ["bench", "kuhn_poker", "--rounds", "1", "--seconds", "0.1", "--json"]
    (figures,) = json.loads(CliRunner().invoke(app, [*quick, "--machine", "native"]).stdout)
    assert figures["native"] > 0
    (figures,) = json.loads(CliRunner().invoke(app, quick).stdout)
    assert figures["native"] is None


@pytest.mark.full
def test_the_number_of_players_can_be_chosen() -> None:
    result = CliRunner().invoke(app, [*QUICK, "--players", "3", "--json"])
    assert json.loads(result.stdout)[0]["players"] == 3
    result = CliRunner().invoke(app, [*QUICK, "--players", "9"])
    assert result.exit_code == 2
    assert "is for 3 to 4 players, not 9" in result.output


@pytest.mark.full
def test_without_baselines_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_baselines", dict)
    result = CliRunner().invoke(app, QUICK)
    assert result.exit_code == 0
    assert "baselines are not here" in result.output


def test_starts_are_told_as_multiples_of_importing_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    took = {startup_times.NUMPY: [(9.0, 9.0), (0.2, 0.5), (0.1, 0.7)]}
    took["check pig"] = [(9.0, 9.0), (0.4, 2.0), (0.3, 3.0)]

    def run(name: str, line: Sequence[str]) -> tuple[float, float]:
        return took[name].pop(0)

    monkeypatch.setattr(startup_times, "_run", run)
    numpy, check = startup_times.starts([["check", "pig"]], rounds=2)
    assert (numpy.processor, numpy.wall, numpy.wall_ratio) == (0.1, 0.5, 1.0)
    assert (check.command, check.processor, check.wall) == ("check pig", 0.3, 2.0)
    assert check.processor_ratio == pytest.approx(3.0)
    assert check.wall_ratio == pytest.approx(4.0)


@pytest.mark.full
def test_a_command_that_cannot_be_measured_is_told() -> None:
    result = CliRunner().invoke(app, ["bench", "no_such_game", "--start", "--rounds", "1"])
    assert result.exit_code == 1
    assert "`check no_such_game` failed with exit code 2" in result.output
