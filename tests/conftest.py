"""What all tests share: a cache of their own, and golden files.

`pytest --accept` writes what the tests found into golden files; without it they compare.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Golden = Callable[[str, Path], None]
LONGEST_ID = 100


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept",
        action="store_true",
        help="write changed golden files instead of failing; read the diff afterwards",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: tests in a browser mostly wait."""
    return (os.cpu_count() or 1) + 1


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Each process gathers all tests by itself and must come to the same ids, so none is made of
    bytes, which may have the time in them, nor of whole files."""
    if isinstance(val, bytes):
        return argname
    if isinstance(val, str) and len(val) > LONGEST_ID:
        return f"{val[:LONGEST_ID].splitlines()[0]}…"
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What one process has to do alone comes first, so that the others are not done long before."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


def pytest_collection_finish() -> None:
    """Ten thousand tests stay in memory to the end: nobody need look through them again and again
    for what can be thrown away."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled games of the tests are kept apart from those of the user; processes that test side
    by side share them."""
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(shared / "cache"))
        yield


@pytest.fixture(scope="session", autouse=True)
def interruptions() -> None:
    """A shell that runs the tests in the background lets nothing they start be interrupted, and
    some tests interrupt what they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with a file, and writes the file when changes are accepted."""

    def compare(found: str, file: Path) -> None:
        if request.config.getoption("--accept"):
            if not file.exists() or file.read_text(encoding="utf-8") != found:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(found, encoding="utf-8", newline="\n")
            return
        assert file.exists(), f"{file.name} is not there yet: run pytest --accept"
        assert found == file.read_text(encoding="utf-8"), f"{file.name} differs: pytest --accept"

    return compare
