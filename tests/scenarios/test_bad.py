"""Every mistake in bad/, and every expectation that is not met, is told where it stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render import diagnostics as render
from lawspeaker.outside.loading import compile_name, schema
from lawspeaker.study.scenario import run_all
from tests.conftest import Golden
from tests.tiers import sample

BAD = Path(__file__).parent / "bad"
NAMES = sorted(file.stem for file in BAD.glob("*.yaml"))
OF_FORM = {"unknown-key", "missing-key", "wrong-shape", "bad-value"}


@pytest.mark.parametrize("name", sample(NAMES, test=2))
def test_a_mistake_is_told_where_it_stands(name: str, golden: Golden) -> None:
    file = SourceFile(f"{name}.yaml", (BAD / f"{name}.yaml").read_text(encoding="utf-8"))
    report = run_all([file], compile_name, schema("scenario"))
    (outcome,) = report.outcomes
    assert not outcome.passed
    assert not report.passed
    assert {each.code for each in outcome.diagnostics} <= {"bad-scenario", "scenario-failed"} | (
        OF_FORM if name == "form" else {"not-found"} if name == "game" else set()
    )
    assert all(each.span.known for each in outcome.diagnostics)
    assert all(each.span.file is file for each in outcome.diagnostics)
    # Where the rules are shown too, the golden file would change whenever the rules do.
    bare = Diagnostics(replace(each, labels=()) for each in outcome.diagnostics)
    golden(render.text(bare), BAD / f"{name}.txt")


@pytest.mark.parametrize(
    "name, file",
    [("answer", "boarding.yaml"), ("refuses", "boarding.yaml"), ("breaks", "sending.yaml")],
)
def test_the_rule_that_decides_is_shown(name: str, file: str) -> None:
    source = SourceFile(f"{name}.yaml", (BAD / f"{name}.yaml").read_text(encoding="utf-8"))
    (outcome,) = run_all([source], compile_name, schema("scenario")).outcomes
    places = {label.span.file.name for each in outcome.diagnostics for label in each.labels}
    assert places == {f"rules/walhalla/{file}"}


def test_every_text_belongs_to_a_scenario() -> None:
    assert {file.stem for file in BAD.glob("*.txt")} <= set(NAMES)
