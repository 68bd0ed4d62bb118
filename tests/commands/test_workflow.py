"""The example workflow: its steps do what they say in a repository with a change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.compare.stall import GAME, market
from tests.compare.test_versions import git
from tests.repo.checkout import ROOT

WORKFLOW = ROOT / "docs" / "workflows" / "rules.yml"


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("bash"), reason="the steps of a workflow are for bash")
def test_the_workflow_comments_a_comparison(tmp_path: Path) -> None:
    games, tools, out = tmp_path / "games", tmp_path / "tools", tmp_path / "summary.md"
    games.mkdir()
    market(games, {})
    entry = games / "rules" / "stall" / "game.yaml"
    entry.write_text(GAME, encoding="utf-8")
    git(games, "init", "-q")
    git(games, "add", "-A")
    git(games, "commit", "-qm", "before")
    entry.write_text(GAME.replace("is: 2\n", "is: 4\n"), encoding="utf-8")
    git(games, "commit", "-qam", "after")

    tools.mkdir()
    lawspeaker = f'exec "{sys.executable}" -m lawspeaker "$@"'
    for name, does in {"lawspeaker": lawspeaker, "gh": 'echo "$@"; cat comment.md'}.items():
        (tools / name).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    (job,) = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"].values()
    told = ""
    for step in job["steps"]:
        script = step.get("run", "")
        # Its formatting is that of a test, and it brings no scenarios.
        if not script or "pip install" in script or "scenario" in script:
            continue
        lines = [line for line in script.splitlines(keepends=True) if "format --check" not in line]
        answer = subprocess.run(
            ["bash", "-e", "-c", "".join(lines)],
            cwd=games,
            env={
                **os.environ,
                "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT / "interpreter"),
                "GAMES": "stall",
                "BASE": "HEAD~1",
                "GITHUB_STEP_SUMMARY": str(out),
                "NUMBER": "7",
            },
            capture_output=True,
            text=True,
            check=True,
        )
        told += answer.stdout
    assert "stall: 5 clauses, 2 choices, no errors" in told
    assert "pr comment 7 --body-file comment.md" in told
    for text in (told, out.read_text(encoding="utf-8")):
        assert "**1 difference: 1 changes play by the text of the rules.**" in text
        assert "| 1 | **How many rounds are played.** | value | 2<br>" in text
        assert "| ≠ 4 |" in text
