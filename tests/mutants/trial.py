"""One mutant, and the tests that run on it until one fails."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import SIGALRM

import pytest

from tests.mutants.blocks import Blocks
from tests.mutants.copies import PLAIN, TESTED, Copy
from tests.mutants.coverage import QUICK, Map, Test
from tests.mutants.draw import Mutant
from tests.mutants.order import CAPPED, Limited, Limits, batches, ordered

LOG = "log.txt"
COLLECTING = "collecting "


@dataclass(frozen=True, slots=True)
class Outcome:
    by: str = ""
    """The test that failed, or what else has detected the mutant."""
    left: int = 0
    """So many tests did not run, for lack of time."""


def run_batches(copy: Path, found: Sequence[Limits], seconds: float | None) -> int:
    """Runs in a process of its own. After so many seconds no test starts."""
    end = None if seconds is None else time.monotonic() + seconds
    log = copy.parent / LOG
    for limits in found:
        if end is not None and time.monotonic() > end:
            os._exit(CAPPED)
        files = list(dict.fromkeys(test.partition("::")[0] for test in limits))
        with log.open("a", encoding="utf-8") as output:
            output.write(f"{COLLECTING}{' '.join(files)}\n")
        status = pytest.main([*PLAIN, "-x", *files], [Limited(limits, log, end)])
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return status
    return 0


def run_tests(
    copy: Copy, tier: str, found: Sequence[Limits], seconds: float | None = None
) -> Outcome:
    """Runs tests on a copy until one fails, finds no end, or ends its process."""
    log = copy.path.parent / LOG
    log.write_text("", encoding="utf-8")
    status = copy.run(tier, run_batches, found, seconds)
    lines = log.read_text(encoding="utf-8").splitlines()
    started = [line for line in lines if not line.startswith(COLLECTING)]
    if status == TESTED:
        return Outcome()
    if status == CAPPED:
        return Outcome(left=sum(map(len, found)) - len(started))
    if 0 <= status < TESTED and not started:
        raise RuntimeError(f"No test was run:\n{copy.output}")
    return Outcome(f"{lines[-1]}{' (no end)' if status == -SIGALRM else ''}")


def types(copy: Copy, file: Path) -> Outcome:
    """Checks the types of a file. No mutation changes the types that others see of it."""
    command = [sys.executable, "-m", "mypy", str(file)]
    done = subprocess.run(command, cwd=copy.path, capture_output=True, check=False)
    return Outcome("types" if done.returncode else "")


class Trials:
    """Which tests run on a mutant, given the coverage map and what was detected before."""

    def __init__(self, blocks: Blocks, known: Map) -> None:
        self.blocks = blocks
        self.known = known
        self.keen: dict[str, list[str]] = {}
        """By functions, the tests that have detected mutants of it, the last one first."""

    def order(self, mutant: Mutant, tier: str) -> list[Test]:
        """The tests of a tier that cover a mutant; of the full tier only those that the quick tier
        does not have."""
        block = self.blocks.at(mutant.file, mutant.mutation.start)
        tests = self.known.covering(block, tier)
        new = [test for test in tests if tier == QUICK or QUICK not in test.tiers]
        return ordered(new, self.known.collecting, self.keen.get(mutant.function, ()))

    def covering(self, copy: Copy, mutant: Mutant, tier: str, seconds: float | None) -> Outcome:
        """Runs the covering tests of a tier on a copy with the mutant in it."""
        found = batches(self.order(mutant, tier), self.known.collecting)
        return self.noted(mutant, run_tests(copy, tier, found, seconds))

    def noted(self, mutant: Mutant, outcome: Outcome) -> Outcome:
        if outcome.by in self.known.tests:
            self.keen.setdefault(mutant.function, []).insert(0, outcome.by)
        return outcome
