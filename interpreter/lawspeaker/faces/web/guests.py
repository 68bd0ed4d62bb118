"""Visitors who ask for a seat at an open table, and wait for its host.

They are kept in memory, with the addresses of those who were refused, and only while they wait.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from lawspeaker.faces.web.buckets import Buckets

LONGEST_NOTE = 140
"""Maximum number of characters of what a host says of a table."""
MOST_LISTED = 100
"""Maximum number of tables in the lobby."""
MOST_GUESTS = 8
"""Maximum number of visitors who wait at one table."""
MOST_OF_ONE = 2
"""The same from one address."""
MOST_REFUSED = 10_000
REFUSED_FOR = 60 * 60
"""Seconds for which a refused visitor cannot ask again."""
LISTED_FOR = 24 * 60 * 60
"""Seconds for which a table stays in the lobby after its host has left."""


@dataclass(eq=False, slots=True)
class Guest:
    """A visitor who waits for the host's decision: the token of his seat, or None."""

    number: int
    name: str
    client: str
    decided: asyncio.Future[str | None] = field(default_factory=asyncio.Future)


class Guests:
    """All visitors of a process who wait to be let in, by table."""

    def __init__(self, hurry: float = 1.0) -> None:
        self.asking = Buckets(burst=5 * hurry, rate=hurry / 30)
        self.listing = Buckets(burst=3 * hurry, rate=hurry / 600)
        self._waiting: dict[int, dict[int, Guest]] = {}
        self._refused: OrderedDict[tuple[int, str], float] = OrderedDict()
        self._last = 0

    def at(self, table: int) -> list[Guest]:
        return list(self._waiting.get(table, {}).values())

    def add(self, table: int, name: str, client: str) -> Guest | None:
        """Adds a visitor; None if he was refused, or too many wait."""
        waiting = self._waiting.setdefault(table, {})
        since = self._refused.get((table, client), -REFUSED_FOR)
        same = sum(each.client == client for each in waiting.values())
        full = same >= MOST_OF_ONE or len(waiting) >= MOST_GUESTS
        if full or time.monotonic() - since < REFUSED_FOR:
            return None
        self._last += 1
        guest = waiting[self._last] = Guest(self._last, name, client)
        return guest

    def gone(self, table: int, guest: Guest) -> None:
        waiting = self._waiting.get(table, {})
        waiting.pop(guest.number, None)
        if not waiting:
            self._waiting.pop(table, None)

    def refuse(self, table: int, client: str) -> None:
        """Remembers that the visitors of an address are not wanted at a table."""
        self._refused[table, client] = time.monotonic()
        self._refused.move_to_end((table, client))
        if len(self._refused) > MOST_REFUSED:
            self._refused.popitem(last=False)
