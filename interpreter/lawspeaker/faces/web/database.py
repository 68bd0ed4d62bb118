"""Database abstraction: SQLite in a folder, or a PostgreSQL server shared by several machines.

Statements are written once, in the subset of SQL that both understand: `?` for a parameter, `ON
CONFLICT` for upserts, `RETURNING` for generated numbers. A `Schema` is written for SQLite;
`postgres` translates its few type names.

Calls may come from several threads and are serialized by a lock. Every database error is raised as
`NotKept`, with a sentence for people.
"""

from __future__ import annotations

import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from lawspeaker.base.diagnostics import Failure

Row = tuple[Any, ...]
Place = Path | str
"""A folder, or the URL of a server: `postgresql://…`."""
PATIENCE = 2.0
"""Seconds to wait for another server that is shutting down, and for another writer."""


class NotKept(Failure):
    """Raised when a database cannot be opened, read or written; the message is for people."""


class Unreachable(NotKept):
    """Raised when a database on another machine does not answer."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of a database, and the migrations from each earlier version."""

    name: str
    version: int
    tables: str
    upgrades: Mapping[int, str]

    def steps(self, version: int) -> list[str]:
        """Returns the statements that migrate from a version to this one; 0 stands for an empty
        database."""
        upgrades = (self.upgrades[each] for each in range(version, self.version))
        whole = "".join(upgrades) if version else self.tables
        return [each for each in whole.split(";") if each.strip()]

    def refuse(self, version: int, where: str) -> None:
        """Raises NotKept for a database that a later version of the program has written."""
        if version > self.version:
            raise NotKept(
                f"{where} has version {version} of the {self.name}, and this program knows "
                f"version {self.version}; name another folder with --data"
            )


class Database(ABC):
    """An open database.

    `where` names it in messages. `now` is the SQL expression for the time in seconds, on the
    database's clock, so that machines with different clocks agree. `held` is appended to a SELECT
    within a change to lock its rows until the change ends.
    """

    where: str
    now: str
    held: str

    def __init__(self) -> None:
        self.lock = RLock()

    @abstractmethod
    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Executes a statement, autocommitted outside a `change`; returns its rows."""

    @abstractmethod
    def _transaction(self) -> Any:
        """Runs its body as a transaction."""

    @abstractmethod
    def close(self) -> None: ...

    @contextmanager
    def change(self) -> Iterator[None]:
        """Runs its body as a durable transaction, holding the lock."""
        with self.lock, self._transaction():
            yield


class Sqlite(Database):
    """A single database file in a folder.

    It uses a write-ahead log (WAL) and syncs each commit to disk (synchronous FULL), so that
    neither the end of the process nor a crash of the machine loses one. Processes of one server may
    share it.
    """

    now = "(julianday('now') - 2440587.5) * 86400.0"
    held = ""  # there is a single writer anyway

    def __init__(self, folder: Path, schema: Schema) -> None:
        super().__init__()
        self.file = folder / f"{schema.name}.sqlite3"
        self.where = f"'{self.file}'"
        with _told(f"cannot keep {schema.name} in '{folder}'"):
            self._base = private(self.file)
            try:
                self._prepare(schema)
            except BaseException:
                self._base.close()
                raise

    def _prepare(self, schema: Schema) -> None:
        base = self._base
        (version,) = base.execute("PRAGMA user_version").fetchone()
        schema.refuse(version, self.where)
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        base.execute("PRAGMA foreign_keys = ON")
        with self.change():
            # Another process may have migrated it meanwhile.
            (version,) = base.execute("PRAGMA user_version").fetchone()
            for statement in schema.steps(version):
                base.execute(statement)
            base.execute(f"PRAGMA user_version = {schema.version}")

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        with self.lock, _told(self.where):
            return self._base.execute(statement, tuple(values)).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _told(self.where):
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                # When a disk is full, SQLite may have rolled back by itself.
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    def close(self) -> None:
        with self.lock:
            self._base.close()


class FolderLock:
    """Locks a folder for one server, so that two never play the same tables.

    It locks a second, empty database; the lock ends with the process, even after a crash. The
    tables themselves stay readable, so that they can be backed up.
    """

    def __init__(self, folder: Path, file: str = "server.lock") -> None:
        with _told(f"cannot keep tables in '{folder}'", busy=_another(folder)):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._held = private(folder / file)
            try:
                self._held.execute("BEGIN EXCLUSIVE")
            except BaseException:
                self._held.close()
                raise

    def close(self) -> None:
        self._held.close()


def private(file: Path) -> sqlite3.Connection:
    """Opens a file readable by its owner only: seeds and replies reveal hidden hands."""
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    return sqlite3.connect(file, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


@contextmanager
def _told(what: str, busy: str = "") -> Iterator[None]:
    """Turns errors of SQLite and of the system into NotKept."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        locked = busy and "locked" in str(error)
        raise NotKept(busy if locked else f"{what}: {error}") from None


def _another(folder: Path) -> str:
    other = "stop it, or name another folder with --data"
    return f"another server has the tables in '{folder}'; {other}"
