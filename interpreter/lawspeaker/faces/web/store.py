"""Tables in a database: what is committed here survives whatever happens to the server.

A reply is a row, and the row is on the disk before anybody is told of the reply. A game is not
stored as a position but as its rules, seed and replies; it is played again when somebody comes
back to it.

The texts of rules are stored once for all tables that play by them, named by their digest. A
table is played by these texts for ever, whatever becomes of the files they came from.

Nothing is deleted, unless whoever runs the server says for how long tables are kept (`forget`).
What counts are days on which a server ran: a clock that jumps makes one day, not years.

One server has a folder to itself, so that two can never play the same tables; its processes, and
servers that share a PostgreSQL database, agree who plays which (`peers`).

Disks fail. Whatever of a table cannot be read, or makes no sense, makes that table Broken, and no
other. What is written once has a sum with it, since another seed would be another game, and nobody
would know.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lawspeaker.faces.web import peers
from lawspeaker.faces.web.agreement import Proposal, proposed
from lawspeaker.faces.web.database import Alone, NotKept, Place, Schema, Unreachable, opened
from lawspeaker.faces.web.peers import Peer, Peers
from lawspeaker.faces.web.seats import INVITATION, ROLES, SEAT, Link, Seat, fingerprint
from lawspeaker.match.log import RuleFile

FILE = "tables.sqlite3"
LASTS = 12.0
"""For how many seconds a process holds its tables on a shared database, unless it says again that
it is there."""

_TABLES = """
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
    sum        TEXT NOT NULL DEFAULT '',
    owner      TEXT NOT NULL DEFAULT ''
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
    3: "ALTER TABLE tables ADD COLUMN owner TEXT NOT NULL DEFAULT '';" + peers.TABLES,
}
"""How a database of an earlier version becomes one of the next."""

SCHEMA = Schema("tables", 4, _TABLES + peers.TABLES, _UPGRADES)

_FORGETTING = (
    "DELETE FROM replies WHERE tab = ?",
    "DELETE FROM links WHERE tab = ?",
    "DELETE FROM tables WHERE id = ?",
)


class Broken(Exception):
    """What is kept of a table cannot be read, or not be played again; the message is for whoever
    runs the server."""


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
    """The tables at a place; raises NotKept where they cannot be kept there.

    `me` is this process to others who share them. `alone`: nobody else may have the folder;
    otherwise whoever started this process has seen to that.
    """

    def __init__(self, place: Place, me: Peer | None = None, alone: bool = True) -> None:
        folder = isinstance(place, Path)
        self._alone = Alone(place) if isinstance(place, Path) and alone else None
        try:
            self._base = opened(place, SCHEMA)
            self.peers = Peers(self._base, me or Peer.new(), None if folder else LASTS)
            self.peers.join(alone=self._alone is not None)
        except BaseException:
            if self._alone is not None:
                self._alone.close()
            raise

    @contextmanager
    def _change(self, table: int) -> Iterator[None]:
        """What is written of a table inside is there at the end, or nothing of it; raises
        Elsewhere where another process plays it."""
        with self._base.change():
            self.peers.hold(table)
            yield

    @contextmanager
    def _look(self, what: str) -> Iterator[None]:
        """Whatever is read inside and makes no sense is Broken."""
        try:
            yield
        except Unreachable:
            raise
        except (NotKept, ValueError, TypeError, KeyError) as error:
            raise Broken(f"{what} in {self._base.where} cannot be read: {error}") from None

    def close(self) -> None:
        if self._alone is None:
            with suppress(NotKept):
                self.peers.leave()  # others need not wait until they find out
        self._base.close()
        if self._alone is not None:
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
        with self._base.change():
            bundle = json.dumps([each.to_json() for each in files], ensure_ascii=False)
            self._base.execute(
                "INSERT INTO rules VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (table.digest, bundle, _sum(bundle)),
            )
            row = (table.digest, table.rules, table.seed, table.discretion, table.language)
            ((number,),) = self._base.execute(
                "INSERT INTO tables"
                " (digest, rules, seed, discretion, language, sum, seats, touched, owner)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
                (*row, _sum(*row), _seats_text(table.seats), _today(), self.peers.me.id),
            )
            for token, link in links.items():
                self._add_link(token, number, link)
            for at, each in enumerate(replies):
                self._add_reply(number, at, each)
        return int(number)

    def add_reply(
        self,
        table: int,
        number: int,
        reply: KeptReply,
        finished: bool = False,
        proposal: Proposal | None = None,
    ) -> None:
        """Keeps a reply, which must be the next one of its table, and how the table is after it."""
        with self._change(table):
            self._add_reply(table, number, reply)
            self._set_standing(table, finished, proposal)

    def _add_reply(self, table: int, number: int, reply: KeptReply) -> None:
        row = (table, number, reply.seat, reply.option, reply.choice)
        self._base.execute("INSERT INTO replies VALUES (?, ?, ?, ?, ?)", row)

    def take_back(self, table: int, replies: int) -> None:
        """Keeps only the first so many replies; with that, nothing is proposed any more."""
        with self._change(table):
            self._base.execute(
                "DELETE FROM replies WHERE tab = ? AND number >= ?", (table, replies)
            )
            self._set_standing(table, False, None)

    def set_standing(self, table: int, finished: bool, proposal: Proposal | None) -> None:
        """Keeps whether a game is over and what is proposed, and that somebody was here today."""
        with self._change(table):
            self._set_standing(table, finished, proposal)

    def _set_standing(self, table: int, finished: bool, proposal: Proposal | None) -> None:
        text = "" if proposal is None else proposal.text()
        now = (int(finished), text, _today())
        self._base.execute(
            "UPDATE tables SET finished = ?, proposal = ?, touched = ? WHERE id = ?"
            " AND (finished <> ? OR proposal <> ? OR touched <> ?)",
            (*now, table, *now),
        )

    def set_seats(
        self,
        table: int,
        seats: Sequence[Seat],
        finished: bool = False,
        proposal: Proposal | None = None,
    ) -> None:
        with self._change(table):
            self._set_seats(table, seats)
            self._set_standing(table, finished, proposal)

    def hand_over(self, table: int, seats: Sequence[Seat], token: str, link: Link) -> None:
        """Makes a new link to the seats of a link, in place of all others that lead to them."""
        with self._change(table):
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
        with self._base.change():
            self._base.execute("INSERT INTO days VALUES (?) ON CONFLICT DO NOTHING", (_today(),))
            for over, days in ((True, finished), (False, running)):
                if days is not None:
                    found = self._base.execute(
                        "SELECT id FROM tables WHERE finished = ? AND touched <"
                        " (SELECT day FROM days ORDER BY day DESC LIMIT 1 OFFSET ?)"
                        " AND (owner = ? OR owner NOT IN (SELECT id FROM peers))",
                        (int(over), days, self.peers.me.id),
                    )
                    gone += [number for (number,) in found]
            gone = sorted(set(gone).difference(spared))
            for statement in _FORGETTING:
                for number in gone:
                    self._base.execute(statement, (number,))
            self._base.execute("DELETE FROM rules WHERE digest NOT IN (SELECT digest FROM tables)")
        return len(gone)

    # ------------------------------------------------------------ reading

    def link(self, token: str) -> Link | None:
        """What a token opens, if anything; raises Broken."""
        with self._look("a link"):
            found = self._base.execute(
                "SELECT tab, role, seats FROM links WHERE fingerprint = ?", (fingerprint(token),)
            )
            if not found:
                return None
            ((table, role, sitting),) = found
            seats = tuple(json.loads(sitting))
            _typed((table, int), *((seat, int) for seat in seats))
            if role not in ROLES:
                raise ValueError("this is no link")
            return Link(table, role, seats)

    def table(self, number: int) -> KeptTable | None:
        """A table without its replies; raises Broken."""
        with self._look(f"table {number}"):
            found = self._base.execute(
                "SELECT digest, rules, seed, discretion, language, sum, seats, proposal"
                " FROM tables WHERE id = ?",
                (number,),
            )
            if not found:
                return None
            *fixed, kept, sitting, text = found[0]
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
            )
            if [row[0] for row in rows] != list(range(len(rows))):
                raise ValueError("there are replies missing")
            for _, seat, option, choice in rows:
                _typed((seat, int), (option, int), (choice, str))
            return [KeptReply(*row[1:]) for row in rows]

    def files(self, digest: str) -> tuple[RuleFile, ...]:
        """The texts of the rules with this digest; raises Broken."""
        with self._look("rules"):
            found = self._base.execute("SELECT files, sum FROM rules WHERE digest = ?", (digest,))
            if not found:
                raise ValueError("they are not there")
            ((files, kept),) = found
            _check(kept, files)
            return tuple(_file(each) for each in json.loads(files))

    def count(self) -> int:
        """How many tables there are."""
        return self._count("tables")

    def count_rules(self) -> int:
        """By how many different rules they are played."""
        return self._count("rules")

    def _count(self, what: str) -> int:
        ((count,),) = self._base.execute(f"SELECT count(*) FROM {what}")
        return int(count)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


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
