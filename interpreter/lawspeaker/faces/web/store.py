"""Stores tables in a database; what is committed here survives a crash of the server.

A reply is a row, which is on disk before the reply is broadcast. A game is stored not as a position
but as its rules, seed and replies; it is replayed when somebody returns.

The texts of rules are stored once for all tables that play by them, under their digest. A table
plays by these texts for good, whatever becomes of their files.

Data of a person is stored under the hash of a key that only a browser has (`homes`). The links that
a key has gathered are encrypted with it (`keys`), so that the database alone opens none.

Nothing is deleted unless the operator sets how long tables are kept (`forget`). Only days on which
a server ran count: a clock that jumps adds one day, not years.

One server locks a folder, so that two can never play the same tables; its processes, and servers
that share a PostgreSQL database, agree on who plays which (`peers`).

Disks fail. A row that cannot be read or is invalid makes its table Broken, and no other. Immutable
rows have a checksum, since another seed would silently be another game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lawspeaker import ir
from lawspeaker.faces.play.pausing import Paused, paused_of
from lawspeaker.faces.web import keys, peers
from lawspeaker.faces.web.agreement import Proposal, proposed
from lawspeaker.faces.web.database import FolderLock, NotKept, Place, Schema, Unreachable
from lawspeaker.faces.web.databases import opened
from lawspeaker.faces.web.pace import AT_EASE, NOBODY, ChatLine, Pace, Waiting, pace_of
from lawspeaker.faces.web.peers import Peer, Peers
from lawspeaker.faces.web.seats import (
    HOST,
    INVITATION,
    LISTED,
    ROLES,
    SEAT,
    USED,
    Link,
    Seat,
    fingerprint,
    free_seats,
)
from lawspeaker.match.log import RuleFile

FILE = "tables.sqlite3"
LASTS = 12.0
"""Seconds after which a process loses its tables on a shared database unless it renews its row."""

LOOKED_AT = 200
"""Maximum number of mails, or of subscriptions, that are looked through in one transaction."""
MOST_PUSHES = 4
"""Maximum number of browsers that are told of a seat; a further one replaces the oldest."""
MOST_GATHERED = 500
"""Maximum number of tables in the home of a key."""

_GATHERED = """
CREATE TABLE homes (
    key    BLOB NOT NULL,
    link   BLOB NOT NULL,
    tab    INTEGER NOT NULL REFERENCES tables,
    sealed BLOB NOT NULL,
    PRIMARY KEY (key, link)
) WITHOUT ROWID;
CREATE INDEX homes_by_table ON homes (tab);
CREATE TABLE talk (
    tab    INTEGER NOT NULL REFERENCES tables,
    number INTEGER NOT NULL,
    seat   INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    kind   TEXT NOT NULL,
    text   TEXT NOT NULL,
    PRIMARY KEY (tab, number)
) WITHOUT ROWID;
"""

_LISTED = """
CREATE TABLE listed (
    tab   INTEGER PRIMARY KEY REFERENCES tables,
    token TEXT NOT NULL,
    text  TEXT NOT NULL,
    seen  INTEGER NOT NULL
);
"""

_MAILS = """
CREATE TABLE mails (
    tab       INTEGER NOT NULL REFERENCES tables,
    seat      INTEGER NOT NULL,
    token     TEXT NOT NULL,
    address   TEXT NOT NULL,
    language  TEXT NOT NULL,
    confirmed INTEGER NOT NULL,
    told      INTEGER NOT NULL,
    PRIMARY KEY (tab, seat)
) WITHOUT ROWID;
CREATE UNIQUE INDEX mails_by_token ON mails (token);
"""

_PUSHES = """
CREATE TABLE pushes (
    tab      INTEGER NOT NULL REFERENCES tables,
    seat     INTEGER NOT NULL,
    token    TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    p256dh   TEXT NOT NULL,
    auth     TEXT NOT NULL,
    language TEXT NOT NULL,
    added    INTEGER NOT NULL,
    told     INTEGER NOT NULL,
    PRIMARY KEY (tab, seat, endpoint)
) WITHOUT ROWID;
CREATE UNIQUE INDEX pushes_by_token ON pushes (token);
CREATE TABLE push_key (
    one INTEGER PRIMARY KEY,
    key TEXT NOT NULL
);
"""

_MEASURED = """
CREATE TABLE measured (
    base   TEXT NOT NULL,
    digest TEXT NOT NULL,
    found  TEXT NOT NULL,
    PRIMARY KEY (base, digest)
) WITHOUT ROWID;
"""

_THINKING = """
CREATE TABLE thinking (
    rules    TEXT NOT NULL,
    question TEXT NOT NULL,
    replies  INTEGER NOT NULL,
    seconds  INTEGER NOT NULL,
    PRIMARY KEY (rules, question)
) WITHOUT ROWID;
"""

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
    owner      TEXT NOT NULL DEFAULT '',
    waiting    TEXT NOT NULL DEFAULT '',
    pace       TEXT NOT NULL DEFAULT '',
    titles     TEXT NOT NULL DEFAULT '',
    paused     TEXT NOT NULL DEFAULT ''
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
    4: """
ALTER TABLE tables ADD COLUMN waiting TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN pace TEXT NOT NULL DEFAULT '';
"""
    + _GATHERED,
    5: _MEASURED,
    6: "ALTER TABLE tables ADD COLUMN titles TEXT NOT NULL DEFAULT '';",
    7: "ALTER TABLE tables ADD COLUMN paused TEXT NOT NULL DEFAULT '';",
    8: _LISTED + _MAILS,
    9: _PUSHES,
    10: _THINKING,
}
"""Migrations from each earlier version of the schema to the next."""

SCHEMA = Schema(
    "tables",
    11,
    _TABLES + _GATHERED + _MEASURED + _LISTED + _MAILS + _PUSHES + _THINKING + peers.TABLES,
    _UPGRADES,
)

_FORGETTING = (
    "DELETE FROM replies WHERE tab = ?",
    "DELETE FROM links WHERE tab = ?",
    "DELETE FROM homes WHERE tab = ?",
    "DELETE FROM talk WHERE tab = ?",
    "DELETE FROM listed WHERE tab = ?",
    "DELETE FROM mails WHERE tab = ?",
    "DELETE FROM pushes WHERE tab = ?",
    "DELETE FROM tables WHERE id = ?",
)


class Broken(Exception):
    """Raised when a stored table cannot be read or replayed; the message is for the operator."""


@dataclass(frozen=True, slots=True)
class KeptTable:
    """The stored data of a table, without its replies.

    `rules` is the name of its rules, `digest` their digest. `proposal` is the open proposal,
    `waiting` whom the game waits for, and `pace` its lobby and clocks. `titles` are its headings by
    language, stored at setup for summaries; `paused` is set if a reply could not be carried out.
    """

    digest: str
    rules: str
    seed: int
    discretion: str
    language: str
    seats: tuple[Seat, ...]
    proposal: Proposal | None = None
    waiting: Waiting = NOBODY
    pace: Pace = AT_EASE
    titles: Mapping[str, str] = field(default_factory=dict)
    paused: Paused | None = None


@dataclass(frozen=True, slots=True)
class HomeTable:
    """A summary of a table in the home of a key, made without opening the table."""

    token: str
    link: Link
    rules: str
    titles: Mapping[str, str]
    language: str
    seats: tuple[Seat, ...]
    finished: bool
    waiting: Waiting
    lobby: bool
    began: str
    touched: str


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in the lobby: what its host says of it, and since when he has been away."""

    token: str
    text: str
    seen: int
    rules: str
    titles: Mapping[str, str]
    language: str
    seats: tuple[Seat, ...]
    hosts: tuple[int, ...]
    lobby: bool
    clock: int

    @property
    def free(self) -> list[int]:
        """The seats for which there is nobody yet."""
        return free_seats(self.seats, self.hosts)


@dataclass(frozen=True, slots=True)
class DueMail:
    """A mail to a player for whom a game waits."""

    token: str
    address: str
    language: str
    title: str


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser that can be told by Web Push: an address at a push service, and the keys with which
    messages are encrypted for it."""

    endpoint: str
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DuePush:
    """A message to a browser whose player a game waits for."""

    token: str
    to: Subscription
    language: str
    title: str


class HomeFull(Exception):
    """Raised when no more can be stored for a key, or for keys at all; the message is for
    people."""


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A stored reply: the number of the option, and its canonical text."""

    seat: int
    option: int
    choice: str


class Store:
    """The tables in a database; raises NotKept if it cannot be opened.

    `me` identifies this process to others who share it. `alone` locks the folder; otherwise the
    parent process has done so.
    """

    def __init__(self, place: Place, me: Peer | None = None, alone: bool = True) -> None:
        folder = isinstance(place, Path)
        self.replies_added = 0
        """Since this process began."""
        self._alone = FolderLock(place) if isinstance(place, Path) and alone else None
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
        """Runs its body as a transaction on a table; raises Elsewhere if another process plays
        it."""
        with self._base.change():
            self.peers.hold(table)
            yield

    @contextmanager
    def _look(self, what: str) -> Iterator[None]:
        """Raises Broken for any error while reading."""
        try:
            yield
        except Unreachable:
            raise
        except (NotKept, ValueError, TypeError, KeyError) as error:
            raise Broken(f"{what} in {self._base.where} cannot be read: {error}") from None

    def close(self) -> None:
        if self._alone is None:
            with suppress(NotKept):
                self.peers.leave()  # others need not wait for the row to expire
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
        """Stores a new table with its links and returns its number."""
        with self._base.change():
            self._add_rules(table.digest, files)
            row = (table.digest, table.rules, table.seed, table.discretion, table.language)
            ((number,),) = self._base.execute(
                "INSERT INTO tables"
                " (digest, rules, seed, discretion, language, sum, seats, touched, owner,"
                " waiting, pace, titles) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
                (
                    *(*row, _sum(*row), _seats_text(table.seats), _today(), self.peers.me.id),
                    *(_waiting_text(table.waiting), table.pace.text()),
                    json.dumps(dict(table.titles), ensure_ascii=False),
                ),
            )
            for token, link in links.items():
                self._add_link(fingerprint(token), number, link)
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
        waiting: Waiting | None = None,
        pace: Pace | None = None,
        thinking: tuple[str, Sequence[tuple[str, int]]] = ("", ()),
    ) -> None:
        """Stores the next reply of a table, and the given parts of its state after it.

        `thinking` adds, to the totals of some rules, the seconds that questions took.
        """
        with self._change(table):
            self._add_reply(table, number, reply)
            rules, took = thinking
            for question, seconds in took:
                self._base.execute(
                    "INSERT INTO thinking VALUES (?, ?, 1, ?) ON CONFLICT (rules, question)"
                    " DO UPDATE SET replies = thinking.replies + 1,"
                    " seconds = thinking.seconds + excluded.seconds",
                    (rules, question, seconds),
                )
            self._set_standing(table, finished, proposal, waiting)
            if pace is not None:
                self._set_pace(table, pace)
        self.replies_added += 1

    def _add_reply(self, table: int, number: int, reply: KeptReply) -> None:
        row = (table, number, reply.seat, reply.option, reply.choice)
        self._base.execute("INSERT INTO replies VALUES (?, ?, ?, ?, ?)", row)

    def take_back(self, table: int, replies: int, waiting: Waiting | None = None) -> None:
        """Deletes all but the first `replies` replies, the proposal, and a pause."""
        with self._change(table):
            self._base.execute(
                "DELETE FROM replies WHERE tab = ? AND number >= ?", (table, replies)
            )
            self._set_paused(table, "")
            self._set_standing(table, False, None, waiting)

    def add_rules(self, digest: str, files: Sequence[RuleFile]) -> None:
        """Stores the texts of rules to which a table may move; unused ones are deleted later."""
        with self._base.change():
            self._add_rules(digest, files)

    def _add_rules(self, digest: str, files: Sequence[RuleFile]) -> None:
        bundle = json.dumps([each.to_json() for each in files], ensure_ascii=False)
        self._base.execute(
            "INSERT INTO rules VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (digest, bundle, _sum(bundle)),
        )

    def move(
        self,
        number: int,
        table: KeptTable,
        files: Sequence[RuleFile],
        replies: Sequence[KeptReply],
        finished: bool,
    ) -> None:
        """Stores that a table plays by other rules from now on, under which its replies have these
        numbers; drops the proposal and a pause."""
        with self._change(number):
            self._add_rules(table.digest, files)
            row = (table.digest, table.rules, table.seed, table.discretion, table.language)
            titles = json.dumps(dict(table.titles), ensure_ascii=False)
            self._base.execute(
                "UPDATE tables SET digest = ?, rules = ?, sum = ?, titles = ? WHERE id = ?",
                (table.digest, table.rules, _sum(*row), titles, number),
            )
            for at, each in enumerate(replies):
                self._base.execute(
                    "UPDATE replies SET option = ? WHERE tab = ? AND number = ?",
                    (each.option, number, at),
                )
            self._set_paused(number, "")
            self._set_standing(number, finished, None, table.waiting)

    def pause(self, table: int, paused: Paused) -> None:
        """Stores that a game is paused, or was ended while paused; drops the proposal."""
        with self._change(table):
            self._set_paused(table, paused.text())
            self._set_standing(table, paused.ended, None, NOBODY)

    def _set_paused(self, table: int, text: str) -> None:
        self._base.execute("UPDATE tables SET paused = ? WHERE id = ?", (text, table))

    def set_standing(
        self,
        table: int,
        finished: bool,
        proposal: Proposal | None,
        waiting: Waiting | None = None,
    ) -> None:
        """Stores whether a game is over, its proposal and, if given, whom it waits for, and the
        date."""
        with self._change(table):
            self._set_standing(table, finished, proposal, waiting)

    def _set_standing(
        self,
        table: int,
        finished: bool,
        proposal: Proposal | None,
        waiting: Waiting | None = None,
    ) -> None:
        text = "" if proposal is None else proposal.text()
        now = {"finished": int(finished), "proposal": text, "touched": _today()}
        if waiting is not None:
            now["waiting"] = _waiting_text(waiting)
        settings = ", ".join(f"{name} = ?" for name in now)
        differing = " OR ".join(f"{name} <> ?" for name in now)
        self._base.execute(
            f"UPDATE tables SET {settings} WHERE id = ? AND ({differing})",
            (*now.values(), table, *now.values()),
        )

    def set_pace(
        self, table: int, pace: Pace, seats: Sequence[Seat], waiting: Waiting = NOBODY
    ) -> None:
        """Stores whether a game has begun, who is ready, and whom it waits for."""
        with self._change(table):
            self._set_pace(table, pace)
            self._set_seats(table, seats)
            row = (_waiting_text(waiting), table)
            self._base.execute("UPDATE tables SET waiting = ? WHERE id = ?", row)

    def _set_pace(self, table: int, pace: Pace) -> None:
        self._base.execute("UPDATE tables SET pace = ? WHERE id = ?", (pace.text(), table))

    def add_line(self, table: int, line: ChatLine, most: int) -> ChatLine:
        """Stores a chat line; beyond `most` lines the oldest are deleted."""
        with self._change(table):
            ((last,),) = self._base.execute(
                "SELECT coalesce(max(number), 0) FROM talk WHERE tab = ?", (table,)
            )
            kept = replace(line, number=last + 1)
            row = (table, kept.number, kept.seat, kept.at, kept.kind, kept.text)
            self._base.execute("INSERT INTO talk VALUES (?, ?, ?, ?, ?, ?)", row)
            self._base.execute(
                "DELETE FROM talk WHERE tab = ? AND number <= ?", (table, kept.number - most)
            )
        return kept

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

    def hand_over(
        self,
        table: int,
        seats: Sequence[Seat],
        mark: bytes,
        link: Link,
        proposal: Proposal | None = None,
    ) -> None:
        """Replaces all links to the seat of a link by a new one, given by the hash of its token.

        An invitation that was accepted this way is marked as used. A host who had the seat stays
        the host.
        """
        with self._change(table):
            self._set_seats(table, seats)
            text = "" if proposal is None else proposal.text()
            self._base.execute("UPDATE tables SET proposal = ? WHERE id = ?", (text, table))
            for old in self._base.execute(
                "SELECT seats FROM links WHERE tab = ? AND role = ?", (table, HOST)
            ):
                own = [seat for seat in json.loads(old[0]) if seat not in link.seats]
                self._base.execute(
                    "UPDATE links SET seats = ? WHERE tab = ? AND role = ?",
                    (json.dumps(own), table, HOST),
                )
            if link.role == SEAT:
                self._base.execute(
                    "UPDATE links SET role = ? WHERE tab = ? AND seats = ? AND role = ?",
                    (USED, table, json.dumps(link.seats), INVITATION),
                )
            self._base.execute(
                "DELETE FROM links WHERE tab = ? AND seats = ? AND role IN (?, ?)",
                (table, json.dumps(link.seats), SEAT, INVITATION),
            )
            self._add_link(mark, table, link)
            row = (table, *link.seats)
            self._base.execute("DELETE FROM mails WHERE tab = ? AND seat = ?", row)
            self._base.execute("DELETE FROM pushes WHERE tab = ? AND seat = ?", row)

    def _set_seats(self, table: int, seats: Sequence[Seat]) -> None:
        text = _seats_text(seats)
        self._base.execute("UPDATE tables SET seats = ? WHERE id = ?", (text, table))

    def _add_link(self, mark: bytes, table: int, link: Link) -> None:
        row = (mark, table, link.role, json.dumps(link.seats))
        self._base.execute("INSERT INTO links VALUES (?, ?, ?, ?)", row)

    def forget(self, finished: int | None, running: int | None, spared: Iterable[int] = ()) -> int:
        """Deletes tables that nobody has visited for a number of days on which a server ran.

        The limits are for finished and unfinished games; None for never. Returns the number of
        tables.
        """
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
        """Returns what a token grants, if anything; raises Broken."""
        found = self._link(token)
        return None if found is None or found.role == USED else found

    def used(self, token: str) -> Link | None:
        """Returns the invitation that a used token was; raises Broken."""
        found = self._link(token)
        return found if found is not None and found.role == USED else None

    def _link(self, token: str) -> Link | None:
        with self._look("a link"):
            found = self._base.execute(
                "SELECT tab, role, seats FROM links WHERE fingerprint = ?", (fingerprint(token),)
            )
            if not found:
                return None
            ((table, role, sitting),) = found
            seats = tuple(json.loads(sitting))
            _typed((table, int), *((seat, int) for seat in seats))
            if role not in (*ROLES, USED):
                raise ValueError("this is no link")
            return Link(table, role, seats)

    def hosts(self, table: int) -> frozenset[int]:
        """Returns the host's seats; raises Broken."""
        with self._look(f"table {table}"):
            rows = self._base.execute(
                "SELECT seats FROM links WHERE tab = ? AND role = ?", (table, HOST)
            )
            return frozenset(seat for (seats,) in rows for seat in json.loads(seats))

    def table(self, number: int) -> KeptTable | None:
        """Returns a table without its replies; raises Broken."""
        with self._look(f"table {number}"):
            found = self._base.execute(
                "SELECT digest, rules, seed, discretion, language, sum, seats, proposal, waiting,"
                " pace, paused FROM tables WHERE id = ?",
                (number,),
            )
            if not found:
                return None
            *fixed, kept, sitting, text, waiting, pace, paused = found[0]
            digest, rules, seed, discretion, language = fixed
            _check(kept, *fixed)
            _typed((digest, str), (rules, str), (seed, int), (discretion, str), (language, str))
            seats = tuple(_seat(each) for each in json.loads(sitting))
            standing = proposed(text), _waiting(waiting), pace_of(pace, len(seats))
            table = KeptTable(digest, rules, seed, discretion, language, seats, *standing)
            return replace(table, paused=paused_of(paused))

    def replies(self, table: int) -> list[KeptReply]:
        """Returns all replies of a table; raises Broken."""
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
        """Returns the texts of the rules with a digest; raises Broken."""
        with self._look("rules"):
            found = self._base.execute("SELECT files, sum FROM rules WHERE digest = ?", (digest,))
            if not found:
                raise ValueError("they are not there")
            ((files, kept),) = found
            _check(kept, files)
            return tuple(_file(each) for each in json.loads(files))

    def lines(self, table: int) -> list[ChatLine]:
        """Returns the chat lines of a table; raises Broken."""
        with self._look(f"table {table}"):
            rows = self._base.execute(
                "SELECT number, seat, at, kind, text FROM talk WHERE tab = ? ORDER BY number",
                (table,),
            )
            for number, seat, at, kind, text in rows:
                _typed((number, int), (seat, int), (at, int), (kind, str), (text, str))
            return [ChatLine(*row) for row in rows]

    # ------------------------------------------------------------ homes

    def gather(self, key: str, token: str, link: Link, most_keys: int) -> None:
        """Adds a link to the home of a key, encrypted with the key; raises HomeFull."""
        mine, print_of = fingerprint(key), fingerprint(token)
        with self._base.change():
            rows = self._base.execute("SELECT link FROM homes WHERE key = ?", (mine,))
            if (print_of,) in rows:
                return
            if len(rows) >= MOST_GATHERED:
                raise HomeFull(f"a key gathers at most {MOST_GATHERED} tables: take some out first")
            if not rows:
                ((keys_kept,),) = self._base.execute(
                    "SELECT count(*) FROM (SELECT DISTINCT key FROM homes LIMIT ?) AS found",
                    (most_keys,),
                )
                if keys_kept >= most_keys:
                    raise HomeFull("this server keeps no more keys; your links work all the same")
            self._base.execute(
                "INSERT INTO homes VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (mine, print_of, link.table, keys.sealed(key, token)),
            )

    def home(self, key: str) -> list[HomeTable]:
        """Returns the tables of a key whose links are still valid, the latest first.

        Unreadable ones are omitted; opening such a table reports the error.
        """
        with self._look("a home"):
            rows = self._base.execute(
                "SELECT homes.link, sealed, links.tab, role, links.seats, rules, language,"
                " tables.seats, finished, waiting, pace, titles, began, touched FROM homes"
                " JOIN links ON links.fingerprint = homes.link JOIN tables ON tables.id = links.tab"
                " WHERE key = ? ORDER BY touched DESC, links.tab DESC",
                (fingerprint(key),),
            )
        return [found for row in rows if (found := _home_table(key, row)) is not None]

    def take_out(self, key: str, token: str) -> None:
        """Removes a link from the home of a key; the table and the link stay valid."""
        row = (fingerprint(key), fingerprint(token))
        self._base.execute("DELETE FROM homes WHERE key = ? AND link = ?", row)

    # ------------------------------------------------------------ the lobby

    def list_table(
        self, table: int, token: str, text: str, seen: int, most: int, after: int
    ) -> bool:
        """Lists a table in the lobby under a public link; an empty token takes it off.

        Returns whether there was space: at most `most` tables are shown whose hosts were seen
        `after` a time.
        """
        with self._change(table):
            ((others,),) = self._base.execute(
                "SELECT count(*) FROM listed WHERE tab <> ? AND seen > ?", (table, after)
            )
            if token and others >= most:
                return False
            self._base.execute("DELETE FROM listed WHERE tab = ?", (table,))
            self._base.execute("DELETE FROM links WHERE tab = ? AND role = ?", (table, LISTED))
            if token:
                row = (table, token, text, seen)
                self._base.execute("INSERT INTO listed VALUES (?, ?, ?, ?)", row)
                self._add_link(fingerprint(token), table, Link(table, LISTED))
        return True

    def host_seen(self, table: int, seen: int) -> None:
        """Stores when the host of a listed table was here."""
        self._base.execute("UPDATE listed SET seen = ? WHERE tab = ?", (seen, table))

    def listing_of(self, table: int) -> tuple[str, str] | None:
        """Returns the public token of a listed table, and what its host says; raises Broken."""
        with self._look(f"table {table}"):
            rows = self._base.execute("SELECT token, text FROM listed WHERE tab = ?", (table,))
            for token, text in rows:
                _typed((token, str), (text, str))
                return token, text
            return None

    def listed(self, after: int, most: int) -> list[ListedTable]:
        """Returns the tables in the lobby that have a free seat, those of the latest hosts first.

        Those whose host was not seen `after` a time, and unreadable ones, are left out.
        """
        with self._look("the lobby"):
            rows = self._base.execute(
                "SELECT listed.tab, token, text, seen, rules, titles, language, tables.seats, pace,"
                " links.seats FROM listed JOIN tables ON tables.id = listed.tab"
                " JOIN links ON links.tab = listed.tab AND links.role = ?"
                " WHERE seen > ? AND finished = 0 ORDER BY seen DESC LIMIT ?",
                (HOST, after, most),
            )
        found = [each for row in rows if (each := _listed_table(row)) is not None]
        return [each for each in found if each.free]

    # ------------------------------------------------------------ mails

    def set_mail(self, table: int, seat: int, token: str, address: str, language: str) -> None:
        """Stores the address of a seat, not yet confirmed; an empty one deletes it."""
        with self._change(table):
            self._base.execute("DELETE FROM mails WHERE tab = ? AND seat = ?", (table, seat))
            if address:
                row = (table, seat, token, address, language, 0, 0)
                self._base.execute("INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def mail_of(self, table: int, seat: int) -> tuple[str, bool] | None:
        """Returns the address of a seat, and whether it is confirmed."""
        row = "SELECT address, confirmed FROM mails WHERE tab = ? AND seat = ?"
        found = self._base.execute(row, (table, seat))
        return (str(found[0][0]), bool(found[0][1])) if found else None

    def mail_at(self, token: str) -> str | None:
        """Returns what stands behind a link in a mail: asked, on, or nothing."""
        found = self._base.execute("SELECT confirmed FROM mails WHERE token = ?", (token,))
        return None if not found else "on" if found[0][0] else "asked"

    def confirm_mail(self, token: str, wanted: bool) -> None:
        """Confirms an address by the link that was sent to it, or deletes it."""
        if wanted:
            self._base.execute("UPDATE mails SET confirmed = 1 WHERE token = ?", (token,))
        else:
            self._base.execute("DELETE FROM mails WHERE token = ?", (token,))

    def due_mails(
        self, now: int, since: int, told: int, after: str = ""
    ) -> tuple[list[DueMail], str | None]:
        """Returns whom to tell that a game waits for them, and marks them as told.

        The question must have been put by `since`; the last mail about an earlier one by `told`.
        Only some of the mails are looked through, in the order of their tokens: those after the
        token `after`. The second result is the last of them, to go on with; None at the end.
        """
        due, last = self._due("mails", "address", now, since, told, after, "confirmed = 1")
        mails = [DueMail(token, row[0], language, title) for token, language, title, row in due]
        return mails, last

    def _due(
        self,
        kind: str,
        columns: str,
        now: int,
        since: int,
        told: int,
        after: str,
        where: str = "1 = 1",
    ) -> tuple[list[tuple[str, str, str, Sequence[Any]]], str | None]:
        """Returns token, language, title of the game and `columns` of the rows of `mails` or
        `pushes` whose seats are waited for, and marks them as told; and the token to go on with."""
        with self._base.change():
            rows = self._base.execute(
                f"SELECT seat, token, {kind}.language, told, titles, waiting, pace, seats,"
                f" {columns} FROM {kind} JOIN tables ON tables.id = tab"
                f" WHERE {where} AND finished = 0 AND paused = '' AND told <= ?"
                f" AND token > ? ORDER BY token LIMIT {LOOKED_AT}{self._base.held}",
                (told, after),
            )
            found: list[tuple[str, str, str, Sequence[Any]]] = []
            for seat, token, language, last, titles, waiting, pace, seats, *rest in rows:
                with suppress(ValueError, TypeError, KeyError, IndexError, AttributeError):
                    open_to, sitting = _waiting(waiting), json.loads(seats)
                    begun = not pace_of(pace, len(sitting)).lobby
                    asked = seat in open_to.open and not sitting[seat]["bot"]
                    if begun and asked and last < open_to.since <= since:
                        found.append((token, language, _titled(titles, language), rest))
                        statement = f"UPDATE {kind} SET told = ? WHERE token = ?"
                        self._base.execute(statement, (now, token))
        return found, rows[-1][1] if len(rows) == LOOKED_AT else None

    # ------------------------------------------------------------ Web Push

    def add_push(self, table: int, seat: int, token: str, to: Subscription, language: str) -> None:
        """Stores that a browser is told of a seat; a seat has at most MOST_PUSHES of them."""
        with self._change(table):
            self._drop_push(table, seat, to.endpoint)
            rows = self._base.execute(
                "SELECT token, added FROM pushes WHERE tab = ? AND seat = ? ORDER BY added",
                (table, seat),
            )
            for old, _ in rows[: max(0, len(rows) - MOST_PUSHES + 1)]:
                self.drop_push(old)
            added = max((each for _, each in rows), default=0) + 1
            row = (table, seat, token, to.endpoint, to.p256dh, to.auth, language, added, 0)
            self._base.execute("INSERT INTO pushes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def end_push(self, table: int, seat: int, endpoint: str) -> None:
        """Deletes what `add_push` has stored."""
        with self._change(table):
            self._drop_push(table, seat, endpoint)

    def _drop_push(self, table: int, seat: int, endpoint: str) -> None:
        where = "DELETE FROM pushes WHERE tab = ? AND seat = ? AND endpoint = ?"
        self._base.execute(where, (table, seat, endpoint))

    def drop_push(self, token: str) -> None:
        """Deletes a subscription that has ended."""
        self._base.execute("DELETE FROM pushes WHERE token = ?", (token,))

    def push_of(self, table: int, seat: int, endpoint: str) -> str | None:
        """Returns the token under which a browser is told of a seat, if it is."""
        where = "SELECT token FROM pushes WHERE tab = ? AND seat = ? AND endpoint = ?"
        found = self._base.execute(where, (table, seat, endpoint))
        return str(found[0][0]) if found else None

    def due_pushes(
        self, now: int, since: int, told: int, after: str = ""
    ) -> tuple[list[DuePush], str | None]:
        """Returns which browsers to tell that a game waits, and marks them as told, as `due_mails`
        does."""
        due, last = self._due("pushes", "endpoint, p256dh, auth", now, since, told, after)
        pushes = [
            DuePush(token, Subscription(*to), language, title) for token, language, title, to in due
        ]
        return pushes, last

    def push_key(self, made: Callable[[], str]) -> str:
        """Returns the key that signs messages, the same for all processes; `made` makes the
        first."""
        kept = "SELECT key FROM push_key WHERE one = 1"
        found = self._base.execute(kept)
        if not found:
            row = (1, made())
            self._base.execute("INSERT INTO push_key VALUES (?, ?) ON CONFLICT DO NOTHING", row)
            found = self._base.execute(kept)
        return str(found[0][0])

    # ------------------------------------------------------------ measured effects

    def measured(self, base: str, digest: str) -> dict[str, Any] | None:
        """Returns the measured difference between two rules, by their digests; raises Broken."""
        with self._look("a measure"):
            rows = self._base.execute(
                "SELECT found FROM measured WHERE base = ? AND digest = ?", (base, digest)
            )
            found = json.loads(rows[0][0]) if rows else None
            _typed((found, dict if rows else type(None)))
            return found

    def keep_measured(self, base: str, digest: str, found: Mapping[str, Any]) -> None:
        self._base.execute(
            "INSERT INTO measured VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (base, digest, json.dumps(found)),
        )

    def thinking(self, rules: str) -> dict[str, tuple[int, int]]:
        """Returns, by question of some rules, the replies of people and the seconds they took."""
        with self._look("times of replies"):
            rows = self._base.execute(
                "SELECT question, replies, seconds FROM thinking WHERE rules = ?", (rules,)
            )
            return {str(question): (int(count), int(took)) for question, count, took in rows}

    def timed(self, fewest: int) -> list[str]:
        """Lists the rules with times of so many replies at least."""
        with self._look("times of replies"):
            rows = self._base.execute(
                "SELECT rules FROM thinking GROUP BY rules HAVING SUM(replies) >= ? ORDER BY rules",
                (fewest,),
            )
            return [str(rules) for (rules,) in rows]

    def count(self) -> int:
        """Returns the number of tables."""
        return self._count("tables")

    def count_rules(self) -> int:
        """Returns the number of different rules that they are played by."""
        return self._count("rules")

    def _count(self, what: str) -> int:
        ((count,),) = self._base.execute(f"SELECT count(*) FROM {what}")
        return int(count)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _sum(*values: object) -> str:
    """Returns a short checksum that detects damage to immutable values."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]


def _check(kept: str, *values: object) -> None:
    """Raises ValueError if a checksum differs; older rows have none."""
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
        (seat.ready, bool),
        (seat.passing, str),
        (seat.stretch, str),
        (seat.inviter, int),
        (seat.bot_since, int),
    )
    return seat


def _waiting_text(waiting: Waiting) -> str:
    return json.dumps(asdict(waiting))


def _waiting(text: str) -> Waiting:
    if not text:
        return NOBODY  # it was stored before this column existed
    data = json.loads(text)
    found = Waiting(data["since"], tuple(data["asked"]), tuple(data["open"]))
    _typed((found.since, int), *((seat, int) for seat in (*found.asked, *found.open)))
    return found


def _home_table(key: str, row: Sequence[Any]) -> HomeTable | None:
    """Decodes a table of a key; None if the key does not decrypt it, or the row is invalid."""
    print_of, seal, table, role, own, rules, language, sitting, finished, *rest = row
    try:
        token = keys.opened(key, seal)
        if fingerprint(token) != print_of:
            return None
        seats = tuple(_seat(each) for each in json.loads(sitting))
        link = Link(table, role, tuple(json.loads(own)))
        waiting, pace, said, began, touched = rest
        since, lobby = _waiting(waiting), pace_of(pace, len(seats)).lobby
        titles = dict(json.loads(said or "{}"))
        _typed(*((title, str) for title in titles.values()))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return HomeTable(
        token, link, rules, titles, language, seats, bool(finished), since, lobby, began, touched
    )


def _titled(titles: str, language: str) -> str:
    named = dict(json.loads(titles or "{}"))
    return str(ir.in_language(named, language, "Lawspeaker"))


def _listed_table(row: Sequence[Any]) -> ListedTable | None:
    try:
        _, token, text, seen, rules, titles, language, sitting, pace, hosts = row
        seats = tuple(_seat(each) for each in json.loads(sitting))
        own, paced = tuple(json.loads(hosts)), pace_of(pace, len(seats))
        named = dict(json.loads(titles or "{}"))
        _typed((token, str), (text, str), (seen, int), *((each, str) for each in named.values()))
        fixed = (token, text, seen, rules, named, language, seats, own)
        return ListedTable(*fixed, paced.lobby, paced.each)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _file(data: Mapping[str, str | list[str]]) -> RuleFile:
    given = data.get("given")
    return RuleFile(str(data["name"]), str(data["text"]), None if given is None else tuple(given))
