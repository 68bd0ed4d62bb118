"""Which tests run first on a mutant, and how long each may take.

Tests that have detected another mutant of the same function come first. The others take turns by
file: the next test is one of the file that has used the least time by then. So cheap tests come
early, and many equal ones of one file do not keep all the others waiting.

The tests run in batches, each about three times as long as the one before, since the files of a
batch are collected before its first test. A test that runs far longer than it did on the unmutated
code is taken to be in an endless loop; then its process ends.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.mutants.coverage import Test

LONGER, AT_LEAST = 8, 30
COLLECTING = 300
FIRST_BATCH, GROWTH = 2.0, 3
CAPPED = 99
"""The exit status of a process that had no time left for another test."""

Limits = dict[str, float]
"""The most seconds that each test may take, in the order in which they run."""


def limit(seconds: float) -> float:
    return AT_LEAST + LONGER * seconds


def ordered(
    tests: Iterable[Test], collecting: Mapping[str, float], keen: Sequence[str]
) -> list[Test]:
    """`keen` are the tests that have detected mutants of the same function, the last one first."""
    used = dict(collecting)
    places: dict[str, tuple[int, float]] = {}
    by_time = sorted(tests, key=lambda test: test.seconds)
    for test in by_time:
        used[test.file] += test.seconds
        rank = keen.index(test.id) if test.id in keen else len(keen)
        places[test.id] = rank, used[test.file]
    return sorted(by_time, key=lambda test: places[test.id])


def batches(tests: Iterable[Test], collecting: Mapping[str, float]) -> list[Limits]:
    found: list[Limits] = []
    spent, end = 0.0, 0.0
    collected: set[str] = set()
    for test in tests:
        if spent >= end:
            found.append({})
            end = FIRST_BATCH if not end else end * GROWTH
        spent += test.seconds + (collecting[test.file] if test.file not in collected else 0)
        collected.add(test.file)
        found[-1][test.id] = limit(test.seconds)
    return found


class Limited:
    """A plugin for pytest: only certain tests run, in their order, each with its limit."""

    def __init__(
        self, limits: Limits, log: Path, end: float | None = None, between: float = COLLECTING
    ) -> None:
        """Each test is logged when it starts. After `end` (time.monotonic) no test starts.
        `between` is the limit for the time between tests; 0 stands for none."""
        self.limits = limits
        self.log = log
        self.end = end
        self.between = between
        self.order = {test: at for at, test in enumerate(limits)}
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, between)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        ours = [item for item in items if plain_id(item.nodeid, self.limits) in self.limits]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(ours)])
        items[:] = sorted(ours, key=lambda item: self.order[plain_id(item.nodeid, self.limits)])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        if self.end is not None and time.monotonic() > self.end:
            os._exit(CAPPED)
        test = plain_id(item.nodeid, self.limits)
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"{test}\n")
        signal.setitimer(signal.ITIMER_REAL, self.limits[test])
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, self.between)


def plain_id(test: str, known: Collection[str]) -> str:
    """The id of a test without the group that xdist has put behind it."""
    return test if test in known else test.rpartition("@")[0]
