"""Web Push: browsers are told, encrypted and signed, and by public hosts alone."""

from __future__ import annotations

import asyncio
import base64
import datetime as dt
import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from lawspeaker.faces.web import pushing
from lawspeaker.faces.web import store as stored
from lawspeaker.faces.web.pace import Waiting
from lawspeaker.faces.web.pushing import NotPublic, Pushing, is_public
from lawspeaker.faces.web.seats import Seat
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import MOST_PUSHES, DuePush, KeptTable, Store, Subscription
from tests.web import loops
from tests.web.conftest import House
from tests.web.visitors import everyone, set_up

pytest.importorskip("pywebpush", reason="the extra `push` is not installed")

URL = "https://games.example.org"
HOST = "push.example.net"


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class Browser:
    """A browser with a subscription, which can read what comes."""

    path: str
    auth: bytes = b"sixteen letters!"
    key: Any = field(init=False)

    def __post_init__(self) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        self.key = ec.generate_private_key(ec.SECP256R1())

    @property
    def subscription(self) -> dict[str, str]:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        endpoint = f"https://{HOST}{self.path}"
        return {"endpoint": endpoint, "p256dh": text_of(point), "auth": text_of(self.auth)}

    def read(self, body: bytes) -> dict[str, str]:
        import http_ece

        told = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        found: dict[str, str] = json.loads(told)
        return found


class PushService:
    """A push service in a thread, with a certificate for its name; it gives the same answer to
    all."""

    def __init__(self, folder: Path) -> None:
        self.answer = b"HTTP/1.1 201 Created\r\n\r\n"
        self.requests: list[tuple[str, Mapping[str, str], bytes]] = []
        self.certificate = folder / "certificate.pem"
        self._write(folder)
        self.line = socket.create_server(("127.0.0.1", 0))
        self.port = self.line.getsockname()[1]
        threading.Thread(target=self._serve, args=(folder,), daemon=True).start()

    def _write(self, folder: Path) -> None:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
        now = dt.datetime.now(dt.UTC)
        made = (
            x509.CertificateBuilder(name, name, key.public_key(), 1)
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
            .sign(key, hashes.SHA256())
        )
        self.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        (folder / "key.pem").write_bytes(private)

    def _serve(self, folder: Path) -> None:
        secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        secure.load_cert_chain(self.certificate, folder / "key.pem")
        while True:
            try:
                peer, _ = self.line.accept()
            except OSError:
                return
            with suppress(OSError), secure.wrap_socket(peer, server_side=True) as line:
                self._take(line)

    def _take(self, line: ssl.SSLSocket) -> None:
        with line.makefile("rb") as talk:
            first = talk.readline().decode().strip()
            headers = {}
            while row := talk.readline().decode().strip():
                name, _, value = row.partition(": ")
                headers[name] = value
            body = talk.read(int(headers["Content-Length"]))
        self.requests.append((first, headers, body))
        line.sendall(self.answer)


@contextmanager
def served(
    settings: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[House, PushService]]:
    service = PushService(folder)

    async def found(host: str) -> list[tuple[str, int]]:
        assert host == HOST
        return [("127.0.0.1", service.port)]

    trusted = ssl.create_default_context(cafile=str(service.certificate))
    monkeypatch.setattr(pushing, "_addresses", found)
    monkeypatch.setattr(pushing, "_trusted", lambda: trusted)
    monkeypatch.setattr(pushing, "TELL_AFTER", -1)
    with ExitStack() as stack:
        stack.callback(service.line.close)
        yield House(replace(settings, push=URL), stack), service


def send_pushes(house: House) -> int:
    return loops.run(house.web.registry.pushing.tell_all(house.web.registry.store))


def test_whoever_is_waited_for_is_told_once_and_no_one_else_can_read_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from py_vapid import Vapid02

    with served(settings, tmp_path, monkeypatch) as (house, service):
        host = set_up(house.post, "nim", ("me", "friend"), language="de")
        screens = [house.connect(host)]
        screens.append(house.connect(everyone(host, screens[0].shown)[1]))
        asked = next(each for each in screens if each.asked)
        other = next(each for each in screens if each is not asked)
        ann, ben = Browser("/ann?a=1"), Browser("/ben")
        on = asked.answer_to("push", **ann.subscription)
        assert on["on"]
        assert other.answer_to("push", **ben.subscription)["key"] == on["key"]
        assert asked.answer_to("push", endpoint=ann.subscription["endpoint"])["tag"] == on["tag"]
        assert not asked.answer_to("push", endpoint=ben.subscription["endpoint"])["on"]
        assert send_pushes(house) == 1
        first, headers, body = service.requests[-1]
        assert first == "POST /ann?a=1 HTTP/1.1"
        assert headers["Host"] == HOST
        assert ann.read(body) == {
            "title": "Du bist am Zug",
            "body": "Nim: Du bist am Zug.",
            "tag": on["tag"],
        }
        everything = f"{headers} {ann.read(body)}"
        assert all(each.token not in everything for each in screens), "no link to a seat"
        assert Vapid02.verify(headers["Authorization"])
        _, token, key = re.split(r" t=|,k=", headers["Authorization"])
        assert key == on["key"]
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        assert (claims["aud"], claims["sub"]) == (f"https://{HOST}", URL)
        assert send_pushes(house) == 0, "once for each question"
        asked.reply()
        other.see_at(1)
        time.sleep(1.1)
        assert send_pushes(house) == 1
        assert service.requests[-1][0].startswith("POST /ben ")


@pytest.mark.parametrize(
    "answer, kept",
    [(b"404 Not Found", False), (b"410 Gone", False), (b"429 Slow", True), (b"500 No", True)],
)
def test_a_subscription_that_has_ended_is_dropped(
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: bytes,
    kept: bool,
) -> None:
    with served(settings, tmp_path, monkeypatch) as (house, service):
        service.answer = b"HTTP/1.1 " + answer + b"\r\n\r\n"
        screen, browser = house.connect(set_up(house.post, "nim", ("me", "me"))), Browser("/a")
        screen.look()
        screen.answer_to("push", **browser.subscription)
        assert send_pushes(house) == 0
        assert len(service.requests) == 1
        assert screen.answer_to("push", endpoint=browser.subscription["endpoint"])["on"] is kept


def test_seats_that_are_not_waited_for_hide_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "LOOKED_AT", 2)
    found: list[str] = []

    async def sent(self: Pushing, due: DuePush, key: str) -> int:
        found.append(due.token)
        return 201

    monkeypatch.setattr(Pushing, "_sent", sent)
    with closing(Store(tmp_path)) as store:
        seats = (Seat(True), Seat(True))
        for at, asked in enumerate((1, 1, 1, 0, 1, 1, 0)):
            waiting = Waiting(1, (asked,), (asked,))
            table = KeptTable("d", "nim", 7, "quick", "en", seats, waiting=waiting)
            number = store.add_table(table, (), {})
            to = Subscription(f"https://{HOST}/{at}", "", "")
            store.add_push(number, 0, f"token {at}", to, "en")
        assert loops.run(Pushing(URL).tell_all(store)) == 2
    assert sorted(found) == ["token 3", "token 6"]


def test_redirects_and_other_answers_are_not_followed(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(settings, tmp_path, monkeypatch) as (house, service):
        screen = house.connect(set_up(house.post, "nim", ("me", "me")))
        screen.look()
        screen.answer_to("push", **Browser("/a").subscription)
        service.answer = f"HTTP/1.1 307 Go\r\nLocation: https://{HOST}/b\r\n\r\n".encode()
        assert send_pushes(house) == 0
        assert [each[0] for each in service.requests] == ["POST /a HTTP/1.1"]
        screen.answer_to("push", **Browser("/c").subscription)
        service.answer = b"x" * 100_000
        assert send_pushes(house) == 0


def test_a_service_that_never_answers_is_left(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushing, "TIMEOUT", 0.3)
    with served(settings, tmp_path, monkeypatch) as (house, service):
        screen = house.connect(set_up(house.post, "nim", ("me", "me")))
        screen.look()
        screen.answer_to("push", **Browser("/a").subscription)
        monkeypatch.setattr(service, "_take", lambda line: time.sleep(0.6))
        began = time.monotonic()
        assert send_pushes(house) == 0
        assert time.monotonic() - began < 30


def test_a_seat_has_few_browsers_and_a_freed_one_none(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(settings, tmp_path, monkeypatch) as (house, service):
        host = set_up(house.post, "nim", ("me", "friend"))
        screen = house.connect(host)
        guest = house.connect(everyone(host, screen.shown)[1])
        browsers = [Browser(f"/{number}").subscription for number in range(MOST_PUSHES + 1)]
        for each in (browsers[0], *browsers):
            assert guest.answer_to("push", **each)["on"]
        on = [guest.answer_to("push", endpoint=each["endpoint"])["on"] for each in browsers]
        assert on == [False] + [True] * MOST_PUSHES
        assert not guest.answer_to("push", endpoint=browsers[1]["endpoint"], stop=True)["on"]
        screen.say("free", seat=1)
        screen.answer_to("ping")
        store = house.web.registry.store
        assert store.push_of(1, 1, browsers[-1]["endpoint"]) is None
        assert service.requests == []


def test_no_request_goes_to_a_host_that_is_not_public(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, push=URL), stack)
        screen = house.connect(set_up(house.post, "nim", ("me", "me")))
        screen.look()
        good = Browser("/a").subscription
        for odd in (
            "http://push.example.net/a",
            "https://localhost/a",
            "https://127.0.0.1/a",
            "https://2130706433/a",
            "https://0x7f.1/a",
            "https://[::1]/a",
            "https://push.example.net:22/a",
            "https://push.example.net@10.0.0.1/a",
            "https://push.example.net",
            "https://push.example.net/a b",
            "https://push.example.net/a\r\nX: y",
            "file:///etc/passwd",
        ):
            said = screen.answer_to("push", **{**good, "endpoint": odd})
            assert said["why"]["code"] == "bad_push", odd
        for keys in (
            {"auth": "AAAA"},
            {"p256dh": "BBBB"},
            {"p256dh": "B" + "A" * 86},
            {"auth": ""},
        ):
            said = screen.answer_to("push", **{**good, **keys})
            assert said["why"]["code"] == "bad_push", keys
        monkeypatch.setattr(pushing, "TELL_AFTER", -1)
        opened: list[str] = []

        async def resolved(self: Any, host: str, port: int, **_: Any) -> list[Any]:
            return [(0, 0, 0, "", (each, port)) for each in ("8.8.8.8", "10.1.2.3")]

        async def connected(host: str, *_: Any, **__: Any) -> Any:
            opened.append(host)
            raise ConnectionRefusedError

        monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", resolved)
        monkeypatch.setattr(asyncio, "open_connection", connected)
        assert screen.answer_to("push", **good)["on"]
        assert send_pushes(house) == 0
        assert opened == []
        assert not screen.answer_to("push", endpoint=good["endpoint"])["on"], "it is dropped"


def test_the_checked_address_is_the_one_that_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = iter(["8.8.8.8", "127.0.0.1"])
    opened: list[tuple[str, int, str]] = []

    async def resolved(self: Any, host: str, port: int, **_: Any) -> list[Any]:
        return [(0, 0, 0, "", (next(names), port))]

    async def connected(host: str, port: int, *, server_hostname: str, **_: Any) -> Any:
        opened.append((host, port, server_hostname))
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", resolved)
    monkeypatch.setattr(asyncio, "open_connection", connected)
    with pytest.raises(ConnectionRefusedError):
        loops.run(pushing._connected(HOST))
    assert opened == [("8.8.8.8", 443, HOST)]
    with pytest.raises(NotPublic):
        loops.run(pushing._connected(HOST))


def test_addresses_that_lead_inside_are_not_public() -> None:
    inside = """127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0
        224.0.0.1 255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fd00::1 ff02::1 ::ffff:127.0.0.1
        ::ffff:8.8.8.8 64:ff9b::7f00:1 2002:7f00:1:: 2001:0:1::1 2001:db8::1 name"""
    assert [each for each in inside.split() if is_public(each)] == []
    assert is_public("8.8.8.8")
    assert is_public("2606:4700::1111")


def test_without_the_option_nothing_is_sent_and_onlookers_get_nothing(
    house: House, settings: Settings
) -> None:
    screen = house.connect(set_up(house.post, "nim", ("me", "friend")))
    assert not screen.shown["table"]["pushes"]
    assert screen.answer_to("push", **Browser("/a").subscription)["why"]["code"] == "no_push"


def test_onlookers_cannot_subscribe_and_many_are_slowed(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(replace(settings, hurry=1.0), tmp_path, monkeypatch) as (house, _):
        host = set_up(house.post, "nim", ("me", "friend"))
        screen = house.connect(host)
        watcher = house.connect(str(everyone(host, screen.shown)[None]))
        assert not watcher.shown["table"]["pushes"]
        said = watcher.answer_to("push", **Browser("/a").subscription)
        assert said["why"]["code"] == "onlooker"
        browser = Browser("/a").subscription
        types = [screen.answer_to("push", **browser)["type"] for _ in range(11)]
        assert types == ["push"] * 10 + ["refused"]


def test_what_is_logged_shows_no_keys() -> None:
    assert "secret" not in repr(Subscription("https://push.example.net/a", "secret", "secret"))
