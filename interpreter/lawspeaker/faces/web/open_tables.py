"""Open tables: a host lists a table in the lobby, and visitors ask him for a seat.

There are no accounts. A listed table has a public link, which shows what an invitation shows: the
rules and who sits there, nothing of the game. Whoever follows it says his name and waits; the host
lets him in or refuses him. Only then is a seat taken, with a link that the host does not know, as
with an invitation. A refused or removed visitor cannot ask again from the same address for a while;
addresses are kept in memory only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.web import messages
from lawspeaker.faces.web.guests import Guest
from lawspeaker.faces.web.inviting import Read, heard, shown
from lawspeaker.faces.web.store import ListedTable
from lawspeaker.faces.web.tables import Table

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from lawspeaker.faces.web.table_registry import TableRegistry

NOT_LET_IN = 4412


async def ask_for_seat(
    socket: WebSocket,
    read: Read,
    registry: TableRegistry,
    table: Table,
    client: str,
    language: str,
    changed: Callable[[Table], None],
) -> None:
    """Shows a listed table, takes the visitor's name, and waits until the host has decided.

    `changed` notifies the host's screen.
    """
    guests = registry.guests

    async def show() -> None:
        seat = next(iter(await registry.at(table, table.free_seats)), 0)
        told = await registry.at(table, shown, table, seat, language)
        text = table.listing[1] if table.listing else ""
        await socket.send_json({**told, "listed": True, "text": text})

    await show()
    while True:
        said = await heard(socket, read, language)
        if isinstance(said, messages.Speak) and said.language in table.facts.languages:
            language = said.language
            await show()
        if not isinstance(said, messages.Sit):
            continue
        name = said.name.strip()[: messages.LONGEST_NICK]
        trouble = await _trouble(registry, table, name, client, language)
        guest = None if trouble else guests.add(table.number, name, client)
        if guest is None:
            told = trouble or phrase("table.not_wanted", language)
            await socket.send_json({"type": "error", "code": "name", "message": told})
            continue
        changed(table)
        try:
            await socket.send_json({"type": "asked"})
            token = await _decision(read, guest)
        finally:
            guests.gone(table.number, guest)
            changed(table)
        if token is None:
            await socket.close(NOT_LET_IN)
        else:
            await socket.send_json({"type": "seated", "link": f"/t/{token}"})
            await socket.close()
        return


async def _trouble(
    registry: TableRegistry, table: Table, name: str, client: str, language: str
) -> str | None:
    """Returns why somebody cannot ask for a seat now; None if he can."""
    free = await registry.at(table, table.free_seats)
    if table.listing is None or not free:
        return phrase("table.no_free_seat", language)
    if not name:
        return phrase("table.say_name", language)
    if not registry.guests.asking.take(client):
        return phrase("table.too_fast", language)
    return await registry.at(table, table.nick_trouble, free[:1], name, language)


async def _decision(read: Read, guest: Guest) -> str | None:
    """Waits for the host's decision, or until the visitor disconnects."""

    async def listen() -> None:
        while True:
            await read()

    listening = asyncio.ensure_future(listen())
    try:
        either: set[asyncio.Future[Any]] = {listening, guest.decided}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if guest.decided.done():
            return guest.decided.result()
        listening.result()  # raises, since the visitor has left
        return None
    finally:
        listening.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await listening


def in_lobby(table: ListedTable) -> dict[str, Any]:
    """Returns what every visitor is told of a listed table."""
    free = table.free
    return {
        "link": f"/t/{table.token}",
        "text": table.text,
        "seen": table.seen,
        "rules": table.rules,
        "titles": table.titles,
        "language": table.language,
        "lobby": table.lobby,
        "clock": table.clock,
        "seats": [
            {"nick": each.nick, "bot": each.bot, "free": seat in free}
            for seat, each in enumerate(table.seats)
        ],
    }
