"""A copy of the checkout in which something is broken, and its tests.

Each runner has a copy of its own, so nothing is ever broken in the checkout. Tests run in a process
made by a server that has pytest and other people's libraries in it already, since loading those
takes longer than most tests; this package and its tests are read from the copy, by processes that
tests start as well. A test that runs far longer than it does with nothing broken has noticed.
"""

from __future__ import annotations

import multiprocessing
import os
import shlex
import shutil
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from tests.mutants.parts import PACKAGE, Part

LEFT_BEHIND = shutil.ignore_patterns(
    ".*", "__pycache__", "dist", "build", "node_modules", "*.egg-info"
)
LOADED = ["pytest", "_pytest", "hypothesis", "hypothesis.extra", "lark", "yaml", "jsonschema"]
LOADED += ["numpy", "wasmtime", "starlette.testclient", "typer", "rich", "anyio", __name__]
SAID = "said.txt"
LONGER, AT_LEAST = 8, 30
TESTED = 100
"""A process that has tested the copy ends with this and pytest's own status."""


class Trial:
    def __init__(self, root: Path, limits: dict[str, float] | None = None) -> None:
        self.folder = TemporaryDirectory(prefix="mutants-")
        self.copy = Path(self.folder.name) / "checkout"
        self.limits = limits if limits is not None else {}
        self.processes = multiprocessing.get_context("forkserver")
        self.processes.set_forkserver_preload(LOADED)
        shutil.copytree(root, self.copy, ignore=LEFT_BEHIND if limits is None else None)

    def __enter__(self) -> Trial:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.folder.cleanup()

    def twin(self) -> Trial:
        """Another copy, in which all is compiled that is compiled here."""
        return Trial(self.copy, self.limits)

    def said(self) -> str:
        """What the tests said last."""
        return (self.copy.parent / SAID).read_text(encoding="utf-8")

    def is_sound(self, part: Part) -> bool:
        """Whether the tests of a part pass with nothing broken; how long they take is noted."""
        for stage in part.stages:
            began = time.monotonic()
            if self._passes(stage, None):
                self.limits[stage] = AT_LEAST + LONGER * (time.monotonic() - began)
            else:
                return False
        return True

    def notices(self, part: Part, file: Path, text: str) -> bool:
        """Whether a test of the part fails, or finds no end, with this text in a file."""
        broken = self.copy / file
        before, stat = broken.read_bytes(), broken.stat()
        broken.write_text(text, encoding="utf-8")
        os.utime(broken, (stat.st_atime, stat.st_mtime + 10))  # What was compiled is older.
        try:
            return not all(self._passes(stage, self.limits[stage]) for stage in part.stages)
        finally:
            broken.write_bytes(before)
            os.utime(broken, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def _passes(self, stage: str, limit: float | None) -> bool:
        sound = limit is None
        process = self.processes.Process(target=_test, args=(self.copy, stage, sound))
        process.start()
        assert process.pid is not None
        try:
            process.join(limit)
        finally:
            if process.is_alive():
                os.killpg(process.pid, signal.SIGKILL)
                process.join()
        assert process.exitcode is not None
        if 0 <= process.exitcode < TESTED:
            raise RuntimeError(f"the copy was not tested with {stage}:\n{self.said()}")
        return process.exitcode == TESTED


def _test(copy: Path, stage: str, keep: bool) -> None:
    """Runs pytest in this process. Only what is compiled with nothing broken is kept."""
    os.setsid()
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    os.chdir(copy)
    paths = [str(copy / PACKAGE.parent), str(copy)]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    sys.path[:0] = paths
    if not keep:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
    with (copy.parent / SAID).open("w") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    import pytest

    plain = ["-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=short"]
    given = shlex.split(stage)
    files = [f"tests/{each}" if Path("tests", each).exists() else each for each in given]
    code = pytest.main([*plain, *files])
    used = sys.modules["lawspeaker"].__file__ if "lawspeaker" in sys.modules else None
    if code == 0 and not (used and Path(used).is_relative_to(copy)):
        raise RuntimeError(f"tests used {used}")
    sys.exit(TESTED + code)
