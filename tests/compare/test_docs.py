"""The commands of docs/comparing.md run as they are written there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from tests.compare.test_versions import git
from tests.repo.checkout import ROOT
from tests.tiers import sample

PAGE = (ROOT / "docs" / "comparing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
QUICK = {"--effect 200": "--effect 2 --players 3 --workers 1", "--witness": "--witness --workers 1"}


def test_there_are_commands() -> None:
    assert len(BLOCKS) >= 5


@pytest.mark.full
@pytest.mark.parametrize(
    "block", sample(BLOCKS, full=4), ids=lambda block: block.split("\n")[0][11:50]
)
def test_the_commands_run(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "mygame" in block:
        game_with_tags(tmp_path)
    for line in block.splitlines():
        line = line.partition(" > ")[0]
        for long, short in QUICK.items():
            line = line.replace(long, short)
        words = shlex.split(line)
        assert words[0] == "lawspeaker"
        result = CliRunner().invoke(app, words[1:])
        assert result.exit_code == 0, result.output
        last = result.output
    if "--patch" in block:
        assert last.startswith("No differences.")


def game_with_tags(folder: Path) -> None:
    CliRunner().invoke(app, ["new", "mygame"])
    for words in ("init -q", "add -A", "commit -qm one", "tag v1", "tag v2"):
        git(folder, *words.split())


@pytest.mark.parametrize("number, names", [(0, "italian french"), (1, "skalds")])
def test_what_is_shown_is_what_comes_out(
    number: int, names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    words = ["compare", "walhalla", *(f"walhalla+{each}" for each in names.split())]
    result = CliRunner().invoke(app, words)
    example = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[number]
    printed = {line.rstrip() for line in result.output.splitlines()}
    missing = [line for line in example.splitlines()[1:] if line.rstrip() not in printed]
    assert not missing
