"""Tests that are loaded already, and wait for a function to be mutated.

Loading the package and its tests takes longer than most tests do. So one process loads them
unmutated, and forks for each mutant. In the fork the code of one function is replaced. A mutant
that survives there has yet to be tried on a mutated file: code outside of functions cannot be
replaced, and results that a function has returned while files were loaded are there already.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from tests.mutants.copies import PLAIN, TESTED, Copy, scratch_environment
from tests.mutants.coverage import FULL
from tests.mutants.draw import Mutant
from tests.mutants.order import Limited, Limits
from tests.mutants.trial import Outcome


class Waiting:
    """The tests of some files, loaded from a copy."""

    def __init__(self, copy: Copy, files: list[str]) -> None:
        self.copy = copy
        self.connection, theirs = copy.processes.Pipe()
        copy.start(FULL, copy.path.parent / "loading", wait, files, theirs)
        theirs.close()

    def tried(self, mutant: Mutant, limits: Limits) -> Outcome:
        file = self.copy.path / mutant.file
        self.connection.send((file, mutant.mutation.function, mutant.after, limits))
        return Outcome(self.connection.recv())

    def close(self) -> None:
        self.connection.close()


def wait(copy: Path, files: list[str], connection: Connection) -> int:
    """Runs in a process of its own."""
    return pytest.main([*PLAIN, "-x", *files], [Forking(connection, copy.parent)])


class Forking:
    """A plugin for pytest that runs the tests in forks."""

    def __init__(self, connection: Connection, folder: Path) -> None:
        self.connection = connection
        self.log = folder / "loaded.txt"
        self.scratch = folder / "f"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Returns in forks only, which then run the tests."""
        while True:
            try:
                file, function, text, limits = self.connection.recv()
            except EOFError:
                os._exit(0)
            shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch.mkdir()
            self.log.write_text("", encoding="utf-8")
            fork = os.fork()
            if fork == 0:
                os.setsid()
                os.environ.update(scratch_environment(self.scratch))
                tempfile.tempdir = None
                if not replaced(file, function, text):
                    os._exit(TESTED)
                limited = Limited(limits, self.log)
                limited.pytest_collection_modifyitems(session.config, session.items)
                session.config.pluginmanager.register(limited)
                return
            _, status = os.waitpid(fork, 0)
            with suppress(ProcessLookupError):
                os.killpg(fork, signal.SIGKILL)
            started = self.log.read_text(encoding="utf-8").splitlines()
            passed = os.waitstatus_to_exitcode(status) == TESTED
            self.connection.send("" if passed else started[-1] if started else "a loaded test")


def replaced(file: Path, function: str, text: str) -> bool:
    """Gives a loaded function the code that it has in this text, if that is possible."""
    loaded = [each for each in list(sys.modules.values()) if _file(each) == str(file)]
    found: object = loaded[0] if loaded else None
    code = compile(text, str(file), "exec", dont_inherit=True)
    for name in function.split("."):
        found = _plain(vars(found).get(name)) if hasattr(found, "__dict__") else None
        inside = [each for each in code.co_consts if isinstance(each, CodeType)]
        named = [each for each in inside if each.co_name == name]
        if isinstance(found, FunctionType):
            line = found.__code__.co_firstlineno
            for each in named:
                if each.co_firstlineno == line and each.co_freevars == found.__code__.co_freevars:
                    found.__code__ = each
                    return True
            return False
        if not named:
            return False
        code = named[0]
    return False


def _file(module: object) -> str | None:
    return getattr(module, "__file__", None)


def _plain(thing: object) -> object:
    """A function without decorators."""
    if isinstance(thing, property):
        return thing.fget
    if isinstance(thing, staticmethod | classmethod):
        return thing.__func__
    return getattr(thing, "__wrapped__", thing)
