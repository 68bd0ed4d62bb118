"""Many tables at once: how long until everybody sees a reply, how much memory, and is all kept.

    python -m benchmarks.tables --tables 100 --replies 20
    python -m benchmarks.tables --tables 1000 --processes 1 2
    python -m benchmarks.tables --tables 1000 --processes 2 --postgres

A server is started in a process of its own, or in several, and one client connects all seats of all
tables with real sockets, as browsers do. When all have seen their first pictures and the server has
come to rest, it is measured: at each table somebody replies, and the next reply is sent when
everybody has been told of it, after a pause as people make one, so that at any moment some are just
replying. Measured is the time from sending a reply to the last seat's update. In the end the server
is killed and started again, and every table must be where it was. With several numbers of processes
all this is done for each of them, one after the other, and what was found is a list. The client
runs on the same machine and takes its share of its time, which is told, too; with `--postgres` so
does a PostgreSQL server, which is started for it; `--data` names one elsewhere. What goes on is
said on stderr; a phase that takes longer than it may ends the run.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gc
import json
import logging
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect

from lawspeaker.faces.web.running import most_files
from lawspeaker.faces.web.seats import invitation

T = TypeVar("T")

_AT = re.compile(rb'"at":(\d+)')
_ASK = re.compile(rb'"ask":(\d+)')
WHOLE_TEXT, PING, PONG = 0x81, 0x89, 0x8A
"""Kinds of frames that are not in parts."""
SHORTEST = 125
"""So many bytes are in a frame at most that says their number in one."""
PATIENCE = 120.0
OPENING = 1.0
"""So many seconds each table may take to be opened, and to be found again, on top of patience."""
AT_ONCE = 8
"""So many tables are opened at the same time."""
A_WHILE, REST = 4.0, 0.05
"""A server rests that works for less than this share of a while, in seconds."""
EVERY = 10.0
"""So many seconds lie between two lines that say how far it is."""


class Screen(asyncio.Protocol):
    """The socket of one seat. A browser reads what it is sent on a machine of its own; here all
    read on that of the server, so that of a message only the beginning is looked at."""

    def __init__(self, table: Table, seat: int, address: str, path: str) -> None:
        self.table = table
        self.seat = seat
        self._unread = bytearray()
        self._open = False
        self._asked = (
            f"GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._asked.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.table.failed(f"a connection has ended: {exc}")

    def data_received(self, data: bytes) -> None:
        self._unread += data
        if not self._open:
            head, _, rest = self._unread.partition(b"\r\n\r\n")
            if len(head) == len(self._unread):
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                self.table.failed(head.decode())
                return
            self._open, self._unread = True, rest
        while (frame := self._frame()) is not None:
            kind, told = frame
            if kind == PING:
                self._send(PONG, told)
            elif kind == WHOLE_TEXT:
                self.table.heard(self.seat, told)
            else:
                self.table.failed(f"a frame of kind {kind:#x} has come: {told[:300]!r}")

    def _frame(self) -> tuple[int, bytes] | None:
        """The next frame, if it is here: its kind and what is in it."""
        unread = self._unread
        if len(unread) < 10 and (len(unread) < 2 or len(unread) < 2 + unread[1]):
            return None
        start, length = 2, unread[1]
        if length > SHORTEST:
            start = 4 if length == SHORTEST + 1 else 10
            length = int.from_bytes(unread[2:start], "big")
        if len(unread) < start + length:
            return None
        found = unread[0], bytes(unread[start : start + length])
        del unread[: start + length]
        return found

    def say(self, message: dict[str, Any]) -> None:
        self._send(WHOLE_TEXT, json.dumps(message).encode())

    def _send(self, kind: int, data: bytes) -> None:
        """A short frame. A client has to mask what it says; nothing asks for a mask that hides."""
        assert len(data) <= SHORTEST
        self.transport.write(bytes((kind, 0x80 | len(data), 0, 0, 0, 0)) + data)


@dataclass(slots=True)
class Table:
    """One table: its host's link, the sockets of its seats, and how far it is."""

    host: str
    seats: list[Screen] = field(default_factory=list)
    asks: list[int | None] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    """How many replies each seat has been told of."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    at: int = 0
    told_at: float = 0.0
    """When the last message came."""
    sizes: list[int] = field(default_factory=list)
    """How many bytes each screen was sent for each reply."""
    trouble: str = ""

    async def connect(self, server: str, tokens: Sequence[str]) -> None:
        host, _, port = server.rpartition(":")
        loop = asyncio.get_running_loop()
        for seat, token in enumerate(tokens):
            screen = Screen(self, seat, server, f"/ws/{token}?parts&stages")
            self.seats.append(screen)
            self.asks.append(None)
            self.shown.append(-1)
            await loop.create_connection(partial(_same, screen), host, int(port))
        await self.told(0)

    async def told(self, at: int) -> None:
        """Waits until all seats show so many replies."""
        async with asyncio.timeout(PATIENCE):
            while min(self.shown) < at:
                self.changed.clear()
                await self.changed.wait()
                if self.trouble:
                    raise RuntimeError(self.trouble)
        self.at = at

    def failed(self, trouble: str) -> None:
        self.trouble = self.trouble or trouble
        self.changed.set()

    def heard(self, seat: int, data: bytes) -> None:
        """Something a seat is told; of that only the beginning is looked at."""
        begun = data[:200]
        if not begun.startswith((b'{"type":"scene"', b'{"type":"table"')):
            self.failed(data[:300].decode())
        asked, counted = _ASK.search(begun), _AT.search(begun)
        self.asks[seat] = None if asked is None else int(asked[1])
        if counted is not None:
            if int(counted[1]) > self.shown[seat] >= 0:
                self.sizes.append(len(data))
            self.shown[seat] = int(counted[1])
        self.told_at = time.perf_counter()
        self.changed.set()

    async def reply(self) -> float | None:
        """Whoever is asked takes the first option; how long until everybody knows."""
        seat = next((seat for seat, ask in enumerate(self.asks) if ask is not None), None)
        if seat is None:
            return None
        began = time.perf_counter()
        self.seats[seat].say({"type": "reply", "number": 0, "ask": self.asks[seat]})
        await self.told(self.at + 1)
        return self.told_at - began


def _same(screen: Screen) -> Screen:
    return screen


class Progress:
    """Says how far a phase is, now and then, and ends it when it takes too long."""

    def __init__(self, phase: str, most: int, seconds: float) -> None:
        self.phase = phase
        self.most = most
        self.seconds = seconds
        self.done = 0
        self.began = time.perf_counter()
        self._client, self._said = time.process_time(), self.began

    @property
    def spent(self) -> float:
        return time.perf_counter() - self.began

    @property
    def worked(self) -> float:
        """The seconds of processor time that this client has used for it."""
        return time.process_time() - self._client

    def step(self) -> None:
        self.done += 1
        if time.perf_counter() - self._said >= EVERY or self.done == self.most:
            self._said = time.perf_counter()
            load = os.getloadavg()[0]
            told = f"{self.phase}: {self.done} of {self.most}, {self.spent:.0f} s, load {load:.1f}"
            sys.stderr.write(f"{told}\n")

    async def over(self, jobs: Iterable[Awaitable[T]]) -> list[T]:
        """What comes of all jobs of the phase."""
        try:
            async with asyncio.timeout(self.seconds):
                return list(await asyncio.gather(*jobs))
        except TimeoutError:
            told = f"{self.done} of {self.most} after {self.seconds:.0f} s"
            raise SystemExit(f"{self.phase} takes too long: {told}") from None


class Server:
    """The server as a process, which can be killed and started again."""

    def __init__(self, data: str, processes: int = 1) -> None:
        self.data = data
        self.processes = processes
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "benchmarks.tables", "--serve", self.data]
        self.process = subprocess.Popen(
            [*command, "--processes", str(self.processes)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.address = f"127.0.0.1:{self.process.stdout.readline().strip()}"

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def memory(self) -> int:
        """The bytes its processes hold, where the system tells."""
        pages = [int(text.split()[1]) for text in self._told("statm")]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")

    def worked(self) -> float:
        """The seconds of processor time its processes have used, where the system tells."""
        ticks = [text.rpartition(")")[2].split()[11:13] for text in self._told("stat")]
        return sum(int(each) for both in ticks for each in both) / os.sysconf("SC_CLK_TCK")

    def _told(self, file: str) -> list[str]:
        """A file of the system about each process of the server."""
        found, waiting = [], [self.process.pid]
        while waiting:
            process = Path(f"/proc/{waiting.pop()}")
            try:
                found.append((process / file).read_text(encoding="ascii"))
                for children in process.glob("task/*/children"):
                    waiting += [int(each) for each in children.read_text("ascii").split()]
            except OSError:
                continue
        return found

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"http://{self.address}{path}", data), timeout=PATIENCE) as answer:
            return json.load(answer)

    def ask_again(self, path: str) -> Any:
        """As `ask`, when tables may still be those of a process that was killed just now."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self.ask(path)
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.5)


async def opened(server: Server, wanted: argparse.Namespace) -> Table:
    """A new table, with somebody in each seat: the invitations are accepted."""
    seats = [{"who": "me"}, *[{"who": "friend"}] * (wanted.seats - 1)]
    wish = {"rules": wanted.rules, "seats": seats}
    link = (await asyncio.to_thread(server.ask, "/api/tables", wish))["link"]
    table = Table(link.removeprefix("/t/"))
    tokens = [table.host]
    for seat in range(1, wanted.seats):
        address = f"ws://{server.address}/ws/{invitation(table.host, seat)}"
        async with connect(address, max_size=None) as socket:
            await socket.recv()
            await socket.send('{"type":"sit"}')
            own = json.loads(await socket.recv())["link"]
        tokens.append(own.removeprefix("/t/"))
    await table.connect(server.address, tokens)
    return table


async def play(
    table: Table, wanted: argparse.Namespace, luck: random.Random, progress: Progress
) -> list[float]:
    """So many replies at one table; how long each took."""
    await asyncio.sleep(luck.random() * wanted.pause)
    times: list[float] = []
    for _ in range(wanted.replies):
        spent = await table.reply()
        if spent is None:
            break
        times.append(spent)
        progress.step()
        await asyncio.sleep(luck.uniform(0.5, 1.5) * wanted.pause)
    return times


async def at_rest(server: Server) -> None:
    """Waits until all have seen their first pictures and the server has tidied up after them: what
    follows is measured."""
    async with asyncio.timeout(PATIENCE):
        before = float("-inf")
        while (now := server.worked()) - before > REST * A_WHILE:
            before = now
            await asyncio.sleep(A_WHILE)


def measured(wanted: argparse.Namespace, processes: int) -> dict[str, Any]:
    """What a server in so many processes does with the tables."""
    with kept_in(wanted) as data:
        server = Server(data, processes)
        try:
            return asyncio.run(measure(server, wanted))
        finally:
            server.kill()


async def measure(server: Server, wanted: argparse.Namespace) -> dict[str, Any]:
    many, room = wanted.tables, asyncio.Semaphore(AT_ONCE)
    before, worked = server.memory(), server.worked()
    opening = Progress("opening", many, PATIENCE + OPENING * many)

    async def open_one() -> Table:
        async with room:
            table = await opened(server, wanted)
            opening.step()
            return table

    tables = await opening.over(open_one() for _ in range(many))
    opened_in, opening_worked = opening.spent, server.worked() - worked

    await at_rest(server)
    # What stays is not looked through again: nobody waits for the collector of a browser, either.
    gc.collect()
    gc.freeze()
    worked = server.worked()
    longest = 1.5 * wanted.pause * (wanted.replies + 1)
    playing = Progress("playing", many * wanted.replies, longest + PATIENCE)
    luck = random.Random(1)
    times = await playing.over(play(table, wanted, luck, playing) for table in tables)
    spent, client, worked = playing.spent, playing.worked, server.worked() - worked
    load, after = os.getloadavg()[0], server.memory()

    server.kill()
    server.start()
    finding = Progress("finding again", many, PATIENCE + OPENING * many)

    async def find(table: Table) -> int:
        async with room:
            found = await asyncio.to_thread(server.ask_again, f"/api/scene/{table.host}")
            finding.step()
            return int(found["at"])

    kept = await finding.over(find(table) for table in tables)
    found = sorted(each for own in times for each in own)
    return {
        "rules": wanted.rules,
        "tables": many,
        "sockets": many * wanted.seats,
        "processes": server.processes,
        "database": "PostgreSQL" if wanted.data or wanted.postgres else "SQLite",
        "opened_per_second": round(many / opened_in, 1),
        "server_ms_per_opening": round(1000 * opening_worked / many, 1),
        "replies": len(found),
        "replies_per_second": round(len(found) / spent, 1),
        "server_ms_per_reply": round(1000 * worked / len(found), 1),
        "client_ms_per_reply": round(1000 * client / len(found), 1),
        "load": round(load, 1),
        "median_ms": round(1000 * found[len(found) // 2], 1),
        "99th_percentile_ms": round(1000 * found[int(len(found) * 0.99)], 1),
        "bytes_per_screen": statistics.median(n for table in tables for n in table.sizes),
        "kilobytes_per_table": round((after - before) / many / 1024),
        "lost": sum(table.at - at for table, at in zip(tables, kept, strict=True)),
    }


def serve(data: str, processes: int) -> None:
    """A server that lets one machine ask as often as it likes."""
    from lawspeaker.faces.cli.serve import listening
    from lawspeaker.faces.web.app import make_app
    from lawspeaker.faces.web.databases import place
    from lawspeaker.faces.web.running import run
    from lawspeaker.faces.web.settings import Settings
    from lawspeaker.faces.web.several import run_several

    socket = listening("127.0.0.1", 0)
    where = place(data)
    settings = Settings(
        where,
        inside="" if isinstance(where, Path) else "127.0.0.1",
        hurry=1e6,
        most_of_one=1_000_000,
        most_open=10_000,
    )
    app = make_app(settings) if processes == 1 else None
    sys.stdout.write(f"{socket.getsockname()[1]}\n")
    sys.stdout.flush()
    if app is None:
        run_several(settings, socket, processes, (logging.WARNING, False))
    else:
        run(app, socket)


@contextmanager
def kept_in(wanted: argparse.Namespace) -> Iterator[str]:
    """Where tables are kept: in a folder, in the database that was named, or in one of its own."""
    if wanted.data:
        yield wanted.data
    elif wanted.postgres:
        from tests.web.database_server import database_server

        with database_server() as address:
            yield address
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield folder


def main() -> None:
    parser = argparse.ArgumentParser(description="How a server fares with many tables.")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--rules", default="walhalla")
    parser.add_argument("--replies", type=int, default=10, help="at each table")
    parser.add_argument("--pause", type=float, default=20.0, help="seconds between two replies")
    parser.add_argument(
        "--processes", type=int, nargs="+", default=[1], help="of the server; several: each in turn"
    )
    parser.add_argument("--data", help="a PostgreSQL database: postgresql://…; else a folder")
    parser.add_argument(
        "--postgres", action="store_true", help="the same, with a server of its own"
    )
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.serve is not None:
        serve(wanted.serve, *wanted.processes)
        return
    if most_files() < 2 * wanted.tables * wanted.seats:
        sys.stderr.write("the system may not let so many sockets be open: see ulimit -n\n")
    found = [measured(wanted, each) for each in wanted.processes]
    sys.stdout.write(json.dumps(found if len(found) > 1 else found[0], indent=2) + "\n")


if __name__ == "__main__":
    main()
