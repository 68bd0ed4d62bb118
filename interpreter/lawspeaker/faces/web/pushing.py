"""Web Push: browsers whose players have asked for it are told, with the page closed, that a game
waits.

It is off unless the operator switches it on, since the server then sends requests to push services.
Browsers name the addresses of these services, so whoever writes a subscription chooses where a
request goes: it goes by https to port 443 of a public host alone. Host names are resolved here, and
the connection is made to the address that was checked. Redirects are not followed, and nothing is
read of an answer but its status.

A message is encrypted for its browser (RFC 8291) and signed with the key of this server (RFC 8292).
It has the title of the game and a random name for the seat, no link and nothing of the game.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import ipaddress
import json
import logging
import re
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.web.buckets import Buckets
from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.mailing import LONGEST_TITLE, OFTEN, PAUSE, TELL_AFTER
from lawspeaker.faces.web.messages import LONGEST_ADDRESS, clean
from lawspeaker.faces.web.store import DuePush, Store, Subscription

if TYPE_CHECKING:
    import ssl

    from py_vapid import Vapid02

TIMEOUT = 10.0
"""Seconds for a whole message, from the host name to the status."""
AT_ONCE = 8
"""Maximum number of messages that are sent at the same time."""
LASTS = 4 * 60 * 60
"""Seconds for which a push service keeps a message for a browser that cannot be reached."""
SIGNED_FOR = 12 * 60 * 60
MOST_TRIED = 4
"""Maximum number of addresses of a host that are tried."""
GONE = (404, 410)
"""How a push service says that a subscription has ended."""
NOT_PUBLIC = 0
"""In place of a status: the host is none that requests may go to."""

_ENDPOINT = re.compile(
    r"https://((?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62})(?::443)?(/[!-\"$-~]*)", re.I
)
"""A host name with a dot, whose last part is no number, and a path without a fragment."""
_REACHED = ipaddress.ip_network("2000::/3")

log = logging.getLogger("lawspeaker.web")


class Pushing:
    """Sends messages to browsers, if there is a `contact`: the https address of this server, by
    which push services know whom to ask about it."""

    def __init__(self, contact: str = "", hurry: float = 1.0) -> None:
        self.contact = contact
        self._by = Buckets(burst=10 * hurry, rate=hurry / 60)

    @property
    def on(self) -> bool:
        return bool(self.contact)

    def may_add(self, client: str) -> bool:
        """Whether a visitor can add another subscription now."""
        return self._by.take(client)

    def public_key(self, store: Store) -> str:
        """Returns what browsers need to subscribe: the public key of this server."""
        signed = _signature(_kept_key(store), "localhost", self.contact)
        return signed["Authorization"].rpartition("k=")[2]

    async def keep_telling(self, store: Store) -> None:
        """Tells whom games wait for, regularly."""
        while self.on:
            await asyncio.sleep(OFTEN)
            try:
                await self.tell_all(store)
            except NotKept as error:
                log.error("nobody is told by Web Push: %s", error)

    async def tell_all(self, store: Store) -> int:
        """Tells everybody who is due; returns how many messages were taken."""
        now = int(time.time())
        taken = 0
        after: str | None = ""
        while after is not None:
            due, after = await asyncio.to_thread(
                store.due_pushes, now, now - TELL_AFTER, now - PAUSE, after
            )
            if due:
                taken += await self._tell(due, store)
        return taken

    async def _tell(self, due: Sequence[DuePush], store: Store) -> int:
        key = await asyncio.to_thread(_kept_key, store)
        gate = asyncio.Semaphore(AT_ONCE)

        async def told(each: DuePush) -> bool:
            async with gate:
                status = await self._sent(each, key)
            if status in (*GONE, NOT_PUBLIC):
                await asyncio.to_thread(store.drop_push, each.token)
            return status is not None and 200 <= status < 300

        return sum(await asyncio.gather(*map(told, due)))

    async def _sent(self, due: DuePush, key: str) -> int | None:
        """Sends a message; returns the status of the answer, None if there was none."""
        found = _ENDPOINT.fullmatch(due.to.endpoint)
        if found is None:
            return NOT_PUBLIC
        host, path = found[1].lower(), found[2]
        try:
            body = _encrypted(due)
            headers = {
                "Host": host,
                "Connection": "close",
                "Content-Type": "application/octet-stream",
                "Content-Encoding": "aes128gcm",
                "Content-Length": str(len(body)),
                "TTL": str(LASTS),
                "Topic": due.token,
                **_signature(key, host, self.contact),
            }
            async with asyncio.timeout(TIMEOUT):
                return await _posted(host, path, headers, body)
        except NotPublic:
            return NOT_PUBLIC
        except (OSError, ValueError) as error:  # its message may hold the host
            log.warning("a browser could not be told: %s", type(error).__name__)
            return None


class NotPublic(Exception):
    """Raised for a host to which no request may go."""


def subscription(endpoint: str, p256dh: str, auth: str) -> Subscription | None:
    """Checks the subscription of a browser, and that messages can be encrypted for it; None if it
    is none."""
    if len(endpoint) > LONGEST_ADDRESS or not _ENDPOINT.fullmatch(endpoint):
        return None
    found = Subscription(endpoint, p256dh, auth)
    try:
        whole = len(_decoded(p256dh)) == 65 and len(_decoded(auth)) == 16
        return found if whole and _encrypted(DuePush("", found, "en", "")) else None
    except ValueError:
        return None


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _kept_key(store: Store) -> str:
    """Returns the private key of this server, made when it is first needed."""
    from py_vapid import Vapid02

    def made() -> str:
        fresh = Vapid02()
        fresh.generate_keys()
        return str(fresh.private_pem().decode())

    return store.push_key(made)


@lru_cache(maxsize=4)
def _signer(key: str) -> Vapid02:
    from py_vapid import Vapid02

    return Vapid02.from_pem(key.encode())


def _signature(key: str, host: str, contact: str) -> Mapping[str, str]:
    until = int(time.time()) + SIGNED_FOR
    signed: Mapping[str, str] = _signer(key).sign(
        {"aud": f"https://{host}", "exp": until, "sub": contact}
    )
    return signed


def _encrypted(due: DuePush) -> bytes:
    from pywebpush import WebPusher

    title = clean(due.title)[:LONGEST_TITLE]
    told = {
        "title": phrase("web.together.turn", due.language),
        "body": phrase("web.together.turn_at", due.language, title=title),
        "tag": due.token,
    }
    keys = {"p256dh": due.to.p256dh, "auth": due.to.auth}
    pusher = WebPusher({"endpoint": due.to.endpoint, "keys": keys})
    return bytes(pusher.encode(json.dumps(told).encode())["body"])


async def _posted(host: str, path: str, headers: Mapping[str, str], body: bytes) -> int | None:
    """Sends a request; returns the status of the answer, None if it is no HTTP."""
    reader, writer = await _connected(host)
    try:
        lines = [f"POST {path} HTTP/1.1", *(f"{name}: {text}" for name, text in headers.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode("ascii") + body)
        await writer.drain()
        found = re.match(rb"HTTP/1\.[01] (\d{3})\b", await reader.readline())
        return int(found[1]) if found else None
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _connected(host: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects to a public address of a host, whose certificate must have its name."""
    failed = OSError("no address")
    for address, port in (await _addresses(host))[:MOST_TRIED]:
        try:
            return await asyncio.open_connection(
                address, port, ssl=_trusted(), server_hostname=host, limit=4096
            )
        except OSError as error:
            failed = error
    raise failed


async def _addresses(host: str) -> list[tuple[str, int]]:
    """Resolves a host name; raises NotPublic if any of its addresses is not public."""
    loop = asyncio.get_running_loop()
    rows = await loop.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    found = [str(where[0]) for *_, where in rows]
    if not all(map(is_public, found)):
        raise NotPublic
    return [(each, 443) for each in found]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public Internet, and leads nowhere else by a tunnel."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # as of an interface
        return False
    if isinstance(found, ipaddress.IPv6Address) and (
        found not in _REACHED or found.sixtofour is not None or found.teredo is not None
    ):
        return False
    return found.is_global and not found.is_multicast


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    import ssl  # a published page has none, and sends nothing

    return ssl.create_default_context()
