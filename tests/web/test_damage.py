"""Disks fail, fill up, and are restored: one table says so, and all others go on."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from lawspeaker.faces.web.app import STOPPED
from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.seats import links, new_token
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import FILE, Broken, KeptReply, Store
from tests.tiers import pick
from tests.web.conftest import House, Served
from tests.web.test_store import FILES, TABLE
from tests.web.visitors import Message, Screen, set_up

TABLES = 6
FLIPS = pick(test=100, full=100, nightly=300)


def facing(screen: Screen) -> Screen:
    """A screen of several people, one of whom looks at it now."""
    screen.look()
    return screen


def reply_at(house: House | Served, token: str) -> int:
    """Gives a reply at a table; gives how many there are then."""
    at: int = facing(house.connect(token)).reply()["at"]
    return at


@pytest.fixture
def two_tables(settings: Settings) -> list[str]:
    """A table that will be damaged, and another one."""
    with ExitStack() as stack:
        house = House(settings, stack)
        hosts = [set_up(house.post, "nim", ("me", "me"), language="it") for _ in range(2)]
        for host in hosts:
            assert reply_at(house, host) == 1
    return hosts


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tables SET seats = 'nonsense'",
        "UPDATE tables SET seats = '[{\"person\": 3}]'",
        "UPDATE tables SET seats = '[]'",
        "UPDATE tables SET seed = 'seven'",
        "UPDATE tables SET seed = seed + 1",
        "UPDATE tables SET seed = x'00'",
        "UPDATE tables SET digest = 'nothing'",
        "UPDATE tables SET discretion = 'loud'",
        "UPDATE tables SET proposal = '{'",
        "UPDATE tables SET rules = x'ff'",
        "UPDATE replies SET choice = 'sing'",
        "UPDATE replies SET seat = 9",
        "UPDATE replies SET seat = 'x'",
        "UPDATE replies SET number = 5",
        "UPDATE links SET seats = '[7]'",
        "UPDATE links SET seats = '[\"a\"]'",
        "UPDATE links SET seats = '['",
        "UPDATE links SET role = 'king'",
    ],
)
def test_a_damaged_row_is_one_table_that_says_so(
    settings: Settings,
    two_tables: list[str],
    damage: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second = two_tables
    column = "id" if "tables" in damage else "tab"
    with closing(sqlite3.connect(Path(settings.data) / FILE)) as base, base:
        base.execute(f"{damage} WHERE {column} = 1")
    with ExitStack() as stack:
        house = House(settings, stack)
        screen = house.open(first, "?language=it")
        told = screen.hear()
        assert (told["type"], told["code"]) == ("error", "broken")
        assert "danneggiato" in told["message"]
        with pytest.raises(WebSocketDisconnect) as ended:
            screen.hear()
        assert ended.value.code == STOPPED
        answer = house.client.get(f"/api/scene/{first}?language=de")
        assert answer.status_code == 410
        assert "beschädigt" in answer.json()["error"]["message"]
        assert reply_at(house, second) == 2
        assert set_up(house.post, "nim", ("me", "me"))
    assert all(record.exc_info is None for record in caplog.records)
    assert any(record.levelno >= logging.ERROR for record in caplog.records)


def test_a_damaged_table_speaks_its_own_language(settings: Settings, two_tables: list[str]) -> None:
    with closing(sqlite3.connect(Path(settings.data) / FILE)) as base, base:
        base.execute("UPDATE replies SET choice = 'sing' WHERE tab = 1")
    with ExitStack() as stack:
        screen = House(settings, stack).open(two_tables[0])
        assert "danneggiato" in screen.hear()["message"]


def test_damaged_rules_are_not_played(settings: Settings, two_tables: list[str]) -> None:
    with closing(sqlite3.connect(Path(settings.data) / FILE)) as base, base:
        base.execute("UPDATE rules SET files = replace(files, '[3, 4, 5]', '[3, 4, 6]')")
    with ExitStack() as stack:
        house = House(settings, stack)
        assert house.client.get(f"/api/scene/{two_tables[0]}").status_code == 410
        assert house.client.get("/healthz").status_code == 200


# -------------------------------------------------------------------- bytes


def filled(folder: Path) -> dict[str, list[KeptReply]]:
    """A database with some tables; gives their replies by the token of the host."""
    store = Store(folder)
    found: dict[str, list[KeptReply]] = {}
    for _ in range(TABLES):
        number = store.add_table(TABLE, FILES, links(host := new_token(), [0], [1]))
        found[host] = [KeptReply(at % 2, at, f"move {at}") for at in range(40)]
        for at, reply in enumerate(found[host]):
            store.add_reply(number, at, reply)
    store.close()
    return found


def read_tables(folder: Path, hosts: dict[str, list[KeptReply]]) -> list[str]:
    """Table by table, what is read of it, or that it cannot be read; nothing if the whole file is
    refused. Whatever else is raised is a mistake."""
    try:
        store = Store(folder)
    except NotKept:
        return []
    with closing(store):
        found = [_read(store, host) for host in hosts]
        with suppress(NotKept):
            store.add_table(TABLE, FILES, links(new_token(), [0], []))
        return found


def _read(store: Store, host: str) -> str:
    try:
        link = store.link(host)
        table = None if link is None else store.table(link.table)
        if link is None or table is None:
            return "gone"
        return repr((table, store.files(table.digest), store.replies(link.table)))
    except Broken:
        return "broken"


@pytest.mark.full
def test_damaged_bytes_are_never_more_than_tables_that_cannot_be_read(tmp_path: Path) -> None:
    """Whatever byte is damaged, no table but one is hurt, most of the time."""
    hosts = filled(tmp_path / "sound")
    content = (tmp_path / "sound" / FILE).read_bytes()
    sound = read_tables(tmp_path / "sound", hosts)
    assert len(set(sound)) == 1
    assert "move 39" in sound[0]
    luck, hurt = Random(1), []
    for number in range(FLIPS):
        changed = bytearray(content)
        changed[luck.randrange(len(content))] ^= 1 << luck.randrange(8)
        folder = tmp_path / f"damaged{number}"
        folder.mkdir()
        (folder / FILE).write_bytes(changed)
        found = read_tables(folder, hosts)
        hurt.append(sum(was != now for was, now in zip(sound, found, strict=False)))
        shutil.rmtree(folder)
    assert sum(many <= 1 for many in hurt) > FLIPS // 2
    assert any(hurt)


@pytest.mark.parametrize("part", [0.01, 0.3, 0.6, 0.95])
def test_a_file_that_was_cut_short_says_so(tmp_path: Path, part: float) -> None:
    hosts = filled(tmp_path)
    content = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(content[: int(len(content) * part)])
    found = read_tables(tmp_path, hosts)
    assert not found or "broken" in found


# -------------------------------------------------------------------- copies


def test_an_older_copy_goes_on_from_where_it_was_made(settings: Settings, tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = House(settings, stack)
        host = set_up(house.post, "nim", ("me", "me"))
        assert reply_at(house, host) == 1
    shutil.copytree(settings.data, tmp_path / "copy")
    with ExitStack() as stack:
        house = House(settings, stack)
        assert reply_at(house, host) == 2
        later = set_up(house.post, "nim", ("me", "me"))
    shutil.rmtree(settings.data)
    shutil.copytree(tmp_path / "copy", settings.data)
    with ExitStack() as stack:
        house = House(settings, stack)
        assert house.client.get(f"/t/{later}").status_code == 404
        assert reply_at(house, host) == 2, "it is another second reply, and counts"


# -------------------------------------------------------------------- a disk that is full


def _after(screen: Screen, at: int, kind: str, **fields: Any) -> Message:
    """What is told after something was said: that there are so many replies now, or a refusal."""
    screen.say(kind, **fields)
    return screen.hear_until(lambda told: told["type"] == "refused" or told.get("at") == at)


@pytest.mark.full
def test_on_a_full_disk_nothing_counts_that_was_not_kept(serve: Callable[..., Served]) -> None:
    """A file of the server may not grow beyond some blocks: what was told is there, and no more."""
    served = serve(limits="-f 300")
    host = set_up(served.post, "nim", ("me", "me"), seed=1)
    screen = facing(served.connect(host))
    at = 0
    while True:
        told = _after(screen, at + 1, "reply", number=0, ask=screen.shown["ask"])
        if told["type"] == "refused":
            break
        at += 1
        told = _after(screen, at - 1, "undo", anyway=True)
        if told["type"] == "refused":
            break
        at -= 1
        facing(screen)
    assert told["why"]["code"] == "not_kept"
    assert served.get("/healthz") == {"ok": True}
    assert served.connect(host).shown["at"] == at
    assert "Traceback" not in served.complaints()
    served.limits = ""
    served.restart()
    screen = facing(served.connect(host))
    assert screen.shown["at"] == at
    assert screen.reply()["at"] == at + 1, "with room on the disk it goes on"


def test_a_write_that_fails_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    number = store.add_table(TABLE, FILES, {})

    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(store, "_add_link", full)
        with pytest.raises(NotKept, match="disk is full"):
            store.add_table(TABLE, FILES, links(new_token(), [0], []))
    assert store.count() == 1
    store.add_reply(number, 0, KeptReply(0, 0, "a"))
    assert store.replies(number) == [KeptReply(0, 0, "a")]
    store.close()
