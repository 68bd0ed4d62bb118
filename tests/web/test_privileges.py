"""A process for what visitors wrote has no files, no network, no programs: tried from inside."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from lawspeaker.faces.web import privileges
from lawspeaker.faces.web.privileges import (
    ALLOW,
    AT_LEAST,
    CLONE_THREAD,
    DENY,
    EQUAL,
    HAS_BIT,
    KILL,
    LOAD,
    RETURN,
    give_up,
    has_landlock,
)
from lawspeaker.faces.web.processes import MEMORY, confine
from tests.web.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have none of these")


def break_out_attempts(own: str, server: int) -> dict[str, str]:
    """What code that has taken over its process would try; the error that each gets."""
    here = Path(own)

    def in_a_thread() -> None:
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()

    tried: dict[str, Callable[[], Any]] = {
        "read a file": (here / "secret").read_text,
        "list a folder": lambda: list(here.iterdir()),
        "write a file": lambda: (here / "new").write_text("x"),
        "write where it may read": lambda: (ROOT / "new").write_text("x"),
        "read another's memory": Path(f"/proc/{server}/mem").read_bytes,
        "read another's environment": Path(f"/proc/{server}/environ").read_bytes,
        "connect by TCP": lambda: socket.create_connection(("127.0.0.1", 9), 1),
        "send by UDP": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "speak to a local socket": lambda: socket.socket(socket.AF_UNIX),
        "run a program": lambda: subprocess.run(["/bin/true"], check=True),
        "begin a process": os.fork,
        "kill the server": lambda: os.kill(server, signal.SIGTERM),
        "begin a thread": in_a_thread,
        "read a file of the program": Path(privileges.__file__).read_bytes,
        "make a file in memory": lambda: os.close(os.memfd_create("x")),
    }
    found = {}
    for name, attempt in tried.items():
        try:
            attempt()
            found[name] = "done"
        except OSError as error:
            found[name] = errno.errorcode.get(error.errno or 0, type(error).__name__)
    return found


def confined(line: Connection, work: Callable[..., Any], args: tuple[object, ...]) -> None:
    held = confine(MEMORY, [ROOT])
    line.send((held, work(*args)))


def in_a_process(work: Callable[..., Any], *args: object) -> Any:
    """What comes of some work in a process that gives up its privileges first."""
    context = get_context("spawn")  # the process of the tests may hold more than is allowed there
    ours, theirs = context.Pipe()
    child = context.Process(target=confined, args=(theirs, work, args))
    child.start()
    theirs.close()
    found = ours.recv()
    child.join(60)
    assert child.exitcode == 0
    return found


@pytest.mark.skipif(not has_landlock(), reason="this kernel has no Landlock")
@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="no filter for it")
def test_taken_over_a_process_can_do_nothing_but_compute(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    held, found = in_a_process(break_out_attempts, str(tmp_path), os.getpid())
    assert held == ("no_new_privs", "landlock", "seccomp")
    can = {"begin a thread", "read a file of the program", "make a file in memory"}
    assert {name for name, answer in found.items() if answer == "done"} == can
    assert {answer for name, answer in found.items() if name not in can} == {"EACCES", "EPERM"}


def test_without_any_of_it_a_process_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on other systems and older kernels."""
    monkeypatch.setattr(sys, "platform", "darwin")
    assert give_up() == ()
    libc = _Refusing()
    assert not privileges._landlock(libc, ())  # type: ignore[arg-type]
    assert not privileges._seccomp(libc)  # type: ignore[arg-type]
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not privileges._seccomp(libc)  # type: ignore[arg-type]


class _Refusing:
    """A kernel that knows none of these calls."""

    class _Call:
        restype: object = None

        def __call__(self, *args: object) -> int:
            return -1

    syscall = prctl = _Call()


@pytest.mark.full
def test_limits_that_cannot_be_set_are_left_out() -> None:
    in_a_process(confine, 2 * MEMORY)


def filter_verdict(machine: str, number: int, first: int = 0, arch: int | None = None) -> int:
    """What the filter of a machine says of a call: the instructions, gone through one by one."""
    program = privileges._filter(machine)
    data = {0: number, 4: privileges._ARCHES[machine][1] if arch is None else arch, 16: first}
    at = loaded = 0
    while True:
        code, yes, no, value = program[at]
        at += 1
        if code == LOAD:
            loaded = data[value]
        elif code == RETURN:
            return value
        else:
            holds = {EQUAL: loaded == value, AT_LEAST: loaded >= value, HAS_BIT: loaded & value}
            at += yes if holds[code] else no


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_denies_what_it_lists_and_allows_the_rest(machine: str) -> None:
    column = privileges._ARCHES[machine][0]
    denied = {numbers[column] for numbers in privileges._DENIED.values()} - {0}
    clone, clone3, limits = (
        each[column] for each in (privileges._CLONE, privileges._CLONE3, privileges._PRLIMIT)
    )
    for number in range(500):
        if number in denied:
            wanted = DENY | errno.EPERM
        elif number == clone3:
            wanted = DENY | errno.ENOSYS
        else:
            wanted = DENY | errno.EPERM if number == clone else ALLOW
        assert filter_verdict(machine, number) == wanted, number
    assert filter_verdict(machine, clone, CLONE_THREAD | 0x100) == ALLOW
    assert filter_verdict(machine, limits, 0) == ALLOW
    assert filter_verdict(machine, limits, 1) == DENY | errno.EPERM
    assert filter_verdict(machine, 0, arch=0x40000003) == KILL
    if machine == "x86_64":
        assert filter_verdict(machine, privileges.X32 | 41) == DENY | errno.EPERM


def test_the_structures_are_those_of_the_kernel() -> None:
    assert ctypes.sizeof(privileges._PathBeneath) == 12
    assert ctypes.sizeof(privileges._Ruleset) == 24
    assert ctypes.sizeof(privileges._Instruction) == 8
