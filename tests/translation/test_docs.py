"""docs/translating.md does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from tests.repo.checkout import ROOT

PAGE = (ROOT / "docs" / "translating.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```yaml\n# (pebbles/\S+)\n(.*?)```", PAGE, flags=re.DOTALL))
SHOWN = re.findall(r"```text\n(.*?)```", PAGE, flags=re.DOTALL)
GERMAN = Path("pebbles/languages/de.yaml")


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def run(*arguments: str) -> str:
    answer = CliRunner().invoke(app, list(arguments))
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_the_game_and_its_translation_are_in_order() -> None:
    assert run("check", "pebbles") == "pebbles: 2 clauses, no errors\n"
    assert "1 in order" in run("format", "--check", "pebbles/game.yaml")
    assert run("translate", "pebbles", "--lang", "de", "--check") == (
        f"{GERMAN.as_posix()}: as it was; 0 missing, 0 stale\n"
    )


def test_a_new_language() -> None:
    said = run("translate", "pebbles", "--lang", "it").splitlines()[0]
    assert f"$ lawspeaker translate pebbles --lang it\n{said}\n" in PAGE
    assert SHOWN[0] in Path("pebbles/languages/it.yaml").read_text(encoding="utf-8")


def test_a_changed_sentence() -> None:
    rules = Path("pebbles/game.yaml")
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("pebbles do you take?", "pebbles do you want?"), "utf-8")
    assert SHOWN[1] in run("check", "pebbles")
    run("translate", "pebbles", "--lang", "de")
    assert SHOWN[2] in GERMAN.read_text(encoding="utf-8")


def test_forms_are_shown_as_a_game_has_them() -> None:
    german = (ROOT / "rules" / "mill_wheel" / "languages" / "de.yaml").read_text(encoding="utf-8")
    shown = next(each for each in SHOWN if "told.go" in each)
    assert set(shown.splitlines()) <= set(german.splitlines())
