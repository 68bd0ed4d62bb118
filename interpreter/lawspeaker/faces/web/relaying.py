"""Forwards requests about a table to the process that plays it.

A request of a browser, over HTTP or a WebSocket, reaches an ASGI application as a scope and
messages, and is answered by messages. These are plain data, so they can be sent to another process
as well, whose application responds as if the browser had connected to it. So neither browser nor
table notices, and one mechanism serves all requests.

A connection serves one request. Its first message contains the secret of the called process, which
only readers of the database know. Between machines these connections belong in a network of their
own, since they are not encrypted.

    1 byte: the kind of message · 4 bytes: the length ·
        j: a message as JSON, bytes in it as {"b64": …} · t: a text to send to a WebSocket

Most of the traffic is pictures for WebSockets, which are long and are copied without JSON.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import logging
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lawspeaker.faces.web.peers import Peer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 16 * 1024 * 1024
"""Maximum size of a message in bytes; a scene has some hundred thousand."""
PATIENCE = 5.0
"""Timeout in seconds for connecting, and for the first message."""
MOVED = 1012
"""Close code for a socket whose table another process plays from now on: the browser reconnects."""
SCOPE = (
    "type",
    "http_version",
    "method",
    "scheme",
    "path",
    "raw_path",
    "query_string",
    "root_path",
    "headers",
    "client",
    "server",
    "subprotocols",
)
"""The keys of an ASGI scope that are plain data."""

_TOLD = "websocket.send"
_ANY, _TEXT = b"j", b"t"

log = logging.getLogger("lawspeaker.web")


class MessageStream:
    """A bidirectional stream of framed messages."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def to(cls, address: str) -> MessageStream:
        """Connects to a process at HOST:PORT; raises OSError."""
        host, _, port = address.rpartition(":")
        return cls(*await asyncio.open_connection(host.strip("[]"), int(port)))

    async def send(self, message: Message) -> None:
        sort, text = _ANY, message.get("text")
        if message.get("type") == _TOLD and text is not None:
            sort, data = _TEXT, text.encode()
        else:
            data = json.dumps(message, default=_plain, separators=(",", ":")).encode()
        self._writer.write(b"".join((sort, len(data).to_bytes(4, "big"), data)))
        await self._writer.drain()

    async def receive(self) -> Message:
        """Returns the next message; raises OSError or EOFError when the stream has ended."""
        head = await self._reader.readexactly(5)
        length = int.from_bytes(head[1:], "big")
        if length > LARGEST:
            raise OSError("a message is too long")
        data = await self._reader.readexactly(length)
        if head[:1] == _TEXT:
            return {"type": _TOLD, "text": data.decode()}
        found: Message = json.loads(data, object_hook=_bytes)
        return found

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


ENDED = (OSError, EOFError, ValueError)
"""Exceptions raised by a stream that has ended or is malformed."""


class Relay:
    """Forwards requests, and serves those that others forward.

    `inside` is the host at which others reach this process, empty if there are none; `name` is its
    id.
    """

    def __init__(self, inside: str, name: str = "") -> None:
        self._bound: socket.socket | None = None
        address = ""
        if inside:
            family = socket.AF_INET6 if ":" in inside else socket.AF_INET
            self._bound = socket.create_server((inside, 0), family=family)
            port = self._bound.getsockname()[1]
            address = f"[{inside}]:{port}" if ":" in inside else f"{inside}:{port}"
        self.me = Peer.new(address, name)
        self._server: asyncio.Server | None = None

    async def listen(self, app: ASGIApp) -> None:
        """Serves forwarded requests with an application."""

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._answer(app, MessageStream(reader, writer))

        if self._bound is not None:
            self._server = await asyncio.start_server(answer, sock=self._bound)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        elif self._bound is not None:
            self._bound.close()

    async def forward(self, peer: Peer, scope: Scope, receive: Receive, send: Send) -> None:
        """Forwards a request to another process.

        Raises ConnectionRefusedError if it no longer listens, which means that it has ended.
        """
        try:
            line = await asyncio.wait_for(MessageStream.to(peer.address), PATIENCE)
        except ConnectionRefusedError:
            raise
        except (OSError, TimeoutError):
            log.warning("the process that plays a table does not answer")
            await _sorry(scope, send, begun=False)
            return
        begun = False

        async def told(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            data = {name: scope[name] for name in SCOPE if name in scope}
            await line.send({"secret": peer.secret, "scope": data})
            asking = asyncio.create_task(_pass_on(receive, line.send))
            try:
                await _pass_on(line.receive, told)
            finally:
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
        except ENDED:
            await _sorry(scope, send, begun)
        finally:
            await line.close()

    async def _answer(self, app: ASGIApp, line: MessageStream) -> None:
        """Serves one forwarded request."""
        try:
            first = await asyncio.wait_for(line.receive(), PATIENCE)
            if not hmac.compare_digest(str(first.get("secret")), self.me.secret):
                log.warning("a line was opened without the secret")
                return
            scope = _scope(first["scope"])
            ended = "websocket.disconnect" if scope["type"] == "websocket" else "http.disconnect"

            async def receive() -> Message:
                try:
                    return await line.receive()
                except ENDED:
                    return {"type": ended, "code": 1006}

            await app(scope, receive, line.send)
            await line.send({"type": _OVER})
        except (*ENDED, KeyError, TypeError, TimeoutError):
            pass  # the caller has disconnected
        finally:
            await line.close()


_OVER = "relay.over"


async def _pass_on(
    receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """Copies messages until the last one."""
    while True:
        message = await receive()
        if message["type"] == _OVER:
            return
        await send(message)
        if message["type"].endswith(".disconnect"):
            return


async def _sorry(scope: Scope, send: Send, begun: bool) -> None:
    """Reports that the other process ended midway: the browser retries and finds another."""
    with suppress(*ENDED, RuntimeError):
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": MOVED})
        elif not begun:
            headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
            told = {"error": {"code": "moved", "message": "this table is being moved; ask again"}}
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body", "body": json.dumps(told).encode()})


def _scope(data: dict[str, Any]) -> Scope:
    """Restores an ASGI scope; `relayed` marks it as forwarded."""
    pairs = [(bytes(name), bytes(value)) for name, value in data["headers"]]
    return {**data, "headers": pairs, "asgi": {"version": "3.0"}, "state": {}, "relayed": True}


def _plain(value: object) -> Any:
    if isinstance(value, bytes | bytearray | memoryview):
        return {"b64": base64.b64encode(bytes(value)).decode()}
    raise TypeError(f"{type(value).__name__} cannot be passed on")


def _bytes(found: dict[str, Any]) -> Any:
    return base64.b64decode(found["b64"]) if found.keys() == {"b64"} else found
