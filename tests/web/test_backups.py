"""Backups: made while people play, whole or not there, and put back only where no server runs."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.faces.web.backups import back_up, restore
from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.seats import links, new_token
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import FILE, SCHEMA, KeptReply, Store
from lawspeaker.faces.web.workshop.draft_store import Drafts
from lawspeaker.faces.web.workshop.drafts import Draft
from tests.web.conftest import House
from tests.web.test_store import FILES, TABLE
from tests.web.visitors import everyone, play_on, set_up


def run_command(*words: object) -> tuple[int, str]:
    answer = CliRunner().invoke(app, [str(each) for each in words])
    return answer.exit_code, answer.output


def test_a_game_goes_on_from_a_backup_that_was_made_while_it_was_played(
    settings: Settings, tmp_path: Path
) -> None:
    data, copy, other = settings.data, tmp_path / "copy", tmp_path / "other"
    assert isinstance(data, Path)
    with ExitStack() as stack:
        house = House(settings, stack)
        host = set_up(house.post, "nim", ["me", "friend"])
        found = everyone(host, house.connect(host).shown)
        screens = {seat: house.connect(found[seat]) for seat in (0, 1)}
        play_on(screens, 2)
        draft = house.web.workshop.drafts.add(Draft("nim", FILES[:1]))
        code, said = run_command("backup", copy, "--data", data)
        assert (code, said.startswith("1 table, 0.")) == (0, True)
        play_on(screens)
        assert "another server has the tables" in run_command("restore", copy, "--data", data)[1]
    assert sorted(each.name for each in copy.iterdir()) == ["drafts.sqlite3", FILE]
    assert {stat.S_IMODE(each.stat().st_mode) for each in copy.iterdir()} == {0o600}
    assert run_command("restore", copy, "--data", other)[0] == 0
    with ExitStack() as stack:
        house = House(replace(settings, data=other), stack)
        again = {seat: house.connect(screen.token) for seat, screen in screens.items()}
        assert {screen.shown["at"] for screen in again.values()} == {2}
        play_on(again)
    drafts = Drafts(other)
    assert drafts.get(draft) == Draft("nim", FILES[:1])
    drafts.close()


def test_what_is_written_meanwhile_is_in_it_whole_or_not_at_all(tmp_path: Path) -> None:
    """A table has its links, and replies are there up to some one of them."""
    store, stopped = Store(tmp_path / "data"), Event()

    def write() -> None:
        while not stopped.is_set():
            number = store.add_table(TABLE, FILES, links(new_token(), [0], []))
            for at in range(5):
                store.add_reply(number, at, KeptReply(0, at, "x"))

    writing = Thread(target=write)
    writing.start()
    try:
        for each in range(3):
            back_up(tmp_path / "data", tmp_path / str(each))
    finally:
        stopped.set()
        writing.join()
        store.close()
    for each in range(3):
        with closing(sqlite3.connect(tmp_path / str(each) / FILE)) as base:
            assert not base.execute("PRAGMA foreign_key_check").fetchall()
            counts = base.execute("SELECT max(number) + 1 = count(*) FROM replies GROUP BY tab")
            assert {gapless for (gapless,) in counts} <= {1}
            unlinked = "SELECT count(*) FROM tables WHERE id NOT IN (SELECT tab FROM links)"
            assert base.execute(unlinked).fetchone() == (0,)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a table in it."""
    store = Store(tmp_path / "data")
    store.add_table(TABLE, FILES, {})
    store.close()
    return tmp_path / "data"


def test_what_was_there_is_moved_aside(data: Path, tmp_path: Path) -> None:
    back_up(data, tmp_path / "copy")
    store = Store(data)
    store.add_table(TABLE, FILES, {})
    store.close()
    code, said = run_command("restore", tmp_path / "copy", "--data", data)
    assert (code, "say --replace" in said) == (1, True)
    code, said = run_command("restore", tmp_path / "copy", "--data", data, "--replace")
    assert (code, said.count("before-1")) == (0, 1)
    for folder, count in ((data, 1), (data / "before-1", 2)):
        store = Store(folder)
        assert store.count() == count
        store.close()


def test_a_bad_backup_changes_nothing(data: Path, tmp_path: Path) -> None:
    back_up(data, copy := tmp_path / "copy")
    before = (data / FILE).read_bytes()
    whole = (copy / FILE).read_bytes()
    (copy / FILE).write_bytes(whole[:4096] + os.urandom(len(whole) - 4096))
    with pytest.raises(NotKept, match="damaged|malformed"):
        restore(copy, data, replace=True)
    (copy / FILE).write_bytes(whole)
    with closing(sqlite3.connect(copy / FILE)) as base:
        base.execute(f"PRAGMA user_version = {SCHEMA.version + 1}")
    with pytest.raises(NotKept, match=f"version {SCHEMA.version + 1}"):
        restore(copy, data, replace=True)
    assert (data / FILE).read_bytes() == before
    assert not (data / "before-1").exists()


def test_a_damaged_folder_makes_no_backup(data: Path, tmp_path: Path) -> None:
    whole = (data / FILE).read_bytes()
    (data / FILE).write_bytes(whole[:8192] + os.urandom(len(whole) - 8192))
    with pytest.raises(NotKept):
        back_up(data, tmp_path / "copy")
    assert not list((tmp_path / "copy").iterdir())


def test_wrong_calls_are_answered(data: Path, tmp_path: Path) -> None:
    back_up(data, copy := tmp_path / "copy")
    assert "is there already" in run_command("backup", copy, "--data", data)[1]
    assert (
        "there are no tables in" in run_command("backup", tmp_path / "new", "--data", tmp_path)[1]
    )
    assert "there are no tables in" in run_command("restore", tmp_path, "--data", data)[1]
    code, said = run_command("backup", tmp_path / "new", "--data", "postgresql://here/tables")
    assert (code, "`pg_dump " in said) == (2, True)
    assert not (tmp_path / "new").exists()
