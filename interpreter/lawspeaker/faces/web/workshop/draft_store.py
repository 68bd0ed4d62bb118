"""Drafts that are shared by link, in a database: texts only, of bounded size and number.

A link to a draft is as hard to guess as one to a seat, and is not stored either, only its
fingerprint. What is kept is never changed: who edits a shared draft and shares it again gets
another link.

A file that a later version has written is left alone, as the tables are: it is not even opened for
writing.
"""

from __future__ import annotations

import json
from pathlib import Path

from lawspeaker.faces.web.database import Database, NotKept, Place, Schema, opened
from lawspeaker.faces.web.messages import BadMessage
from lawspeaker.faces.web.seats import fingerprint, new_token
from lawspeaker.faces.web.workshop.drafts import Draft, draft

FILE = "drafts.sqlite3"
MOST_DRAFTS = 20_000

SCHEMA = Schema(
    "drafts",
    1,
    """
CREATE TABLE IF NOT EXISTS drafts (
    fingerprint BLOB PRIMARY KEY,
    draft       TEXT NOT NULL
) WITHOUT ROWID
""",
    {},
)


class Full(Exception):
    """No more drafts are kept here; the message is for people."""


class Drafts:
    """The drafts at a place. In a folder the file is made with the first draft."""

    def __init__(self, place: Place, most: int = MOST_DRAFTS) -> None:
        self.place = place
        self.most = most
        self._base: Database | None = None

    def add(self, kept: Draft) -> str:
        """Keeps a draft; gives the token of its link. Raises Full or NotKept."""
        token = new_token()
        text = json.dumps(kept.to_json(), ensure_ascii=False)
        base = self._opened()
        ((count,),) = base.execute("SELECT count(*) FROM drafts")
        if count >= self.most:
            raise Full("there are too many drafts here already; download yours instead")
        base.execute("INSERT INTO drafts VALUES (?, ?)", (fingerprint(token), text))
        return token

    def get(self, token: str) -> Draft | None:
        """The draft a link leads to, if any; raises NotKept."""
        if isinstance(self.place, Path) and not (self.place / FILE).exists():
            return None
        base = self._opened()
        row = base.execute("SELECT draft FROM drafts WHERE fingerprint = ?", (fingerprint(token),))
        try:
            return draft(json.loads(row[0][0])) if row else None
        except (ValueError, TypeError, AttributeError, BadMessage):
            raise NotKept(f"a draft in {base.where} is damaged") from None

    def close(self) -> None:
        if self._base is not None:
            self._base.close()
            self._base = None

    def _opened(self) -> Database:
        if self._base is None:
            self._base = opened(self.place, SCHEMA)
        return self._base
