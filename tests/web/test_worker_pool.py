"""Processes that do jobs within bounds: real ones, since the bounds are those of the system."""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import pytest

from lawspeaker.faces.web.privileges import has_landlock
from lawspeaker.faces.web.processes import LARGEST_FILE
from lawspeaker.faces.web.workshop.worker_pool import Stopped, WorkerPool
from tests.web import loops
from tests.web.conftest import ROOT

MANY = 100_000
SMALL = 300 * 1024 * 1024


def counting(most: int) -> Iterator[int]:
    for number in range(most):
        time.sleep(0.001)
        yield number


def endless() -> Iterator[int]:
    while True:
        pass
    yield 0


def sleeping(seconds: float) -> Iterator[int]:
    time.sleep(seconds)
    yield 1


def greedy() -> Iterator[int]:
    yield len(b"x" * (SMALL * 2))


def writing(path: Path) -> Iterator[str]:
    try:
        path.write_bytes(bytes(LARGEST_FILE + 1))
    except OSError as error:
        yield errno.errorcode[error.errno or 0]


def failing() -> Iterator[int]:
    yield 1
    raise ValueError("a mistake of ours")


def not_data() -> Iterator[object]:
    yield object()


def another_type() -> Iterator[int]:
    yield cast(int, "text")


async def everything(path: Path) -> dict[str, Any]:
    """All of it with one process, so that each job follows upon the one before."""
    pool = WorkerPool(1, SMALL, [ROOT])
    found: dict[str, Any] = {}
    try:
        found["whole"] = [each async for each in pool.run(counting, 5, seconds=60)]
        async with aclosing(pool.run(counting, MANY, seconds=60)) as told:
            async for each in told:
                if each == 3:
                    break
        found["after stopping"] = [each async for each in pool.run(counting, 2, seconds=60)]
        found["sleeping"] = [each async for each in pool.run(sleeping, 1.2, seconds=1)]
        for job in (endless, greedy, failing, not_data, another_type):
            try:
                async for _ in pool.run(job, seconds=1 if job is endless else 60):
                    pass
            except Stopped as stopped:
                found[job.__name__] = stopped.code
        found["writing"] = [each async for each in pool.run(writing, path, seconds=60)]
    finally:
        pool.close()
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="other systems know fewer bounds")
def test_jobs_are_done_and_held_within_bounds(tmp_path: Path) -> None:
    found = loops.run(everything(tmp_path / "written"))
    assert found == {
        "whole": [0, 1, 2, 3, 4],
        "after stopping": [0, 1],
        "sleeping": [1],
        "endless": "too_long",
        "greedy": "too_much",
        "failing": "our_fault",
        "not_data": "our_fault",
        "another_type": "our_fault",
        "writing": ["EACCES" if has_landlock() else "EFBIG"],
    }
