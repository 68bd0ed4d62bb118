"""All tests share this: the tier that runs, a cache of their own, golden files, a summary.

`pytest --accept` writes what the tests found into golden files; without it they compare.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from difflib import unified_diff
from heapq import nlargest
from operator import itemgetter
from pathlib import Path

import pytest

from lawspeaker.outside.modules import ModuleFolder, cache_folder
from lawspeaker.outside.programs import keep_programs
from tests.tiers import FULL, TIER, tier_of, tier_of_file

pytest_plugins = ("tests.selection",)

Golden = Callable[[str, Path], None]
LONGEST_ID = 100
SLOWEST = 10
DIFF_LINES = 60
ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept",
        action="store_true",
        help="write changed golden files instead of failing; read the diff afterwards",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process for each core: each gathers all tests and loads games by itself, so more of them
    do more work. The full tier has one more, since many of its tests wait for servers and pages."""
    return (os.cpu_count() or 1) + FULL


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Each process gathers all tests by itself and must come to the same ids, so none is made of
    bytes, which may have the time in them, nor of whole files."""
    if isinstance(val, bytes):
        return argname
    if isinstance(val, str) and len(val) > LONGEST_ID:
        return f"{val[:LONGEST_ID].splitlines()[0]}…"
    return None


def names_tests(config: pytest.Config) -> bool:
    """Whether the command line names single tests (`FILE::TEST`): those run in every tier."""
    return any("::" in each for each in config.args)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out the files of higher tiers."""
    if not collection_path.match("test_*.py") or names_tests(config):
        return None
    return tier_of_file(collection_path) > TIER or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests of higher tiers. Groups, which one process runs alone, come first,
    and then what `make test` leaves out, which takes longer. A process would
    otherwise still be at it when the others are done."""
    higher = [item for item in items if tier_of(item) > TIER]
    if higher and not names_tests(config):
        config.hook.pytest_deselected(items=higher)
        items[:] = [item for item in items if tier_of(item) <= TIER]
    items.sort(
        key=lambda item: (item.get_closest_marker("xdist_group") is None, -tier_of(item)),
    )


def pytest_collectstart() -> None:
    """Nearly all that is made while tests are gathered stays in memory."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Ten thousand tests stay in memory to the end: nobody need look through them again and again
    for what can be thrown away."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 20, 20)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was skipped for want of what, a line each, and which files took longest."""
    skipped: dict[str, Counter[str]] = defaultdict(Counter)
    for report in terminalreporter.getreports("skipped"):
        assert isinstance(report.longrepr, tuple)
        folder = report.nodeid.partition("::")[0].rpartition("/")[0]
        skipped[report.longrepr[2].removeprefix("Skipped: ")][folder] += 1
    if skipped:
        terminalreporter.section("skipped")
    for reason, folders in sorted(skipped.items()):
        where = ", ".join(sorted(folders))
        terminalreporter.line(f"{folders.total():4} skipped in {where}: {reason}")
    seconds: dict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0]] += report.duration
    if seconds:
        terminalreporter.section("slowest files")
    for file, spent in nlargest(SLOWEST, seconds.items(), key=itemgetter(1)):
        terminalreporter.line(f"{spent:6.1f} s  {file}")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Checked and compiled games of the tests are kept apart from those of the user; processes that
    test side by side share them. Tests that compile nothing do not import the compiler for this."""
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(shared / "cache"))
        keep_programs()
        if (adapter := sys.modules.get("lawspeaker.machines.adapter")) is not None:
            adapter.keep_modules_in(ModuleFolder(cache_folder()))
        yield


@pytest.fixture
def uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that change the compiler: their modules are neither taken from the cache nor put
    there."""
    monkeypatch.setattr("lawspeaker.machines.adapter._cache", None)


@pytest.fixture(scope="session", autouse=True)
def interruptions() -> None:
    """A shell that runs the tests in the background lets nothing they start be interrupted, and
    some tests interrupt what they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def difference(before: str, found: str, file: Path, test: str) -> str:
    """The first lines of a unified diff, and the command that accepts it."""
    name = file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.name
    lines = list(unified_diff(before.splitlines(), found.splitlines(), name, "now", lineterm=""))
    more = [f"and {len(lines) - DIFF_LINES} more lines"] if len(lines) > DIFF_LINES else []
    accept = f"If the change is meant: pytest --accept '{test}'"
    return "\n".join([f"{name} differs.", *lines[:DIFF_LINES], *more, accept])


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with a file, and writes the file when changes are accepted."""

    def compare(found: str, file: Path) -> None:
        if request.config.getoption("--accept"):
            if not file.exists() or file.read_text(encoding="utf-8") != found:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(found, encoding="utf-8", newline="\n")
            return
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        if found != before or not file.exists():
            pytest.fail(difference(before, found, file, request.node.nodeid), pytrace=False)

    return compare
