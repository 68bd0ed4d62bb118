"""Copies of the checkout, and processes that test them.

Nothing is ever mutated in the checkout itself. A process that tests a copy is forked from a server
that has pytest and third-party libraries loaded, since loading those takes longer than most tests.
The package and the tests are imported from the copy, also by processes that tests start.

Nothing that one mutant leaves on disk reaches another. Each process has an empty folder for
temporary files and for the cache of compiled games: a compiled game would otherwise be used by
another compiler, since its name does not depend on the whole compiler. A mutated file has a time of
change of its own, so bytecode that was cached for another version of it is not used. Hypothesis
tries the same examples in each process, and does not look for smaller ones after a failure.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import TypeVar

from hypothesis import Phase, settings

from tests.mutants.blocks import MARKS
from tests.repo import checkout

LOADED = ["pytest", "_pytest", "xdist", "hypothesis", "hypothesis.extra", "lark", "yaml"]
LOADED += [
    "jsonschema_rs",
    "numpy",
    "wasmtime",
    "starlette.testclient",
    "typer",
    "rich",
    "anyio",
    __name__,
]
PLAIN = ["-q", "-p", "no:cacheprovider", "--tb=short"]
TESTED = 100
"""A process that has run tests ends with this plus the status of pytest."""
MEMORY = 8 << 30
"""The most bytes that a process may use. An endless loop may use more and more."""
_OWNER = "MUTANTS_COPY"
"""The environment variable with which processes that tests start are found again."""
TYPES = ".mypy_cache"
_ENTERED = 0o711
"""The mode of folders for temporary files: a database server runs as another user."""
_TEXTS = "LAWSPEAKER_TEXTS"

Item = TypeVar("Item")
Result = TypeVar("Result")

_changes = count(1)


class Copy:
    def __init__(self, other: Copy | None = None) -> None:
        """A copy of the checkout, or of another copy with the bytecode in it."""
        self.folder = TemporaryDirectory(prefix="mutants-")
        Path(self.folder.name).chmod(_ENTERED)
        self.path = Path(self.folder.name) / "checkout"
        self.processes = get_context("forkserver")
        self.processes.set_forkserver_preload(LOADED)
        if other is not None:
            shutil.copytree(other.path, self.path)
            return
        for file in checkout.files():
            (self.path / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout.ROOT / file, self.path / file)
        with suppress(FileNotFoundError):
            shutil.copytree(checkout.ROOT / TYPES, self.path / TYPES)

    def __enter__(self) -> Copy:
        return self

    def __exit__(self, *error: object) -> None:
        self.end_processes()
        self.folder.cleanup()

    @property
    def marks(self) -> Path:
        """The file with the marks, for copies with marked bytecode."""
        return Path(self.folder.name) / "marks"

    @property
    def output(self) -> str:
        """The output of the last process."""
        return _output(self.path).read_text(encoding="utf-8", errors="replace")

    def variables(self, tier: str, scratch: Path) -> dict[str, str]:
        """The environment of a process that tests this copy."""
        texts = checkout.ROOT.parent / "shared" / "sources"
        return {
            **({_TEXTS: str(texts)} if _TEXTS not in os.environ and texts.is_dir() else {}),
            _OWNER: str(self.path),
            MARKS: str(self.marks),
            "LAWSPEAKER_TIER": tier,
            "PYTHONPATH": os.pathsep.join([str(self.path / "interpreter"), str(self.path)]),
            **scratch_environment(scratch),
        }

    def start(
        self, tier: str, scratch: Path, work: Callable[..., int], *arguments: object
    ) -> ForkServerProcess:
        """Starts a process that does some work, given the path of the copy and these arguments."""
        given = (self.path, self.variables(tier, scratch), work, arguments)
        process = self.processes.Process(target=_begun, args=given)
        process.start()
        return process

    def run(self, tier: str, work: Callable[..., int], *arguments: object) -> int:
        """The exit status of such a process; negative if a signal has ended it."""
        with TemporaryDirectory(dir=self.folder.name, ignore_cleanup_errors=True) as scratch:
            Path(scratch).chmod(_ENTERED)
            process = self.start(tier, Path(scratch), work, *arguments)
            try:
                process.join()
            finally:
                assert process.pid is not None
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.join()
                self.end_processes()
        assert process.exitcode is not None
        return process.exitcode

    def end_processes(self) -> None:
        """Ends all processes that tests of this copy have started and left behind."""
        owner = f"{_OWNER}={self.path}".encode()
        for each in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if owner in (each / "environ").read_bytes().split(b"\0"):
                    os.kill(int(each.name), signal.SIGKILL)

    @contextmanager
    def mutated(self, texts: Mapping[Path, str]) -> Iterator[None]:
        """Replaces the texts of some files."""
        before = [(self.path / file, (self.path / file).stat()) for file in texts]
        contents = [file.read_bytes() for file, _ in before]
        try:
            for (file, stat), text in zip(before, texts.values(), strict=True):
                file.write_text(text, encoding="utf-8")
                os.utime(file, (stat.st_atime, stat.st_mtime + next(_changes)))
            yield
        finally:
            for (file, stat), content in zip(before, contents, strict=True):
                file.write_bytes(content)
                os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


class Copies:
    """So many equal copies, on which work is done side by side."""

    def __init__(self, jobs: int, prepare: Callable[[Copy], None] = lambda copy: None) -> None:
        """`prepare` is done with the first copy before it is copied."""
        self.stack = ExitStack()
        self.first = self.stack.enter_context(Copy())
        prepare(self.first)
        self.free: SimpleQueue[Copy] = SimpleQueue()
        self.free.put(self.first)
        for _ in range(jobs - 1):
            self.free.put(self.stack.enter_context(Copy(self.first)))
        self.pool = self.stack.enter_context(ThreadPoolExecutor(jobs))

    def __enter__(self) -> Copies:
        return self

    def __exit__(self, *error: object) -> None:
        self.pool.shutdown(cancel_futures=True)
        self.stack.close()

    def map(self, work: Callable[[Copy, Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """The results in the order of the items."""

        def done(item: Item) -> Result:
            copy = self.free.get()
            try:
                return work(copy, item)
            finally:
                self.free.put(copy)

        return self.pool.map(done, items)


def scratch_environment(scratch: Path) -> dict[str, str]:
    """The environment of processes that keep temporary files and compiled games in a folder."""
    return {
        "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis"),
        "TMPDIR": str(scratch),
        "XDG_CACHE_HOME": str(scratch / "cache"),
    }


def _output(copy: Path) -> Path:
    return copy.parent / "output.txt"


def _begun(
    copy: Path, variables: dict[str, str], work: Callable[..., int], arguments: tuple[object, ...]
) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    os.chdir(copy)
    os.environ.update(variables)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    sys.path[:0] = variables["PYTHONPATH"].split(os.pathsep)
    tempfile.tempdir = None
    examples = (Phase.explicit, Phase.generate, Phase.target)
    settings.register_profile("mutants", derandomize=True, phases=examples)
    settings.load_profile("mutants")
    with _output(copy).open("w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    status = work(copy, *arguments)
    used = sys.modules["lawspeaker"].__file__ if "lawspeaker" in sys.modules else None
    if used is not None and not Path(used).is_relative_to(copy):
        raise RuntimeError(f"The tests used {used}.")
    sys.stdout.flush()
    os._exit(TESTED + status)  # Without waiting for processes that tests have left behind.
