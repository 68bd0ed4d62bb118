"""Drafts that are shared by link, in SQLite: texts only, of bounded size and number.

A link to a draft is as hard to guess as one to a seat, and is not stored either, only its
fingerprint. What is kept is never changed: who edits a shared draft and shares it again gets
another link.

A file that a later version has written is left alone, as the tables are: it is not even opened for
writing. Files of the first version have no number of their own.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from lawspeaker.faces.web.messages import BadMessage
from lawspeaker.faces.web.seats import fingerprint, new_token
from lawspeaker.faces.web.store import NotKept
from lawspeaker.faces.web.workshop.drafts import Draft, draft

VERSION = 1
FILE = "drafts.sqlite3"
MOST_DRAFTS = 20_000

_SCHEMA = """
CREATE TABLE IF NOT EXISTS drafts (
    fingerprint BLOB PRIMARY KEY,
    draft       TEXT NOT NULL
) WITHOUT ROWID
"""


class Full(Exception):
    """No more drafts are kept here; the message is for people."""


class Drafts:
    """All calls must come from one thread at a time; the file is made with the first draft."""

    def __init__(self, folder: Path, most: int = MOST_DRAFTS) -> None:
        self.file = folder / FILE
        self.most = most
        self._base: sqlite3.Connection | None = None

    def add(self, kept: Draft) -> str:
        """Keeps a draft; gives the token of its link. Raises Full or NotKept."""
        token = new_token()
        text = json.dumps(kept.to_json(), ensure_ascii=False)
        try:
            base = self._opened()
            (count,) = base.execute("SELECT count(*) FROM drafts").fetchone()
            if count >= self.most:
                raise Full("there are too many drafts here already; download yours instead")
            base.execute("INSERT INTO drafts VALUES (?, ?)", (fingerprint(token), text))
        except (OSError, sqlite3.Error) as error:
            raise NotKept(f"cannot keep drafts in '{self.file}': {error}") from None
        return token

    def get(self, token: str) -> Draft | None:
        """The draft a link leads to, if any."""
        if not self.file.exists():
            return None
        try:
            row = (
                self._opened()
                .execute("SELECT draft FROM drafts WHERE fingerprint = ?", (fingerprint(token),))
                .fetchone()
            )
        except (OSError, sqlite3.Error) as error:
            raise NotKept(f"cannot read the drafts in '{self.file}': {error}") from None
        try:
            return None if row is None else draft(json.loads(row[0]))
        except (ValueError, TypeError, AttributeError, BadMessage):
            raise NotKept(f"a draft in '{self.file}' is damaged") from None

    def close(self) -> None:
        if self._base is not None:
            self._base.close()
            self._base = None

    def _opened(self) -> sqlite3.Connection:
        if self._base is None:
            self.file.touch(mode=0o600)
            base = sqlite3.connect(self.file, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(base)
            except BaseException:
                base.close()
                raise
            self._base = base
        return self._base

    def _prepare(self, base: sqlite3.Connection) -> None:
        (version,) = base.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise NotKept(
                f"'{self.file}' has version {version} of the drafts, and this program knows "
                f"version {VERSION}; name another folder with --data"
            )
        base.execute("PRAGMA journal_mode = WAL")
        base.execute(_SCHEMA)
        if version < VERSION:
            base.execute(f"PRAGMA user_version = {VERSION}")
