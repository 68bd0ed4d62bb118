"""What a server counts, in the text format of Prometheus.

Only totals: no name of a table, a player or a draft, and a route instead of a path, since paths
contain links. They are served at an address of their own (`serve --metrics`), which visitors do
not reach: even totals tell how busy others are.

Each process counts by itself. Where there are several, the parent asks each of them over a pipe
and adds up; one that does not answer in time is left out.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread

from lawspeaker import __version__

PATIENCE = 2.0
"""Seconds for a process to answer, and for a client to send its request."""
BUCKETS = (0.005, 0.025, 0.1, 0.5, 2.5, 10.0)
"""Upper bounds in seconds of the histogram of requests."""
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
CONTENT = "text/plain; version=0.0.4; charset=utf-8"

Sample = tuple[str, str]
"""A name, and its labels as they are written: `status="200"`."""
Snapshot = dict[Sample, float]

KINDS: Mapping[str, tuple[str, str]] = {
    "lawspeaker_info": ("gauge", "The version of the server."),
    "lawspeaker_processes": ("gauge", "Processes that play tables."),
    "lawspeaker_requests_total": ("counter", "Requests answered, by route, method and status."),
    "lawspeaker_request_seconds": ("histogram", "Time to answer a request."),
    "lawspeaker_screens": ("gauge", "Screens that are connected to a table."),
    "lawspeaker_tables_open": ("gauge", "Tables in memory."),
    "lawspeaker_tables_stored": ("gauge", "Tables in the database."),
    "lawspeaker_replies_total": ("counter", "Replies stored."),
    "lawspeaker_log_lines_total": ("counter", "Warnings and errors of the log."),
    "lawspeaker_data_bytes": ("gauge", "Size of the data folder; only if it is a folder."),
    "process_cpu_seconds_total": ("counter", "Processor time of the server and ended children."),
    "process_resident_memory_bytes": ("gauge", "Memory of the server, without its workers."),
    "process_open_fds": ("gauge", "Open files and connections."),
    "process_start_time_seconds": ("gauge", "When the server started."),
}
SAME = ("lawspeaker_info", "lawspeaker_tables_stored", "lawspeaker_data_bytes")
"""Every process tells the same of these; they are not added up."""
STARTED = "process_start_time_seconds"


class Metrics:
    """The counters of one process. `gauges` gives what is read off when it is asked for."""

    def __init__(self, gauges: Callable[[], Mapping[str, float]]) -> None:
        self._gauges = gauges
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets = [0] * len(BUCKETS)
        self._seconds = 0.0
        self._lines = _Lines()
        self._began = time.time()
        logging.getLogger().addHandler(self._lines)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        known = method if method in METHODS else "other"
        with self._lock:
            self._requests[known, route, status] += 1
            self._seconds += seconds
            for at, most in enumerate(BUCKETS):
                self._buckets[at] += seconds <= most

    def close(self) -> None:
        logging.getLogger().removeHandler(self._lines)

    def snapshot(self) -> Snapshot:
        with self._lock:
            count = sum(self._requests.values())
            found: Snapshot = {
                ("lawspeaker_info", f'version="{__version__}"'): 1,
                ("lawspeaker_processes", ""): 1,
                ("lawspeaker_request_seconds_sum", ""): self._seconds,
                ("lawspeaker_request_seconds_count", ""): count,
                (STARTED, ""): self._began,
            }
            for (method, route, status), times in self._requests.items():
                labels = f'method="{method}",route="{route}",status="{status}"'
                found["lawspeaker_requests_total", labels] = times
            for most, times in zip((*BUCKETS, "+Inf"), (*self._buckets, count), strict=True):
                found["lawspeaker_request_seconds_bucket", f'le="{most}"'] = times
        for level in ("warning", "error"):
            labels = f'level="{level}"'
            found["lawspeaker_log_lines_total", labels] = self._lines.seen[level]
        for name, value in (*self._gauges().items(), *_of_the_process()):
            found[name, ""] = value
        return found


class _Lines(logging.Handler):
    """Counts warnings and errors."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        self.seen["error" if record.levelno >= logging.ERROR else "warning"] += 1


def _of_the_process() -> Iterable[tuple[str, float]]:
    """As far as the system tells."""
    times = os.times()
    yield "process_cpu_seconds_total", sum(times[:4])
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        yield "process_resident_memory_bytes", pages * os.sysconf("SC_PAGE_SIZE")
        yield "process_open_fds", len(list(Path("/proc/self/fd").iterdir()))
    except OSError:
        return


def size_of(folder: Path) -> float:
    return float(sum(each.stat().st_size for each in folder.glob("*") if each.is_file()))


def added(snapshots: Iterable[Snapshot]) -> Snapshot:
    """The sum over the processes of a server."""
    total: Snapshot = {}
    for snapshot in snapshots:
        for sample, value in snapshot.items():
            before = total.get(sample)
            if before is None:
                total[sample] = value
            elif sample[0] == STARTED:
                total[sample] = min(before, value)
            else:
                total[sample] = max(before, value) if sample[0] in SAME else before + value
    return total


def written(snapshot: Snapshot) -> str:
    """The text that Prometheus reads."""
    lines = []
    for name, (kind, about) in KINDS.items():
        ends = ("_bucket", "_sum", "_count") if kind == "histogram" else ("",)
        samples = [each for each in snapshot.items() if each[0][0] in {name + end for end in ends}]
        if samples:
            lines += [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
        for (called, labels), value in samples:
            lines.append(f"{called}{'{' + labels + '}' if labels else ''} {value:.15g}")
    return "\n".join((*lines, ""))


def answer(asked: Connection, metrics: Metrics) -> None:
    """Answers the parent over a pipe, in a thread, until the pipe is closed."""

    def answering() -> None:
        try:
            while True:
                number = asked.recv()
                asked.send((number, metrics.snapshot()))
        except (EOFError, OSError):
            return

    Thread(target=answering, daemon=True, name="metrics").start()


class Asked:
    """The parent's end of a pipe to one process."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._lock = Lock()
        self._number = 0

    def snapshot(self) -> Snapshot:
        """What the process has counted; nothing if it does not answer in time."""
        with self._lock:
            self._number += 1
            until = time.monotonic() + PATIENCE
            try:
                self._pipe.send(self._number)
                while self._pipe.poll(max(0.0, until - time.monotonic())):
                    number, snapshot = self._pipe.recv()
                    if number == self._number:
                        return dict(snapshot)
            except (EOFError, OSError):
                pass
            return {}


def expose(bound: socket.socket, snapshots: Callable[[], Iterable[Snapshot]]) -> None:
    """Serves `/metrics` at a socket that listens already, in threads of its own."""

    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE

        def do_GET(self) -> None:
            there = self.path.partition("?")[0] == "/metrics"
            body = written(added(snapshots())).encode() if there else b"/metrics\n"
            self.send_response(200 if there else 404)
            self.send_header("content-type", CONTENT if there else "text/plain")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Writes nothing: a line for each time it is asked would be most of the log."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that has gone is no error."""

    server = Server(bound.getsockname()[:2], Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = bound
    Thread(target=server.serve_forever, daemon=True, name="metrics").start()
