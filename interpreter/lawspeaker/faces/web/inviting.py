"""Accepting an invitation: creates a new link for the guest and revokes the invitation.

Opening an invitation changes nothing, since link previews open it, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.websockets import WebSocket

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.web import messages
from lawspeaker.faces.web.channel import SEAT_TAKEN
from lawspeaker.faces.web.seats import Link
from lawspeaker.faces.web.strengths import level
from lawspeaker.faces.web.table_registry import TableRegistry
from lawspeaker.faces.web.tables import Table

Read = Callable[[], Awaitable[str]]
"""Reads the next message of a socket, at the rate that is allowed."""


async def invite(
    socket: WebSocket,
    read: Read,
    registry: TableRegistry,
    table: Table,
    token: str,
    link: Link,
    language: str,
    seated: Callable[[Table], None],
) -> None:
    """Shows an invitation and waits until the guest sits down or disconnects.

    `seated` notifies the others at once, since the guest's browser may be slow to close the
    connection.
    """
    await socket.send_json(await registry.at(table, shown, table, link.seats[0], language))
    nick = await _nick(socket, read, registry, table, link, language)
    own = await registry.at(table, table.sit_down, token, nick)
    if own is None:
        await socket.close(SEAT_TAKEN)
        return
    seated(table)
    await socket.send_json({"type": "seated", "link": f"/t/{own}"})
    await socket.close()


async def _nick(
    socket: WebSocket,
    read: Read,
    registry: TableRegistry,
    table: Table,
    link: Link,
    language: str,
) -> str:
    """Waits for a valid name of the guest; until then the language can be changed."""
    while True:
        said = await heard(socket, read, language)
        if isinstance(said, messages.Speak) and said.language in table.facts.languages:
            language = said.language
            await socket.send_json(await registry.at(table, shown, table, link.seats[0], language))
        if not isinstance(said, messages.Sit):
            continue
        nick = said.name.strip()[: messages.LONGEST_NICK]
        trouble = await registry.at(table, table.nick_trouble, link.seats, nick, language)
        if trouble is None:
            return nick
        await socket.send_json({"type": "error", "code": "name", "message": trouble})


async def heard(socket: WebSocket, read: Read, language: str) -> messages.Message | None:
    """Reads a message of the guest; returns it if it is `Sit` or `Speak`."""
    try:
        message = messages.message(await read())
    except messages.BadMessage:
        message = messages.Message()
    if isinstance(message, messages.Sit | messages.Speak):
        return message
    if isinstance(message, messages.Ping):
        await socket.send_json({"type": "pong"})
    else:
        told = phrase("table.sit_first", language)
        await socket.send_json({"type": "error", "code": "bad_message", "message": told})
    return None


def shown(table: Table, seat: int, language: str) -> dict[str, Any]:
    """Returns what an invitation to a seat shows: the rules, and who sits at the table."""
    sitting = table.sitting()
    return {
        "type": "invite",
        "seat": seat,
        "name": table.name(seat, language),
        "title": table.title(language),
        "rules": table.rules,
        "language": language,
        "languages": list(table.facts.languages),
        "seats": [
            {
                "seat": number,
                "name": table.name(number, language),
                "nick": each.nick,
                "strength": each.bot,
                "level": level(table.facts.name, each.bot),
                "sits": number in sitting,
            }
            for number, each in enumerate(table.seats)
        ],
        "clock": table.pace.each,
        "discreet": table.discretion == "discreet",
    }
