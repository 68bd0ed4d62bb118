"""`make test` covers every promise, and every folder of tests, at least once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.repo.checkout import ROOT, parsed, python_files
from tests.tiers import Tier, sample, tier_of_file

pytestmark = pytest.mark.xdist_group("source tree")
PROMISES = {
    "the language": "language/test_good.py::test_it_plays_to_its_end",
    "the checker": "language/test_bad.py::test_mistakes_are_found_where_they_are",
    "the reference semantics": "reference/test_expressions.py::test_closures_give",
    "both machines side by side": (
        "compiled/test_side_by_side.py::test_every_game_goes_the_same_way"
    ),
    "both machines against engines by hand": (
        "differential/test_by_hand.py::test_both_play_the_same_game"
    ),
    "the native back end": "native/test_cpu.py::test_games_have_the_same_records",
    "the secrecy analysis": "secrets/test_cases.py::test_the_checker_reports_what_a_case_expects",
    "secrets of the built-in games": "secrets/test_twins.py::test_no_game_gives_anything_away",
    "the comparison": "compare/test_rows.py",
    "the lab": "lab/test_simulate.py",
    "the printed rulebook": "book/test_book.py",
    "a game in a real browser": "web/browser/test_games.py::test_a_short_game_comes_to_its_end",
    "a published page": "publish/test_puzzle.py::test_a_puzzle_is_solved_from_a_disk",
    "a killed server": "web/test_kills.py::test_nothing_that_was_told_is_lost",
    "citations and books": "sources/test_readings.py",
    "style and types": "repo/test_style.py::test_style_and_types_are_clean",
}


def in_make_test(file: Path, name: str = "") -> list[str]:
    """The tests of a file, or those of a name, that carry no marker of a higher tier."""
    if tier_of_file(ROOT / file) > Tier.TEST:
        return []
    functions = (each for each in ast.walk(parsed(file)) if isinstance(each, ast.FunctionDef))
    return [
        each.name
        for each in functions
        if each.name.startswith(name or "test_")
        and not {"pytest.mark.full", "pytest.mark.nightly"}
        & {ast.unparse(decorator) for decorator in each.decorator_list}
    ]


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_is_tested_in_make_test(promise: str) -> None:
    file, _, name = PROMISES[promise].partition("::")
    assert in_make_test(Path("tests") / file, name), PROMISES[promise]


def test_every_folder_has_tests_in_make_test() -> None:
    tests = [file for file in python_files("tests") if file.name.startswith("test_")]
    folders = {file.parts[1] for file in tests}
    covered = {file.parts[1] for file in tests if in_make_test(file)}
    assert folders == covered


def test_a_sample_is_smaller_in_a_lower_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for tier in Tier:
        monkeypatch.setattr("tests.tiers.TIER", tier)
        found.append(len(sample(range(12), test=6, full=3)))
    assert found == [2, 4, 12]
