"""What all tests share: a cache of their own, built-in games that are read once, and golden files.

`pytest --accept` writes what the tests found into golden files; without it they compare.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.outside import loading
from lawspeaker.outside.library import Library

Golden = Callable[[str, Path], None]
Read = tuple[ir.Program | None, tuple[Diagnostic, ...], tuple[RuleFile, ...]]
"""A game that was read, with what is said of its rules, and the files it was read from."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept",
        action="store_true",
        help="write changed golden files instead of failing; read the diff afterwards",
    )


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
def read_once() -> Iterator[None]:
    """Built-in games, which no test changes, are read and checked once by each process: a program
    is never changed, and what is said of the rules is said again."""
    compile_name, shelf = loading.compile_name, set(Library().games())
    known: dict[str, Read] = {}

    def compiled(
        name: str,
        diagnostics: Diagnostics,
        library: Library | None = None,
        taken: list[RuleFile] | None = None,
    ) -> ir.Program | None:
        built_in = "LAWSPEAKER_PATH" not in os.environ and not (set("/.@") & set(name))
        if library is not None or not built_in or name.partition("+")[0] not in shelf:
            return compile_name(name, diagnostics, library, taken)
        if name not in known:
            found, files = Diagnostics(), list[RuleFile]()
            program = compile_name(name, found, None, files)
            known[name] = program, tuple(found), tuple(files)
        program, told, files_taken = known[name]
        diagnostics.extend(told)
        if taken is not None:
            taken += files_taken
        return program

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "compile_name", compiled)
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
