"""The extension for VS Code: that it fits the server, and that it can be built."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lawspeaker.text.parse import grammar
from tests.repo.checkout import ROOT

VSCODE = ROOT / "editors" / "vscode"
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH", "ENOTCACHED")


def test_the_grammar_colours_words_of_the_language() -> None:
    told = json.loads((VSCODE / "syntaxes" / "rules.tmLanguage.json").read_text(encoding="utf-8"))
    patterns = [each["match"] for each in told["repository"]["code"]["patterns"]]
    listed = (re.match(r"\\b\(([a-z |]+)\)\\b", each) for each in patterns)
    words = {word for each in listed if each for word in re.findall("[a-z]+", each[1])}
    known = {
        word
        for terminal in grammar().terminals
        for word in re.findall(r"(?<!\\)[a-z]+", terminal.pattern.value)
    }
    assert words
    assert words <= known


@pytest.mark.nightly
def test_the_extension_can_be_built(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    copied = tmp_path / "editors" / "vscode"
    shutil.copytree(VSCODE, copied, ignore=shutil.ignore_patterns("node_modules", "out", "schema"))
    shutil.copytree(ROOT / "schema", tmp_path / "schema")
    fetched = _npm(npm, copied, "ci", "--no-audit", "--no-fund", "--prefer-offline")
    if fetched.returncode and any(each in fetched.stderr for each in UNREACHABLE):
        pytest.skip("what it is built with cannot be fetched from here")
    assert fetched.returncode == 0, fetched.stderr
    for script in ("types", "build"):
        made = _npm(npm, copied, "run", script)
        assert made.returncode == 0, made.stdout + made.stderr
    assert (copied / "out" / "extension.js").is_file()


def _npm(npm: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [npm, *words], cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )
