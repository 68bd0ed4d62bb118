"""All files that are to be formatted in these tests, and how."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text.format import formatted
from tests.repo.checkout import ROOT

RULES = (ROOT / "rules", ROOT / "variants")
SCENARIOS = ROOT / "tests" / "scenarios"
GOOD = ROOT / "tests" / "language" / "good"


def canonical_files() -> list[Path]:
    """Those that people read and change: they are kept in canonical layout."""
    scenarios = [file for file in SCENARIOS.rglob("*.yaml") if file.parent.name != "bad"]
    return sorted([*(file for each in RULES for file in each.rglob("*.yaml")), *scenarios])


def neat(text: str, name: str = "text.yaml") -> str:
    """A text in canonical layout; it must have no errors."""
    diagnostics = Diagnostics()
    result = formatted(SourceFile(name, text), diagnostics)
    assert result is not None, [str(each) for each in diagnostics]
    return result
