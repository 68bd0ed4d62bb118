"""`lawspeaker check`: what files and folders stand for, and the formats for other tools."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from lawspeaker import __version__
from lawspeaker.base.diagnostics import Diagnostic, Label
from lawspeaker.base.source import NOWHERE, SourceFile, Span
from lawspeaker.faces.cli import COMMANDS, app
from lawspeaker.faces.render.annotations import sarif, workflow_commands
from tests.compare.stall import GAME, HEAD, market
from tests.repo.checkout import ROOT

STORM = "changes: [{set: rounds, to: 3, because: It is short.}]\n"


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    market(tmp_path, {"storm": STORM}, layer="house rule")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAWSPEAKER_PATH", raising=False)
    return tmp_path


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["check", *words])
    assert result.exit_code == code, result.output
    return result


# ---------------------------------------------------------------- what is checked


def checked(*words: str) -> list[str]:
    return re.findall(r"^(.*): \d+ clauses", run(*words).output, re.M)


def test_a_file_stands_for_its_rules(working_folder: Path) -> None:
    assert checked("variants/stall/storm.yaml") == ["stall+storm"]
    assert checked("rules/stall/game.yaml", "variants/stall/storm.yaml") == ["stall", "stall+storm"]
    (working_folder / "rules" / "stall" / "more.yaml").write_text("choices: {}\n", encoding="utf-8")
    assert checked("rules/stall/more.yaml", "rules/stall/game.yaml") == ["stall"]
    alone = working_folder / "elsewhere" / "market.yaml"
    alone.parent.mkdir()
    alone.write_text(GAME, encoding="utf-8")
    assert checked("elsewhere/market.yaml") == ["elsewhere/market.yaml"]


def test_a_folder_stands_for_all_in_it(working_folder: Path) -> None:
    assert checked(".") == ["stall", "stall+storm"]
    assert checked("variants") == ["stall+storm"]
    assert checked("rules/stall") == ["rules/stall"], "a game's folder is its name"


def test_a_variant_is_found_from_elsewhere(
    working_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = working_folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert checked("../variants/stall/storm.yaml") == ["stall+storm"]


def test_errors_of_a_variant_are_its_own(working_folder: Path) -> None:
    file = working_folder / "variants" / "stall" / "storm.yaml"
    file.write_text(HEAD.format(name="storm", layer="module") + "chanegs: []\n", encoding="utf-8")
    answer = run("variants/stall/storm.yaml", "--format", "github", code=1).output
    assert "::error file=variants/stall/storm.yaml,line=6,endLine=6,col=1,endColumn=8," in answer
    assert "did you mean 'changes'?" in answer


def test_what_is_no_game_is_said(working_folder: Path) -> None:
    (working_folder / "empty").mkdir()
    for name in ("empty", "nothing.yaml", "nothing"):
        assert f"there is no game '{name}'" in run(name, code=2).output


# ---------------------------------------------------------------- formats


def test_json_has_two_names() -> None:
    assert json.loads(run("stall", "--format", "json").output) == []
    assert json.loads(run("stall", "--json").output) == []
    assert "--json does not go with" in run("stall", "--json", "--format", "sarif", code=2).output
    assert "'sarif'" in run("stall", "--format", "xml", code=2).output


FILE = SourceFile("rules/my game/100%.yaml", "first: 1\nsecond: [ä, b]\n")
FOUND = [
    Diagnostic(
        "unknown-key",
        "'second' is no key,\nnor a 100% one",
        Span(FILE, 9, 15),
        (Label(Span(FILE, 0, 5), "like this: one"), Label(NOWHERE, "elsewhere")),
        hint="did you mean 'first'?",
    ),
    Diagnostic("not-found", "there is no game", NOWHERE, severity="warning"),
    Diagnostic("unknown-key", "of two lines", Span(FILE, 0, 20)),
]


def test_a_workflow_command_is_one_line_and_escaped() -> None:
    one, two, three = workflow_commands(FOUND)
    assert one == (
        "::error file=rules/my game/100%25.yaml,line=2,endLine=2,col=1,endColumn=7,"
        "title=unknown-key::'second' is no key,%0Anor a 100%25 one%0A"
        "rules/my game/100%25.yaml:1:1: like this: one%0Anote: elsewhere%0A"
        "hint: did you mean 'first'?"
    )
    assert two == "::warning title=not-found::there is no game"
    assert ",line=1,endLine=2,col=1,title" in three


def test_sarif_has_rules_results_and_places() -> None:
    log: dict[str, Any] = json.loads(json.dumps(sarif(FOUND, __version__)))
    (found,) = log["runs"]
    driver = found["tool"]["driver"]
    assert driver["version"] == __version__
    assert [each["id"] for each in driver["rules"]] == ["not-found", "unknown-key"]
    assert all(each["fullDescription"]["text"] for each in driver["rules"])
    one, two, three = found["results"]
    assert driver["rules"][one["ruleIndex"]]["id"] == one["ruleId"] == "unknown-key"
    assert one["message"]["text"].endswith("did you mean 'first'?\nnote: elsewhere")
    (place,) = one["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "rules/my%20game/100%25.yaml"},
        "region": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 7},
    }
    (related,) = one["relatedLocations"]
    assert related["message"]["text"] == "like this: one"
    assert (two["level"], two["locations"]) == ("warning", [])
    assert three["locations"][0]["physicalLocation"]["region"]["endLine"] == 2
    assert found["columnKind"] == "unicodeCodePoints"


def test_a_sound_game_has_no_results() -> None:
    (found,) = json.loads(run("stall", "--format", "sarif").output)["runs"]
    assert found["results"] == found["tool"]["driver"]["rules"] == []


# ---------------------------------------------------------------- hooks and workflows


def test_hooks_name_commands() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for hook in hooks:
        program, command = shlex.split(hook["entry"])
        assert program == "lawspeaker"
        assert command in COMMANDS
        where = "rules/x/scenarios/y.yaml" if command == "scenario" else "variants/x/y.yaml"
        assert re.search(hook["files"], where)
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert re.findall(r"- id: (\S+)", page) == [hook["id"] for hook in hooks]
