"""The lab where something is not installed: slower, or with a word about what to install."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import sys
sys.modules.update(dict.fromkeys({missing!r}))
sys.argv = ["lawspeaker", *{words!r}]
from lawspeaker.faces.cli import main
main()
"""


def run(missing: list[str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN.format(missing=missing, words=list(words))],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.full
def test_a_simulation_needs_no_extra_and_no_compiled_machine() -> None:
    words = ("simulate", "nim", "-n", "5", "--workers", "1", "--json")
    bare = run(["wasmtime", "scipy", "matplotlib", "distributed"], *words)
    assert bare.returncode == 0, bare.stderr
    assert "wasmtime is not installed: the reference machine plays" in bare.stderr
    whole = run([], *words)
    assert whole.stderr == ""
    assert bare.stdout == whole.stdout


@pytest.mark.full
def test_who_needs_the_compiled_machine_is_told_so() -> None:
    found = run(["wasmtime"], "simulate", "nim", "--bots", "mc:5", "-n", "1", "--workers", "1")
    assert found.returncode == 1
    assert found.stderr.startswith("the compiled machine needs wasmtime, which cannot be loaded:")
    assert len(found.stderr.splitlines()) == 1


@pytest.mark.full
def test_plots_need_matplotlib() -> None:
    found = run(["matplotlib"], "simulate", "nim", "-n", "2", "--workers", "1", "--plot", "x.png")
    assert found.returncode == 1
    assert "plots need matplotlib: pip install 'lawspeaker[lab]'" in found.stderr


@pytest.mark.full
def test_parquet_needs_pyarrow_and_says_so_before_any_game() -> None:
    found = run(["pyarrow"], "simulate", "nim", "-n", "2", "--workers", "1", "--parquet", "x")
    assert found.returncode == 1
    assert found.stderr == "Parquet needs pyarrow: pip install 'lawspeaker[data]'\n"
