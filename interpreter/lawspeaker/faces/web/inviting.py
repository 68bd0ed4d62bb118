"""Accepting an invitation: who does so gets a link of his own, and the invitation is void.

Opening an invitation changes nothing, since programs that show previews of links open them, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.web import messages
from lawspeaker.faces.web.channel import SEAT_TAKEN
from lawspeaker.faces.web.seats import Link
from lawspeaker.faces.web.strengths import level
from lawspeaker.faces.web.table_registry import TableRegistry
from lawspeaker.faces.web.tables import Table


async def invite(
    socket: WebSocket,
    registry: TableRegistry,
    table: Table,
    token: str,
    link: Link,
    language: str,
    seated: Callable[[Table], None],
) -> None:
    """Shows an invitation, and waits until somebody sits down or leaves. `seated` tells the others
    at once: the browser of who sat down may take its time to close this connection."""
    await socket.send_json(await registry.at(table, _shown, table, link, language))
    nick = await _nick(socket, registry, table, link, language)
    own = await registry.at(table, table.sit_down, token, nick)
    if own is None:
        await socket.close(SEAT_TAKEN)
        return
    seated(table)
    await socket.send_json({"type": "seated", "link": f"/t/{own}"})
    await socket.close()


async def _nick(
    socket: WebSocket, registry: TableRegistry, table: Table, link: Link, language: str
) -> str:
    """The name under which the invited one sits down, once it is one that can be used; until then
    he may read the invitation in another language."""
    while True:
        said = await _said(socket, language)
        if isinstance(said, messages.Speak) and said.language in table.facts.languages:
            language = said.language
            await socket.send_json(await registry.at(table, _shown, table, link, language))
        if not isinstance(said, messages.Sit):
            continue
        nick = said.name.strip()[: messages.LONGEST_NICK]
        trouble = await registry.at(table, table.nick_trouble, link.seats, nick, language)
        if trouble is None:
            return nick
        await socket.send_json({"type": "error", "code": "name", "message": trouble})


async def _said(socket: WebSocket, language: str) -> messages.Message | None:
    """What the invited one says, as far as it is that he sits down, or which language he speaks."""
    try:
        message = messages.message(await socket.receive_text())
    except (messages.BadMessage, KeyError):
        message = messages.Message()
    if isinstance(message, messages.Sit | messages.Speak):
        return message
    if isinstance(message, messages.Ping):
        await socket.send_json({"type": "pong"})
    else:
        told = phrase("table.sit_first", language)
        await socket.send_json({"type": "error", "code": "bad_message", "message": told})
    return None


def _shown(table: Table, link: Link, language: str) -> dict[str, Any]:
    (seat,) = link.seats
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
