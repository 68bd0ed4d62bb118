"""Simulations that end early, since the user has seen enough."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lawspeaker.faces.cli import app
from lawspeaker.outside.experiments import simulating as command
from lawspeaker.outside.loading import load
from lawspeaker.study.lab.games import games_of
from lawspeaker.study.lab.record import Record
from lawspeaker.study.lab.rows import Rows
from lawspeaker.study.lab.tally import Tally, tally

ROOT = Path(__file__).resolve().parents[2]
HOLE = """\
lawspeaker: 1
game: hole
title: The Hole
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  coin: {starts in: purse, kinds: {penny: {count: 3}}}
places:
  purse: {holds: coin, seen by: everyone}
  out: {holds: coin, seen by: everyone}
choices:
  times: {says: How many coins leave., is: 4}
rules:
  game:
    says: Coins leave the purse.
    rule: |
      repeat times times:
        draw 1 coin from purse to out
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--bots", "greedy", "--workers", "2"])


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hole.yaml").write_text(HOLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def interrupted(found: int) -> Iterator[tuple[Tally, Rows]]:
    program = load("./hole.yaml").program
    for number in range(found):
        record = Record(number, (1, 0), (0,), 0, 10, 30, 1, (), (), (), trail=0)
        yield tally(games_of(program, 2, [record])), Rows({})
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "found, words",
    [(2, "stopped after 2 of 8 games; this is what is known so far"), (0, "before a game was")],
)
def test_what_is_known_is_printed_when_the_user_stops(
    monkeypatch: pytest.MonkeyPatch, found: int, words: str
) -> None:
    monkeypatch.setattr(command, "sums", lambda *_: interrupted(found))
    result = run("simulate", "./hole.yaml", "--games", "8")
    assert result.exit_code == 130
    assert words in result.output
    assert ("By seat" in result.output) == bool(found)


STOPPED = """
import time
from lawspeaker.outside.crew import Crew

try:
    for done in Crew(2).spread(time.sleep, [(0.1,)] * 600):
        print("one is done", flush=True)
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(os.name != "posix", reason="a process group is interrupted as by a terminal")
def test_workers_stop_without_a_word() -> None:
    """A terminal interrupts workers too: they leave the talking to the command."""
    crew = subprocess.Popen(
        [sys.executable, "-c", STOPPED],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert crew.stdout is not None
    assert crew.stdout.readline() == "one is done\n"
    os.killpg(crew.pid, signal.SIGINT)
    told, complaints = crew.communicate(timeout=60)
    assert told.splitlines()[-1] == "stopped"
    assert complaints == ""
    assert crew.returncode == 0
