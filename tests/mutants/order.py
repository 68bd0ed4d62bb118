"""Which tests come first when a function is broken, and how long each may take.

With nothing broken, `Watching` notes how long each test takes and which functions it goes through.
`Ordered` then runs those first that have noticed another break of the same function, then those
that go through it, the quickest first; then all the others, since what a function has made may be
kept from one test to the next. A test that runs far longer than it did has found no end, and ends
the process.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import CodeType, FrameType

import pytest

LONGER, AT_LEAST = 8, 30
COLLECTING = 300
CALLS = 200_000
"""So many calls of a test are watched: looking takes longer than calling."""


Notes = dict[str, tuple[float, list[str]]]
"""For each test the seconds that it takes, and the functions it goes through, as `named` says."""


def named(file: Path, function: str) -> str:
    return f"{file.as_posix()} {function}"


def limits(notes: Notes, broken: str, keen: Sequence[str] = ()) -> dict[str, float]:
    """By test, in the order in which they run, how long it may take. `keen` are those that have
    noticed breaks of the same function; the last of them come first."""

    def place(test: str) -> tuple[int, bool, float]:
        seconds, functions = notes[test]
        noticed = keen.index(test) + 1 if test in keen else 0
        return -noticed, broken not in functions, seconds

    return {test: AT_LEAST + LONGER * notes[test][0] for test in sorted(notes, key=place)}


class Watching:
    def __init__(self, root: Path, package: Path) -> None:
        self.root = root
        self.package = str(root / package)
        self.notes: Notes = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        seen: set[CodeType] = set()
        calls = count()

        def note(frame: FrameType, event: str, argument: object) -> None:
            seen.add(frame.f_code)
            if next(calls) > CALLS:
                sys.settrace(None)

        began = time.monotonic()
        threading.settrace(note)
        sys.settrace(note)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            spent = time.monotonic() - began
            own = (code for code in list(seen) if code.co_filename.startswith(self.package))
            self.notes[item.nodeid] = spent, sorted(set(map(self._named, own)))

    def _named(self, code: CodeType) -> str:
        parts = (part for part in code.co_qualname.split(".") if not part.startswith("<"))
        return named(Path(code.co_filename).relative_to(self.root), ".".join(parts))


class Ordered:
    def __init__(self, limits: Mapping[str, float]) -> None:
        self.limits = limits
        self.order = {test: at for at, test in enumerate(limits)}
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, COLLECTING)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.order.get(item.nodeid, len(self.order)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        signal.setitimer(signal.ITIMER_REAL, self.limits.get(item.nodeid, COLLECTING))
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, COLLECTING)
