"""Tables in SQLite: what is committed here survives whatever happens to the server.

A reply is a row, and the row is on the disk before anybody is told of the reply: the database
writes ahead (WAL) and forces each commit onto the disk (synchronous FULL), so that neither the
end of the process nor that of the machine loses one. A game is not stored as a position but as
its rules, seed and replies; it is played again when somebody comes back to it.

The texts of rules are stored once for all tables that play by them, named by their digest. A
table is played by these texts for ever, whatever becomes of the files they came from.

Nothing is deleted, unless whoever runs the server says for how long tables are kept (`forget`).
What counts are days on which a server ran: a clock that jumps makes one day, not years.

One server has the folder to itself, so that two can never play the same tables: it holds a lock on
a second, empty database, which ends with the server however that ends. The tables themselves can
be read meanwhile, so that they can be copied. Calls may come from several threads, and wait for
each other.

Disks fail. Whatever of a table cannot be read, or makes no sense, makes that table Broken, and no
other. What is written once has a sum with it, since another seed would be another game, and nobody
would know.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from lawspeaker.faces.web.agreement import Proposal, proposed
from lawspeaker.faces.web.seats import INVITATION, ROLES, SEAT, Link, Seat, fingerprint
from lawspeaker.match.log import RuleFile

VERSION = 3
FILE = "tables.sqlite3"
LOCK = "server.lock"
PATIENCE = 2.0
"""Seconds to wait for another server that is just ending."""

_SCHEMA = """
CREATE TABLE rules (
    digest TEXT PRIMARY KEY,
    files  TEXT NOT NULL,
    sum    TEXT NOT NULL DEFAULT ''
);
CREATE TABLE tables (
    id         INTEGER PRIMARY KEY,
    digest     TEXT NOT NULL REFERENCES rules,
    rules      TEXT NOT NULL,
    seed       INTEGER NOT NULL,
    discretion TEXT NOT NULL,
    language   TEXT NOT NULL,
    seats      TEXT NOT NULL,
    began      TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    proposal   TEXT NOT NULL DEFAULT '',
    finished   INTEGER NOT NULL DEFAULT 0,
    touched    TEXT NOT NULL DEFAULT '',
    sum        TEXT NOT NULL DEFAULT ''
);
CREATE TABLE links (
    fingerprint BLOB PRIMARY KEY,
    tab         INTEGER NOT NULL REFERENCES tables,
    role        TEXT NOT NULL,
    seats       TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE replies (
    tab    INTEGER NOT NULL REFERENCES tables,
    number INTEGER NOT NULL,
    seat   INTEGER NOT NULL,
    option INTEGER NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (tab, number)
) WITHOUT ROWID;
CREATE TABLE days (
    day TEXT PRIMARY KEY
) WITHOUT ROWID;
"""

_UPGRADES = {
    1: """
ALTER TABLE tables ADD COLUMN proposal TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN finished INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN touched TEXT NOT NULL DEFAULT '';
UPDATE tables SET touched = date(began);
""",
    2: """
ALTER TABLE rules ADD COLUMN sum TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN sum TEXT NOT NULL DEFAULT '';
CREATE TABLE days (day TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO days WITH RECURSIVE past(day) AS (
    SELECT min(touched) FROM tables WHERE touched > '2020'
    UNION SELECT date(day, '+1 day') FROM past WHERE day < CURRENT_DATE
) SELECT day FROM past WHERE day IS NOT NULL;
""",
}
"""How a database of an earlier version becomes one of the next."""

_FORGETTING = (
    "DELETE FROM replies WHERE tab = ?",
    "DELETE FROM links WHERE tab = ?",
    "DELETE FROM tables WHERE id = ?",
)


class Broken(Exception):
    """What is kept of a table cannot be read, or not be played again; the message is for whoever
    runs the server."""


class NotKept(Exception):
    """The database cannot be opened or written; the message is for people."""


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A table without its replies. `rules` is the name its rules had, `digest` their print;
    `proposal` is what its people have to agree on."""

    digest: str
    rules: str
    seed: int
    discretion: str
    language: str
    seats: tuple[Seat, ...]
    proposal: Proposal | None = None


@dataclass(frozen=True, slots=True)
class KeptReply:
    """What a seat answered: the number of the option, and its canonical text."""

    seat: int
    option: int
    choice: str


class Store:
    """The database in a folder; raises NotKept where it cannot be opened or written."""

    def __init__(self, folder: Path) -> None:
        self._lock = RLock()
        with ExitStack() as opening:
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._alone = opening.enter_context(closing(_connected(folder / LOCK)))
                self._alone.execute("BEGIN EXCLUSIVE")
                self.file = folder / FILE
                self._base = opening.enter_context(closing(_connected(self.file)))
                self._open()
            except (OSError, sqlite3.Error) as error:
                raise NotKept(_trouble(error, folder)) from None
            opening.pop_all()

    def _open(self) -> None:
        base = self._base
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        base.execute("PRAGMA foreign_keys = ON")
        with self._change():
            (version,) = base.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise NotKept(
                    f"'{self.file}' has version {version} of the tables, and this program knows "
                    f"version {VERSION}; name another folder with --data"
                )
            steps = [_UPGRADES[each] for each in range(version, VERSION)] if version else [_SCHEMA]
            for statement in "".join(steps).split(";"):
                base.execute(statement)
            base.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def _change(self) -> Iterator[None]:
        """All that is written inside is there at the end, or nothing of it."""
        with self._lock:
            try:
                self._base.execute("BEGIN IMMEDIATE")
                try:
                    yield
                    self._base.execute("COMMIT")
                except BaseException:
                    # Where a disk is full, SQLite may have taken it all back by itself.
                    if self._base.in_transaction:
                        self._base.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise NotKept(_trouble(error, self.file.parent)) from None

    @contextmanager
    def _look(self, what: str) -> Iterator[None]:
        """Whatever is read inside and makes no sense is Broken."""
        with self._lock:
            try:
                yield
            except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
                raise Broken(f"{what} in '{self.file}' cannot be read: {error}") from None

    def close(self) -> None:
        with self._lock:
            self._base.close()
            self._alone.close()

    # ------------------------------------------------------------ writing

    def add_table(
        self,
        table: KeptTable,
        files: Sequence[RuleFile],
        links: Mapping[str, Link],
        replies: Sequence[KeptReply] = (),
    ) -> int:
        """Keeps a new table with its links; gives the number that names it from now on."""
        with self._change():
            bundle = json.dumps([each.to_json() for each in files], ensure_ascii=False)
            self._base.execute(
                "INSERT OR IGNORE INTO rules VALUES (?, ?, ?)", (table.digest, bundle, _sum(bundle))
            )
            row = (table.digest, table.rules, table.seed, table.discretion, table.language)
            cursor = self._base.execute(
                "INSERT INTO tables"
                " (digest, rules, seed, discretion, language, sum, seats, touched)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, CURRENT_DATE)",
                (*row, _sum(*row), _seats_text(table.seats)),
            )
            number = cursor.lastrowid
            assert number is not None
            for token, link in links.items():
                self._add_link(token, number, link)
            self._base.executemany(
                "INSERT INTO replies VALUES (?, ?, ?, ?, ?)",
                [
                    (number, at, each.seat, each.option, each.choice)
                    for at, each in enumerate(replies)
                ],
            )
        return number

    def add_reply(
        self,
        table: int,
        number: int,
        reply: KeptReply,
        finished: bool = False,
        proposal: Proposal | None = None,
    ) -> None:
        """Keeps a reply, which must be the next one of its table, and how the table is after it."""
        row = (table, number, reply.seat, reply.option, reply.choice)
        with self._change():
            self._base.execute("INSERT INTO replies VALUES (?, ?, ?, ?, ?)", row)
            self._set_standing(table, finished, proposal)

    def take_back(self, table: int, replies: int) -> None:
        """Keeps only the first so many replies; with that, nothing is proposed any more."""
        with self._change():
            self._base.execute(
                "DELETE FROM replies WHERE tab = ? AND number >= ?", (table, replies)
            )
            self._set_standing(table, False, None)

    def set_standing(self, table: int, finished: bool, proposal: Proposal | None) -> None:
        """Keeps whether a game is over and what is proposed, and that somebody was here today."""
        with self._change():
            self._set_standing(table, finished, proposal)

    def _set_standing(self, table: int, finished: bool, proposal: Proposal | None) -> None:
        text = "" if proposal is None else proposal.text()
        self._base.execute(
            "UPDATE tables SET finished = ?1, proposal = ?2, touched = CURRENT_DATE WHERE id = ?3"
            " AND (finished, proposal, touched) IS NOT (?1, ?2, CURRENT_DATE)",
            (finished, text, table),
        )

    def set_seats(
        self,
        table: int,
        seats: Sequence[Seat],
        finished: bool = False,
        proposal: Proposal | None = None,
    ) -> None:
        with self._change():
            self._set_seats(table, seats)
            self._set_standing(table, finished, proposal)

    def hand_over(self, table: int, seats: Sequence[Seat], token: str, link: Link) -> None:
        """Makes a new link to the seats of a link, in place of all others that lead to them."""
        with self._change():
            self._set_seats(table, seats)
            self._base.execute(
                "DELETE FROM links WHERE tab = ? AND seats = ? AND role IN (?, ?)",
                (table, json.dumps(link.seats), SEAT, INVITATION),
            )
            self._add_link(token, table, link)

    def _set_seats(self, table: int, seats: Sequence[Seat]) -> None:
        text = _seats_text(seats)
        self._base.execute("UPDATE tables SET seats = ? WHERE id = ?", (text, table))

    def _add_link(self, token: str, table: int, link: Link) -> None:
        row = (fingerprint(token), table, link.role, json.dumps(link.seats))
        self._base.execute("INSERT INTO links VALUES (?, ?, ?, ?)", row)

    def forget(self, finished: int | None, running: int | None, spared: Iterable[int] = ()) -> int:
        """Deletes tables at which nobody has been for more than so many days on which a server
        ran, by whether their games are over; None: none of them. Gives how many there were."""
        gone: list[int] = []
        with self._change():
            self._base.execute("INSERT OR IGNORE INTO days VALUES (CURRENT_DATE)")
            for over, days in ((True, finished), (False, running)):
                if days is not None:
                    found = self._base.execute(
                        "SELECT id FROM tables WHERE finished = ? AND touched <"
                        " (SELECT day FROM days ORDER BY day DESC LIMIT 1 OFFSET ?)",
                        (over, days),
                    )
                    gone += [number for (number,) in found]
            gone = sorted(set(gone).difference(spared))
            for statement in _FORGETTING:
                self._base.executemany(statement, [(number,) for number in gone])
            self._base.execute("DELETE FROM rules WHERE digest NOT IN (SELECT digest FROM tables)")
        return len(gone)

    # ------------------------------------------------------------ reading

    def link(self, token: str) -> Link | None:
        """What a token opens, if anything; raises Broken."""
        with self._look("a link"):
            row = self._base.execute(
                "SELECT tab, role, seats FROM links WHERE fingerprint = ?", (fingerprint(token),)
            ).fetchone()
            if row is None:
                return None
            table, role, sitting = row
            seats = tuple(json.loads(sitting))
            _typed((table, int), *((seat, int) for seat in seats))
            if role not in ROLES:
                raise ValueError("this is no link")
            return Link(table, role, seats)

    def table(self, number: int) -> KeptTable | None:
        """A table without its replies; raises Broken."""
        with self._look(f"table {number}"):
            row = self._base.execute(
                "SELECT digest, rules, seed, discretion, language, sum, seats, proposal"
                " FROM tables WHERE id = ?",
                (number,),
            ).fetchone()
            if row is None:
                return None
            *fixed, kept, sitting, text = row
            digest, rules, seed, discretion, language = fixed
            _check(kept, *fixed)
            _typed((digest, str), (rules, str), (seed, int), (discretion, str), (language, str))
            seats = tuple(_seat(each) for each in json.loads(sitting))
            return KeptTable(digest, rules, seed, discretion, language, seats, proposed(text))

    def replies(self, table: int) -> list[KeptReply]:
        """All replies of a table; raises Broken."""
        with self._look(f"table {table}"):
            rows = self._base.execute(
                "SELECT number, seat, option, choice FROM replies WHERE tab = ? ORDER BY number",
                (table,),
            ).fetchall()
            if [row[0] for row in rows] != list(range(len(rows))):
                raise ValueError("there are replies missing")
            for _, seat, option, choice in rows:
                _typed((seat, int), (option, int), (choice, str))
            return [KeptReply(*row[1:]) for row in rows]

    def files(self, digest: str) -> tuple[RuleFile, ...]:
        """The texts of the rules with this digest; raises Broken."""
        with self._look("rules"):
            row = self._base.execute(
                "SELECT files, sum FROM rules WHERE digest = ?", (digest,)
            ).fetchone()
            if row is None:
                raise ValueError("they are not there")
            files, kept = row
            _check(kept, files)
            return tuple(_file(each) for each in json.loads(files))

    def count(self) -> int:
        """How many tables there are."""
        return self._count("tables")

    def count_rules(self) -> int:
        """By how many different rules they are played."""
        return self._count("rules")

    def _count(self, what: str) -> int:
        with self._lock:
            try:
                (count,) = self._base.execute(f"SELECT count(*) FROM {what}").fetchone()
            except sqlite3.Error as error:
                raise NotKept(_trouble(error, self.file.parent)) from None
            return int(count)


def _connected(file: Path) -> sqlite3.Connection:
    # Seeds and replies tell hidden hands: the file is nobody else's to read.
    file.touch(mode=0o600)
    return sqlite3.connect(file, PATIENCE, isolation_level=None, check_same_thread=False)


def _sum(*values: object) -> str:
    """A short print of what is written once, by which damage is noticed."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]


def _check(kept: str, *values: object) -> None:
    """Refuses what has another sum than it was kept with; what is older than sums has none."""
    if kept and kept != _sum(*values):
        raise ValueError("it is not as it was written")


def _typed(*values: tuple[object, type]) -> None:
    for value, wanted in values:
        if type(value) is not wanted:
            raise TypeError(f"{wanted.__name__} expected")


def _seats_text(seats: Sequence[Seat]) -> str:
    return json.dumps([asdict(each) for each in seats], ensure_ascii=False)


def _seat(data: Mapping[str, Any]) -> Seat:
    seat = Seat(**data)
    _typed(
        (seat.person, bool),
        (seat.bot, str),
        (seat.nick, str),
        (seat.taken, bool),
        (seat.invited, int),
    )
    return seat


def _file(data: Mapping[str, str | list[str]]) -> RuleFile:
    given = data.get("given")
    return RuleFile(str(data["name"]), str(data["text"]), None if given is None else tuple(given))


def _trouble(error: OSError | sqlite3.Error, folder: Path) -> str:
    if "locked" in str(error):
        other = "stop it, or name another folder with --data"
        return f"another server has the tables in '{folder}'; {other}"
    return f"cannot keep tables in '{folder}': {error}"
