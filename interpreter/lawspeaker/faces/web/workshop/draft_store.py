"""Stores drafts in a database: texts only, limited in size and number.

**Shared by link.** The link to a draft is as hard to guess as one to a seat; only its hash is
stored. A shared draft is immutable: sharing it again after editing creates another link.

**Of a key.** The drafts somebody works on are stored under the hash of his browser's key (`keys`),
each with an id that is meaningful only with the key. Every draft has a history: saves within a few
minutes form one version, and if there are too many versions, those closest to others are deleted;
the first and the last stay. An archived draft can be restored. Nothing is evicted: if storage is
full, saving fails with a message.

**Submitted to the library.** A shared draft can be submitted with a name and a description, if the
server's owner accepts drafts (`library_pages`). It awaits approval, or is shown at once. One key,
created on first use and known to the operator, can approve.

A file that a later version has written is not opened for writing, like that of the tables.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawspeaker.faces.web.database import Database, NotKept, Place, Row, Schema
from lawspeaker.faces.web.databases import opened
from lawspeaker.faces.web.messages import BadMessage
from lawspeaker.faces.web.seats import fingerprint, new_token
from lawspeaker.faces.web.workshop.drafts import Draft, draft

FILE = "drafts.sqlite3"
MOST_DRAFTS = 20_000
MOST_HANDED_IN = 2_000
"""Maximum number of submitted drafts, shown or awaiting approval."""
WAITING, SHOWN = "waiting", "shown"
MOST_KEYS = 20_000
MOST_OF_ONE = 200
"""Maximum number of drafts of one key."""
MOST_VERSIONS = 60
"""Maximum number of versions of one draft."""
LARGEST_OF_ONE = 8_000_000
"""Maximum number of characters of all versions of all drafts of one key."""
LARGEST_OF_ALL = 4_000_000_000
"""Maximum number of characters of the drafts of all keys."""
ONE_VERSION = 5 * 60
"""Seconds within which saves form one version."""
LONGEST_NAME = 80
ID = re.compile(r"[A-Za-z0-9_-]{8,32}\Z")

_OWN = """
CREATE TABLE IF NOT EXISTS own_drafts (
    key     BLOB NOT NULL,
    id      TEXT NOT NULL,
    name    TEXT NOT NULL,
    changed INTEGER NOT NULL,
    away    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (key, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS draft_versions (
    key    BLOB NOT NULL,
    id     TEXT NOT NULL,
    number INTEGER NOT NULL,
    began  INTEGER NOT NULL,
    saved  INTEGER NOT NULL,
    size   INTEGER NOT NULL,
    draft  TEXT NOT NULL,
    PRIMARY KEY (key, id, number)
);
"""

_HANDED_IN = """
CREATE TABLE IF NOT EXISTS handed_in (
    token TEXT PRIMARY KEY,
    name  TEXT NOT NULL,
    about TEXT NOT NULL,
    rules TEXT NOT NULL,
    state TEXT NOT NULL,
    at    INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS owner_key (
    one INTEGER PRIMARY KEY,
    key TEXT NOT NULL
);
"""

SCHEMA = Schema(
    "drafts",
    3,
    """
CREATE TABLE IF NOT EXISTS drafts (
    fingerprint BLOB PRIMARY KEY,
    draft       TEXT NOT NULL
) WITHOUT ROWID;
"""
    + _OWN
    + _HANDED_IN,
    {1: _OWN, 2: _HANDED_IN},
)


class Full(Exception):
    """Raised when no more drafts can be stored; the message is for people."""


@dataclass(frozen=True, slots=True)
class OwnDraft:
    """A draft of a key, without its texts. `rules` are its base rules; `away` means archived."""

    id: str
    name: str
    rules: str
    changed: int
    versions: int
    away: bool


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a draft: when it was begun and last saved."""

    number: int
    began: int
    saved: int


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A submitted draft: the token of its link, which is public, its name and description."""

    token: str
    name: str
    about: str
    rules: str
    state: str
    at: int


class Drafts:
    """The drafts in a database. In a folder the file is created with the first draft."""

    def __init__(self, place: Place, most: int = MOST_DRAFTS) -> None:
        self.place = place
        self.most = most
        self.most_keys = MOST_KEYS
        self._base: Database | None = None

    # ------------------------------------------------------------ shared by link

    def add(self, kept: Draft) -> str:
        """Stores a draft; returns the token of its link. Raises Full or NotKept."""
        token = new_token()
        base = self._opened()
        ((count,),) = base.execute("SELECT count(*) FROM drafts")
        if count >= self.most:
            raise Full("there are too many drafts here already; download yours instead")
        base.execute("INSERT INTO drafts VALUES (?, ?)", (fingerprint(token), _text(kept)))
        return token

    def get(self, token: str) -> Draft | None:
        """Returns the draft of a link, if any; raises NotKept."""
        rows = self._read("SELECT draft FROM drafts WHERE fingerprint = ?", fingerprint(token))
        return self._draft(rows[0][0]) if rows else None

    # ------------------------------------------------------------ submitted to the library

    def hand_in(self, kept: Draft, name: str, about: str, state: str) -> str:
        """Stores a submitted draft; returns the token of its link. Raises Full or NotKept."""
        base = self._opened()
        with base.change():
            ((count,),) = base.execute("SELECT count(*) FROM handed_in")
            if count >= MOST_HANDED_IN:
                raise Full("the library takes no more drafts now")
            token = self.add(kept)
            row = (token, name, about, kept.rules, state, int(time.time()))
            base.execute("INSERT INTO handed_in VALUES (?, ?, ?, ?, ?, ?)", row)
        return token

    def handed_in(self, *states: str) -> list[HandedIn]:
        """Lists submitted drafts in some states, the latest first."""
        rows = self._read(
            "SELECT token, name, about, rules, state, at FROM handed_in ORDER BY at DESC, token"
        )
        return [HandedIn(*row) for row in rows if row[4] in states]

    def decide(self, token: str, shown: bool) -> None:
        """Approves a submitted draft, or removes it; its link stays valid."""
        base = self._opened()
        if shown:
            base.execute("UPDATE handed_in SET state = ? WHERE token = ?", (SHOWN, token))
        else:
            base.execute("DELETE FROM handed_in WHERE token = ?", (token,))

    def owner_key(self) -> str:
        """Returns the owner's key, the same for all processes that share these drafts."""
        base = self._opened()
        made = (1, new_token())
        base.execute("INSERT INTO owner_key VALUES (?, ?) ON CONFLICT DO NOTHING", made)
        ((key,),) = base.execute("SELECT key FROM owner_key WHERE one = 1")
        return str(key)

    # ------------------------------------------------------------ of a key

    def save(self, key: str, own: str, name: str, kept: Draft) -> None:
        """Stores a new version of a draft under a key and an id; raises Full or NotKept."""
        mine, now, text = fingerprint(key), int(time.time()), _text(kept)
        base = self._opened()
        with base.change():
            last = base.execute(
                "SELECT number, began, draft FROM draft_versions WHERE key = ? AND id = ?"
                " ORDER BY number DESC LIMIT 1",
                (mine, own),
            )
            number, began, before = last[0] if last else (-1, 0, "")
            new = not 0 <= now - began < ONE_VERSION
            self._room(base, mine, own, 0 if text == before else len(text), new)
            base.execute(
                "INSERT INTO own_drafts (key, id, name, changed) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (key, id) DO UPDATE SET changed = ?, name = ?, away = 0",
                (mine, own, name, now, now, name),
            )
            if text == before:
                return
            if new:
                number, began = number + 1, now
            base.execute(
                "INSERT INTO draft_versions VALUES (?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (key, id, number) DO UPDATE SET saved = ?, size = ?, draft = ?",
                (mine, own, number, began, now, len(text), text, now, len(text), text),
            )
            self._thin_out(base, mine, own)

    def _room(self, base: Database, mine: bytes, own: str, size: int, new: bool) -> None:
        """Raises Full if a limit is reached for a draft or a new version."""
        ids = [each for (each,) in base.execute("SELECT id FROM own_drafts WHERE key = ?", (mine,))]
        if not ids:
            ((keys,),) = base.execute(
                "SELECT count(*) FROM (SELECT DISTINCT key FROM own_drafts LIMIT ?) AS found",
                (self.most_keys,),
            )
            if keys >= self.most_keys:
                raise Full("this server keeps drafts for no more browsers; download yours instead")
        if own not in ids and len(ids) >= MOST_OF_ONE:
            raise Full(f"a key keeps at most {MOST_OF_ONE} drafts; delete some for good first")
        ((held,),) = base.execute(
            "SELECT coalesce(sum(size), 0) FROM draft_versions WHERE key = ?", (mine,)
        )
        if held + size > LARGEST_OF_ONE:
            raise Full("there is no room for more drafts here; delete some for good first")
        if new:
            ((all_of_them,),) = base.execute("SELECT coalesce(sum(size), 0) FROM draft_versions")
            if all_of_them + size > LARGEST_OF_ALL:
                raise Full("this server has no room for more drafts; download yours instead")

    def _thin_out(self, base: Database, mine: bytes, own: str) -> None:
        """Deletes the version closest to its neighbours if there are too many."""
        rows = base.execute(
            "SELECT number, saved FROM draft_versions WHERE key = ? AND id = ? ORDER BY number",
            (mine, own),
        )
        if len(rows) > MOST_VERSIONS:
            inner = range(1, len(rows) - 1)
            at = min(inner, key=lambda each: rows[each + 1][1] - rows[each - 1][1])
            base.execute(
                "DELETE FROM draft_versions WHERE key = ? AND id = ? AND number = ?",
                (mine, own, rows[at][0]),
            )

    def listed(self, key: str) -> list[OwnDraft]:
        """Lists the drafts of a key, the latest first."""
        mine = fingerprint(key)
        rows = self._read(
            "SELECT id, name, changed, away FROM own_drafts WHERE key = ?"
            " ORDER BY changed DESC, id",
            mine,
        )
        count, last = "SELECT id, count(*) FROM draft_versions", "SELECT id, draft FROM"
        counts: dict[str, int] = dict(self._read(f"{count} WHERE key = ? GROUP BY id", mine))
        texts: dict[str, str] = dict(
            self._read(
                f"{last} draft_versions AS one WHERE key = ? AND number = (SELECT max(number)"
                " FROM draft_versions AS each WHERE each.key = one.key AND each.id = one.id)",
                mine,
            )
        )
        return [
            OwnDraft(own, name, self._rules(texts.get(own)), changed, counts[own], bool(away))
            for own, name, changed, away in rows
            if own in counts
        ]

    def _rules(self, text: object) -> str:
        """Returns the base rules of a draft; damage is reported when it is opened."""
        try:
            return self._draft(text).rules
        except NotKept:
            return ""

    def versions(self, key: str, own: str) -> list[Version]:
        """Lists the versions of a draft, the latest first."""
        rows = self._read(
            "SELECT number, began, saved FROM draft_versions WHERE key = ? AND id = ?"
            " ORDER BY number DESC",
            fingerprint(key),
            own,
        )
        return [Version(*row) for row in rows]

    def opened(self, key: str, own: str, number: int | None = None) -> tuple[str, Draft] | None:
        """Returns the name of a draft and one of its versions, by default the last."""
        which, wanted = ("", ()) if number is None else (" AND number = ?", (number,))
        mine = fingerprint(key)
        names = self._read("SELECT name FROM own_drafts WHERE key = ? AND id = ?", mine, own)
        rows = self._read(
            f"SELECT draft FROM draft_versions WHERE key = ? AND id = ?{which}"
            " ORDER BY number DESC LIMIT 1",
            mine,
            own,
            *wanted,
        )
        return (names[0][0], self._draft(rows[0][0])) if names and rows else None

    def rename(self, key: str, own: str, name: str) -> None:
        self._set(key, own, "name", name)

    def put_away(self, key: str, own: str, away: bool) -> None:
        """Archives or restores a draft."""
        self._set(key, own, "away", int(away))

    def _set(self, key: str, own: str, column: str, value: object) -> None:
        row = (value, fingerprint(key), own)
        self._opened().execute(f"UPDATE own_drafts SET {column} = ? WHERE key = ? AND id = ?", row)

    def delete(self, key: str, own: str) -> None:
        """Deletes an archived draft."""
        row, base = (fingerprint(key), own), self._opened()
        with base.change():
            found = base.execute("SELECT away FROM own_drafts WHERE key = ? AND id = ?", row)
            if found and found[0][0]:
                base.execute("DELETE FROM draft_versions WHERE key = ? AND id = ?", row)
                base.execute("DELETE FROM own_drafts WHERE key = ? AND id = ?", row)

    def join(self, key: str, other: str) -> None:
        """Copies the drafts of another key, except those that exist.

        Raises Full, and then copies nothing.
        """
        mine, theirs = fingerprint(key), fingerprint(other)
        if mine == theirs:
            return
        base = self._opened()
        with base.change():
            for table, columns in (
                ("draft_versions", "id, number, began, saved, size, draft"),
                ("own_drafts", "id, name, changed, away"),
            ):
                base.execute(
                    f"INSERT INTO {table} (key, {columns}) SELECT ?, {columns}"
                    f" FROM {table} WHERE key = ?"
                    " AND id NOT IN (SELECT id FROM own_drafts WHERE key = ?)",
                    (mine, theirs, mine),
                )
            ((count, size),) = base.execute(
                "SELECT count(DISTINCT id), coalesce(sum(size), 0) FROM draft_versions"
                " WHERE key = ?",
                (mine,),
            )
            if count > MOST_OF_ONE or size > LARGEST_OF_ONE:
                raise Full("both keys together have more drafts than one may have")

    # ------------------------------------------------------------ the database

    def close(self) -> None:
        if self._base is not None:
            self._base.close()
            self._base = None

    def _read(self, query: str, *values: object) -> list[Row]:
        if isinstance(self.place, Path) and not (self.place / FILE).exists():
            return []
        return self._opened().execute(query, values)

    def _draft(self, text: Any) -> Draft:
        try:
            return draft(json.loads(text))
        except (ValueError, TypeError, AttributeError, BadMessage):
            raise NotKept(f"a draft in {self._opened().where} is damaged") from None

    def _opened(self) -> Database:
        if self._base is None:
            self._base = opened(self.place, SCHEMA)
        return self._base


def _text(kept: Draft) -> str:
    return json.dumps(kept.to_json(), ensure_ascii=False)
