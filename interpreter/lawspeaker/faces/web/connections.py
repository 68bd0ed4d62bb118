"""Limits the number of connections and how long one may stay idle.

A connection takes a file descriptor, of which there are few. It counts as *waiting* until a request
has arrived completely, and again after the response. A waiting connection is closed after a
timeout, however many bytes have trickled in. When all connections are taken, the one that has
waited longest is closed. So slow requests cannot lock anybody out, and `accept` never fails for
lack of descriptors.

One address may hold only a share of the connections. The loopback address may hold all of them,
since a reverse proxy connects for all visitors.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections import Counter, OrderedDict
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD = 10.0
"""Timeout in seconds for a request to arrive, without its body."""
UNREAD = 30.0
"""Timeout in seconds for a client that does not read its response."""


class Door:
    """Admits connections up to a limit, in all and for one address."""

    def __init__(self, most: int, of_one: int, head: float = HEAD) -> None:
        self.most = most
        self.of_one = of_one
        self.head = head
        self._inside: dict[asyncio.Transport, str] = {}
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[Visitor, str] = OrderedDict()

    def let_in(self, transport: asyncio.Transport, address: str) -> bool:
        """Whether a connection is admitted; may close an idle one to make room."""
        if self._full(address):
            self._forget_closed()
        if len(self._inside) >= self.most and not self._make_room(None):
            return False
        if self._has_many(address) and not self._make_room(address):
            return False
        self._inside[transport] = address
        self._held[address] += 1
        return True

    def waits(self, visitor: Visitor, address: str) -> None:
        self._waiting.setdefault(visitor, address)

    def is_busy(self, visitor: Visitor) -> None:
        self._waiting.pop(visitor, None)

    def let_out(self, transport: asyncio.Transport) -> None:
        address = self._inside.pop(transport, None)
        if address is not None:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]

    def _full(self, address: str) -> bool:
        return len(self._inside) >= self.most or self._has_many(address)

    def _has_many(self, address: str) -> bool:
        return self._held[address] >= self.of_one and not _here(address)

    def _forget_closed(self) -> None:
        """Drops closing transports: those that became WebSockets do not report that they ended."""
        for each in [each for each in self._inside if each.is_closing()]:
            self.let_out(each)

    def _make_room(self, address: str | None) -> bool:
        """Closes the connection that has waited longest, of this address or of any."""
        for visitor, own in self._waiting.items():
            if address in (None, own):
                visitor.send_away(503, "full", "too many are connected; try again in a moment")
                return True
        return False


class Visitor(H11Protocol):
    """An HTTP connection that registers with the door."""

    door: Door
    _timer: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _upgraded = False

    @property
    def _address(self) -> str:
        peer = self.transport.get_extra_info("peername")
        return str(peer[0]) if peer else "-"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        if self.door.let_in(self.transport, self._address):
            self._look()
        else:
            self.send_away(503, "full", "too many are connected; try again in a moment")

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._reads_on()
        self.door.let_out(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._upgraded = True
        self._look()
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        """Shuts the connection down without waiting for an incomplete request."""
        if self.cycle is not None and not self.cycle.response_complete and self.cycle.more_body:
            self.send_away(503, "stopping", "the server is being stopped")
        else:
            super().shutdown()

    def _look(self) -> None:
        """Starts or stops the idle timeout according to the state of the request."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if self._upgraded or answering or self.transport.is_closing():
            self._stop_waiting()
        elif self._timer is None:
            self.door.waits(self, self._address)
            late = (408, "too_slow", "the request did not arrive in time")
            self._timer = self.loop.call_later(self.door.head, self.send_away, *late)

    def _stop_waiting(self) -> None:
        self.door.is_busy(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def send_away(self, status: int, code: str, message: str) -> None:
        """Sends an error response and closes the connection."""
        self._stop_waiting()
        body = json.dumps({"error": {"code": code, "message": message}})
        head = (
            f"HTTP/1.1 {status} {code}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        if not self.transport.is_closing():
            self.transport.write(f"{head}{body}".encode())
            self.transport.close()
        self.door.let_out(self.transport)

    # ------------------------------------------------------------ clients that do not read

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        self._reads_on()
        super().resume_writing()

    def _reads_on(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def _here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
