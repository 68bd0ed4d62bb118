"""Commands that only read rules start without what is needed to play, simulate or draw."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import lawspeaker
from tests.repo.checkout import ROOT

HEAVY = (
    *(
        "lawspeaker.machines.reference",
        "lawspeaker.match.match",
        "lawspeaker.players.bots",
        "lawspeaker.study.lab",
    ),
    *("lawspeaker.faces.web", "lawspeaker.machines.compiled", "lawspeaker.outside.workers"),
    *("scipy", "numpy", "matplotlib", "nicegui", "wasmtime"),
)
GAME = "play nim --seats random,random --seed 1"
TOLD = "import sys, lawspeaker.faces.cli.{0}; print(*sys.modules)"


@pytest.mark.parametrize("command", ["check", "compare"])
def test_a_command_reads_only_what_it_needs(command: str) -> None:
    path = os.pathsep.join([str(ROOT / "interpreter"), os.environ.get("PYTHONPATH", "")])
    answer = subprocess.run(
        [sys.executable, "-c", TOLD.format(command)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    read = answer.stdout.split()
    assert f"lawspeaker.faces.cli.{command}" in read
    assert not [each for each in HEAVY if each in read]


@pytest.mark.full
def test_a_game_without_thinking_bots_starts_no_compiler() -> None:
    """Nor anything else that many games need."""
    script = "from lawspeaker.faces.cli import main; main()"
    answer = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", script, *GAME.split()],
        capture_output=True,
        text=True,
        check=True,
    )
    read = {line.rpartition("|")[2].strip() for line in answer.stderr.splitlines()}
    assert "lawspeaker.match.match" in read
    assert not read & {"lawspeaker.machines.compiled", "numpy", "wasmtime", "scipy"}


def test_every_public_name_can_be_fetched() -> None:
    for name in lawspeaker.__all__:
        assert callable(getattr(lawspeaker, name))
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_the_kind'"):
        _ = lawspeaker.nothing_of_the_kind
