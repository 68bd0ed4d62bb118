"""Many tables at once: how long until everybody sees a reply, how much memory, and is all kept.

    python -m benchmarks.tables --tables 100 --replies 20
    python -m benchmarks.tables --tables 1000 --processes 2
    python -m benchmarks.tables --tables 1000 --processes 2 --postgres

A server is started in a process of its own, or in several, and one client connects all seats of
all tables with real sockets. At each table somebody replies, and the next reply is sent when
everybody has been told of it, after a pause as people make one. Measured is the time from sending a
reply to the last seat's update. In the end the server is killed and started again, and every table
must be where it was. The clients run on the same machine and take their share of its time, and with
`--postgres` so does a PostgreSQL server, which is started for it; `--data` names one elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

_AT = re.compile(r'"at":(\d+)')
_ASK = re.compile(r'"ask":(\d+)')
PATIENCE = 120.0


@dataclass(slots=True)
class Table:
    """One table: its host's link, the sockets of its seats, and how far it is."""

    host: str
    seats: list[ClientConnection] = field(default_factory=list)
    asks: list[int | None] = field(default_factory=list)
    at: int = 0
    over: bool = False
    sizes: list[int] = field(default_factory=list)
    """How many characters each screen was sent for each reply."""

    async def connect(self, server: str, tokens: Sequence[str]) -> None:
        for token in tokens:
            socket = await connect(
                f"ws://{server}/ws/{token}?parts", max_size=None, compression=None
            )
            self.seats.append(socket)
            self.asks.append(None)
        await self.told(0)

    async def told(self, at: int) -> None:
        """Waits until all seats show so many replies."""
        await asyncio.gather(*(self._told(seat, at) for seat in range(len(self.seats))))
        self.at = at

    async def _told(self, seat: int, at: int) -> None:
        while True:
            text = str(await asyncio.wait_for(self.seats[seat].recv(), PATIENCE))
            # Only the beginning is looked at: reading it all would be work for the client.
            begun = text[:200]
            if not begun.startswith(('{"type":"scene"', '{"type":"table"')):
                raise RuntimeError(text[:300])
            found = _ASK.search(begun)
            self.asks[seat] = None if found is None else int(found[1])
            counted = _AT.search(begun)
            if counted is not None and int(counted[1]) >= at:
                self.sizes += [len(text)] if at else []
                return

    async def reply(self) -> float | None:
        """Whoever is asked takes the first option; how long until everybody knows."""
        seat = next((seat for seat, ask in enumerate(self.asks) if ask is not None), None)
        if seat is None:
            self.over = True
            return None
        began = time.perf_counter()
        message = {"type": "reply", "number": 0, "ask": self.asks[seat]}
        await self.seats[seat].send(json.dumps(message))
        await self.told(self.at + 1)
        return time.perf_counter() - began


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


async def seated(server: Server, host: str) -> list[str]:
    """The links of all seats in order; the invitations are accepted."""
    async with connect(f"ws://{server.address}/ws/{host}", max_size=None) as socket:
        shown = json.loads(await socket.recv())
    found = dict.fromkeys(shown["you"]["seats"], host)
    for seat, link in shown["table"]["links"]["seats"].items():
        invitation = link.removeprefix("/t/")
        async with connect(f"ws://{server.address}/ws/{invitation}") as socket:
            await socket.recv()
            await socket.send('{"type":"sit"}')
            own = json.loads(await socket.recv())["link"]
        found[int(seat)] = own.removeprefix("/t/")
    return [found[seat] for seat in sorted(found)]


async def play(table: Table, replies: int, pause: float, luck: random.Random) -> list[float]:
    """So many replies at one table; how long each took."""
    await asyncio.sleep(luck.random() * pause)
    times: list[float] = []
    for _ in range(replies):
        spent = await table.reply()
        if spent is None:
            break
        times.append(spent)
        await asyncio.sleep(luck.uniform(0.5, 1.5) * pause)
    return times


async def measure(server: Server, wanted: argparse.Namespace) -> dict[str, Any]:
    before = server.memory()
    seats = [{"who": "me"}, *[{"who": "friend"}] * (wanted.seats - 1)]
    tables = []
    for _ in range(wanted.tables):
        link = server.ask("/api/tables", {"rules": wanted.rules, "seats": seats})["link"]
        tables.append(Table(link.removeprefix("/t/")))
    for table in tables:
        await table.connect(server.address, await seated(server, table.host))
    began, worked = time.perf_counter(), server.worked()
    luck = random.Random(1)
    times = await asyncio.gather(
        *(play(table, wanted.replies, wanted.pause, luck) for table in tables)
    )
    spent, worked = time.perf_counter() - began, server.worked() - worked
    after = server.memory()
    server.kill()
    server.start()
    kept = [server.ask_again(f"/api/scene/{table.host}")["at"] for table in tables]
    found = sorted(each for own in times for each in own)
    return {
        "rules": wanted.rules,
        "tables": wanted.tables,
        "sockets": wanted.tables * wanted.seats,
        "processes": wanted.processes,
        "database": "PostgreSQL" if wanted.data or wanted.postgres else "SQLite",
        "replies": len(found),
        "replies_per_second": round(len(found) / spent, 1),
        "processor_ms_per_reply": round(1000 * worked / len(found), 1),
        "median_ms": round(1000 * found[len(found) // 2], 1),
        "99th_percentile_ms": round(1000 * found[int(len(found) * 0.99)], 1),
        "characters_per_screen": statistics.median(n for table in tables for n in table.sizes),
        "kilobytes_per_table": round((after - before) / wanted.tables / 1024),
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
        run_several(settings, socket, processes, logging.WARNING)
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
    parser.add_argument("--processes", type=int, default=1, help="of the server")
    parser.add_argument("--data", help="a PostgreSQL database: postgresql://…; else a folder")
    parser.add_argument(
        "--postgres", action="store_true", help="the same, with a server of its own"
    )
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.serve is not None:
        serve(wanted.serve, wanted.processes)
        return
    with kept_in(wanted) as data:
        server = Server(data, wanted.processes)
        try:
            found = asyncio.run(measure(server, wanted))
        finally:
            server.kill()
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
