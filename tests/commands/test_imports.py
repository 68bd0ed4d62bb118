"""Commands import only what they need: imports are most of the time that short commands take."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "scipy", "matplotlib", "wasmtime", "lark", "yaml", "pandas")
SHORT = [
    (["check", "tic_tac_toe"], (*HEAVY, "lawspeaker.ir", "lawspeaker.meaning.check")),
    (
        ["simulate", "tic_tac_toe", "-n", "20"],
        (
            *("scipy", "matplotlib", "lark", "yaml", "pandas"),
            *("lawspeaker.meaning.check", "lawspeaker.text.parse", "lawspeaker.study.compare"),
            *("lawspeaker.machines.compiled", "lawspeaker.match.match"),
        ),
    ),
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def imported(words: list[str], cache: Path) -> tuple[str, set[str]]:
    """What a command prints, and all modules that it imported."""
    program = (
        f"import sys\nsys.argv = {['lawspeaker', *words]!r}\n"
        "from lawspeaker.faces.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "print('imported:', *sys.modules)\n"
    )
    around = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=around, capture_output=True, text=True, check=True
    )
    told, _, modules = done.stdout.partition("imported:")
    return told, set(modules.split())


@pytest.mark.parametrize("words, needless", SHORT, ids=lambda each: each[0])
def test_a_command_whose_rules_have_not_changed_imports_little(
    words: list[str], needless: tuple[str, ...], cache: Path
) -> None:
    first, _ = imported(words, cache)
    again, modules = imported(words, cache)
    if words[0] == "check":
        assert again == first
    assert again
    assert not modules & set(needless)
