"""Processes that share tables, on one machine or several: which of them plays a table.

A table is played by one process at a time. Whoever opens it first claims it, in the database; who
is asked about a table of another passes the request on (`relaying`). Each process has a row with
the address at which others reach it, and a secret that only those know who can read the database.

A process that ends gives its tables back. One that was killed cannot: on one machine its parent
strikes its row out, and so does whoever wants to ask it something and finds that nobody listens
there any more. A row holds only for some seconds anyway, and is renewed all the time.
A process that was thought dead and is not (a machine that slept) may still believe a table its own.
So whatever is written of a table is written only if it is still ours, which is asked in the same
transaction (`hold`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from lawspeaker.faces.web.database import Database, NotKept

ALWAYS = 1e18
"""Until when a row holds that somebody else strikes out."""

TABLES = """
CREATE TABLE peers (
    id      TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    secret  TEXT NOT NULL,
    until   REAL NOT NULL
);
"""


class Elsewhere(NotKept):
    """A table is played by another process."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A process, and how the others reach it; an empty address: they do not."""

    id: str
    address: str
    secret: str

    @classmethod
    def new(cls, address: str = "", name: str = "") -> Peer:
        return cls(name or secrets.token_hex(8), address, secrets.token_urlsafe(24))


class Peers:
    """This process among those that share a database. `lasts` is for how many seconds its row
    holds when it is not renewed; None: until somebody strikes it out."""

    def __init__(self, base: Database, me: Peer, lasts: float | None) -> None:
        self.me = me
        self.lasts = lasts
        self._base = base
        self._until = str(ALWAYS) if lasts is None else f"{base.now} + {lasts}"

    def join(self, alone: bool) -> None:
        """This process is here; `alone`: and nobody else can be."""
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
        """It is still here. Where its row was struck out it comes back, without its tables."""
        with self._base.change():
            self._base.execute(
                f"INSERT INTO peers VALUES (?, ?, ?, {self._until})"
                f" ON CONFLICT (id) DO UPDATE SET until = {self._until}",
                (self.me.id, self.me.address, self.me.secret),
            )

    def leave(self, peer: str = "") -> None:
        """This process, or the one with this number, plays no table any more."""
        gone = peer or self.me.id
        with self._base.change():
            self._base.execute("UPDATE tables SET owner = '' WHERE owner = ?", (gone,))
            self._base.execute("DELETE FROM peers WHERE id = ?", (gone,))

    def owner(self, table: int) -> Peer | None:
        """Who plays a table, if it is another who is there."""
        found = self._base.execute(
            "SELECT peers.id, address, secret FROM tables JOIN peers ON peers.id = owner"
            f" WHERE tables.id = ? AND peers.id <> ? AND until > {self._base.now}",
            (table, self.me.id),
        )
        return Peer(*found[0]) if found else None

    def claim(self, table: int) -> None:
        """From now on this process plays a table; raises Elsewhere."""
        with self._base.change():
            self._base.execute(
                "UPDATE tables SET owner = ? WHERE id = ? AND owner NOT IN"
                f" (SELECT id FROM peers WHERE until > {self._base.now})",
                (self.me.id, table),
            )
            self.hold(table)

    def release(self, table: int) -> None:
        """Another may play a table, if it was this process that did."""
        with self._base.change():
            self._base.execute(
                "UPDATE tables SET owner = '' WHERE id = ? AND owner = ?", (table, self.me.id)
            )

    def hold(self, table: int) -> None:
        """Inside a change: nobody else can take the table until it is done. Raises Elsewhere."""
        mine = f"SELECT id FROM tables WHERE id = ? AND owner = ?{self._base.held}"
        if not self._base.execute(mine, (table, self.me.id)):
            raise Elsewhere(f"table {table} is played elsewhere")
