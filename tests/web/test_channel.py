"""What must not get lost between the event loop and the game thread."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import lawspeaker
from lawspeaker.faces.web.channel import TOGETHER, Channel, Connection, NotDrawn
from lawspeaker.faces.web.game_in_play import GameInPlay
from lawspeaker.faces.web.guests import Guests
from lawspeaker.faces.web.mailing import Mailing
from lawspeaker.faces.web.pushing import Pushing
from lawspeaker.faces.web.seats import Link, Seat
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import KeptTable, Store
from lawspeaker.faces.web.table_registry import TableRegistry
from lawspeaker.faces.web.tables import Table
from tests.web import loops


class Interrupted:
    """A registry in whose game thread things happen while something is drawn."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], object] = lambda: None
        self.guests = Guests()
        self.mailing = Mailing(None)
        self.pushing = Pushing()
        self.settings = Settings(Path())

    async def at(self, table: Table, job: Callable[..., Any], *args: Any) -> Any:
        done = job(*args)
        self.meanwhile()
        return done


def test_what_changes_while_a_screen_is_drawn_is_news_again(tmp_path: Path) -> None:
    registry, table = Interrupted(), _table(tmp_path)
    channel = Channel(cast(TableRegistry, registry), table)

    async def looked() -> None:
        connection = _connected(channel, 0, 1)
        registry.meanwhile = lambda: _open_the_curtain(channel, connection)
        first = json.loads(await channel.news(connection) or "")
        registry.meanwhile = lambda: None
        second = json.loads(await channel.news(connection) or "")
        assert first["seat"] is None
        assert second["seat"] == first["curtain"]
        assert await channel.news(connection) is None, "and then nothing is new"

    loops.run(looked())
    table._store.close()


def test_all_who_wait_get_their_pictures_at_once(tmp_path: Path) -> None:
    """One that cannot be drawn keeps nobody else from his, and of many some wait for the next
    time, so that other tables have their turn."""
    registry, table = Interrupted(), _table(tmp_path)
    channel = Channel(cast(TableRegistry, registry), table)
    jobs: list[int] = []
    registry.meanwhile = lambda: jobs.append(1)

    async def looked() -> None:
        screens = [_connected(channel, seat % 2) for seat in range(TOGETHER + 1)]
        screens[1].shape = "no such shape"
        told = await asyncio.gather(*map(channel.news, screens), return_exceptions=True)
        assert len(jobs) == 2
        assert isinstance(told[1], NotDrawn)
        seats = [json.loads(each)["seat"] for each in told if isinstance(each, str)]
        assert seats == [0, *(seat % 2 for seat in range(2, TOGETHER + 1))]

    loops.run(looked())
    table._store.close()


def test_who_leaves_while_pictures_are_drawn_takes_nobodys_away(tmp_path: Path) -> None:
    registry, table = Interrupted(), _table(tmp_path)
    channel = Channel(cast(TableRegistry, registry), table)

    async def looked() -> None:
        leaving, staying = (
            asyncio.create_task(channel.news(_connected(channel, seat))) for seat in (0, 1)
        )
        registry.meanwhile = leaving.cancel
        assert json.loads(await staying or "")["seat"] == 1

    loops.run(looked())
    table._store.close()


def _table(folder: Path) -> Table:
    game = lawspeaker.load("kuhn_poker")
    store = Store(folder)
    kept = KeptTable(game.program.digest, "kuhn_poker", 1, "quick", "en", (Seat(True), Seat(True)))
    number = store.add_table(kept, game.files, {})
    return Table(number, kept, game.files, GameInPlay(game, kept), store)


def _connected(channel: Channel, *seats: int) -> Connection:
    link = Link(1, "host", seats)
    connection = Connection(cast(Any, None), "x" * 32, link, "en", "wide")
    channel.connections.add(connection)
    return connection


def _open_the_curtain(channel: Channel, connection: Connection) -> None:
    connection.faced = channel.table.asked()[0]
    channel._again(connection)
