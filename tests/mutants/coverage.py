"""The coverage map: which blocks of the package each test runs, and how long it takes.

Each test file runs in a process of its own, on a copy with marked bytecode (`blocks`). After each
test the marks are saved and cleared. A result that is kept for later tests would count for the
first test only: a cached game, or a fixture of a module. So blocks that run while a file is
imported and collected, while a cached function or property is computed, or while a fixture with a
wide scope is set up, count for all tests of the file.

The map is a text file: a line of JSON for each test file and tier, written when that file is done.
An interrupted run goes on with the files that are missing.
"""

from __future__ import annotations

import functools
import json
import mmap
import os
import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.mutants.blocks import MARKS, Blocks
from tests.mutants.copies import PLAIN, TESTED, Copies, Copy

Marks: TypeAlias = NDArray[np.uint8]
P = ParamSpec("P")
R = TypeVar("R")

QUICK, FULL = "test", "full"
STYLE = "tests/repo/test_style.py"
"""Left out: a mutant is not laid out well, and types are checked apart."""
FOUND = "found.json"


@dataclass(frozen=True, slots=True)
class Test:
    __test__ = False
    id: str
    tiers: frozenset[str]
    seconds: float
    blocks: int
    """A set of blocks: bit n is set if block n runs."""

    @property
    def file(self) -> str:
        return self.id.partition("::")[0]

    def covers(self, block: int) -> bool:
        return bool(self.blocks >> block & 1)


@dataclass(frozen=True, slots=True)
class Map:
    tests: Mapping[str, Test]
    collecting: Mapping[str, float]
    """The seconds it takes to import and collect each test file."""
    failed: tuple[str, ...]
    """Tests that fail on the unmutated copy. These, and those that are skipped, are left out."""

    def of(self, files: Collection[str]) -> Map:
        """The map of some test files."""
        tests = {test: each for test, each in self.tests.items() if each.file in files}
        return Map(tests, self.collecting, self.failed)

    def covering(self, block: int, tier: str) -> list[Test]:
        found = (each for each in self.tests.values() if tier in each.tiers)
        return [each for each in found if each.covers(block)]


class Recorder:
    """A plugin for pytest that notes the blocks and the time of each test of one file."""

    def __init__(self, marks: Path, only: Collection[str] | None) -> None:
        """`only` are the tests that run; None stands for all of them."""
        with marks.open("r+b") as file:
            self.marks: Marks = np.frombuffer(mmap.mmap(file.fileno(), 0), np.uint8)
        self.only = only
        self.shared = np.zeros_like(self.marks)
        self.began = time.monotonic()
        self.collecting = 0.0
        self.tests: dict[str, tuple[float, str]] = {}
        self.outcomes: dict[str, str] = {}
        real_cache, real_lru = functools.cache, functools.lru_cache
        real_property = functools.cached_property

        def lru_cache(maxsize: object = 128, typed: bool = False) -> object:
            if callable(maxsize):
                return real_lru(self.kept(maxsize))
            made = real_lru(maxsize, typed)  # type: ignore[call-overload]
            return lambda function: made(self.kept(function))

        class Property(real_property):  # type: ignore[misc, valid-type]
            def __init__(own, function: Callable[..., object]) -> None:  # noqa: N805
                super().__init__(self.kept(function))

        vars(functools).update(
            cache=lambda function: real_cache(self.kept(function)),
            lru_cache=lru_cache,
            cached_property=Property,
        )

    def taken(self) -> Marks:
        found = self.marks.copy()
        self.marks[:] = 0
        return found

    def kept(self, function: Callable[P, R]) -> Callable[P, R]:
        """A function whose blocks count for all tests of the file."""

        @functools.wraps(function)
        def run(*arguments: P.args, **named: P.kwargs) -> R:
            before = self.taken()
            try:
                return function(*arguments, **named)
            finally:
                self.shared |= self.marks
                self.marks |= before

        return run

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.only is not None:
            items[:] = [item for item in items if item.nodeid in self.only]

    def pytest_collection_finish(self) -> None:
        self.collecting = time.monotonic() - self.began
        self.shared |= self.taken()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> Generator[None, object, object]:
        before = self.taken()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.shared |= self.marks
            self.marks |= before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.taken()
        began = time.monotonic()
        try:
            return (yield)
        finally:
            self.tests[item.nodeid] = time.monotonic() - began, _written(self.taken())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self.outcomes.get(report.nodeid, "passed") == "passed":
            self.outcomes[report.nodeid] = report.outcome

    def record(self) -> dict[str, object]:
        tests = {
            test: (seconds, self.outcomes[test], blocks)
            for test, (seconds, blocks) in self.tests.items()
        }
        shared = _written(self.shared)
        return {"collecting": self.collecting, "shared": shared, "tests": tests}


def _written(marks: Marks) -> str:
    return b64encode(zlib.compress(np.packbits(marks, bitorder="little").tobytes())).decode()


def _read(text: str) -> int:
    return int.from_bytes(zlib.decompress(b64decode(text)), "little")


class Listed:
    """A plugin for pytest that lists the collected tests."""

    def __init__(self) -> None:
        self.tests: list[str] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.tests = [item.nodeid for item in session.items]


def record(copy: Path, file: str, only: Collection[str] | None) -> int:
    """Runs in a process of its own, on a copy with marked bytecode."""
    recorder = Recorder(Path(os.environ[MARKS]), only)
    status = pytest.main([*PLAIN, file], [recorder])
    (copy.parent / FOUND).write_text(json.dumps(recorder.record()), encoding="utf-8")
    return status


def list_tests(copy: Path, file: str) -> int:
    """Runs in a process of its own."""
    listed = Listed()
    status = pytest.main([*PLAIN, "--collect-only", file], [listed])
    (copy.parent / FOUND).write_text(json.dumps(listed.tests), encoding="utf-8")
    return status


def _run(copy: Copy, tier: str, work: Callable[..., int], *arguments: object) -> Any:
    status = copy.run(tier, work, *arguments)
    if status < TESTED:
        raise RuntimeError(f"{arguments[0]} ended with {status}:\n{copy.output}")
    return json.loads((copy.path.parent / FOUND).read_bytes())


def _line(copy: Copy, file: str, tiers: Sequence[str]) -> dict[str, object]:
    """The line of a test file. Its tests run as those of the last tier, which has the most; those
    that only another tier has run as tests of that."""
    whole = _run(copy, tiers[-1], record, file, None)
    runs, listed = [whole], {tiers[-1]: list(whole["tests"])}
    for tier in tiers[:-1]:
        listed[tier] = _run(copy, tier, list_tests, file)
        others = [test for test in listed[tier] if test not in whole["tests"]]
        if others:
            runs.append(_run(copy, tier, record, file, others))
    return {"file": file, "tiers": listed, "runs": runs}


def complete(
    map_file: Path, blocks: Blocks, tests: Iterable[str], tiers: Sequence[str], jobs: int
) -> None:
    """Makes the map of some test files, or the rest of it."""
    head = {"digest": blocks.digest, "tiers": list(tiers)}
    if not map_file.exists():
        map_file.write_text(f"{json.dumps(head)}\n", encoding="utf-8")
    first, *lines = map_file.read_text(encoding="utf-8").splitlines()
    if json.loads(first) != head:
        raise SystemExit(f"{map_file} was made for other code: remove it")
    done = {json.loads(line)["file"] for line in lines}
    missing = [file for file in tests if file not in done]
    if not missing:
        return
    with Copies(jobs, lambda copy: blocks.write(copy.path)) as copies, map_file.open("a") as output:

        def line(copy: Copy, file: str) -> dict[str, object]:
            copy.marks.write_bytes(bytes(blocks.size))
            return _line(copy, file, tiers)

        for each in copies.map(line, missing):
            print(json.dumps(each), file=output, flush=True)


def read_map(map_file: Path) -> Map:
    tests: dict[str, Test] = {}
    collecting: dict[str, float] = {}
    failed: list[str] = []
    for line in map(json.loads, map_file.read_text(encoding="utf-8").splitlines()[1:]):
        tiers = {tier: frozenset(listed) for tier, listed in line["tiers"].items()}
        collecting[line["file"]] = line["runs"][0]["collecting"]
        for run in line["runs"]:
            shared = _read(run["shared"])
            for test, (seconds, outcome, blocks) in run["tests"].items():
                of = frozenset(tier for tier, listed in tiers.items() if test in listed)
                if outcome == "passed":
                    tests[test] = Test(test, of, seconds, _read(blocks) | shared)
                elif outcome == "failed":
                    failed.append(test)
    return Map(tests, collecting, tuple(failed))


def files_in(root: Path, places: Iterable[str]) -> list[str]:
    """The test files in some folders, or these files themselves, as paths from the root."""
    found = {
        file.relative_to(root).as_posix()
        for place in places
        for file in (
            (root / place).rglob("test_*.py") if (root / place).is_dir() else [root / place]
        )
    }
    return sorted(found - {STYLE})
