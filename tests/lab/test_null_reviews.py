"""Reviews of two versions that differ in nothing that matters claim nothing.

Each run reviews a game and a variant that means nothing. A run that claims any change is wrong,
which may be in 5 % of runs, as in `tests/compare/test_control.py`: of 100 runs 12 or more are wrong
in 4 of 1,000 nights. What is tested is what `lawspeaker review ONE OTHER` does.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from lawspeaker.faces.render.review import moves
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments import reviewing
from lawspeaker.outside.experiments.requests import Setting
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.loading import load
from lawspeaker.outside.rules import Rules
from lawspeaker.study.reviewing.comparing import OPEN, changes, hypotheses
from lawspeaker.study.reviewing.findings import Review
from tests.compare.test_control import NULLS
from tests.compare.test_luck import GAME
from tests.tiers import pick

RUNS, WRONG = pick(test=1, full=3, nightly=100), 12
GAMES = 200
SAME = [name for name in NULLS if name != "idle question"]
"""An idle question makes games longer: that is a change, if not one of who wins."""
ONE_WINS_MORE = {"then: player scores 1": "then: player scores 6"}


def write_rules(folder: Path, name: str, changed: dict[str, str]) -> Rules:
    text = GAME
    for old, new in changed.items():
        assert old in text, name
        text = text.replace(old, new)
    file = folder / f"{name.replace(' ', '_')}.yaml"
    file.write_text(text, encoding="utf-8")
    return Rules.of_game(load(file), str(file))


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rules]:
    folder = tmp_path_factory.mktemp("versions")
    changed = {"": {}, **NULLS, "gift": ONE_WINS_MORE}
    return {name: write_rules(folder, name, each) for name, each in changed.items()}


def claims(one: Rules, other: Rules, seed: int) -> list[str]:
    """All that is claimed to have changed."""
    settings = [Setting(each, ("random",) * 2, seed, GAMES, Crew(1)) for each in (one, other)]
    before, after = (reviewed(each) for each in settings)
    measures = reviewing.contrast(settings[0], other, ("a", "b"), hypotheses(before, after))
    assert measures is not None
    found = [str(each.finding.about.key) for each in changes(before, after) if each.how != OPEN]
    return [*found, *(each for each in moves(measures) if not each.startswith("not clearly"))]


@cache
def reviewed(setting: Setting) -> Review:
    return finished(reviewing.review(setting, 0, setting.crew))


def test_versions_that_mean_the_same_seldom_differ(versions: dict[str, Rules]) -> None:
    wrong = {}
    for run in range(RUNS):
        name = SAME[run % len(SAME)]
        found = claims(versions[""], versions[name], run + 1)
        if found:
            wrong[name, run] = found
    assert len(wrong) < (WRONG if RUNS == 100 else 2), wrong


@pytest.mark.full
def test_a_rule_that_matters_is_told(versions: dict[str, Rules]) -> None:
    assert any("score" in each for each in claims(versions[""], versions["gift"], 1))
    longer = claims(versions[""], versions["idle question"], 4)
    assert any("length" in each for each in longer)
