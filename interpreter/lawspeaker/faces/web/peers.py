"""Assigns tables to the server processes that share a database, on one machine or several.

A table is played by one process at a time. The first to open it claims it in the database; another
one forwards requests about it (`relaying`). Each process has a row with its address, and a secret
that only readers of the database know.

A process that ends releases its tables. One that was killed cannot: on one machine its parent
deletes its row, and so does a process whose connection to it is refused. On a shared database a row
also expires after some seconds unless it is renewed.

A process that was presumed dead but is not (say, on a machine that was suspended) may still believe
that it owns a table. So every write to a table checks the ownership in the same transaction
(`hold`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from lawspeaker.faces.web.database import Database, NotKept

ALWAYS = 1e18
"""Expiry of a row that only another process deletes."""

TABLES = """
CREATE TABLE peers (
    id      TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    secret  TEXT NOT NULL,
    until   REAL NOT NULL
);
"""


class Elsewhere(NotKept):
    """Raised when another process plays a table."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A server process and its address for the others; empty if they cannot reach it."""

    id: str
    address: str
    secret: str

    @classmethod
    def new(cls, address: str = "", name: str = "") -> Peer:
        return cls(name or secrets.token_hex(8), address, secrets.token_urlsafe(24))


class Peers:
    """This process among those that share a database.

    `lasts` is the number of seconds until its row expires without renewal; None for never.
    """

    def __init__(self, base: Database, me: Peer, lasts: float | None) -> None:
        self.me = me
        self.lasts = lasts
        self._base = base
        self._until = str(ALWAYS) if lasts is None else f"{base.now} + {lasts}"

    def join(self, alone: bool) -> None:
        """Registers this process; `alone` means that there can be no other, so all rows are
        deleted."""
        with self._base.change():
            self._base.execute(
                "DELETE FROM peers"
                if alone
                else f"DELETE FROM peers WHERE until < {self._base.now}"
            )
            self._base.execute(
                f"INSERT INTO peers VALUES (?, ?, ?, {self._until})",
                (self.me.id, self.me.address, self.me.secret),
            )

    def stay(self) -> None:
        """Renews this process's row, or adds it again if it was deleted, without its tables."""
        with self._base.change():
            self._base.execute(
                f"INSERT INTO peers VALUES (?, ?, ?, {self._until})"
                f" ON CONFLICT (id) DO UPDATE SET until = {self._until}",
                (self.me.id, self.me.address, self.me.secret),
            )

    def leave(self, peer: str = "") -> None:
        """Releases the tables of a process, by default this one, and deletes its row."""
        gone = peer or self.me.id
        with self._base.change():
            self._base.execute("UPDATE tables SET owner = '' WHERE owner = ?", (gone,))
            self._base.execute("DELETE FROM peers WHERE id = ?", (gone,))

    def owner(self, table: int) -> Peer | None:
        """Returns the other live process that plays a table, if there is one."""
        found = self._base.execute(
            "SELECT peers.id, address, secret FROM tables JOIN peers ON peers.id = owner"
            f" WHERE tables.id = ? AND peers.id <> ? AND until > {self._base.now}",
            (table, self.me.id),
        )
        return Peer(*found[0]) if found else None

    def claim(self, table: int) -> None:
        """Claims a table for this process; raises Elsewhere."""
        with self._base.change():
            self._base.execute(
                "UPDATE tables SET owner = ? WHERE id = ? AND owner NOT IN"
                f" (SELECT id FROM peers WHERE until > {self._base.now})",
                (self.me.id, table),
            )
            self.hold(table)

    def release(self, table: int) -> None:
        """Releases a table, if this process plays it."""
        with self._base.change():
            self._base.execute(
                "UPDATE tables SET owner = '' WHERE id = ? AND owner = ?", (table, self.me.id)
            )

    def hold(self, table: int) -> None:
        """Locks a table within a change; raises Elsewhere if another process plays it."""
        mine = f"SELECT id FROM tables WHERE id = ? AND owner = ?{self._base.held}"
        if not self._base.execute(mine, (table, self.me.id)):
            raise Elsewhere(f"table {table} is played elsewhere")
