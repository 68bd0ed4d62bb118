"""Drafts in a database: texts only, of bounded size and number.

**Shared by link.** A link to a draft is as hard to guess as one to a seat, and is not stored
either, only its fingerprint. What is kept is never changed: who edits a shared draft and shares it
again gets another link.

**Of a key.** The drafts somebody works on are kept under the fingerprint of his browser's key
(`keys`), as many as there is room for, each under an id that means nothing without the key. Every
draft has a history: what is saved within a few minutes is one version, and where there are too many
of them, those go that lie closest to others; the first and the last stay. A draft that is put away
can be taken out again. Nothing is ever replaced to make room: where there is none, that is said.

**Handed in for the library.** A shared draft can be handed in, with a name and a sentence, if the
server's owner takes such drafts (`library_pages`). It waits until he decides, or is shown at once.
There is one key for deciding, made when it is first asked for, and known to who runs the server.

A file that a later version has written is left alone, as the tables are: it is not even opened for
writing.
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
"""So many drafts wait for the owner, or are shown in the library."""
WAITING, SHOWN = "waiting", "shown"
MOST_KEYS = 20_000
MOST_OF_ONE = 200
"""So many drafts are kept for one key."""
MOST_VERSIONS = 60
"""So many versions are kept of one draft."""
LARGEST_OF_ONE = 8_000_000
"""So many characters all versions of the drafts of one key may have."""
LARGEST_OF_ALL = 4_000_000_000
"""So many characters the drafts of all keys may have."""
ONE_VERSION = 5 * 60
"""What is saved within so many seconds is one version."""
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
    """No more drafts are kept here; the message is for people."""


@dataclass(frozen=True, slots=True)
class OwnDraft:
    """A draft of a key, without its texts. `rules` are those it starts from; `away`: put away."""

    id: str
    name: str
    rules: str
    changed: int
    versions: int
    away: bool


@dataclass(frozen=True, slots=True)
class Version:
    """When a version of a draft was begun and last saved."""

    number: int
    began: int
    saved: int


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A draft for the library: its link's token, which is no secret any more, and what is said."""

    token: str
    name: str
    about: str
    rules: str
    state: str
    at: int


class Drafts:
    """The drafts at a place. In a folder the file is made with the first draft."""

    def __init__(self, place: Place, most: int = MOST_DRAFTS) -> None:
        self.place = place
        self.most = most
        self.most_keys = MOST_KEYS
        self._base: Database | None = None

    # ------------------------------------------------------------ shared by link

    def add(self, kept: Draft) -> str:
        """Keeps a draft; gives the token of its link. Raises Full or NotKept."""
        token = new_token()
        base = self._opened()
        ((count,),) = base.execute("SELECT count(*) FROM drafts")
        if count >= self.most:
            raise Full("there are too many drafts here already; download yours instead")
        base.execute("INSERT INTO drafts VALUES (?, ?)", (fingerprint(token), _text(kept)))
        return token

    def get(self, token: str) -> Draft | None:
        """The draft a link leads to, if any; raises NotKept."""
        rows = self._read("SELECT draft FROM drafts WHERE fingerprint = ?", fingerprint(token))
        return self._draft(rows[0][0]) if rows else None

    # ------------------------------------------------------------ handed in for the library

    def hand_in(self, kept: Draft, name: str, about: str, state: str) -> str:
        """Keeps a draft for the library; gives the token of its link. Raises Full or NotKept."""
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
        """What was handed in and stands so, the latest first."""
        rows = self._read(
            "SELECT token, name, about, rules, state, at FROM handed_in ORDER BY at DESC, token"
        )
        return [HandedIn(*row) for row in rows if row[4] in states]

    def decide(self, token: str, shown: bool) -> None:
        """Shows what was handed in, or takes it out; its link stays with who has it."""
        base = self._opened()
        if shown:
            base.execute("UPDATE handed_in SET state = ? WHERE token = ?", (SHOWN, token))
        else:
            base.execute("DELETE FROM handed_in WHERE token = ?", (token,))

    def owner_key(self) -> str:
        """The key of who runs the server, the same for all processes that share these drafts."""
        base = self._opened()
        made = (1, new_token())
        base.execute("INSERT INTO owner_key VALUES (?, ?) ON CONFLICT DO NOTHING", made)
        ((key,),) = base.execute("SELECT key FROM owner_key WHERE one = 1")
        return str(key)

    # ------------------------------------------------------------ of a key

    def save(self, key: str, own: str, name: str, kept: Draft) -> None:
        """Keeps a draft of a key under an id, as a version of it; raises Full or NotKept."""
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
        """Raises Full where there is no room for a draft, or for a new version of one."""
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
        """Of too many versions that one goes which lies closest to those beside it."""
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
        """The drafts of a key, the latest first."""
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
        """The rules a draft starts from; of one that is damaged that is told when it is opened."""
        try:
            return self._draft(text).rules
        except NotKept:
            return ""

    def versions(self, key: str, own: str) -> list[Version]:
        """The versions of a draft, the latest first."""
        rows = self._read(
            "SELECT number, began, saved FROM draft_versions WHERE key = ? AND id = ?"
            " ORDER BY number DESC",
            fingerprint(key),
            own,
        )
        return [Version(*row) for row in rows]

    def opened(self, key: str, own: str, number: int | None = None) -> tuple[str, Draft] | None:
        """The name of a draft and a version of it: the last, unless one is named."""
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
        """Puts a draft away, or takes it out again."""
        self._set(key, own, "away", int(away))

    def _set(self, key: str, own: str, column: str, value: object) -> None:
        row = (value, fingerprint(key), own)
        self._opened().execute(f"UPDATE own_drafts SET {column} = ? WHERE key = ? AND id = ?", row)

    def delete(self, key: str, own: str) -> None:
        """Deletes a draft that was put away, for good."""
        row, base = (fingerprint(key), own), self._opened()
        with base.change():
            found = base.execute("SELECT away FROM own_drafts WHERE key = ? AND id = ?", row)
            if found and found[0][0]:
                base.execute("DELETE FROM draft_versions WHERE key = ? AND id = ?", row)
                base.execute("DELETE FROM own_drafts WHERE key = ? AND id = ?", row)

    def join(self, key: str, other: str) -> None:
        """Copies the drafts of another key to a key, but for those it has. Raises Full, and then
        nothing is copied."""
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
