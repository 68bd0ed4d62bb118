"""By what play is called changed: the text of rules, games that were played, or a proof."""

from __future__ import annotations

import io
import json
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from lawspeaker.faces.cli.finding import Asking, find_out
from lawspeaker.faces.render import compare as shown
from lawspeaker.faces.render.compare_json import to_json
from lawspeaker.faces.render.compare_page import page
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.loading import schema
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.evidence import Evidence, proven_equal
from lawspeaker.study.compare.findings import Findings
from tests.compare.stall import stall_rulesets

PAIRS = 20
MORE = "changes: [{set: thanks, to: {2 players: 0, 3 players: 3}}]\n"
NEVER = """\
changes:
  - replace: farewell
    rule: |
      if score of ann < 0:
        ben scores 1
      ann scores 1
"""
SUM = """\
changes:
  - replace: farewell
    rule: |
      if 1 + 1 = 2:
        ann scores 3 - 2
"""
HIDDEN = "changes: [{set: places.basket.seen by, to: owner}]\n"


def load_pair(folder: Path, change: str) -> list[Ruleset]:
    return stall_rulesets(folder, {"other": change})


def compare_pair(folder: Path, change: str, games: int = PAIRS) -> tuple[Comparison, Findings]:
    both = load_pair(folder, change)
    comparison = compare(both)
    asking = Asking(False, 1, games, (3,), "random", 1, Crew(1))
    findings = find_out(both, comparison, asking) if games else Findings()
    return comparison.with_evidence(findings.evidence), findings


def comparison_text(comparison: Comparison, findings: Findings) -> str:
    out = io.StringIO()
    console = Console(file=out, width=120, no_color=True, force_terminal=False)
    console.print(shown.text(comparison, findings, 120))
    return out.getvalue()


@pytest.mark.parametrize(
    "change, games, group, by, headline, line",
    [
        (MORE, 0, "play", "text", "1 changes play by the text of the rules", ""),
        (
            MORE,
            PAIRS,
            "play",
            "seen",
            "1 changes play in games that were played",
            "Changes play: seen in 20 of 20 games.",
        ),
        (
            NEVER,
            PAIRS,
            "same_play",
            "unseen",
            "none changes play (in 1 the rules differ, but no game shows it)",
            "Other rules, the same play: not seen in any of 20 games.",
        ),
        (
            SUM,
            PAIRS,
            "same_play",
            "equal",
            "none changes play (in 1 the rules differ, but no game shows it)",
            "Other rules, the same play: proven equal, since the rules come to the same program.",
        ),
    ],
)
def test_all_views_say_by_what_play_is_changed(
    tmp_path: Path, change: str, games: int, group: str, by: str, headline: str, line: str
) -> None:
    comparison, findings = compare_pair(tmp_path, change, games)
    [difference] = comparison.differences
    assert difference.group() == group
    assert dict(comparison.counts) == dict(comparison.counts_of(1)) == {group: 1}
    text, html, data = (
        comparison_text(comparison, findings),
        page(comparison, findings),
        to_json(comparison, findings),
    )
    assert headline in " ".join(text.split())
    assert headline in html
    assert headline in data["headline"]
    assert line in text
    assert line in html
    assert f'data-group="{group}"' in html
    jsonschema.validate(json.loads(json.dumps(data)), schema("compare"))
    assert data["counts"][group] == 1
    assert [each["by"] for each in data["differences"][0]["evidence"]] == [by]
    assert data["differences"][0]["group"] == group
    sign = "≠" if group == "play" else "≈"
    assert f"{sign}  other book" in text
    assert f'<span class="mark" title="{MEANS[sign]}">{sign}</span>' in html


MEANS = {"≠": "plays otherwise", "≈": "the rules differ, but no game that was played shows it"}


@pytest.mark.parametrize(
    "change, equal",
    [
        (MORE, False),
        (NEVER, False),
        (SUM, True),
        (HIDDEN, False),
        ("changes: [{set: names.plum.de, to: Zwetschge}]\n", True),
        ("changes: [{amend: picking.not_full, also: fruit is not plum}]\n", False),
        ("changes: [{amend: picking.not_full, also: 2 > 3 - 2}]\n", False),
    ],
)
def test_only_what_plays_alike_is_proven_equal(tmp_path: Path, change: str, equal: bool) -> None:
    one, other = load_pair(tmp_path, change)
    assert proven_equal(one.program, other.program) is equal
    assert proven_equal(other.program, one.program) is equal


def test_evidence_of_several_sorts() -> None:
    assert Evidence().shows
    assert Evidence(1, 9).by == "seen"
    assert Evidence(0, 9, box=True).shows
    assert not Evidence(0, 9).shows
    assert not Evidence(0, 0, equal=True).shows
