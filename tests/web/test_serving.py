"""The command that starts a server: what it says when it cannot, and how it stops."""

from __future__ import annotations

import asyncio
import builtins
import signal
import socket
import time
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
import typer
from starlette.types import Message, Receive, Scope, Send
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.faces.cli.serve import serve
from lawspeaker.faces.web.bot_pool import Thinkers
from lawspeaker.faces.web.catalogue import Catalogue, Stopping
from lawspeaker.faces.web.messages import LARGEST_BODY
from lawspeaker.faces.web.security import HostNames, RequestGuard
from lawspeaker.outside.library import Library
from tests.web.conftest import PATIENCE, Served
from tests.web.loops import run
from tests.web.visitors import set_up


def failed_start(capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, str]:
    """The exit code and the complaint of a server that cannot be started."""
    given = {"host": "127.0.0.1", "port": 0, "data": None, "name": [], "open_page": False}
    with pytest.raises(typer.Exit) as ended:
        serve(**{**given, "verbose": False, **options})
    return ended.value.exit_code, capsys.readouterr().err


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, told = failed_start(capsys, port=port, data=tmp_path)
    assert code == 2
    assert f"port {port}" in told
    assert "--port" in told


def test_a_host_that_is_not_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = failed_start(capsys, host="nowhere.invalid", data=tmp_path)
    assert code == 2
    assert "cannot listen at nowhere.invalid" in told


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = CliRunner().invoke(app, ["serve", "--data", str(tmp_path / "file")])
    assert ended.exit_code == 1
    assert "cannot keep tables" in ended.output


def test_without_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "lawspeaker.faces.web.app":
            raise ModuleNotFoundError("no", name="starlette")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    code, told = failed_start(capsys, data=tmp_path)
    assert code == 2
    assert "pip install 'lawspeaker[web]'" in told


def test_a_server_that_stops_reads_no_more_rules() -> None:
    """All rules on offer take half a minute; whoever waits for them is told."""
    catalogue = Catalogue(Library())
    catalogue.game("nim")
    catalogue.stop()
    assert catalogue.game("nim").name == "nim", "what was read is there"
    for wanted in (
        catalogue.listing,
        lambda: catalogue.game("hex"),
        lambda: catalogue.agreed("hex", "en"),
    ):
        with pytest.raises(Stopping):
            wanted()


def test_a_server_that_stops_ends_all_thoughts_at_once() -> None:
    thinkers = Thinkers(1)
    thought = thinkers.pool().submit(time.sleep, 10_000)
    assert thinkers._pool is not None
    (process,) = thinkers._pool._processes.values()
    thinkers.stop()
    with pytest.raises((BrokenProcessPool, CancelledError)):
        thought.result(PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while process.exitcode is None and time.monotonic() < deadline:
        time.sleep(0.01)  # A thread of the pool may have waited for it, and tells of it soon.
    assert process.exitcode == -signal.SIGKILL
    with pytest.raises(TimeoutError):
        thinkers.pool()


@pytest.mark.parametrize("begun", [False, True])
def test_what_is_not_answered_when_a_server_stops_is_told_so(
    begun: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """A request that takes too long is cancelled; that is no mistake of ours."""
    answered: list[Message] = []

    async def forever(scope: Scope, receive: Receive, send: Send) -> None:
        if begun:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    async def send(message: Message) -> None:
        answered.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    async def stopped() -> None:
        guard = RequestGuard(forever, HostNames.of("localhost", ()), LARGEST_BODY)
        headers = [(b"host", b"localhost")]
        request = {"method": "GET", "path": "/", "headers": headers, "scheme": "http"}
        scope: Scope = {"type": "http", "client": ("127.0.0.1", 1), **request}
        task = asyncio.create_task(guard(scope, receive, send))
        await asyncio.sleep(0)
        guard.stop()
        task.cancel()
        await task

    run(stopped())
    assert answered[0]["status"] == (200 if begun else 503)


@pytest.mark.full
def test_stopped_in_the_middle_of_everything_nothing_is_lost_or_logged(served: Served) -> None:
    """Half a body, a request for all rules, an open screen: all that was told is there again."""
    host = set_up(served.post, "nim", ("me", "me"))
    screen = served.connect(host)
    screen.look()
    screen.see(lambda shown: shown["seat"] is not None)
    assert screen.reply()["at"] == 1
    address = ("127.0.0.1", served.port)
    with socket.create_connection(address) as half, socket.create_connection(address) as all_rules:
        half.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        all_rules.sendall(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        served.get("/healthz")
        assert served.stop(signal.SIGTERM) == 0
        assert half.recv(100).startswith(b"HTTP/1.1 503")
        assert all_rules.recv(100).startswith(b"HTTP/1.1 503")
    assert "Traceback" not in served.complaints()
    served.start()
    assert served.connect(host).shown["at"] == 1
