"""Every scenario comes out as it says, on the usual machine and on the one that traces."""

from __future__ import annotations

import pytest

from lawspeaker.faces.render import diagnostics as render
from lawspeaker.study.scenario import ScenarioResult, run
from tests.scenarios.files import FILES, program, scenario, traced
from tests.tiers import sample


def diagnostics_text(outcome: ScenarioResult) -> str:
    return f"\n{render.text(outcome.diagnostics)}"


@pytest.mark.parametrize("name", sample(FILES, test=40, full=4))
def test_it_comes_out_as_it_says(name: str) -> None:
    found = scenario(name)
    outcome = run(found, program(found.game))
    assert outcome.passed, diagnostics_text(outcome)
    assert outcome.steps == len(found.steps)


@pytest.mark.parametrize("name", sample(FILES, test=60, full=12))
def test_it_does_so_when_it_is_traced(name: str) -> None:
    outcome = traced(name)
    assert outcome.passed, diagnostics_text(outcome)


def test_each_is_short_and_says_where_it_comes_from() -> None:
    found = {name: scenario(name) for name in FILES}
    assert [name for name, each in found.items() if len(each.file.text.splitlines()) > 50] == []
    sources = ("cites", "choices", "about")
    assert [name for name, each in found.items() if not any(map(each.get, sources))] == []


def test_no_two_have_the_same_title() -> None:
    titles = [scenario(name).title for name in FILES]
    assert len(titles) == len(set(titles))
