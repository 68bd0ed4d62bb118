"""How clauses are planned: the plans of some games as golden files, and the list of passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.machines.planned.passes import PASSES, planned
from lawspeaker.machines.planned.printing import printed
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from tests.conftest import Golden

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", ["hex", "kuhn_poker", "othello", "rock_paper_scissors"])
def test_plans(name: str, golden: Golden) -> None:
    program = load(name).program
    plan = planned(Layout(program, program.fewest), PLAYING)
    told = [printed(plan, clause.index) for clause in program.clauses]
    golden("\n".join(told), GOLDEN / f"{name}.txt")


def test_a_plan_is_made_once() -> None:
    program = load("othello").program
    plan = planned(Layout(program, program.fewest), PLAYING)
    before = [printed(plan, clause.index) for clause in program.clauses]
    assert [printed(plan, clause.index) for clause in program.clauses] == before


def test_every_pass_tells_its_idea() -> None:
    assert [each.__name__ for each in PASSES if not (each.__doc__ or "").strip()] == []
