"""`lawspeaker replay`: what it shows, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from lawspeaker.faces.cli import app
from lawspeaker.outside import storage
from lawspeaker.outside.loading import schema
from tests.log.tables import STICKS, a_match, changed_game, sticks


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the game, a log of it, and one that carries its rules."""
    (tmp_path / "sticks.yaml").write_text(STICKS, encoding="utf-8")
    match = a_match()
    storage.save(tmp_path / "bare.log", match.record(("human", "random")))
    storage.save(tmp_path / "full.log", match.record(("human", "random"), sticks().files))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["replay", *arguments])


def test_a_game_is_shown_step_by_step(folder: Path) -> None:
    result = run("bare.log")
    assert result.exit_code == 0, result.output
    assert "The Last Stick (./sticks.yaml), 2 players: human, random" in result.stdout
    assert "   1  Ann: take" in result.stdout
    assert "[turn]" in result.stdout
    assert "The game comes out as it did." in result.stdout


def test_some_steps_in_a_language(folder: Path) -> None:
    result = run("bare.log", "--from", "2", "--to", "2", "--lang", "de")
    assert result.exit_code == 0
    assert "   2  Benno: nimm" in result.stdout
    assert "   1  " not in result.stdout
    assert "   3  " not in result.stdout


def test_as_json(folder: Path) -> None:
    published = schema("replay")
    jsonschema.Draft202012Validator.check_schema(published)
    result = run("full.log", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    jsonschema.validate(data, published)
    assert data["same"]
    assert data["by"] == "installed"
    assert len(data["steps"]) == data["replies"] + 1
    assert data["scores"] == a_match().scores
    some = json.loads(run("full.log", "--json", "--from", "1", "--to", "2").stdout)
    assert [step["number"] for step in some["steps"]] == [1, 2]


def test_changed_rules_are_said_and_the_first_difference(folder: Path) -> None:
    changed_game("active scores 1", "active scores 2", folder)
    result = run("bare.log")
    assert result.exit_code == 1
    assert "warning[log-differs]: the rules of ./sticks.yaml have changed" in result.stderr
    assert "clause `gift`: now " in result.stderr
    data = json.loads(run("bare.log", "--json").stdout)
    jsonschema.validate(data, schema("replay"))
    assert (data["same"], data["by"], data["difference"]["clause"]) == (False, "changed", "gift")


def test_changed_rules_that_make_no_difference(folder: Path) -> None:
    changed_game("The Last Stick", "The Very Last Stick", folder)
    result = run("bare.log")
    assert result.exit_code == 0
    assert "have changed" in result.stderr


def test_a_log_with_its_rules_does_not_care(folder: Path) -> None:
    changed_game("active scores 1", "active scores 2", folder)
    result = run("full.log")
    assert result.exit_code == 0
    assert "played by the rules it carries" in result.stdout
    (folder / "sticks.yaml").unlink()
    assert run("full.log").exit_code == 0
    assert run("bare.log").exit_code == 1


def test_a_damaged_log(folder: Path) -> None:
    text = (folder / "bare.log").read_text(encoding="utf-8")
    (folder / "bare.log").write_text(text[:300], encoding="utf-8")
    result = run("bare.log")
    assert result.exit_code == 1
    assert "error[bad-log]: the log ends in the middle" in result.stderr
    assert "bare.log:" in result.stderr
    assert run("gone.log").exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--from", "3", "--to", "2"],
        ["--from", "-1"],
        ["--lang", "fr"],
        ["--step"],
        ["--step", "--json"],
        ["--nonsense"],
    ],
)
def test_wrong_calls(folder: Path, arguments: list[str]) -> None:
    assert run("bare.log", *arguments).exit_code == 2


def test_step_by_step_with_enter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawspeaker.faces.cli.replay._in_terminal", lambda: True)
    result = CliRunner().invoke(app, ["replay", "bare.log", "--step"], input="\n\nq\n")
    assert result.exit_code == 0
    assert "   2  Ben: take" in result.stdout
    assert "   3  " not in result.stdout


def test_without_a_log() -> None:
    assert run().exit_code == 2
