"""Starts and confines the worker processes of the server.

A process that runs visitors' rules has a memory limit and drops privileges (`privileges`). The
system counts the processor time of a job and kills the process when it is exceeded (SIGPROF),
whatever it is doing. The caller has a wall-clock timeout as well, which is generous since other
processes compete.
"""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Iterable
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from lawspeaker.faces.web.privileges import give_up

MEMORY = 1024 * 1024 * 1024
"""Memory limit of a process in bytes."""
MOST_FILES = 128
"""Maximum number of open files."""
LARGEST_FILE = 32 * 1024 * 1024
"""Maximum size in bytes of a file it writes; compiled rules are such a file, in memory."""
PRELOADED = [
    "lawspeaker.faces.web.workshop.jobs",
    "lawspeaker.faces.web.workshop.studies",
    "lawspeaker.faces.web.sandbox",
    "lawspeaker.machines.adapter",
]

log = logging.getLogger("lawspeaker.web")


def beginning() -> SpawnContext | ForkServerContext:
    """Returns the start method: a fork server with all modules preloaded, if the system has
    that."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def counts_time() -> bool:
    """Whether the system kills a process that exceeds its processor time."""
    return hasattr(signal, "setitimer")


def may_take(seconds: float) -> None:
    """Limits the processor time of this process from now on; 0 for no limit."""
    if counts_time():
        signal.setitimer(signal.ITIMER_PROF, seconds)


def was_too_long(process: BaseProcess) -> bool:
    """Whether a process was killed because it exceeded its processor time."""
    process.join(1)
    return counts_time() and process.exitcode == -signal.SIGPROF


def confine(memory: int, reads: Iterable[Path] = ()) -> tuple[str, ...]:
    """Limits memory and files of this process, and drops privileges.

    Call it before the process has threads. Returns the mechanisms of `privileges` that the system
    supports. Not every system knows all these limits; the wall-clock timeout works everywhere.
    `reads` are folders that it may read besides those of the program.
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
    """Returns the folders that a process reads: Python, its libraries, this package, data, learned
    bots.

    Home directories are not among them, but for a library folder there (`pip install --user`).
    """
    # Imported here: the server itself does not need these.
    from lawspeaker.outside.learned import LearnedShelf
    from lawspeaker.outside.library import built_in

    root, package = built_in(), Path(__file__).parents[2]
    inside = [root / name for name in ("rules", "variants", "schema", "docs")]
    python = [Path(each) for each in (sys.prefix, sys.base_prefix, sys.exec_prefix)]
    found = [Path(each) for each in sys.path]
    python += [each for each in found if each.name in ("site-packages", "dist-packages")]
    system = [Path(each) for each in ("/lib", "/lib64", "/usr/lib", "/etc/ld.so.cache")]
    devices = [Path("/dev/null"), Path("/dev/urandom")]
    return [package, *inside, *python, *system, *devices, LearnedShelf().folder]
