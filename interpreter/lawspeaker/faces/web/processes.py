"""How processes beside the server begin, and what is taken from them.

A process that runs what visitors wrote has bounds on its memory and on what it could write. The
processor time of a job is counted by the system, which ends the process when it is spent (SIGPROF),
whatever the process is doing. Whoever waits for it has a bound on the time by the clock, which is
generous, since others work, too.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from threading import Thread

MEMORY = 1024 * 1024 * 1024
"""The most bytes of its own that a process may hold."""
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


def confine(memory: int) -> None:
    """Takes from this process what it will never need: much memory, and large files.

    Not every system knows all these bounds; the time by the clock is bounded everywhere.
    """
    sys.dont_write_bytecode = True
    try:
        import resource
    except ImportError:
        return
    for name, most in (("RLIMIT_DATA", memory), ("RLIMIT_FSIZE", LARGEST_FILE), ("RLIMIT_CORE", 0)):
        kind = getattr(resource, name, None)
        if kind is not None:
            try:
                resource.setrlimit(kind, (most, most))
            except (OSError, ValueError):
                log.info("no %s on this system", name)
