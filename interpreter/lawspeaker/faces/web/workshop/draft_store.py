"""Drafts that are shared by link, in SQLite: texts only, of bounded size and number.

A link to a draft is as hard to guess as one to a seat, and is not stored either, only its
fingerprint. What is kept is never changed: who edits a shared draft and shares it again gets
another link.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from lawspeaker.faces.web.seats import fingerprint, new_token
from lawspeaker.faces.web.store import NotKept
from lawspeaker.faces.web.workshop.drafts import Draft, draft

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
        return None if row is None else draft(json.loads(row[0]))

    def close(self) -> None:
        if self._base is not None:
            self._base.close()
            self._base = None

    def _opened(self) -> sqlite3.Connection:
        if self._base is None:
            self.file.touch(mode=0o600)
            self._base = sqlite3.connect(self.file, isolation_level=None, check_same_thread=False)
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute(_SCHEMA)
        return self._base
