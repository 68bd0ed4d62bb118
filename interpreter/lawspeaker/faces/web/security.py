"""The guard in front of the application: headers, host and origin checks, rate and size limits.

- Every response has headers that forbid foreign scripts, styles, frames and requests, and that keep
  links, which are secrets, out of caches and referrers.
- A request must name a host name of this server. Otherwise a foreign page could point its own name
  to this machine (DNS rebinding) and so talk to a server that listens on localhost only.
- A request that changes something must come from a page of this server.
- The request rate is limited to what a person needs; bodies have a maximum size.
- A log line names the route, never the path: paths contain links. No line contains text of a
  visitor, so none can be forged.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lawspeaker.faces.web.buckets import Buckets
from lawspeaker.faces.web.metrics import Metrics

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
PORTS = {"http": 80, "https": 443}
LARGEST_PORT = 65_535
LONGEST_BODY = 20.0
"""Timeout in seconds for the body of a request."""


@dataclass(frozen=True, slots=True)
class HostNames:
    """The host names of a server.

    `anywhere` means that it listens to other machines, and then accepts any IP address, too: only a
    name can be pointed here by somebody else.
    """

    names: frozenset[str]
    anywhere: bool

    @classmethod
    def of(cls, host: str, names: Iterable[str]) -> HostNames:
        known = (each.lower() for each in (host, *names))
        return cls(frozenset({*LOCAL, *known}), host not in LOCAL)

    def have(self, headers: Headers) -> bool:
        """Whether a request names this server, exactly once and in a regular form."""
        hosts = headers.getlist("host")
        found = _authority(hosts[0]) if len(hosts) == 1 else None
        return found is not None and (
            found[0] in self.names or (self.anywhere and _address(found[0]))
        )


_AUTHORITY = re.compile(r"(?:([a-z0-9_-][a-z0-9._-]*)|\[([0-9a-f:.]+)\])(?::(\d{1,5}))?", re.I)
"""A host name or IP address, optionally with a port; no user, no path."""


def _authority(text: str, scheme: str = "") -> tuple[str, int | None] | None:
    """Parses an authority into name and port; None if it has any other form."""
    found = _AUTHORITY.fullmatch(text)
    if found is None or (found[2] and not _address(found[2])):
        return None
    port = int(found[3]) if found[3] else PORTS.get(scheme)
    if port is not None and not 0 < port <= LARGEST_PORT:
        return None
    return (found[1] or found[2]).lower(), port


def _address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(headers: Headers, scheme: str) -> bool:
    """Whether a request comes from a page of this server, or from no page at all.

    `scheme` is how the server was reached. A page loaded by https may always connect, since a TLS
    proxy need not announce itself; one loaded by http may not connect to a server that was reached
    by https.
    """
    sites, origins = headers.getlist("sec-fetch-site"), headers.getlist("origin")
    if any(site not in ("same-origin", "none") for site in sites):
        return False
    if not origins:
        return True
    own, _, where = origins[0].partition("://")
    secure = scheme in ("https", "wss")
    if len(origins) > 1 or own not in (("https",) if secure else ("http", "https")):
        return False
    found = _authority(where, own)
    return found is not None and found == _authority(headers.get("host", ""), own)


def client_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "-"


class RequestGuard:
    """ASGI middleware in front of the whole application.

    `costly` are prefixes of expensive paths; `stopped` is called when the server begins to stop;
    `metrics` counts what is answered.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: HostNames,
        largest_body: int,
        costly: tuple[str, ...] = (),
        hurry: float = 1,
        stopped: Callable[[], None] | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self.app = app
        self.metrics = metrics
        self.stopping = False
        self._stopped = stopped
        self.names = names
        self.largest_body = largest_body
        self.costly = costly
        self.asking = Buckets(burst=120 * hurry, rate=40 * hurry)
        self.working = Buckets(burst=90 * hurry, rate=12 * hurry)
        self.changing = Buckets(burst=20 * hurry, rate=0.5 * hurry)

    def stop(self) -> None:
        """Cancels long-running work when the server begins to stop."""
        self.stopping = True
        if self._stopped is not None:
            self._stopped()

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
        status: int | None = None
        failed = False

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
        except asyncio.CancelledError:
            if not self.stopping:
                raise
            if status is None:
                await _answer(sending, 503, "stopping", "the server is being stopped")
        except Exception:
            failed = True
            raise
        finally:
            spent = (time.monotonic() - began) * 1000
            route = getattr(scope.get("route"), "path", "-")
            method = scope["method"] if scope["method"].isalpha() else "?"
            if status is None and not failed:
                # A visitor who disconnects early gets no response; that is no error.
                log.info("%s %s left %.0f ms", method[:10], route, spent)
            else:
                answered = 500 if status is None else status
                level = logging.INFO if answered < 500 else logging.ERROR
                fields = {
                    "method": method[:10],
                    "route": route,
                    "status": answered,
                    "ms": round(spent, 1),
                }
                log.log(level, "%s %s %d %.0f ms", *fields.values(), extra={"fields": fields})
                if self.metrics is not None:
                    self.metrics.answered(method, route, answered, spent / 1000)

    def _refused(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = Headers(scope=scope)
        if not self.names.have(headers):
            return 400, "unknown_host", "this server does not go by that name (see --name)"
        changing = scope["method"] not in READING
        if changing and not same_origin(headers, scope["scheme"]):
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
        if not self.names.have(headers) or not same_origin(headers, scope["scheme"]):
            await receive()
            await send({"type": "websocket.close", "code": 4403})  # never accepted: HTTP 403
            log.warning("socket refused: another origin")
        elif not self.asking.take(client_of(scope)):
            await _close(receive, send, 4429)
            log.warning("socket refused: too many")
        else:
            try:
                await self.app(scope, receive, send)
            except asyncio.CancelledError:
                if not self.stopping:
                    raise


class TooLarge(Exception):
    """Raised when a body exceeds the limit, whatever its header said."""


class TooSlow(Exception):
    """Raised when a body does not arrive in time."""


def _bounded(receive: Receive, largest: int) -> Receive:
    """Wraps `receive` with a size limit and a timeout for the body."""
    got, whole = 0, False
    until = time.monotonic() + LONGEST_BODY

    async def receiving() -> Message:
        nonlocal got, whole
        if whole:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), until - time.monotonic())
        except TimeoutError:
            raise TooSlow from None
        whole = not message.get("more_body", False)
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
    """Closes a socket with a code that a page can read, for which it must be accepted first."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": code})
