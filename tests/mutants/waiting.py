"""Tests that are read already, and wait for a function to be broken.

Reading the package and its tests takes longer than most tests do. So one process reads them with
nothing broken, and then makes a copy of itself for each break, in which the code of one function is
replaced. A break that is not noticed there has yet to be tried on files that are broken: what
stands outside of functions cannot be replaced so, and what a function has made while files were
read is there already.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from tests.mutants.order import Ordered

Broken = tuple[Path, str, str, dict[str, float]]
"""A file, the function in it that is broken, the whole text, and the limits of the tests."""


Noticed = tuple[bool, str]
"""Whether a break was noticed, and by which test; that is empty if it found no end."""


class Waiting:
    def __init__(self, breaks: Connection, unnoticed: int) -> None:
        """`unnoticed` is the status with which a process ends in which all tests pass."""
        self.breaks = breaks
        self.unnoticed = unnoticed
        self.told: int | None = None
        """In a copy: where to say which test has failed."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Comes to its end in copies only, which then run the tests."""
        while True:
            try:
                file, function, text, limits = self.breaks.recv()
            except EOFError:
                os._exit(0)
            listens, tells = os.pipe()
            copy = os.fork()
            if copy == 0:
                os.setsid()
                self.told = tells
                if not replaced(file, function, text):
                    os._exit(self.unnoticed)
                ordered = Ordered(limits)
                ordered.pytest_collection_modifyitems(session.items)
                session.config.pluginmanager.register(ordered)
                return
            os.close(tells)
            _, status = os.waitpid(copy, 0)
            with suppress(ProcessLookupError):
                os.killpg(copy, signal.SIGKILL)
            with os.fdopen(listens) as said:
                test = said.read()
            self.breaks.send((os.waitstatus_to_exitcode(status) != self.unnoticed, test))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.told is not None:
            os.write(self.told, report.nodeid.encode())


def replaced(file: Path, function: str, text: str) -> bool:
    """Gives a function that is loaded the code that it has in this text, if that can be done."""
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
    """A function without what is wrapped around it."""
    if isinstance(thing, property):
        return thing.fget
    if isinstance(thing, staticmethod | classmethod):
        return thing.__func__
    return getattr(thing, "__wrapped__", thing)
