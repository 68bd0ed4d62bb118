"""What must not get lost between the event loop and the game thread."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import lawspeaker
from lawspeaker.faces.web.channel import Channel, Connection
from lawspeaker.faces.web.game_in_play import GameInPlay
from lawspeaker.faces.web.seats import Link, Seat
from lawspeaker.faces.web.store import KeptTable, Store
from lawspeaker.faces.web.table_registry import TableRegistry
from lawspeaker.faces.web.tables import Table
from tests.web import loops


class Interrupted:
    """A registry in whose game thread things happen while something is drawn."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], None] = lambda: None

    async def at(self, table: Table, job: Callable[..., Any], *args: Any) -> Any:
        done = job(*args)
        self.meanwhile()
        return done


def test_what_changes_while_a_screen_is_drawn_is_news_again(tmp_path: Path) -> None:
    game = lawspeaker.load("kuhn_poker")
    store = Store(tmp_path)
    kept = KeptTable(game.program.digest, "kuhn_poker", 1, "quick", "en", (Seat(True), Seat(True)))
    number = store.add_table(kept, game.files, {})
    table = Table(number, kept, game.files, GameInPlay(game, kept), store)
    registry = Interrupted()
    channel = Channel(cast(TableRegistry, registry), table)

    async def looked() -> None:
        connection = Connection(cast(Any, None), "x" * 32, Link(1, "host", (0, 1)), "en", "wide")
        channel.connections.add(connection)
        registry.meanwhile = lambda: _open_the_curtain(channel, connection)
        first = json.loads(await channel.news(connection) or "")
        registry.meanwhile = lambda: None
        second = json.loads(await channel.news(connection) or "")
        assert first["seat"] is None
        assert second["seat"] == first["curtain"]
        assert await channel.news(connection) is None, "and then nothing is new"

    loops.run(looked())
    store.close()


def _open_the_curtain(channel: Channel, connection: Connection) -> None:
    connection.faced = channel.table.asked()[0]
    channel._again(connection)
