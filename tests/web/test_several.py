"""Processes that share tables: one of them plays each, whoever is asked; and nothing is lost when
one of them is killed. Everything holds in a folder and in a PostgreSQL database."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import WebSocketException

from lawspeaker.faces.web.database import NotKept, Place
from lawspeaker.faces.web.pace import ChatLine as TalkLine
from lawspeaker.faces.web.peers import Elsewhere, Peer, Peers
from lawspeaker.faces.web.relaying import MOVED, MessageStream
from lawspeaker.faces.web.seats import Link, Seat, links, new_token
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import KeptReply, KeptTable, Store
from lawspeaker.faces.web.workshop.draft_store import Drafts
from lawspeaker.faces.web.workshop.drafts import Draft
from lawspeaker.match.log import RuleFile
from tests.tiers import NIGHTLY
from tests.web import loops
from tests.web.conftest import PATIENCE, House, Served
from tests.web.database_server import database_server
from tests.web.visitors import Screen, everyone, set_up

TABLE = KeptTable("d" * 64, "duel", 2**62 - 1, "quick", "en", (Seat(True, nick="Änn"),))
FILES = (RuleFile("game.yaml", "game: duel — ü"),)
KILLS = 20 if NIGHTLY else 1

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("several")]


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with database_server() as address:
        yield address


@pytest.fixture(params=["folder", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty place for tables."""
    if request.param == "folder":
        (tmp_path / "data").mkdir(mode=0o700)
        return tmp_path / "data"
    import psycopg

    address: str = request.getfixturevalue("postgres")
    with psycopg.connect(address, autocommit=True) as base:
        base.execute("DROP SCHEMA public CASCADE")
        base.execute("CREATE SCHEMA public")
    return address


def sharing(place: Place) -> Store:
    return Store(place, Peer.new("127.0.0.1:1"), alone=False)


def test_what_is_kept_is_there_for_others(place: Place) -> None:
    one, other = sharing(place), sharing(place)
    number = one.add_table(TABLE, FILES, links(host := new_token(), [0], []))
    replies = [KeptReply(0, at, f"move {at}") for at in range(4)]
    for at, reply in enumerate(replies):
        one.add_reply(number, at, reply)
    one.take_back(number, 3)
    assert other.table(number) == TABLE
    assert other.replies(number) == replies[:3]
    assert other.files(TABLE.digest) == FILES
    assert other.link(host) == Link(number, "host", (0,))
    assert (other.count(), other.count_rules()) == (1, 1)
    with pytest.raises(NotKept):
        one.add_table(TABLE, FILES, {host: Link(0, "watch")})
    assert other.count() == 1, "whole or not at all"
    one.close()
    other.close()


def test_a_table_is_played_by_one_at_a_time(place: Place) -> None:
    one, other = sharing(place), sharing(place)
    number = one.add_table(TABLE, FILES, {})
    assert other.peers.owner(number) == one.peers.me
    assert one.peers.owner(number) is None
    with pytest.raises(Elsewhere):
        other.peers.claim(number)
    with pytest.raises(Elsewhere):
        other.add_reply(number, 0, KeptReply(0, 0, "a"))
    one.peers.release(number)
    other.peers.claim(number)
    with pytest.raises(Elsewhere):
        one.add_reply(number, 0, KeptReply(0, 0, "a"))
    other.add_reply(number, 0, KeptReply(0, 0, "b"))
    assert one.replies(number) == [KeptReply(0, 0, "b")]
    other.close()
    one.peers.claim(number)
    one.close()


def test_who_does_not_say_that_he_is_there_loses_his_tables(place: Place) -> None:
    """And whatever he writes later is refused: he may have slept, and others have gone on."""
    sleeper, other = sharing(place), sharing(place)
    brief = Peers(sleeper._base, sleeper.peers.me, lasts=-1.0)
    number = sleeper.add_table(TABLE, FILES, {})
    brief.stay()
    assert other.peers.owner(number) is None
    other.peers.claim(number)
    brief.stay()
    with pytest.raises(Elsewhere):
        sleeper.add_reply(number, 0, KeptReply(0, 0, "late"))
    assert not other.replies(number)
    other.close()
    sleeper.close()


def test_tables_of_others_are_not_deleted(place: Place) -> None:
    one, other = sharing(place), sharing(place)
    number = one.add_table(TABLE, FILES, {})
    one._base.execute("UPDATE tables SET touched = '2001-01-01'")
    for day in ("2001-01-01", "2001-01-02", "2001-01-03"):
        one._base.execute("INSERT INTO days VALUES (?)", (day,))
    assert other.forget(1, 1) == 0
    one.close()
    assert other.forget(1, 1) == 1
    assert other.table(number) is None
    other.close()


def test_a_later_version_is_left_alone(place: Place) -> None:
    store = sharing(place)
    later = "PRAGMA user_version = 99"
    store._base.execute(later if isinstance(place, Path) else "UPDATE versions SET version = 99")
    store.close()
    with pytest.raises(NotKept, match="version 99"):
        sharing(place)


def test_drafts_are_there_for_others(place: Place) -> None:
    kept = Draft("duel", FILES)
    drafts = Drafts(place)
    token = drafts.add(kept)
    assert Drafts(place).get(token) == kept
    assert Drafts(place).get(new_token()) is None


def test_what_belongs_to_a_key_is_there_for_others(place: Place) -> None:
    one, other = sharing(place), sharing(place)
    key, second = new_token(), new_token()
    number = one.add_table(TABLE, FILES, links(host := new_token(), [0], []))
    for _ in range(2):
        one.gather(key, host, Link(number, "host", (0,)), most_keys=5)
    (found,) = other.home(key)
    assert (found.token, found.link.table, found.seats) == (host, number, TABLE.seats)
    assert other.home(second) == []
    lines = [one.add_line(number, TalkLine(0, 0, 7, "said", f"{at}"), most=2) for at in range(4)]
    assert other.lines(number) == lines[2:]
    other.take_out(key, host)
    assert one.home(key) == []
    drafts, elsewhere = Drafts(place), Drafts(place)
    for at in range(2):
        drafts.save(
            key, "abcdefgh1234", f"name {at}", Draft("duel", (RuleFile("a.yaml", f"{at}"),))
        )
    assert [(each.name, each.away) for each in elsewhere.listed(key)] == [("name 1", False)]
    opened = elsewhere.opened(key, "abcdefgh1234")
    assert opened is not None
    assert opened[1].files[0].text == "1"
    drafts.join(second, key)
    assert len(elsewhere.listed(second)) == 1
    drafts.put_away(key, "abcdefgh1234", True)
    drafts.delete(key, "abcdefgh1234")
    assert elsewhere.listed(key) == []
    assert len(elsewhere.versions(second, "abcdefgh1234")) >= 1
    one.close()
    other.close()


@pytest.fixture
def houses(place: Place, settings: Settings) -> Iterator[list[House]]:
    """Two servers in this process that share their tables."""
    with ExitStack() as stack:
        shared = replace(settings, data=place, inside="127.0.0.1")
        yield [House(shared, stack) for _ in range(2)]


def test_whoever_is_asked_it_is_the_same_table(houses: list[House]) -> None:
    here, there = houses
    host = set_up(here.post)
    screen = here.connect(host)
    friend = there.connect(everyone(host, screen.shown)[1])
    watcher = there.connect(everyone(host, screen.shown)[None])
    assert not there.web.channels, "it is played in one place"
    assert there.client.get(f"/api/log/{host}").status_code == 403
    for _ in range(2):
        asked = screen if screen.asked else friend
        at = asked.reply()["at"]
        for each in (screen, friend, watcher):
            each.see_at(at)
    assert there.get(f"/api/scene/{host}")["at"] == at
    friend.leave()
    screen.see(lambda shown: not shown["table"]["seats"][1]["here"])


def test_a_table_goes_on_where_it_is_asked_for(houses: list[House]) -> None:
    """When it was taken away from its process, another plays it, and people are led there."""
    here, there = houses
    host = set_up(here.post, seats=("me", "me"))
    screen = here.connect(host)
    (number,) = here.web.registry._open
    there.web.registry.store.peers.leave(here.web.registry.relay.me.id)
    elsewhere = there.connect(host)
    assert list(there.web.registry._open) == [number]
    screen.say("face", seat=elsewhere.shown["curtain"])
    screen.see(lambda shown: shown["seat"] is not None)
    screen.say("reply", number=0, ask=screen.shown["ask"])
    with pytest.raises(WebSocketDisconnect) as gone:
        screen.hear_until(lambda message: False)
    assert gone.value.code == MOVED
    here.web.registry.store.peers.stay()
    assert here.connect(host).shown["at"] == 0, "what was written too late is not there"
    assert not here.web.registry._open


def test_tables_of_who_was_killed_are_free_as_soon_as_somebody_asks(houses: list[House]) -> None:
    here, there = houses
    host = set_up(here.post)
    (number,) = here.web.registry._open
    store = there.web.registry.store
    store.peers.leave(here.web.registry.relay.me.id)
    with socket.create_server(("127.0.0.1", 0)) as door:
        address = f"127.0.0.1:{door.getsockname()[1]}"
    killed = Peers(store.peers._base, Peer.new(address), lasts=1000)
    killed.join(alone=False)
    killed.claim(number)
    assert store.peers.owner(number) == killed.me
    assert there.get(f"/api/scene/{host}")["at"] == 0
    assert list(there.web.registry._open) == [number]
    assert store.peers.owner(number) is None


def test_a_line_needs_the_secret(houses: list[House]) -> None:
    here, _ = houses
    relay = here.web.registry.relay

    async def ask(secret: str) -> str:
        line = await MessageStream.to(relay.me.address)
        scope = {"type": "http", "method": "GET", "path": "/healthz", "headers": []}
        more = {"query_string": b"", "scheme": "http", "server": ["localhost", 80]}
        await line.send({"secret": secret, "scope": {**scope, **more}})
        try:
            return str((await line.receive())["type"])
        except EOFError:
            return "nothing"
        finally:
            await line.close()

    def asked(secret: str) -> str:
        # In a thread of its own: a browser test before this one leaves a loop in this thread.
        with ThreadPoolExecutor(1) as alone:
            return alone.submit(asyncio.run, ask(secret)).result()

    assert asked(relay.me.secret) == "http.response.start"
    assert asked("a guess") == "nothing"


def child_processes(served: Served) -> list[int]:
    """The processes of a server that take visitors in."""
    assert served.process is not None
    own = Path(f"/proc/{served.process.pid}/task/{served.process.pid}/children")
    if not own.exists():
        pytest.skip("this system does not tell which processes a server has")
    found = []
    for each in own.read_text(encoding="ascii").split():
        with_arguments = Path(f"/proc/{each}/cmdline").read_bytes()
        if b"spawn_main" in with_arguments:
            found.append(int(each))
    return found


@pytest.mark.parametrize("kind", ["folder", "postgres"])
def test_a_process_that_is_killed_loses_nothing(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    shared = ("--data", request.getfixturevalue("postgres")) if kind == "postgres" else ()
    served = Served(tmp_path / "data", ("--processes", "2", "--pace", "0", *shared))
    try:
        tables = {set_up(served.post, seats=("me", "me")): 0 for _ in range(4)}
        for _ in range(KILLS):
            for host, at in tables.items():
                screen = reconnect(served, host)
                assert screen.shown["at"] == at
                tables[host] = reply(screen)
            before = child_processes(served)
            os.kill(before[0], signal.SIGKILL)
            deadline = time.monotonic() + 10 * PATIENCE
            while before[0] in child_processes(served) or len(child_processes(served)) < 2:
                assert time.monotonic() < deadline
                time.sleep(0.05)
        for host, at in tables.items():
            assert reconnect(served, host).shown["at"] == at
        assert served.stop() == 0
    finally:
        served.close()


def reconnect(served: Served, host: str) -> Screen:
    """A screen, as a browser gets it that comes again until it is let in."""
    deadline = time.monotonic() + 10 * PATIENCE
    while True:
        try:
            return served.connect(host)
        except (WebSocketException, OSError, HTTPError):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def reply(screen: Screen) -> int:
    if screen.shown["table"]["finished"]:
        return int(screen.shown["at"])
    screen.look()
    return int(screen.reply()["at"])


@pytest.mark.parametrize(
    "message",
    [
        {"type": "websocket.send", "text": 'Völuspá "\n'},
        {"type": "websocket.send", "text": ""},
        {"type": "websocket.send", "bytes": b"\x00\xff"},
        {"type": "websocket.close", "code": 1000},
        {"type": "http.response.body", "body": b"\xff", "more_body": True},
        {"secret": "s", "scope": {"path": "/"}},
    ],
    ids=["text", "empty", "bytes", "close", "body", "first"],
)
def test_a_message_goes_over_a_line_as_it_is(message: dict[str, Any]) -> None:
    async def passed_on() -> None:
        here, there = socket.socketpair()
        one = MessageStream(*await asyncio.open_connection(sock=here))
        other = MessageStream(*await asyncio.open_connection(sock=there))
        await one.send(message)
        assert await other.receive() == message
        await one.close()
        await other.close()

    loops.run(passed_on())
