"""Simulations that end early, since the user has seen enough."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lawspeaker.faces.cli import app
from lawspeaker.outside import workers
from lawspeaker.outside.experiments import sweeping, tuning
from lawspeaker.outside.loading import load
from lawspeaker.outside.workers import sums
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
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    monkeypatch.setattr(workers, "sums", lambda *_: interrupted(found))
    result = run("simulate", "./hole.yaml", "--games", "8")
    assert result.exit_code == 130
    assert words in result.output
    assert ("By seat" in result.output) == bool(found)


def stopped_after(sums: Callable[..., Iterator[Any]], until: int) -> Callable[..., Iterator[Any]]:
    """Plays one game at a time, and is stopped before the next."""
    left = iter(range(until))

    def stopped(rules: Any, table: Any, numbers: range, *more: Any) -> Iterator[Any]:
        for number in numbers:
            if next(left, None) is None:
                raise KeyboardInterrupt
            yield from sums(rules, table, range(number, number + 1), *more)

    return stopped


def known_rows() -> list[dict[str, str]]:
    return list(csv.DictReader(Path("known.csv").read_text(encoding="utf-8").splitlines()))


def test_what_is_known_of_a_sweep_is_told_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("sweep", "nim", "--vary", "heap.sizes at 1=2,3", "--games", "8", "--csv", "known.csv")
    monkeypatch.setattr(sweeping, "sums", stopped_after(sums, 3))
    result = run(*words)
    assert result.exit_code == 130
    assert (
        "stopped after 3 of 8 games for each value; this is what is known so far" in result.output
    )
    assert "3 games for each value" in result.output
    assert {row["games"] for row in known_rows()} == {"3"}
    monkeypatch.setattr(sweeping, "sums", stopped_after(sums, 0))
    assert "stopped before a game was over" in run(*words).output


@pytest.mark.full
def test_what_is_known_of_a_search_is_told_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("tune", "nim", "--vary", "heap.sizes at 1=1..3", "--games", "2", "--csv", "known.csv")
    monkeypatch.setattr(tuning, "sums", stopped_after(sums, 5))
    result = run(*words, "--target", "length=2")
    assert result.exit_code == 130
    assert "stopped after 2 trials; this is what is known so far" in result.output
    assert "It was not measured in other games" in result.output
    assert len(known_rows()) == 2


STOPPED = """
import time
from lawspeaker.outside.crew import Crew

try:
    for done in Crew(2).spread(time.sleep, [(0.1,)] * 600):
        print("one is done", flush=True)
except KeyboardInterrupt:
    print("stopped")
"""


SCRIPT = """
import os, time
from lawspeaker.outside.crew import Crew

def processes(crew):
    return set(crew.spread(os.getpid, [()] * 20))

print("begun")
first = processes(Crew(2))
print("kept" if processes(Crew(2)) <= first else "started anew")
left = Crew(2).spread(time.sleep, [(0,), (600,), (600,)])
next(left)
left.close()
print("started anew" if not processes(Crew(2)) & first else "kept")
"""


@pytest.mark.full
def test_a_script_needs_no_guard_and_its_workers_are_kept(tmp_path: Path) -> None:
    """Those that it leaves in the middle of their work are killed, and hold nobody up."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout.split("\n"), done.stderr) == (["begun", "kept", "started anew", ""], "")


@pytest.mark.full
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


INTERRUPTED = """
import os, signal
from lawspeaker.outside import crew

class Pool:
    def submit(self, work):
        os.kill(os.getpid(), signal.SIGINT)
        print("submitted")

try:
    crew._submitted(Pool(), os.getpid, ())
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(os.name != "posix", reason="a process sends itself a signal")
def test_an_interruption_while_work_is_handed_out_is_not_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["submitted", "stopped"], "")
