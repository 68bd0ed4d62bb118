"""Half requests, slow ones, and many: nobody keeps others out, and the log stays short."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, cast

import pytest
import uvicorn
from websockets.sync.client import connect

from lawspeaker.faces.web import connections, security
from lawspeaker.faces.web.connections import Door, Visitor
from lawspeaker.faces.web.running import LINES, FewLines, no_files_left
from lawspeaker.faces.web.security import TooLarge, TooSlow, _bounded
from lawspeaker.faces.web.workshop.drafts import LARGEST_DRAFT
from tests.web import loops
from tests.web.conftest import PATIENCE, Served
from tests.web.visitors import set_up

FILES = 160
MANY = 3 * FILES
HALF = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


@contextmanager
def connected(served: Served, count: int, said: bytes) -> Iterator[list[socket.socket]]:
    """So many connections on which something was said."""
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            line = stack.enter_context(
                socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)
            )
            line.sendall(said)
            found.append(line)
        yield found


@pytest.mark.full
def test_half_requests_keep_nobody_out(serve: Callable[..., Served]) -> None:
    """Three times as many as the server can open files; each new visitor is served at once."""
    served = serve(limits=f"-n {FILES}")
    host = set_up(served.post, "nim", ("me", "me"))
    screen = served.connect(host)
    with connected(served, MANY, HALF):
        assert served.get("/healthz") == {"ok": True}
        screen.look()
        screen.see(lambda shown: shown["seat"] is not None)
        assert screen.reply()["at"] == 1, "who was there before is still there"
        assert served.connect(host).shown["at"] == 1
    assert "Traceback" not in served.complaints()
    assert len(served.complaints().splitlines()) <= 2 * LINES


@pytest.mark.full
def test_who_had_to_make_room_is_told(serve: Callable[..., Served]) -> None:
    served = serve(limits=f"-n {FILES}")
    with connected(served, MANY, HALF) as lines:
        answer = lines[0].recv(4096)
        assert answer.startswith(b"HTTP/1.1 503")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "full"


@pytest.mark.full
def test_garbage_is_answered_and_fills_no_log(serve: Callable[..., Served]) -> None:
    served = serve(limits=f"-n {FILES}")
    with connected(served, MANY, b"\x16\x03\x01 hello\r\n\r\n") as lines:
        assert lines[-1].recv(4096).startswith(b"HTTP/1.1 400")
        assert served.get("/healthz") == {"ok": True}
    assert "Traceback" not in served.complaints()
    assert len(served.complaints().splitlines()) <= 2 * LINES


@pytest.mark.full
def test_the_largest_draft_comes_through_twice(serve: Callable[..., Served]) -> None:
    """The workshop is sent the rules as they were and as they are, in one message."""
    text = "#" * (LARGEST_DRAFT - 1) + "\n"
    files = [{"name": "game.yaml", "text": text}]
    message = {"type": "check", "id": 1, "rules": "", "files": files, "before": files}
    url = serve().url.replace("http", "ws", 1)
    with connect(f"{url}/api/workshop", open_timeout=PATIENCE, max_size=None) as line:
        line.send(json.dumps(message))
        assert json.loads(line.recv(PATIENCE))["type"] in ("checked", "stopped", "position")


class Line:
    """A connection as the protocol sees it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.written = b""
        self.closed = False

    def get_extra_info(self, name: str) -> Any:
        return (self.address, 7) if name == "peername" else None

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    abort = close


def visitor(door: Door, address: str) -> Line:
    """Somebody who comes to a door and has not asked for anything yet."""
    line = Line(address)
    coming(door, line)
    return line


def coming(door: Door, line: Line) -> Visitor:
    class Guest(Visitor):
        pass

    Guest.door = door

    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    config = uvicorn.Config(app, log_config=None)
    config.load()
    made = Guest(config, uvicorn.Server(config).server_state, {})
    made.connection_made(cast(asyncio.Transport, line))
    return made


def test_an_address_has_a_part_of_the_connections_and_this_machine_all() -> None:
    async def come() -> None:
        door = Door(most=6, of_one=2)
        far = [visitor(door, "192.0.2.1") for _ in range(3)]
        other = visitor(door, "192.0.2.2")
        assert [each.closed for each in (*far, other)] == [True, False, False, False]
        near = [visitor(door, "127.0.0.1") for _ in range(3)]
        assert [each.closed for each in near] == [False] * 3
        assert visitor(door, "::1").closed is False
        assert far[1].closed, "who has waited longest makes room"

    loops.run(come())


def test_a_request_that_does_not_arrive_is_not_waited_for() -> None:
    async def come() -> Line:
        late = visitor(Door(most=6, of_one=2, head=0), "192.0.2.1")
        while not late.closed:
            await asyncio.sleep(0)
        return late

    assert loops.run(come()).written.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("whole", [False, True])
def test_a_stopping_server_waits_only_for_requests_that_have_come_whole(whole: bool) -> None:
    async def come() -> tuple[bool, bytes]:
        line = Line("192.0.2.1")
        made = coming(Door(most=6, of_one=2), line)
        head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"
        made.data_received(head + (b"{}" if whole else b"{"))
        made.shutdown()
        return line.closed, line.written

    closed, written = loops.run(come())
    assert closed is not whole
    assert written.startswith(b"HTTP/1.1 503") is not whole


def test_an_answer_that_nobody_reads_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD", 0)

    async def come() -> None:
        lines = [Line("192.0.2.1"), Line("192.0.2.2")]
        stuck, reading = (coming(Door(most=6, of_one=2), line) for line in lines)
        stuck.pause_writing()
        reading.pause_writing()
        reading.resume_writing()
        while not lines[0].closed:
            await asyncio.sleep(0)
        assert not lines[1].closed

    loops.run(come())


@pytest.mark.parametrize("chunks, raised", [([b"x" * 5, b"y" * 6], TooLarge), ([b"x"], TooSlow)])
def test_a_body_arrives_whole_and_in_time(
    monkeypatch: pytest.MonkeyPatch, chunks: list[bytes], raised: type[Exception]
) -> None:
    if raised is TooSlow:
        monkeypatch.setattr(security, "LONGEST_BODY", 0)
    left = list(chunks)

    async def receive() -> dict[str, Any]:
        if not left:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": left.pop(0), "more_body": True}

    async def read() -> None:
        receiving = _bounded(receive, 10)
        while True:
            await receiving()

    with pytest.raises(raised):
        loops.run(read())


def test_the_log_says_the_same_only_so_often(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("tests.few_lines")
    log.addFilter(FewLines())
    for number in range(5 * LINES):
        log.warning("too much of %d", number)
    log.warning("something else")
    assert len(caplog.records) == LINES + 1
    assert "left out" in caplog.records[-2].message
    assert caplog.records[-1].message == "something else"


def test_no_files_left_is_a_line_and_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    async def happen() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(no_files_left)
        loop.call_exception_handler({"message": "accept", "exception": OSError(24, "too many")})
        loop.call_exception_handler({"message": "another fault"})

    loops.run(happen())
    assert [record.message for record in caplog.records] == [
        "the system has no files left for connections",
        "another fault",
    ]
    assert caplog.records[0].exc_info is None
