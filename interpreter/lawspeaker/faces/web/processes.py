"""How processes beside the server begin, and what is taken from them.

A process that runs what visitors wrote has bounds on its memory, and gives up what it will never
need (`privileges`). The processor time of a job is counted by the system, which ends the process
when it is spent (SIGPROF), whatever the process is doing. Whoever waits for it has a bound on the
time by the clock, which is generous, since others work, too.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterable
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread

from lawspeaker.faces.web.privileges import give_up

MEMORY = 1024 * 1024 * 1024
"""The most bytes of its own that a process may hold."""
MOST_FILES = 128
"""The most files it may have open."""
LARGEST_FILE = 32 * 1024 * 1024
"""The most bytes a process may write to a file: compiled rules are such a file, in memory."""
PRELOADED = [
    "lawspeaker.faces.web.workshop.jobs",
    "lawspeaker.faces.web.workshop.studies",
    "lawspeaker.faces.web.sandbox",
    "lawspeaker.machines.adapter",
]

log = logging.getLogger("lawspeaker.web")


def beginning() -> SpawnContext | ForkServerContext:
    """How processes are started: from one that has read all that is needed, where there can be
    such a one, so that another takes a moment only."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def counts_time() -> bool:
    """Whether the system ends a process when its processor time is spent."""
    return hasattr(signal, "setitimer")


def may_take(seconds: float) -> None:
    """From now on this process may use so many seconds of processor time; 0 is as many as it
    likes."""
    if counts_time():
        signal.setitimer(signal.ITIMER_PROF, seconds)


def was_too_long(process: BaseProcess) -> bool:
    """Whether a process was ended because its processor time was spent."""
    process.join(1)
    return counts_time() and process.exitcode == -signal.SIGPROF


def come_and_go() -> None:
    """A process beside the server leaves Ctrl-C to the server, and ends when the server has ended,
    however that came about."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = parent_process()
    assert server is not None

    def wait_for_the_end() -> None:
        server.join()
        os._exit(0)

    Thread(target=wait_for_the_end, daemon=True).start()


def confine(memory: int, reads: Iterable[Path] = ()) -> tuple[str, ...]:
    """Bounds the memory and the files of this process, and takes from it what it will never need.
    To be called before it has threads. Returns what the system has of `privileges`.

    Not every system knows all these bounds; the time by the clock is bounded everywhere. `reads`
    are folders that it may read besides those of the program.
    """
    sys.dont_write_bytecode = True
    _limit(RLIMIT_DATA=memory, RLIMIT_FSIZE=LARGEST_FILE, RLIMIT_CORE=0, RLIMIT_NOFILE=MOST_FILES)
    return give_up((*program_files(), *reads))


def _limit(**limits: int) -> None:
    try:
        import resource
    except ImportError:
        return
    for name, most in limits.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            try:
                resource.setrlimit(kind, (most, most))
            except (OSError, ValueError):
                log.info("no %s on this system", name)


def program_files() -> list[Path]:
    """The files a process reads while it runs: Python and its libraries, this package, what is
    built in, and what bots have learned. What people have at home is not among them."""
    # Here and not above: the server itself has no use for these.
    from lawspeaker.outside.learned import LearnedShelf
    from lawspeaker.outside.library import built_in

    root, package = built_in(), Path(__file__).parents[2]
    inside = [root / name for name in ("rules", "variants", "schema", "docs")]
    python = [Path(each) for each in (sys.prefix, sys.base_prefix, sys.exec_prefix)]
    system = [Path(each) for each in ("/lib", "/lib64", "/usr/lib", "/etc/ld.so.cache")]
    devices = [Path("/dev/null"), Path("/dev/urandom")]
    return [package, *inside, *python, *system, *devices, LearnedShelf().folder]
