"""Where rows are kept: SQLite in a folder, or a PostgreSQL server that several machines share.

What is said to a database is written once, in the part of SQL that both understand: `?` for a
value, `ON CONFLICT` for what may be there already, `RETURNING` for what was given a number. A
`Schema` is written for SQLite; `postgres` writes its few words of types otherwise.

Calls may come from several threads, and wait for each other. Whatever a database complains of is
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

Row = tuple[Any, ...]
Place = Path | str
"""A folder, or the address of a server: `postgresql://…`."""
PATIENCE = 2.0
"""Seconds to wait for another server that is just ending, and for another writer."""


class NotKept(Exception):
    """A database cannot be opened, read or written; the message is for people."""


class Unreachable(NotKept):
    """The database is on another machine, and does not answer now."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of a database, and how one of an earlier version becomes one of the next."""

    name: str
    version: int
    tables: str
    upgrades: Mapping[int, str]

    def steps(self, version: int) -> list[str]:
        """The statements that lead from a version to this one; 0: from nothing."""
        upgrades = (self.upgrades[each] for each in range(version, self.version))
        whole = "".join(upgrades) if version else self.tables
        return [each for each in whole.split(";") if each.strip()]

    def refuse(self, version: int, where: str) -> None:
        """What a later version has written is left alone."""
        if version > self.version:
            raise NotKept(
                f"{where} has version {version} of the {self.name}, and this program knows "
                f"version {self.version}; name another folder with --data"
            )


class Database(ABC):
    """An open database. `where` names it for people; `now` is the time in seconds, in SQL: that
    of the database, so that machines whose clocks differ agree on it; `held` is said behind a
    SELECT in a change so that nobody else writes those rows until it is done."""

    where: str
    now: str
    held: str

    def __init__(self) -> None:
        self.lock = RLock()

    @abstractmethod
    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Does something, outside a `change` at once; gives the rows that come of it."""

    @abstractmethod
    def _transaction(self) -> Any:
        """All that is written inside is there at the end, or nothing of it."""

    @abstractmethod
    def close(self) -> None: ...

    @contextmanager
    def change(self) -> Iterator[None]:
        """All that is written inside is there at the end, on the disk, or nothing of it."""
        with self.lock, self._transaction():
            yield


class Sqlite(Database):
    """One file in a folder. It writes ahead (WAL) and forces each commit onto the disk
    (synchronous FULL), so that neither the end of the process nor that of the machine loses one.
    Processes of one server may share it."""

    now = "(julianday('now') - 2440587.5) * 86400.0"
    held = ""  # there is one writer at a time anyway

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
            # Another process may have prepared it meanwhile.
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
                # Where a disk is full, SQLite may have taken it all back by itself.
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    def close(self) -> None:
        with self.lock:
            self._base.close()


class Alone:
    """Holds a folder for one server, so that two can never play the same tables: a lock on a
    second, empty database, which ends with the process however that ends. The tables themselves can
    be read meanwhile, so that they can be copied."""

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
    """A file that is nobody else's to read: seeds and replies tell hidden hands."""
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    return sqlite3.connect(file, PATIENCE, isolation_level=None, check_same_thread=False)


@contextmanager
def _told(what: str, busy: str = "") -> Iterator[None]:
    """Whatever SQLite or the system complains of is told as a sentence."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        locked = busy and "locked" in str(error)
        raise NotKept(busy if locked else f"{what}: {error}") from None


def _another(folder: Path) -> str:
    other = "stop it, or name another folder with --data"
    return f"another server has the tables in '{folder}'; {other}"
