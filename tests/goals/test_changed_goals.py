"""A variant with another goal: it is played, compared, written as a patch, refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_ruleset
from lawspeaker.study.compare import Ruleset, compare
from lawspeaker.study.compare.patch import patch
from tests.variants.tables import Fair


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    found = Fair(tmp_path)
    found.variant("modest", "changes:\n  - {set: wins, to: fewest points, because: So be it.}\n")
    return found


def load_fair_ruleset(fair: Fair, name: str) -> Ruleset:
    diagnostics = Diagnostics()
    found = load_ruleset(name, diagnostics, Library(here=fair.folder, path=()))
    assert found is not None, "\n".join(map(str, diagnostics))
    return found


def test_a_variant_sets_another_goal(fair: Fair) -> None:
    assert fair.program("fair").goal is ir.Goal.MOST
    assert fair.program("fair+modest").goal is ir.Goal.FEWEST


def test_two_variants_with_two_goals_clash(fair: Fair) -> None:
    fair.variant("proud", "changes:\n  - {set: wins, to: most points}\n")
    assert fair.fault("fair+modest+proud").code == "variants-clash"


@pytest.mark.parametrize(
    "change, code",
    [
        ("{set: wins, to: least points}", "bad-value"),
        ("{set: wins, to: as the rules say}", "nobody-can-win"),
        ("{remove: wins}", "bad-change"),
        ("{add: wins, to: fewest points}", "bad-change"),
    ],
)
def test_what_cannot_be_a_goal_is_told_in_the_variant(fair: Fair, change: str, code: str) -> None:
    fair.variant("odd", f"changes:\n  - {change}\n")
    fault = fair.fault("fair+odd")
    assert fault.code == code
    assert fault.span.file.name.endswith("odd.yaml")
    assert fault.hint


@pytest.mark.parametrize(
    "language, words", [("en", "fewest points"), ("de", "die wenigsten Punkte")]
)
def test_the_goal_is_a_difference(fair: Fair, language: str, words: str) -> None:
    found = compare(
        [load_fair_ruleset(fair, "fair"), load_fair_ruleset(fair, "fair+modest")], language
    )
    (difference,) = found.differences
    assert (difference.id, difference.kind, difference.changes_play) == ("wins", "who", True)
    assert difference.row.cells[1].text == words
    assert difference.row.cells[1].because == "So be it."


def test_a_patch_makes_the_one_of_the_other(fair: Fair) -> None:
    both = load_fair_ruleset(fair, "fair"), load_fair_ruleset(fair, "fair+modest")
    for one, other in (both, both[::-1]):
        diagnostics = Diagnostics()
        made = one.with_patch(patch(one, other, "retold"), "retold", diagnostics)
        assert made is not None, "\n".join(map(str, diagnostics))
        assert made.program.goal is other.program.goal
        assert not compare([made, other]).table.rows
