"""Each change of a variant of Walhalla is needed: without it something turns red."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lawspeaker.library import Library
from lawspeaker.loading import run_scenarios
from tests.repo.checkout import ROOT

FOLDER = ROOT / "variants" / "walhalla"
SCENARIOS = ROOT / "tests" / "scenarios" / "walhalla_variants"
CHANGE = re.compile(r"^  - (?:\{)?(\w+): (\S+?)[,}]?$")


def changes(text: str) -> list[tuple[str, str, int, int]]:
    """What each change does, to what, its first line, and the line after its last."""
    lines = text.splitlines()
    found = [(at, match) for at, line in enumerate(lines) if (match := CHANGE.match(line))]
    parted: list[tuple[str, str, int, int]] = []
    for at, match in found:
        end = at + 1
        while end < len(lines) and (lines[end].startswith("   ") or not lines[end]):
            end += 1
        parted.append((match[1], match[2], at, end))
    return parted


def needed() -> list[tuple[str, str]]:
    """Variants and targets; what is only cited or called by a name changes no play."""
    return [
        (file.stem, target)
        for file in sorted(FOLDER.glob("*.yaml"))
        for action, target, _, _ in changes(file.read_text(encoding="utf-8"))
        if action != "cite" and not target.startswith(("names.", "symbols."))
    ]


def scenarios(variant: str) -> list[Path]:
    """The scenarios that play with a variant, or with one that includes it."""
    playing = re.compile(rf"^game: walhalla\+{variant}\b", re.M)
    return [
        file
        for file in sorted(SCENARIOS.glob("*.yaml"))
        if playing.search(file.read_text(encoding="utf-8"))
    ]


def test_the_changes_are_found() -> None:
    found = needed()
    assert len(found) > 25
    assert ("french", "ties.second") in found
    assert ("card_selling", "boarding.guest.has_a_viking") in found


@pytest.mark.parametrize("variant, target", needed())
def test_without_the_change_something_is_red(variant: str, target: str, tmp_path: Path) -> None:
    text = (FOLDER / f"{variant}.yaml").read_text(encoding="utf-8")
    lines = text.splitlines()
    (start, end), *_ = [(at, end) for _, each, at, end in changes(text) if each == target]
    less = [*lines[:start], *lines[end:]]
    if less[-1] == "changes:":
        less[-1] = "changes: []"
    folder = tmp_path / "variants" / "walhalla"
    folder.mkdir(parents=True)
    (folder / f"{variant}.yaml").write_text("\n".join(less) + "\n", encoding="utf-8")
    assert scenarios(variant)
    assert not run_scenarios(scenarios(variant), Library(here=tmp_path, path=())).passed
