"""What stands between the internet and the tables.

- Every answer carries headers that forbid scripts, styles, frames and requests from elsewhere, and
  that keep links, which are secrets, out of caches and referrers.
- A request must name a host this server goes by. A page elsewhere could otherwise have its own
  name point to this machine and so talk to a server that listens on localhost only.
- What changes something must come from a page of this server.
- Nobody may ask more often than a person could; bodies have a largest size.
- A log line names the route, never the path: paths hold links. No line holds anything a visitor
  wrote, so none can be forged.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("lawspeaker.web")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-robots-tag": "noindex, nofollow",
}
PRIVATE = "no-store"
READING = ("GET", "HEAD", "OPTIONS")

LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(slots=True)
class Bucket:
    """So many at once, and then so many a second."""

    burst: float
    rate: float
    left: float
    at: float

    @classmethod
    def full(cls, burst: float, rate: float, now: float) -> Bucket:
        return cls(burst, rate, burst, now)

    def take(self, now: float) -> bool:
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Buckets:
    """A bucket for each client; those not heard of for longest are forgotten."""

    def __init__(self, burst: float, rate: float, most: int = 10_000) -> None:
        self.burst, self.rate, self.most = burst, rate, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str) -> bool:
        now = time.monotonic()
        bucket = self._buckets.pop(client, None) or Bucket.full(self.burst, self.rate, now)
        self._buckets[client] = bucket
        if len(self._buckets) > self.most:
            self._buckets.popitem(last=False)
        return bucket.take(now)


@dataclass(frozen=True, slots=True)
class Names:
    """The hosts a server goes by. `anywhere`: it listens to others than this machine, and then
    goes by any address, too: only a name can be made to point here by somebody else."""

    names: frozenset[str]
    anywhere: bool

    @classmethod
    def of(cls, host: str, names: Iterable[str]) -> Names:
        anywhere = host not in LOCAL
        own = {host} if anywhere and not _address(host) else set()
        return cls(frozenset({*LOCAL, *own, *(each.lower() for each in names)}), anywhere)

    def have(self, header: str) -> bool:
        """Whether a Host header names this server."""
        try:
            name = urlsplit(f"//{header}").hostname or ""
        except ValueError:
            return False
        return name in self.names or (self.anywhere and _address(name))


def _address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this server, or from no page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        return False


def client_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "-"


class Guard:
    """Stands before the whole application. `costly` are paths that take long to answer."""

    def __init__(
        self,
        app: ASGIApp,
        names: Names,
        largest_body: int,
        costly: tuple[str, ...] = (),
        hurry: float = 1,
    ) -> None:
        self.app = app
        self.names = names
        self.largest_body = largest_body
        self.costly = costly
        self.asking = Buckets(burst=120 * hurry, rate=40 * hurry)
        self.working = Buckets(burst=90 * hurry, rate=12 * hurry)
        self.changing = Buckets(burst=20 * hurry, rate=0.5 * hurry)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    # ------------------------------------------------------------ requests

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.monotonic()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if "cache-control" not in headers:
                    headers["cache-control"] = PRIVATE
            await send(message)

        try:
            refused = self._refused(scope)
            if refused is not None:
                await _answer(sending, *refused)
            else:
                await self.app(scope, _bounded(receive, self.largest_body), sending)
        finally:
            spent = (time.monotonic() - began) * 1000
            route = getattr(scope.get("route"), "path", "-")
            level = logging.INFO if status < 500 else logging.ERROR
            method = scope["method"] if scope["method"].isalpha() else "?"
            log.log(level, "%s %s %d %.0f ms", method[:10], route, status, spent)

    def _refused(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = Headers(scope=scope)
        if not self.names.have(headers.get("host", "")):
            return 400, "unknown_host", "this server does not go by that name (see --name)"
        changing = scope["method"] not in READING
        if changing and not same_origin(headers):
            return 403, "wrong_origin", "this must come from a page of this server"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.largest_body:
            return 413, "too_large", f"at most {self.largest_body:,} bytes can be sent"
        if not self._bucket(scope["path"], changing).take(client_of(scope)):
            return 429, "too_many", "too many requests; wait a moment"
        return None

    def _bucket(self, path: str, changing: bool) -> Buckets:
        if changing:
            return self.changing
        return self.working if path.startswith(self.costly) else self.asking

    # ------------------------------------------------------------ sockets

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if not self.names.have(headers.get("host", "")) or not same_origin(headers):
            await receive()
            await send({"type": "websocket.close", "code": 4403})  # never accepted: HTTP 403
            log.warning("socket refused: another origin")
        elif not self.asking.take(client_of(scope)):
            await _close(receive, send, 4429)
            log.warning("socket refused: too many")
        else:
            await self.app(scope, receive, send)


class TooLarge(Exception):
    """A body that goes on for too long, whatever its header said."""


def _bounded(receive: Receive, largest: int) -> Receive:
    got = 0

    async def receiving() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > largest:
            raise TooLarge
        return message

    return receiving


async def _answer(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"error": {"code": code, "message": message}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _close(receive: Receive, send: Send, code: int) -> None:
    """Ends a socket with a code that a page can read, for which it must be accepted first."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": code})
