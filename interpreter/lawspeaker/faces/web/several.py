"""Runs one server in several processes that accept on the same socket.

The parent locks the folder, starts the processes, and replaces one that has ended; it serves nobody
itself. The tables of a process that has ended are released at once, and their visitors reconnect to
another process. A process ends when its parent does, however that happens.
"""

from __future__ import annotations

import logging
import secrets
import signal
import socket
import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.metrics import Asked, answer, expose
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import Store
from lawspeaker.outside.crew import come_and_go

HERE = "127.0.0.1"
PAUSE = 1.0
"""Minimum seconds between two starts, for a process that ends at once."""
PATIENCE = 10.0
"""Seconds that a process has to end before it is killed."""

log = logging.getLogger("lawspeaker.web")


def run_several(
    settings: Settings,
    bound: socket.socket,
    processes: int,
    log_as: tuple[int, bool],
    metrics: socket.socket | None = None,
) -> None:
    """Serves in `processes` processes until stopped; raises NotKept.

    `log_as` are the arguments of `log_to_terminal`; `metrics` is where to tell what they count.
    """
    # Rows that an earlier server left behind are deleted while there can be no other.
    store = Store(settings.data, alone=not settings.inside)
    thinkers = max(1, settings.thinkers // processes)
    shared = replace(settings, inside=settings.inside or HERE, thinkers=thinkers)
    running: dict[int, tuple[str, SpawnProcess, Asked]] = {}

    def start() -> None:
        name = secrets.token_hex(8)
        own = replace(shared, process=name)
        asked, asking = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=_serve, args=(own, bound, log_as, asking))
        process.start()
        asking.close()
        running[process.sentinel] = name, process, Asked(asked)

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if metrics is not None:
        expose(metrics, lambda: [each.snapshot() for _, _, each in list(running.values())])
    try:
        for _ in range(processes):
            start()
        while True:
            began = time.monotonic()
            for sentinel in wait(list(running)):
                assert isinstance(sentinel, int)
                name, process, _ = running.pop(sentinel)
                log.error("a process of the server has ended (%s)", process.exitcode)
                with suppress(NotKept):
                    store.peers.leave(name)
                time.sleep(max(0.0, PAUSE - (time.monotonic() - began)))
                start()
    except KeyboardInterrupt:
        pass
    finally:
        for _, process, _ in running.values():
            process.terminate()
        for _, process, _ in running.values():
            process.join(PATIENCE)
            process.kill()
        store.close()


def _serve(
    settings: Settings, bound: socket.socket, log_as: tuple[int, bool], asked: Connection
) -> None:
    """The main function of a server process."""
    from lawspeaker.faces.web.app import make_app
    from lawspeaker.faces.web.running import log_to_terminal, run

    come_and_go()
    log_to_terminal(*log_as)
    app = make_app(settings)
    if app.metrics is not None:
        answer(asked, app.metrics)
    run(app, bound)
