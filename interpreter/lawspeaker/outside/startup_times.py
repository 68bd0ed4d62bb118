"""Benchmarks the start-up time of commands, relative to importing NumPy.

CPU and wall seconds differ between machines and with other load. So all commands take turns, the
minimum of each counts, and results are multiples of the time that Python takes to import NumPy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, getrusage

from lawspeaker.base.diagnostics import Failure

NUMPY = "import numpy"


class NotStarted(Failure):
    """A command failed; the message says which."""


@dataclass(frozen=True, slots=True)
class Start:
    """A command with its minimum CPU and wall seconds, absolute and relative to NumPy."""

    command: str
    processor: float
    wall: float
    processor_ratio: float
    wall_ratio: float


def starts(commands: Sequence[Sequence[str]], rounds: int) -> list[Start]:
    """Measures commands of Lawspeaker. Each runs once before, to warm the caches."""
    program = [sys.executable, "-m", "lawspeaker"]
    asked = {NUMPY: [sys.executable, "-c", NUMPY]}
    asked |= {" ".join(each): [*program, *each] for each in commands}
    for name, line in asked.items():
        _run(name, line)
    least = dict.fromkeys(asked, (float("inf"), float("inf")))
    for _ in range(rounds):
        for name, line in asked.items():
            processor, wall = _run(name, line)
            least[name] = min(least[name][0], processor), min(least[name][1], wall)
    base = least[NUMPY]
    return [
        Start(name, *each, each[0] / max(base[0], 1e-9), each[1] / base[1])
        for name, each in least.items()
    ]


def _run(name: str, line: Sequence[str]) -> tuple[float, float]:
    """CPU and wall seconds of a process and its children."""
    # Without cached bytecode, imports would measure Python's compiler.
    around = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before, began = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(line, stdout=subprocess.DEVNULL, env=around, check=False)
    wall, after = time.perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    if done.returncode:
        raise NotStarted(f"`{name}` failed with exit code {done.returncode}")
    user = after.ru_utime - before.ru_utime
    return user + after.ru_stime - before.ru_stime, wall
