"""Runs the application on a socket until it is stopped."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import signal
import socket
import sys
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import Any

import uvicorn

from lawspeaker.faces.web.connections import Door, Visitor
from lawspeaker.faces.web.leftovers import collect_new_things, collect_no_more
from lawspeaker.faces.web.messages import LARGEST_BODY
from lawspeaker.faces.web.security import RequestGuard

BACKLOG = 64
"""Length of the accept queue."""
MOST_FILES = 16_384
"""Number of file descriptors that the server requests; half of them are for connections."""
OF_ONE = 256
"""Maximum number of connections from one address other than this machine."""
SWITCHING = 0.0005
"""Thread switch interval in seconds.

With Python's default, ten times as much, the event loop waits that long behind the game thread for
every read and write.
"""
STOPPING = 1
"""Grace period in seconds for open requests when the server stops."""
LINES = 20
"""Maximum number of log lines of one kind in a minute."""
MINUTE = 60.0


class JsonLines(logging.Formatter):
    """Formats each log record as an object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def log_to_terminal(level: int, as_json: bool = False) -> None:
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(message)s")
    logging.captureWarnings(True)
    if as_json:
        for each in logging.getLogger().handlers:
            each.setFormatter(JsonLines())


def run(app: RequestGuard, bound: socket.socket) -> None:
    """Serves until it is stopped.

    The info lines of the server library would contain links: only its warnings are logged.
    """
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    for name in ("uvicorn.error", "lawspeaker.web", "asyncio"):
        logging.getLogger(name).addFilter(FewLines())
    collect_new_things()
    sys.setswitchinterval(SWITCHING)

    class Guest(Visitor):
        door = Door(most_files() // 2, OF_ONE)

    config = uvicorn.Config(
        app,
        http=Guest,
        backlog=BACKLOG,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LARGEST_BODY,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=STOPPING,
    )

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.stop()
            await super().shutdown(sockets)

    # The server library re-raises the signal after shutdown: with this handler the process still
    # exits normally and releases what it shares.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    serving = Server(config).serve(sockets=[bound])
    runner = asyncio.Runner(loop_factory=config.get_loop_factory())
    # Closed, since Python complains of a coroutine that was stopped before it began.
    with suppress(KeyboardInterrupt), closing(serving), runner:
        runner.run(serving)
    collect_no_more()


def most_files() -> int:
    """Raises the limit of open files and returns it."""
    try:
        import resource
    except ImportError:
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return min(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


class FewLines(logging.Filter):
    """A log filter that limits warnings of one kind per minute.

    Whoever can cause one can cause many, and a disk full of them could store no games.
    """

    def __init__(self) -> None:
        super().__init__()
        self._since = 0.0
        self._written: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        now = time.monotonic()
        if now - self._since > MINUTE:
            self._since, self._written = now, {}
        kind = str(record.msg)[:80]
        self._written[kind] = self._written.get(kind, 0) + 1
        if self._written[kind] == LINES:
            record.msg = f"{record.msg} (more of this kind are left out for a minute)"
        return self._written[kind] <= LINES


def no_files_left(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Handles uncaught exceptions of the event loop.

    Running out of file descriptors, which is no bug, is logged in a line; anything else is handled
    as usual.
    """
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        logging.getLogger("lawspeaker.web").error("the system has no files left for connections")
    else:
        loop.default_exception_handler(context)
