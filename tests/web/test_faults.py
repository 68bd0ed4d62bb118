"""Faults from outside while people play: nothing that was acknowledged is lost.

docs/security.md has a table of faults, each with the test that shows it; those that are not
elsewhere are here.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.websockets import WebSocketDisconnect

from lawspeaker.faces.web.database import NotKept, Sqlite
from lawspeaker.faces.web.game_in_play import GameInPlay
from lawspeaker.faces.web.relaying import MOVED
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import Store
from lawspeaker.match.match import Match
from tests.web.conftest import PATIENCE, ROOT, House, Served
from tests.web.database_server import database_server
from tests.web.visitors import Screen, set_up

YEARS = 10 * 366 * 24 * 60 * 60
SOME = 40
"""So many clients of each odd kind."""


def screen_to_move(house: House | Served, host: str) -> Screen:
    """A screen with the player who is asked in front of it."""
    screen = house.connect(host)
    screen.look()
    screen.see(lambda shown: shown["seat"] is not None)
    return screen


# -------------------------------------------------------------------- the disk


def test_a_folder_that_became_read_only_loses_nothing(house: House) -> None:
    """Tables can be looked at, and replies are refused until something can be written again."""
    host = set_up(house.post, "nim", ("me", "me"))
    screen = screen_to_move(house, host)
    assert screen.reply()["at"] == 1
    screen.look()
    base = house.web.registry.store._base
    assert isinstance(base, Sqlite)
    base._base.execute("PRAGMA query_only = ON")
    refused = screen.answer_to("reply", number=0, ask=screen.shown["ask"])
    assert refused["why"]["code"] == "not_kept"
    assert house.client.post("/api/tables", json={"rules": "nim", "seats": []}).status_code == 400
    wish = {"rules": "nim", "seats": [{"who": "me"}, {"who": "me"}]}
    assert house.client.post("/api/tables", json=wish).json()["error"]["code"] == "not_kept"
    assert house.connect(host).shown["at"] == 1
    base._base.execute("PRAGMA query_only = OFF")
    assert screen.reply()["at"] == 2


def test_a_read_only_folder_is_told_when_a_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", read_only)
    with pytest.raises(NotKept, match="Read-only file system"):
        Store(tmp_path)


# -------------------------------------------------------------------- the clock


@pytest.mark.parametrize("jump", [-YEARS, YEARS])
def test_a_clock_that_jumps_during_a_game_changes_no_reply(
    house: House, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    """Time that was used on a clock is never less than nothing."""
    host = set_up(house.post, "nim", ("me", "me"), clock=600)
    screen = screen_to_move(house, host)
    assert screen.reply()["at"] == 1
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    screen.look()
    assert screen.reply()["at"] == 2
    monkeypatch.setattr(time, "time", real)
    screen.look()
    assert screen.reply()["at"] == 3
    clock = house.connect(host).shown["table"]["clock"]
    assert all(spent >= 0 for spent in clock["spent"])


# -------------------------------------------------------------------- memory


@pytest.mark.parametrize("where", ["choose", "standing"])
def test_without_memory_for_a_reply_nothing_has_changed(
    house: House, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Also if it runs out after the reply was given, before it is kept."""
    host = set_up(house.post, "nim", ("me", "me"))
    screen = screen_to_move(house, host)
    assert screen.reply()["at"] == 1
    screen.look()
    whose: Any = Match if where == "choose" else GameInPlay
    real, left = getattr(whose, where), [True]

    def short(*args: Any, **kwargs: Any) -> Any:
        found = real(*args, **kwargs)
        if left:
            left.pop()
            raise MemoryError
        return found

    with monkeypatch.context() as patched:
        patched.setattr(whose, where, short)
        answer = screen.answer_to("reply", number=0, ask=screen.shown["ask"])
    assert (answer["type"], answer["code"]) == ("error", "our_fault")
    assert screen.reply()["at"] == 2
    assert house.connect(host).shown["at"] == 2


# -------------------------------------------------------------------- clients


@pytest.mark.full
def test_clients_that_do_not_read_or_speak_in_halves_hurt_nobody(served: Served) -> None:
    """Sockets that never read, half messages, messages in pieces, bodies that are cut off."""
    host = set_up(served.post, "nim", ("me", "me"))
    screen = screen_to_move(served, host)
    upgrade = (
        f"GET /ws/{host} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()
    cut_off = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
    with ExitStack() as stack:

        def line(said: bytes) -> socket.socket:
            found = stack.enter_context(
                socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)
            )
            found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            found.sendall(said)
            return found

        for _ in range(8):
            line(upgrade)  # and never reads
            half = line(upgrade)
            assert half.recv(12) == b"HTTP/1.1 101"
            half.sendall(b"\x81\xfe\x10\x00mask{")  # a message of 4,096 bytes, of which one comes
        for _ in range(SOME):
            line(cut_off).close()
        at = 1
        while not screen.shown["table"]["finished"]:
            screen.look()
            assert screen.reply()["at"] == at
            at += 1
    assert served.connect(host).shown["table"]["finished"]
    assert "Traceback" not in served.complaints()


# -------------------------------------------------------------------- a database elsewhere


class Cable:
    """Between a server and its database; it can be cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._lines: list[socket.socket] = []
        self.cut_off = False
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                if self.cut_off:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._to))
                self._lines += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_carry, args=(one, other), daemon=True).start()

    def cut(self) -> None:
        self.cut_off = True
        for each in self._lines:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._lines.clear()

    def mend(self) -> None:
        self.cut_off = False

    def close(self) -> None:
        self.cut()
        self._door.close()


def _carry(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with database_server() as address:
        yield address


@pytest.fixture
def cable(postgres: str) -> Iterator[Cable]:
    found = Cable(urlsplit(postgres).port or 0)
    yield found
    found.close()


@pytest.mark.full
@pytest.mark.xdist_group("several")
def test_a_database_that_was_gone_has_all_that_was_acknowledged(
    settings: Settings, postgres: str, cable: Cable
) -> None:
    """While it is gone nothing counts; when it is back, everybody sees what was kept."""
    address = postgres.replace(str(urlsplit(postgres).port), str(cable.port))
    with ExitStack() as stack:
        house = House(replace(settings, data=address, inside="127.0.0.1"), stack)
        info = house.web.registry.store._base._connected().info  # type: ignore[attr-defined]
        assert int(info.get_parameters()["tcp_user_timeout"]) > 0
        host = set_up(house.post, "nim", ("me", "me"))
        screen = screen_to_move(house, host)
        assert screen.reply()["at"] == 1
        screen.look()
        cable.cut()
        screen.say("reply", number=0, ask=screen.shown["ask"])
        with pytest.raises(WebSocketDisconnect) as ended:
            screen.hear_until(lambda _: False)
        assert ended.value.code == MOVED
        assert house.client.get(f"/api/scene/{host}").status_code == 503
        assert house.client.get("/healthz").status_code == 200
        cable.mend()
        again = screen_to_move(house, host)
        assert again.shown["at"] == 1
        assert again.reply()["at"] == 2


@pytest.mark.full
@pytest.mark.xdist_group("several")
def test_a_reply_whose_answer_was_lost_is_there_once(
    settings: Settings, postgres: str, cable: Cable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database has kept it, but the server could not know: nobody is told anything else."""
    address = postgres.replace(str(urlsplit(postgres).port), str(cable.port))
    with ExitStack() as stack:
        house = House(replace(settings, data=address, inside="127.0.0.1"), stack)
        screen = screen_to_move(house, set_up(house.post, "nim", ("me", "me")))
        store = house.web.registry.store
        real: Callable[..., None] = store.add_reply

        def unanswered(*args: Any) -> None:
            real(*args)
            cable.cut()
            store._base.execute("SELECT 1")

        monkeypatch.setattr(store, "add_reply", unanswered)
        screen.say("reply", number=0, ask=screen.shown["ask"])
        with pytest.raises(WebSocketDisconnect):
            screen.hear_until(lambda told: told["type"] == "refused")
        cable.mend()
        monkeypatch.setattr(store, "add_reply", real)
        again = screen_to_move(house, screen.token)
        assert again.shown["at"] == 1
        assert again.reply()["at"] == 2


# -------------------------------------------------------------------- the table of faults


def test_every_fault_of_the_manual_has_a_test() -> None:
    manual = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    section = manual.partition("\n## Faults")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if "::" in line]
    assert len(rows) >= 20
    assert len({fault for fault, *_ in rows}) == len(rows)
    named: set[str] = set()
    for fault, happens, tests in rows:
        assert happens, fault
        found = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", tests)
        assert found, fault
        for file, test in found:
            written = (ROOT / file).read_text(encoding="utf-8")
            assert f"def {test}(" in written, f"{fault}: {file} has no {test}"
            named.add(test)
    here = re.findall(r"^def (test_\w+)\(", Path(__file__).read_text(encoding="utf-8"), re.M)
    assert set(here) - named == {"test_every_fault_of_the_manual_has_a_test"}
