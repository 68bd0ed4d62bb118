"""Drafts that are kept for their links."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.workshop.draft_store import FILE, SCHEMA, Drafts, Full
from lawspeaker.faces.web.workshop.drafts import Draft
from lawspeaker.match.log import RuleFile

KEPT = Draft("nim", (RuleFile("my_rule.yaml", "rules: {}\n", ()),))


def execute_sql(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as base, base:
        base.execute(statement)


def test_a_draft_comes_back_by_its_link_alone(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path, most=2)
    assert drafts.get("nobody has this link") is None
    assert not (tmp_path / FILE).exists()
    token = drafts.add(KEPT)
    drafts.close()
    again = Drafts(tmp_path, most=2)
    assert again.get(token) == KEPT
    assert token.encode() not in (tmp_path / FILE).read_bytes()
    again.add(KEPT)
    with pytest.raises(Full):
        again.add(KEPT)
    again.close()


def test_drafts_of_a_later_version_are_left_alone(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    token = drafts.add(KEPT)
    drafts.close()
    execute_sql(tmp_path, f"PRAGMA user_version = {SCHEMA.version + 8}")
    before = (tmp_path / FILE).read_bytes()
    later = Drafts(tmp_path)
    for use in (lambda: later.get(token), lambda: later.add(KEPT)):
        with pytest.raises(NotKept, match=f"version {SCHEMA.version + 8}"):
            use()
    assert (tmp_path / FILE).read_bytes() == before


def test_drafts_without_a_version_are_those_of_the_first(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    token = drafts.add(KEPT)
    drafts.close()
    execute_sql(tmp_path, "PRAGMA user_version = 0")
    assert Drafts(tmp_path).get(token) == KEPT
    with closing(sqlite3.connect(tmp_path / FILE)) as base:
        assert base.execute("PRAGMA user_version").fetchone() == (SCHEMA.version,)


@pytest.mark.parametrize("row", ["'{'", "'7'", "'[]'", "'{\"files\": 3}'", "x'ff00ff'", "9"])
def test_a_damaged_draft_says_so(tmp_path: Path, row: str) -> None:
    drafts = Drafts(tmp_path)
    token, other = drafts.add(KEPT), drafts.add(KEPT)
    drafts.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as base, base:
        (first,) = base.execute("SELECT fingerprint FROM drafts LIMIT 1").fetchone()
        base.execute(f"UPDATE drafts SET draft = {row} WHERE fingerprint = ?", (first,))
    told = 0
    for each in (token, other):
        try:
            assert Drafts(tmp_path).get(each) == KEPT
        except NotKept as error:
            told += "damaged" in str(error)
    assert told == 1
