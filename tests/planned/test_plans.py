"""How clauses are planned: the plans of some games as golden files, and the list of passes."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.passes import PASSES as SWITCHES
from lawspeaker.faces.cli import app
from lawspeaker.machines.planned.passes import PASSES, planned
from lawspeaker.machines.planned.plan_text import listing_of
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from tests.conftest import Golden

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    "name", ["chess", "go", "hex", "kuhn_poker", "othello", "rock_paper_scissors"]
)
def test_plans_are_as_accepted(name: str, golden: Golden) -> None:
    program = load(name).program
    plan = planned(Layout(program, program.fewest), PLAYING)
    told = [listing_of(plan, clause.index) for clause in program.clauses]
    golden("\n".join(told), GOLDEN / f"{name}.txt")


def test_a_plan_stays_the_same() -> None:
    program = load("othello").program
    plan = planned(Layout(program, program.fewest), PLAYING)
    before = [listing_of(plan, clause.index) for clause in program.clauses]
    assert [listing_of(plan, clause.index) for clause in program.clauses] == before


def test_the_steps_of_a_path_are_printed_once() -> None:
    program = load("draughts").program
    plan = planned(Layout(program, program.fewest), PLAYING)
    [move] = (clause.index for clause in program.clauses if clause.id == "move")
    lines = listing_of(plan, move).splitlines()
    assert len(lines) < 45
    assert sum("in landings(" in line for line in lines) == 3
    assert max(map(len, lines)) < 160
    assert any("jumping (12 times)" in line for line in lines)


def test_every_pass_tells_its_idea() -> None:
    assert [each.__name__ for each in PASSES if not (each.__doc__ or "").strip()] == []


def test_every_pass_can_be_switched_off_in_the_benchmark() -> None:
    switches = [each for _, switches in SWITCHES.values() for each in switches]
    assert [name for owner, name, _ in switches if not hasattr(owner, name)] == []


def test_explain_shows_the_plan_of_a_clause() -> None:
    shown = CliRunner().invoke(app, ["explain", "othello", "turn", "--plan"])
    assert shown.exit_code == 0
    assert "board of 64 places in 1 word" in shown.output
    wrong = CliRunner().invoke(app, ["explain", "othello", "trun", "--plan"])
    assert wrong.exit_code != 0
    assert "turn" in wrong.output
