"""Many scenarios at once: what is printed, and the shape of the data for programs."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from lawspeaker.faces.render.scenario import text, to_json
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import run_scenarios, schema
from tests.scenarios.files import FOLDER

HEAD = "scenario: {title}\ngame: walhalla\nplayers: 4\n"
GOOD = HEAD.format(title="Five and six") + "situation: {scores: {red: 5}}\ndo: nothing\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.yaml").write_text(GOOD + "then: {scores: {red: 5}}\n", encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text(GOOD + "then: {scores: {red: 6}}\n", encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("scenario: [\n", encoding="utf-8")
    return tmp_path


def test_files_and_folders_are_run_and_told(folder: Path) -> None:
    report = run_scenarios([Path("wrong.yaml"), folder], Library(here=folder))
    lines = text(report).splitlines()
    assert lines[:4] == [
        "FAILED  wrong.yaml: Five and six",
        "FAILED  broken.yaml",
        "passed  good.yaml: Five and six",
        "FAILED  wrong.yaml: Five and six",
    ]
    told = "wrong.yaml:6:22: error[scenario-failed]: expected a score of 6 for red, found 5"
    assert lines.count(told) == 2
    assert lines[-1] == "4 scenarios: 1 passed, 3 failed"
    assert not report.passed


@pytest.mark.parametrize("score, passed", [(5, True), (6, False)])
def test_a_situation_alone_is_only_looked_at(tmp_path: Path, score: int, passed: bool) -> None:
    """Without `do:` and steps nothing is played: the first question would be one too many."""
    looking = GOOD.replace("do: nothing\n", "") + f"then: {{scores: {{red: {score}}}}}\n"
    (tmp_path / "looking.yaml").write_text(looking, encoding="utf-8")
    (outcome,) = run_scenarios(["looking.yaml"], Library(here=tmp_path)).outcomes
    assert outcome.passed is passed
    assert [each.code for each in outcome.diagnostics] == [] if passed else ["scenario-failed"]


def test_a_file_that_is_not_there_is_a_failure(folder: Path) -> None:
    report = run_scenarios(["god.yaml"], Library(here=folder))
    (outcome,) = report.outcomes
    assert not outcome.passed
    assert "there is no file 'god.yaml'; did you mean 'good.yaml'" in str(outcome.diagnostics[0])


def test_other_rules_can_be_tried(folder: Path) -> None:
    report = run_scenarios(["good.yaml"], Library(here=folder), under="nonsense")
    (outcome,) = report.outcomes
    assert outcome.game == "nonsense"
    assert not outcome.passed


@pytest.mark.full
def test_the_data_has_the_shape_that_is_published(folder: Path) -> None:
    validator = jsonschema.Draft202012Validator(schema("scenario-result"))
    plain = to_json(run_scenarios([folder, "nowhere.yaml"], Library(here=folder)))
    validator.validate(plain)
    assert (plain["passed"], plain["failed"]) == (1, 3)
    assert plain["coverage"] == []
    traced = to_json(run_scenarios([FOLDER / "walhalla" / "attack_won.yaml"], coverage=True))
    validator.validate(traced)
    assert "attack.won" in traced["scenarios"][0]["touched"]["clauses"]
    assert traced["coverage"][0]["clauses"]["attack.won"]
    assert "exodus" in traced["coverage"][0]["untouched"]


def test_coverage_is_told_clause_by_clause() -> None:
    report = run_scenarios([FOLDER / "walhalla" / "attack_won.yaml"], coverage=True)
    told = text(report)
    assert "coverage of walhalla" in told
    assert any(line.split() == ["attack.won", "1", "(attack_won)"] for line in told.splitlines()), (
        told
    )
    assert "not covered: peninsula.lengths" in told


def test_the_schema_of_scenarios_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema("scenario"))
    jsonschema.Draft202012Validator.check_schema(schema("scenario-result"))
