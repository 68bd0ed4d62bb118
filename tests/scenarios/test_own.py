"""Games that keep scenarios in their own folder: all pass, and touch every clause and guard.

Those of which only examples lie there, and all others here, are in test_coverage.py."""

from __future__ import annotations

import pytest

from lawspeaker.outside.loading import run_scenarios
from tests.repo.checkout import ROOT
from tests.scenarios.files import FOLDER
from tests.tiers import sample

GAMES = sorted(
    folder.parent.name
    for folder in ROOT.glob("rules/*/scenarios")
    if not (FOLDER / folder.parent.name).is_dir()
)


@pytest.mark.parametrize("game", sample(GAMES, test=5))
def test_the_scenarios_of_a_game_pass(game: str) -> None:
    report = run_scenarios([ROOT / "rules" / game], coverage=True)
    assert report.passed, [str(each) for one in report.outcomes for each in one.diagnostics]
    (coverage,) = report.coverage
    assert not coverage.untouched
