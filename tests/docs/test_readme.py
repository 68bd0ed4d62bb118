"""The README says what is true: its Python runs, its rule stands so in the game, its commands are
those there are."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from lawspeaker.faces.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


def test_the_python_runs_and_prints_what_it_says() -> None:
    (code,) = blocks("python")
    told = re.findall(r"^print\(.*?\)\s+# (.+)$", code, re.M)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {})
    assert out.getvalue().splitlines() == told


def test_the_rule_stands_so_in_the_game() -> None:
    (shown,) = blocks("yaml")
    written = (ROOT / "rules" / "walhalla" / "sending.yaml").read_text(encoding="utf-8")
    lines = [line.strip() for line in shown.splitlines() if line.strip()]
    assert lines
    for line in lines:
        if not line.startswith("cites:"):
            assert line.removeprefix("says: ") in written, line


def test_every_command_is_in_the_table() -> None:
    named = set(re.findall(r"^\| `lawspeaker (\w+)", README, re.M))
    assert named == set(COMMANDS)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
