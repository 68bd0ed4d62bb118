"""A copy of the checkout in which something is broken, and its tests.

Each runner has a copy of its own, so nothing is ever broken in the checkout. A break is tried first
by tests that are read already (`waiting`), then by types, then by tests that read the broken file.
Those run in a process made by a server that has pytest and other people's libraries in it already,
since loading those takes longer than most tests; this package and its tests are read from the copy,
by processes that tests start as well.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from tests.mutants.order import Notes, Ordered, Watching, limits, named
from tests.mutants.parts import PACKAGE, Part
from tests.mutants.waiting import Noticed, Waiting

LEFT_BEHIND = shutil.ignore_patterns(
    ".*", "__pycache__", "dist", "build", "node_modules", "*.egg-info"
)
LOADED = ["pytest", "_pytest", "hypothesis", "hypothesis.extra", "lark", "yaml", "jsonschema_rs"]
LOADED += ["numpy", "wasmtime", "starlette.testclient", "typer", "rich", "anyio", __name__]
SAID, NOTES = "said.txt", "notes.json"
TESTED = 100
"""A process that has tested the copy ends with this and pytest's own status."""


class Trial:
    def __init__(self, root: Path, notes: dict[str, Notes] | None = None) -> None:
        self.folder = TemporaryDirectory(prefix="mutants-")
        self.copy = Path(self.folder.name) / "checkout"
        self.notes = notes if notes is not None else {}
        """For each part, what is noted of its tests."""
        self.processes = multiprocessing.get_context("forkserver")
        self.processes.set_forkserver_preload(LOADED)
        self.waiting: dict[str, Connection] = {}
        """By part, the tests that are read already."""
        self.keen: dict[str, list[str]] = {}
        """By function, the tests that have noticed breaks of it, one after the other."""
        shutil.copytree(root, self.copy, ignore=LEFT_BEHIND if notes is None else None)

    def __enter__(self) -> Trial:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for each in self.waiting.values():
            each.close()
        self.folder.cleanup()

    def twin(self) -> Trial:
        """Another copy, in which all is compiled that is compiled here."""
        return Trial(self.copy, self.notes)

    def said(self) -> str:
        """What the tests said last."""
        return (self.copy.parent / SAID).read_text(encoding="utf-8")

    def is_sound(self, part: Part) -> bool:
        """Whether the tests of a part pass with nothing broken; how they go is noted."""
        sound = self._passes(part, None)
        if sound:
            self.notes[part.name] = json.loads((self.copy.parent / NOTES).read_bytes())
        return sound

    def notices(self, part: Part, file: Path, function: str, text: str) -> bool:
        """Whether a test of the part fails, or finds no end, or a type does not fit, with this text
        in a file."""
        broken = named(file, function)
        keen = self.keen.setdefault(broken, [])
        ordered = limits(self.notes[part.name], broken, keen)
        noticed, test = self._tried(part, file, function, text, ordered)
        if test:
            keen.append(test)
        return noticed or not self._passes_with(part, self.copy / file, text, ordered)

    def _tried(
        self, part: Part, file: Path, function: str, text: str, ordered: dict[str, float]
    ) -> Noticed:
        if part.name not in self.waiting:
            self.waiting[part.name], breaks = self.processes.Pipe()
            arguments = (self.copy, part.tests, None, breaks)
            self.processes.Process(target=_test, args=arguments, daemon=True).start()
            breaks.close()
        self.waiting[part.name].send((self.copy / file, function, text, ordered))
        noticed: Noticed = self.waiting[part.name].recv()
        return noticed

    def _passes_with(self, part: Part, broken: Path, text: str, ordered: dict[str, float]) -> bool:
        before, stat = broken.read_bytes(), broken.stat()
        broken.write_text(text, encoding="utf-8")
        os.utime(broken, (stat.st_atime, stat.st_mtime + 10))  # What was compiled is older.
        try:
            return self._fits(broken) and self._passes(part, ordered)
        finally:
            broken.write_bytes(before)
            os.utime(broken, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def _fits(self, file: Path) -> bool:
        """Whether the types in a file fit; no break changes what others know of it."""
        checked = [sys.executable, "-m", "mypy", str(file.relative_to(self.copy))]
        done = subprocess.run(checked, cwd=self.copy, capture_output=True, check=False)
        return done.returncode == 0

    def _passes(self, part: Part, ordered: dict[str, float] | None) -> bool:
        process = self.processes.Process(target=_test, args=(self.copy, part.tests, ordered))
        process.start()
        assert process.pid is not None
        try:
            process.join()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.join()
        assert process.exitcode is not None
        if 0 <= process.exitcode < TESTED:
            raise RuntimeError(f"{part.name} was not tested:\n{self.said()}")
        return process.exitcode == TESTED


def _test(
    copy: Path, tests: str, ordered: dict[str, float] | None, breaks: Connection | None = None
) -> None:
    """Runs pytest in this process. Only what is compiled with nothing broken is kept."""
    os.setsid()
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    os.chdir(copy)
    paths = [str(copy / PACKAGE.parent), str(copy)]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    sys.path[:0] = paths
    if ordered is not None:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
    with (copy.parent / SAID).open("w") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    import pytest

    watching = Watching(copy, PACKAGE)
    plugin: object = watching if ordered is None else Ordered(ordered)
    if breaks is not None:
        plugin = Waiting(breaks, TESTED)
    plain = ["-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=short"]
    code = pytest.main([*plain, *(f"tests/{each}" for each in tests.split())], [plugin])
    used = sys.modules["lawspeaker"].__file__ if "lawspeaker" in sys.modules else None
    if code == 0 and not (used and Path(used).is_relative_to(copy)):
        raise RuntimeError(f"tests used {used}")
    if ordered is None:
        (copy.parent / NOTES).write_text(json.dumps(watching.notes), encoding="utf-8")
    sys.stdout.flush()
    os._exit(TESTED + code)  # Nobody waits for processes that tests have left behind.
