"""Random rule files: whatever the checker accepts keeps its secrets when it is played.

A failure prints the file, made as small as it can be, its seed, and the command that shows it
again. tests/secrets/generated/holes.py shows that leaks would be found.
"""

from __future__ import annotations

import pytest

from tests.secrets.generated.extended import generated
from tests.secrets.generated.holes import HOLES
from tests.secrets.generated.playing import SECRETS, accepted, checked, first_leak, play_twins
from tests.tiers import pick

FILES = pick(test=30, full=90, nightly=100_000)
SHARD = pick(test=10, full=10, nightly=250)
"""So many files are one case."""
SLOWLY = pick(test=False, full=False, nightly=True)
"""Whether a file is played on all slow channels of its turn, or on one of them."""
SAMPLE = range(28, 56)
FOUND = {
    "conditions_stay": 261,
    "copies_are_told": 206,
    "points_for_nobody": 53,
    "no_faults": 2,
    "values_forget": 189,
    "texts_unread": 198,
    "nothing_is_kept": 269,
    "other_ways_tell_faults": 6222,
    "later_deeds_forgotten": 320,
}
"""A seed by which each hole is found; `python -m tests.secrets.generated NAME` finds the first."""


@pytest.mark.parametrize("first", range(0, FILES, SHARD))
def test_what_is_accepted_keeps_its_secrets(first: int) -> None:
    found = (first_leak(seed, whole=SLOWLY) for seed in range(first, first + SHARD))
    reports = [each for each in found if each is not None]
    assert not reports, "\n\n".join(reports)


@pytest.mark.full
def test_files_are_well_typed_and_many_are_accepted() -> None:
    files = [generated(seed) for seed in SAMPLE]
    found = [checked(file) for file in files]
    codes = [{error.code for error in each.errors} for each in found]
    assert sum(1 for each in codes if each <= set(SECRETS)) >= 0.95 * len(files)
    assert sum(1 for each in codes if not each) >= len(files) / 8
    pairs = zip(files, found, strict=True)
    assert sum(1 for each in pairs if accepted(*each) is not None) >= 0.9 * len(files)


@pytest.mark.full
@pytest.mark.parametrize("name", FOUND)
def test_a_hole_in_the_checker_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    HOLES[name](monkeypatch)
    assert leaks(FOUND[name])


@pytest.mark.full
def test_a_leak_is_told_by_a_small_file(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "copies_are_told"
    seed = FOUND[name]
    assert first_leak(seed) is None
    HOLES[name](monkeypatch)
    report = first_leak(seed)
    assert report is not None
    assert f"python -m tests.secrets.generated {seed}" in report
    assert report.count("\n") < 30


def leaks(seed: int) -> bool:
    found = accepted(generated(seed))
    return found is not None and bool(play_twins(found.program, seed).leaks)
