"""Copies a data folder while a server uses it, and puts a copy back.

SQLite copies a database as it was at one moment, with all that was committed until then; players go
on meanwhile. A copy is checked before it gets its name, so a backup is whole or not there.

A copy is put back only where no server runs. What was there before is moved aside, not deleted.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from lawspeaker.faces.web import store
from lawspeaker.faces.web.database import FolderLock, NotKept, Schema, private
from lawspeaker.faces.web.workshop import draft_store

SCHEMAS: Mapping[str, Schema] = {
    store.FILE: store.SCHEMA,
    draft_store.FILE: draft_store.SCHEMA,
}
BESIDE = ("", "-wal", "-shm")
"""A database, its write-ahead log, and the index of that."""
PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied: how many tables, and the number of bytes."""

    tables: int
    size: int


def back_up(folder: Path, into: Path) -> Copied:
    """Copies the databases of a folder into an empty one; raises NotKept."""
    there = _databases(folder)
    with _told(f"cannot back up to '{into}'"):
        if into.exists() and (not into.is_dir() or any(into.iterdir())):
            raise NotKept(f"'{into}' is there already: name a new folder, as with today's date")
        into.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _copied(folder, into, there)


def restore(backup: Path, folder: Path, replace: bool) -> tuple[Copied, Path | None]:
    """Puts the databases of a backup into a folder; raises NotKept.

    Also returns where those are now that were there before, if any were.
    """
    found = _databases(backup)
    for name in found:
        _examine(backup / name, SCHEMAS[name])
    alone = FolderLock(folder)
    try:
        aside = None
        before = [name for name in SCHEMAS if (folder / name).exists()]
        if before and not replace:
            raise NotKept(
                f"there are tables in '{folder}': name another folder with --data, or say --replace"
            )
        with _told(f"cannot restore to '{folder}'"):
            if before:
                aside = _free(folder)
                aside.mkdir(mode=0o700)
                for each in (f"{name}{end}" for name in before for end in BESIDE):
                    if (folder / each).exists():
                        (folder / each).replace(aside / each)
            return _copied(backup, folder, found), aside
    finally:
        alone.close()


def _databases(folder: Path) -> list[str]:
    if not (folder / store.FILE).is_file():
        raise NotKept(f"there are no tables in '{folder}'")
    return [name for name in SCHEMAS if (folder / name).is_file()]


def _free(folder: Path) -> Path:
    """A name for the folder of what was there before."""
    number = 1
    while (folder / f"before-{number}").exists():
        number += 1
    return folder / f"before-{number}"


def _copied(folder: Path, into: Path, names: list[str]) -> Copied:
    for name in names:
        part = into / f"{name}.part"
        part.unlink(missing_ok=True)
        try:
            with closing(_opened(folder / name)) as base, closing(private(part)) as copy:
                base.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
                _check(copy, folder / name)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(into / name)
    with closing(_opened(into / store.FILE)) as base:
        (tables,) = base.execute("SELECT count(*) FROM tables").fetchone()
    return Copied(tables, sum((into / name).stat().st_size for name in names))


def _examine(file: Path, schema: Schema) -> None:
    with _told(f"cannot read '{file}'"), closing(_opened(file)) as base:
        (version,) = base.execute("PRAGMA user_version").fetchone()
        schema.refuse(version, f"'{file}'")
        _check(base, file)


def _check(base: sqlite3.Connection, file: Path) -> None:
    (said,) = base.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise NotKept(f"'{file}' is damaged: {said}")


def _opened(file: Path) -> sqlite3.Connection:
    """Opens a database for reading; a server may write to it meanwhile."""
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", timeout=PATIENCE, uri=True)


@contextmanager
def _told(what: str) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise NotKept(f"{what}: {error}") from None
