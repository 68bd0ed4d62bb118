"""The connections to a table: handles their messages and sends them updates.

Each connection has a writer task. A change wakes it; it compares the table with what its screen
shows and sends the difference. So a slow reader delays nobody, gets one message where others got
several, and no queue grows.

A link may hold several seats. Then several people share a screen, and the server sends a seat's
view only after its player has confirmed to be alone with the screen.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from lawspeaker.base.diagnostics import RulesError
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import enumerated
from lawspeaker.faces.web import messages, pace, seats
from lawspeaker.faces.web.agreement import BOT, END, RESUME, RULES, SEAT, UNDO, Proposal
from lawspeaker.faces.web.bots_at_table import Turn
from lawspeaker.faces.web.buckets import Buckets
from lawspeaker.faces.web.database import NotKept, Unreachable
from lawspeaker.faces.web.game_in_play import Look, Misfit, Refused
from lawspeaker.faces.web.guests import LISTED_FOR, LONGEST_NOTE, MOST_LISTED, Guest
from lawspeaker.faces.web.mailing import address_of
from lawspeaker.faces.web.peers import Elsewhere
from lawspeaker.faces.web.pushing import subscription
from lawspeaker.faces.web.redrawing import Screen
from lawspeaker.faces.web.relaying import MOVED
from lawspeaker.faces.web.sandbox import OutOfBounds
from lawspeaker.faces.web.seats import Link
from lawspeaker.faces.web.store import Broken, HomeFull
from lawspeaker.faces.web.strengths import level
from lawspeaker.faces.web.tables import Table
from lawspeaker.match.auto_pass import Until

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from lawspeaker.faces.web.table_registry import TableRegistry

MOST_ANSWERS = 32
REMIND_AFTER = 60
"""Seconds before somebody can be reminded to move, and between two reminders."""
REPLACE_AFTER = 600
"""Seconds for which somebody must have been waited for until others than the host, who is away, can
propose a bot."""
HAND_ON_AFTER = 24 * 60 * 60
"""The same until they can propose another person, who would know the hand of the former one."""
SEAT_TAKEN, SEAT_FREED = 4410, 4411
TOGETHER = 8
"""Number of pictures drawn for one table before another table gets its turn."""
DONE = {
    UNDO: "table.undone",
    BOT: "table.bot_took",
    SEAT: "table.seat_given",
    RESUME: "table.resumed",
    END: "table.ended",
}
"""Message keys announcing that an accepted proposal was carried out."""
SHAPES = ("wide", "square", "tall", "low")
WIDE = SHAPES[0]

log = logging.getLogger("lawspeaker.web")


@dataclass(frozen=True, slots=True)
class ScreenState:
    """The state that a screen shows, to decide what must be sent.

    It has the view (seat, language, shape), the number of replies, the number of rewinds so far,
    the players' names, and whether the game had begun or was paused.
    """

    seat: int | None
    language: str
    shape: str
    at: int
    rewound: int
    nicks: tuple[str, ...] = ()
    begun: bool = True
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Rematch:
    """An offer to play again at another table: who set it up, and the invitations by seat."""

    by: int
    invitations: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Around:
    """The presence data that a screen shows besides the game.

    `lists` is whether tables can be listed in the lobby, `guests` who asks for a seat there.
    """

    here: frozenset[int] = frozenset()
    watchers: int = 0
    rematch: Rematch | None = None
    host: bool = True
    lists: bool = False
    guests: tuple[tuple[int, str], ...] = ()
    mails: bool = False
    pushes: bool = False


class NotDrawn(Exception):
    """Raised when a table could not be drawn for somebody; `__cause__` says why."""


class Connection:
    """A browser connected through a link."""

    def __init__(
        self,
        socket: WebSocket,
        token: str,
        link: Link,
        language: str,
        shape: str,
        in_parts: bool = False,
        in_stages: bool = False,
        client: str = "",
    ) -> None:
        """`client` is the address; `in_parts`: send only the changed parts of a picture;

        `in_stages`: send what happened step by step.
        """
        self.socket = socket
        self.screen = Screen() if in_parts else None
        self.token = token
        self.link = link
        self.language = language
        self.shape = shape
        self.in_stages = in_stages
        self.client = client
        self.faced: int | None = link.seats[0] if len(link.seats) == 1 else None
        self.told: ScreenState | None = None
        self.shown = -1
        """The version of the channel that the screen shows."""
        self.wake = asyncio.Event()
        self._answers: deque[dict[str, Any]] = deque(maxlen=MOST_ANSWERS)
        self.dismissed = 0
        """The close code with which it was dismissed, or 0."""
        self.hint: asyncio.Task[None] | None = None
        """The task of a bot that computes a hint for this connection."""

    def answer(self, **message: Any) -> None:
        """Queues a message for this browser alone."""
        self._answers.append(message)
        self.wake.set()

    def dismiss(self, code: int) -> None:
        """Closes the connection: its link has become invalid, or the table moved to another
        process."""
        self.dismissed = code
        self.wake.set()

    async def write(self, channel: Channel) -> None:
        """Sends queued messages and updates until the connection ends."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            if self.dismissed:
                await self.socket.close(self.dismissed)
                return
            while self._answers:
                await self.socket.send_text(_json(self._answers.popleft()))
            try:
                text = await channel.news(self)
            except OutOfBounds as beyond:
                # The screen keeps what it shows; the next reply may be drawable again.
                text = _json({"type": "error", **channel.told_of(beyond, self.language)})
            if text is not None:
                await self.socket.send_text(text)


class Channel:
    """A table with all its connections; exists as long as there is one."""

    def __init__(self, registry: TableRegistry, table: Table) -> None:
        self.registry = registry
        self.table = table
        self.connections: set[Connection] = set()
        self.version = 0
        self._talking = Buckets(burst=6, rate=0.5)
        self._rematch: Rematch | None = None
        self._reminded = 0
        self._bots: asyncio.Task[None] | None = None
        self._bots_due = False
        self._drawing: asyncio.Task[dict[Connection, str | Exception]] | None = None
        """The next batch of pictures; a connection that asks before it starts joins it."""
        self._waiting: list[Connection] = []

    # ------------------------------------------------------------ coming and going

    async def join(self, connection: Connection) -> None:
        self.connections.add(connection)
        await self._host_seen(connection)
        lines = await self.registry.at(self.table, self.table.lines)
        if lines:
            connection.answer(type="talk", lines=[asdict(each) for each in lines], all=True)
        proposal = self.table.proposal
        if proposal and proposal.kind in (BOT, SEAT) and proposal.seat in connection.link.seats:
            with suppress(NotKept):
                # the player who was away is back
                await self.registry.at(self.table, self.table.propose, None)
        self.changed()

    async def _host_seen(self, connection: Connection) -> None:
        if connection.link.host:
            with suppress(NotKept):
                await self.registry.game(self.table.host_seen)

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self.changed()

    def close(self) -> None:
        """Pauses the bots: nobody is connected any more."""
        if self._bots is not None:
            self._bots.cancel()

    def here(self) -> frozenset[int]:
        """Returns the seats whose people are connected."""
        return frozenset(seat for each in self.connections for seat in each.link.seats)

    def moved(self, why: NotKept) -> None:
        """Dismisses all connections, so that they reconnect and are shown what was stored.

        Either another process plays this table now, or the database failed in the middle of a
        change that may or may not have been stored.
        """
        log.warning("table %d is closed: %s", self.table.number, why)
        self.registry.lost(self.table)
        for each in self.connections:
            each.dismiss(MOVED)

    # ------------------------------------------------------------ sending

    def changed(self) -> None:
        """Wakes all connections after a change, and starts the bots if one is to move."""
        self.version += 1
        for each in self.connections:
            each.wake.set()
        self._bots_due = any(each.bot for each in self.table.seats)
        if self._bots_due and self.connections and (self._bots is None or self._bots.done()):
            self._bots = asyncio.create_task(self._play_bots())

    def say(self, key: str, seat: int) -> None:
        """Sends a sentence about a player to everybody, each in their language."""
        for each in self.connections:
            player = _people(self.table, [seat], each.language)
            each.answer(type="note", text=phrase(key, each.language, player=player))

    async def news(self, connection: Connection) -> str | None:
        """Returns the update for a connection as a message; None if its screen is current."""
        if connection.shown == self.version:
            return None
        if self._drawing is None or len(self._waiting) >= TOGETHER:
            self._waiting = []
            self._drawing = asyncio.create_task(self._draw(self._waiting))
        self._waiting.append(connection)
        try:
            drawn = (await asyncio.shield(self._drawing))[connection]
            if isinstance(drawn, Exception):
                raise drawn
        except OutOfBounds:
            raise
        except Exception as fault:
            raise NotDrawn(f"table {self.table.number}") from fault
        return drawn

    async def _draw(self, waiting: list[Connection]) -> dict[Connection, str | Exception]:
        """Draws the pictures for all waiting connections in one batch.

        A reply concerns everybody at the table, so the last connection should not wait behind other
        tables.
        """
        if self._waiting is waiting:
            self._drawing = None
        for each in waiting:
            # Set before drawing: a change meanwhile makes the picture stale again.
            each.shown = self.version
        watchers = sum(each.link.watches for each in self.connections)
        guests = self.registry.guests.at(self.table.number)
        around = Around(
            self.here(),
            watchers,
            self._rematch,
            self._host_is_here(),
            self.registry.settings.open_tables,
            tuple((each.number, each.name) for each in guests),
            self.registry.mailing.server is not None,
            self.registry.pushing.on,
        )
        return await self.registry.at(self.table, pictures, self.table, waiting, around)

    def told_of(self, beyond: OutOfBounds, language: str) -> dict[str, str]:
        """Returns the message for rules of this table that exceeded their limits."""
        log.warning("table %d: %s", self.table.number, beyond.code)
        return {"code": beyond.code, "message": phrase(f"table.{beyond.code}", language)}

    # ------------------------------------------------------------ receiving

    async def hear(self, connection: Connection, text: str) -> None:
        """Handles a message of a browser; an invalid one is answered with an error and changes
        nothing."""
        if connection.dismissed:
            return
        try:
            await self._do(connection, messages.message(text))
        except messages.BadMessage as bad:
            connection.answer(type="error", code=bad.code, message=bad.message)
            log.info("table %d: %s", self.table.number, bad.code)
        except Refused as refused:
            connection.answer(type="refused", why=refused.to_json())
        except OutOfBounds as beyond:
            told = self.told_of(beyond, connection.language)
            why = Refused(told["code"], told["message"])
            connection.answer(type="refused", why=why.to_json())
        except (Elsewhere, Unreachable) as error:
            self.moved(error)
        except NotKept as error:
            log.error("table %d: a reply could not be kept: %s", self.table.number, error)
            sentence = phrase("table.not_kept", connection.language)
            connection.answer(type="refused", why=Refused("not_kept", sentence).to_json())
        except Exception:
            # An internal error, but the others at the table and this screen can continue.
            log.exception("table %d: a message could not be answered", self.table.number)
            message = phrase("table.our_fault", connection.language)
            connection.answer(type="error", code="our_fault", message=message)

    async def _do(self, connection: Connection, message: messages.Message) -> None:
        language, faced = connection.language, connection.faced
        match message:
            case messages.Reply(number, ask, text):
                await self._reply(connection, number, ask, text)
            case messages.WhyNot(text, thing):
                said = thing or text
                why = await self.registry.at(self.table, self.table.why_not, faced, said, language)
                connection.answer(type="why", **why)
            case messages.Rule(clause):
                why = await self.registry.at(self.table, self.table.rule, faced, clause, language)
                connection.answer(type="why", **why)
            case messages.WhatIs(thing):
                told = await self.registry.at(
                    self.table, self.table.what_is, faced, thing, language
                )
                connection.answer(type="what", thing=thing, **told)
            case messages.Lesson():
                cards = await self.registry.at(self.table, self.table.lesson, language)
                connection.answer(type="lesson", cards=cards)
            case messages.Foresee(number, ask):
                with suppress(OutOfBounds, Refused):  # nobody has asked for it expressly
                    seen = await self.registry.at(
                        self.table, self.table.foreseen, faced, number, ask, language
                    )
                    connection.answer(type="foreseen", number=number, ask=ask, **seen)
            case messages.Points(seat):
                points = await self.registry.at(self.table, self.table.points, seat, language)
                connection.answer(type="points", **points)
            case messages.Undo(anyway):
                await self._undo(connection, anyway)
            case messages.Passing(until):
                await self._pass_until(connection, until)
            case messages.Resume(after):
                await self._resume(connection, after)
            case messages.End():
                await self._end(connection)
            case messages.Hint():
                await self._hint(connection)
            case messages.Agree():
                await self._agree(connection)
            case messages.Decline():
                await self._decline(connection)
            case messages.LetBot(seat, strength):
                await self._let_bot(connection, seat, strength)
            case messages.TakeBack(seat):
                await self._back(connection, seat)
            case messages.Free(seat):
                await self._free(connection, seat)
            case messages.HandOn(seat):
                await self._hand_on(connection, seat)
            case messages.Face(seat):
                self._own(connection, seat)
                connection.faced = seat
                self._again(connection)
            case messages.Speak(spoken):
                if spoken not in self.table.facts.languages:
                    raise Refused("language", phrase("table.no_language", language))
                connection.language = spoken
                self._again(connection)
            case messages.Shape(shape):
                if shape not in SHAPES:
                    raise messages.BadMessage("bad_message", f"`shape` is {' or '.join(SHAPES)}")
                connection.shape = shape
                self._again(connection)
            case messages.ListTable(listed, text):
                await self._list(connection, listed, text.strip())
            case messages.Admit(guest, admit):
                await self._admit(connection, guest, admit)
            case messages.Mail(address):
                await self._mail(connection, address)
            case messages.Push(endpoint, p256dh, auth, stop):
                await self._push(connection, endpoint, (p256dh, auth), stop)
            case messages.Mine(key):
                await self._gather(connection, key)
            case messages.Rematch(invited):
                await self._offer_again(connection, invited.removeprefix("/t/"))
            case messages.Say(text):
                await self._talk(connection, pace.SAID, text.strip())
            case messages.Sign(sign):
                await self._talk(connection, pace.SIGN, sign)
            case messages.Remind():
                await self._talk(connection, pace.REMINDER, "")
            case messages.Ready(ready):
                self._seated(connection)
                await self.registry.at(self.table, self.table.ready, connection.link.seats, ready)
                self.changed()
            case messages.Begin():
                self._hosts(connection)
                await self.registry.at(self.table, self.table.begin)
                self.changed()
            case messages.Ping():
                connection.answer(type="pong", now=int(time.time()))
            case _:
                raise Refused("seated", phrase("table.seated", language))

    def _again(self, connection: Connection) -> None:
        """Redraws this screen alone, because its view has changed."""
        connection.shown = -1
        connection.wake.set()

    def _own(self, connection: Connection, seat: int) -> None:
        if seat not in connection.link.seats:
            raise Refused("not_yours", phrase("table.not_yours", connection.language))

    def _hosts(self, connection: Connection) -> None:
        if not connection.link.host:
            raise Refused("host_only", phrase("table.host_only", connection.language))

    async def _reply(self, connection: Connection, number: int, ask: int, text: str) -> None:
        seat, language = connection.faced, connection.language
        if seat is None:
            raise Refused("not_asked", phrase("table.not_asked", language))
        if self.table.seats[seat].bot:
            raise Refused("bot_plays", phrase("table.bot_plays", language))
        await self.registry.at(self.table, self.table.reply, seat, number, ask, language, text)
        self.changed()

    async def _pass_until(self, connection: Connection, until: str) -> None:
        """Sets how long a seat passes by itself; nobody else is notified unless it passes at
        once."""
        seat, language, before = connection.faced, connection.language, self.table.at
        if seat is None:
            raise Refused("not_asked", phrase("table.not_asked", language))
        if until not in ("", *(each.value for each in Until)):
            known = ", ".join(each.value for each in Until)
            raise messages.BadMessage("bad_message", f"`until` is empty, or one of {known}")
        await self.registry.at(self.table, self.table.pass_until, seat, until, language)
        if self.table.at != before:
            self.changed()
        else:
            self._again(connection)

    # ------------------------------------------------------------ chat

    def _seated(self, connection: Connection) -> int:
        """Returns the seat that a connection speaks for; onlookers are refused."""
        own = connection.link.seats
        if not own:
            raise Refused("onlooker", phrase("table.onlooker", connection.language))
        return own[0] if connection.faced is None else connection.faced

    async def _talk(self, connection: Connection, kind: str, text: str) -> None:
        """Stores a chat line and sends it to everybody at the table."""
        seat, language = self._seated(connection), connection.language
        if kind == pace.SIGN and text not in pace.SIGNS:
            raise messages.BadMessage("bad_message", f"`sign` is one of {' '.join(pace.SIGNS)}")
        if kind == pace.SAID and not text:
            return
        if len(text) > pace.LONGEST_LINE:
            told = phrase("table.too_wordy", language, most=pace.LONGEST_LINE)
            raise Refused("too_wordy", told)
        if kind == pace.REMINDER:
            self._may_remind(seat, language)
        if not self._talking.take(connection.token):
            raise Refused("too_fast", phrase("table.too_fast", language))
        line = await self.registry.at(self.table, self.table.say, seat, kind, text)
        if kind == pace.REMINDER:
            self._reminded = line.at
        for each in self.connections:
            each.answer(type="talk", lines=[asdict(line)], all=False)

    def _may_remind(self, seat: int, language: str) -> None:
        """Refuses a reminder unless another person has been waited for long enough."""
        waiting = self.table.waiting
        others = (set(waiting.asked) & self.table.people()) - {seat}
        since = max(waiting.since, self._reminded)
        if not others or self.table.pace.lobby or time.time() - since < REMIND_AFTER:
            raise Refused("too_soon", phrase("table.too_soon", language))

    async def _gather(self, connection: Connection, key: str) -> None:
        """Adds the table to the home of a key; onlookers cannot do that."""
        if not seats.is_token(key):
            raise messages.BadMessage("bad_message", "`key` has 32 letters and digits")
        link, most = connection.link, self.registry.settings.most_keys
        kept, why = not link.watches, ""
        if kept:
            try:
                gather = self.registry.store.gather
                await self.registry.game(gather, key, connection.token, link, most)
            except HomeFull as full:
                kept, why = False, str(full)
        connection.answer(type="mine", kept=kept, message=why)

    async def _mail(self, connection: Connection, address: str) -> None:
        """Sets where a seat is told that the game waits for it; the address must confirm it."""
        registry, language, seat = self.registry, connection.language, self._seated(connection)
        mailing, store, number = registry.mailing, registry.store, self.table.number
        if mailing.server is None:
            raise Refused("no_mail", phrase("table.no_mail", language))
        if address == "-":
            await registry.game(store.set_mail, number, seat, "", "", "")
        elif address:
            plain = address_of(address)
            if plain is None:
                raise Refused("bad_address", phrase("table.bad_address", language))
            if not mailing.may_ask(connection.client, plain):
                raise Refused("too_fast", phrase("table.too_fast", language))
            token = seats.new_token()
            await registry.game(store.set_mail, number, seat, token, plain, language)
            if not await mailing.confirm(plain, token, language):
                await registry.game(store.set_mail, number, seat, "", "", "")
                raise Refused("mail_fails", phrase("table.mail_fails", language))
        known = await registry.game(store.mail_of, number, seat)
        state = "" if known is None else "on" if known[1] else "asked"
        connection.answer(type="mail", state=state, address=known[0] if known else "")

    async def _push(
        self, connection: Connection, endpoint: str, keys: tuple[str, str], stop: bool
    ) -> None:
        """Sets whether a browser is told that the game waits for its seat, and tells it whether it
        is."""
        registry, language, seat = self.registry, connection.language, self._seated(connection)
        pushing, store, number = registry.pushing, registry.store, self.table.number
        if not pushing.on:
            raise Refused("no_push", phrase("table.no_push", language))
        if stop:
            await registry.game(store.end_push, number, seat, endpoint)
        elif any(keys):
            to = subscription(endpoint, *keys)
            if to is None:
                raise Refused("bad_push", phrase("table.bad_push", language))
            if not pushing.may_add(connection.client):
                raise Refused("too_fast", phrase("table.too_fast", language))
            await registry.game(store.add_push, number, seat, seats.new_token(), to, language)
        tag = await registry.game(store.push_of, number, seat, endpoint)
        key = await registry.game(pushing.public_key, store)
        connection.answer(type="push", on=tag is not None, tag=tag or "", key=key)

    async def _offer_again(self, connection: Connection, host: str) -> None:
        """Invites everybody here to the rematch table, each to the same seat; the first offer
        wins."""
        by = self._seated(connection)
        link = await self.registry.link(host)
        if not self.table.finished or link is None or not link.host:
            raise messages.BadMessage("bad_message", "`link` is that of a new table, after a game")
        if self._rematch is None:
            invited = {seat: seats.invitation(host, seat) for seat in range(len(self.table.seats))}
            known = [seat for seat, each in invited.items() if await self.registry.link(each)]
            self._rematch = Rematch(by, {seat: invited[seat] for seat in known})
        self.changed()

    async def _hint(self, connection: Connection) -> None:
        """Starts computing a hint, one at a time for each connection."""
        turn = self.table.hint_turn(connection.faced, connection.language)
        if connection.hint is None or connection.hint.done():
            connection.hint = asyncio.create_task(self._think_for(connection, turn))

    async def _think_for(self, connection: Connection, turn: Turn) -> None:
        """Computes a hint in the background and sends it if the question is still open."""
        table = self.table
        try:
            found = await self.registry.advised(table, turn)
        except TimeoutError:
            found = {"options": []}
        except Exception:
            log.exception("table %d: a hint could not be given", table.number)
            found = {"options": []}
        if table.ask(turn.seat) == turn.ask and connection.faced == turn.seat:
            connection.answer(type="hint", ask=turn.ask, **found)

    # ------------------------------------------------------------ undo and resume

    async def _undo(self, connection: Connection, anyway: bool) -> None:
        language, own = connection.language, connection.link.seats
        self._settled(await self.registry.at(self.table, self.table.undo, own, anyway, language))

    async def _resume(self, connection: Connection, after: int) -> None:
        """Proposes to resume a game, which a fault has paused, from an earlier point."""
        self._hosts(connection)
        own, language = connection.link.seats, connection.language
        self._settled(await self.registry.at(self.table, self.table.resume, own, after, language))

    async def _end(self, connection: Connection) -> None:
        self._hosts(connection)
        own, language, here = connection.link.seats, connection.language, self.here()
        self._settled(await self.registry.at(self.table, self.table.end, own, here, language))

    # ------------------------------------------------------------ bots for people

    async def _let_bot(self, connection: Connection, seat: int, strength: str) -> None:
        language, own = connection.language, connection.link.seats
        known = [each["strength"] for each in self.table.stand_ins]
        if not 0 <= seat < len(self.table.seats) or strength not in known:
            raise Refused("no_seat", phrase("table.no_seat", language))
        if self.table.seats[seat].bot:
            raise Refused("bot_plays", phrase("table.bot_plays", language))
        if seat in own:
            await self._propose(connection, seat, strength, set())
            return
        here = self.here()
        if own and self.table.pace.out_of_time(seat, self.table.waiting):
            await self._propose(connection, seat, strength, set())
            return
        self._may_replace(connection, seat)
        if seat in here:
            raise Refused("is_here", phrase("table.is_here", language))
        await self._propose(connection, seat, strength, (self.table.people() & here) - set(own))

    def _may_replace(self, connection: Connection, seat: int) -> None:
        """Refuses a proposal of a bot for somebody who is away, unless by the host; or by anybody
        who sits here, once the host is away, too, and the seat has been waited for."""
        if self._host_is_here() or not connection.link.seats:
            self._hosts(connection)
            return
        waiting = self.table.waiting
        if seat not in waiting.asked or time.time() - waiting.since < REPLACE_AFTER:
            minutes = REPLACE_AFTER // 60
            sentence = phrase("table.replace_later", connection.language, minutes=minutes)
            raise Refused("replace_later", sentence)

    def _host_is_here(self) -> bool:
        return any(each.link.host for each in self.connections)

    async def _propose(
        self, connection: Connection, seat: int, strength: str, needs: set[int]
    ) -> None:
        by = frozenset(connection.link.seats)
        proposal = Proposal(BOT, by, seat, frozenset(needs), strength)
        spoken = connection.language
        self._settled(await self.registry.at(self.table, self.table.settle, proposal, spoken))

    async def _back(self, connection: Connection, seat: int) -> None:
        self._own(connection, seat)
        if not self.table.seats[seat].bot:
            return
        await self.registry.at(self.table, self.table.set_bot, seat, "")
        self.say("table.back", seat)
        self.changed()

    async def _hand_on(self, connection: Connection, seat: int) -> None:
        """Proposes that somebody else is invited to a seat; the proposer gets the invitation."""
        own, language = connection.link.seats, connection.language
        known = 0 <= seat < len(self.table.seats) and self.table.seats[seat].person
        if not known or seat in own or self.table.finished:
            raise Refused("no_seat", phrase("table.no_seat", language))
        if self._host_is_here() or not own:
            raise Refused("host_only", phrase("table.host_only", language))
        here = self.here()
        if seat in here:
            raise Refused("is_here", phrase("table.is_here", language))
        since = self.table.away_since(seat)
        timed_out = self.table.pace.out_of_time(seat, self.table.waiting)
        if not timed_out and (since is None or time.time() - since < HAND_ON_AFTER):
            hours = HAND_ON_AFTER // 3600
            raise Refused("hand_on_later", phrase("table.hand_on_later", language, hours=hours))
        mark = seats.fingerprint(self.table.next_invitation(seat, connection.token)).hex()
        needs = frozenset((self.table.people() & here) - set(own))
        proposal = Proposal(SEAT, frozenset(own), seat, needs, about=mark)
        self._settled(await self.registry.at(self.table, self.table.settle, proposal, language))

    async def _free(self, connection: Connection, seat: int) -> None:
        language, link = connection.language, connection.link
        self._hosts(connection)
        known = 0 <= seat < len(self.table.seats) and self.table.seats[seat].person
        if not known or seat in link.seats:
            raise Refused("no_seat", phrase("table.no_seat", language))
        # The former player learns it when the connection closes, the others by the name he had.
        for each in [each for each in self.connections if each.link.seats == (seat,)]:
            each.dismiss(SEAT_FREED)
            if self.table.listing is not None:
                self.registry.guests.refuse(self.table.number, each.client)
            self.connections.discard(each)
        if self.table.seats[seat].taken:
            self.say("table.freed", seat)
        await self.registry.at(self.table, self.table.free, seat, connection.token)
        self.changed()

    # ------------------------------------------------------------ the lobby of the server

    async def _list(self, connection: Connection, listed: bool, text: str) -> None:
        """Lists the table in the lobby, where anybody can ask for a seat, or takes it off."""
        self._hosts(connection)
        language, registry = connection.language, self.registry
        if listed:
            if not registry.settings.open_tables:
                raise Refused("no_lobby", phrase("table.no_lobby", language))
            if len(text) > LONGEST_NOTE:
                raise Refused("too_wordy", phrase("table.too_wordy", language, most=LONGEST_NOTE))
            if self.table.finished or not await registry.at(self.table, self.table.free_seats):
                raise Refused("no_free_seat", phrase("table.no_free_seat", language))
            if not registry.guests.listing.take(connection.client):
                raise Refused("too_fast", phrase("table.too_fast", language))
        after = int(time.time()) - LISTED_FOR
        lobby = (listed, text, MOST_LISTED, after)
        if not await registry.at(self.table, self.table.list_in_lobby, *lobby):
            raise Refused("lobby_full", phrase("table.lobby_full", language))
        if not listed:
            for each in registry.guests.at(self.table.number):
                _decide(each, None)
        self.changed()

    async def _admit(self, connection: Connection, number: int, admit: bool) -> None:
        self._hosts(connection)
        language, registry, table = connection.language, self.registry, self.table
        waiting = registry.guests.at(table.number)
        guest = next((each for each in waiting if each.number == number), None)
        if guest is None:
            raise Refused("guest_gone", phrase("table.guest_gone", language))
        if not admit:
            registry.guests.refuse(table.number, guest.client)
            _decide(guest, None)
            return
        free = await registry.at(table, table.free_seats)
        if not free:
            raise Refused("no_free_seat", phrase("table.no_free_seat", language))
        trouble = await registry.at(table, table.nick_trouble, free[:1], guest.name, language)
        if trouble is not None:
            raise Refused("name", trouble)
        invited = seats.invitation(connection.token, free[0], table.seats[free[0]].invited)
        _decide(guest, await registry.at(table, table.sit_down, invited, guest.name))
        self.changed()

    # ------------------------------------------------------------ agreeing

    async def _agree(self, connection: Connection) -> None:
        own, language = connection.link.seats, connection.language
        proposal = await self.registry.at(self.table, self.table.agree, own, language)
        if proposal.kind == RULES and proposal.passed:
            await self.move(proposal)
        else:
            self._settled(proposal)

    async def move(self, proposal: Proposal) -> None:
        """Moves the table to corrected rules, or tells everybody why that cannot be."""
        digest, _, name = proposal.about.partition(" ")
        try:
            misfit = await self.registry.move(self.table, name, digest)
        except (Broken, RulesError) as error:
            log.warning("table %d does not move: %s", self.table.number, error)
            misfit = Misfit(0)
        for each in self.connections:
            if misfit is None:
                told = phrase("table.rules_moved", each.language)
            else:
                told = await self.registry.at(
                    self.table, told_misfit, self.table, misfit, each.language
                )
            each.answer(type="note", text=told)
        self.changed()

    async def _decline(self, connection: Connection) -> None:
        own, language = connection.link.seats, connection.language
        proposal = await self.registry.at(self.table, self.table.decline, own, language)
        self.say("table.declined", min(set(own) & (proposal.needs | proposal.by)))
        self.changed()

    def _settled(self, proposal: Proposal) -> None:
        """Announces a proposal that was made or agreed to, and that it was carried out if it
        passed."""
        if proposal.passed:
            self.say(DONE[proposal.kind], proposal.seat)
        self.changed()

    # ------------------------------------------------------------ bots

    async def _play_bots(self) -> None:
        """Lets bots reply until a person is to move, and again if something changed meanwhile."""
        try:
            while self._bots_due:
                self._bots_due = False
                turn = await self.registry.at(self.table, self.table.bots_turn)
                if turn is not None:
                    await asyncio.sleep(self.registry.settings.pace)
                    await self._bot_answers(turn)
        except OutOfBounds as beyond:
            for each in self.connections:
                each.answer(type="note", text=self.told_of(beyond, each.language)["message"])
        except Exception:
            log.exception("table %d: the bots have stopped", self.table.number)

    async def _bot_answers(self, turn: Turn) -> None:
        registry, table = self.registry, self.table
        number = await registry.thought(table, turn)
        if table.seats[turn.seat].bot != turn.bot:
            return  # the person is back
        try:
            await registry.at(table, table.reply, turn.seat, number, turn.ask, table.language)
        except Refused:
            pass  # Something was taken back meanwhile; the loop checks again.
        except (Elsewhere, Unreachable) as error:
            self.moved(error)
        except NotKept as error:
            log.error("table %d: a reply could not be kept: %s", table.number, error)
        else:
            self.changed()


def _decide(guest: Guest, token: str | None) -> None:
    if not guest.decided.done():
        guest.decided.set_result(token)


def pictures(
    table: Table, connections: Iterable[Connection], around: Around
) -> dict[Connection, str | Exception]:
    """Draws the message for each connection; an exception stands for a picture that failed."""
    found: dict[Connection, str | Exception] = {}
    for each in connections:
        try:
            found[each] = picture(table, each, around)
        except Exception as fault:
            found[each] = fault
    return found


def picture(table: Table, connection: Connection, around: Around) -> str:
    """Builds the message that shows a table to a connection; runs where the game is played."""
    link = connection.link
    if table.paused is not None and len(link.seats) > 1 and table.facts.secrets:
        connection.faced = None  # all who share the screen see it together
    curtain = _curtain(table, connection)
    if curtain is not None:
        # Where nobody has secrets, the screen follows the player to move.
        connection.faced = None if table.facts.secrets else curtain
        curtain = curtain if table.facts.secrets else None
    seat, language, shape = connection.faced, connection.language, connection.shape
    begun, paused = not table.pace.lobby, table.paused is not None
    now = ScreenState(seat, language, shape, table.at, table.rewound, table.nicks, begun, paused)
    before, connection.told = connection.told, now
    message = {
        "type": "scene",
        "at": table.at,
        "ask": None if seat is None else table.ask(seat),
        "seat": seat,
        "curtain": curtain,
        "you": {"seats": list(link.seats), "host": link.host, "watch": link.watches},
        "table": about(table, link, connection.token, language, around, seat),
    }
    if now == before:
        return _json({**message, "type": "table"})
    continues = before is not None and _continues(before, now)
    since = before.at if before is not None and continues else 0
    look = Look(
        seat,
        language,
        shape,
        since,
        in_stages=connection.in_stages and continues,
        in_parts=connection.screen is not None,
    )
    drawn = table.scene(look)
    if connection.screen is not None:
        stages = [_in_parts(connection.screen, each) for each in drawn.get("stages", ())]
        drawn = {**_in_parts(connection.screen, drawn), "stages": stages}
    return _json({**message, "since": since, "scene": drawn})


def _in_parts(screen: Screen, drawn: Mapping[str, Any]) -> dict[str, Any]:
    """Replaces the SVG of a drawing by the parts that a screen lacks; there may be no SVG."""
    if "svg" not in drawn:
        return dict(drawn)
    rest = {key: value for key, value in drawn.items() if key != "svg"}
    return {**rest, "parts": screen.show(drawn["svg"])}


def about(
    table: Table,
    link: Link,
    token: str,
    language: str,
    around: Around | None = None,
    faced: int | None = None,
) -> dict[str, Any]:
    """Returns everything that a screen shows of a table besides the game.

    With the token of the host's link, that includes the links that the host hands out.
    """
    around = around or Around()
    names = table.names(language)
    found: dict[str, Any] = {
        "rules": table.rules,
        "title": table.title(language),
        "language": language,
        "languages": list(table.facts.languages),
        "discreet": table.discretion == "discreet",
        "seats": [
            {
                "seat": seat,
                "name": names[seat],
                "nick": each.nick,
                "who": "bot" if each.bot else "person",
                "strength": each.bot,
                "level": level(table.facts.name, each.bot),
                "person": each.person,
                "taken": each.taken,
                "ready": each.ready,
                "here": seat in around.here or not each.person,
            }
            for seat, each in enumerate(table.seats)
        ],
        "stand_ins": table.stand_ins,
        "finished": table.finished,
        "lobby": table.pace.lobby,
        "since": table.waiting.since,
        "clock": {"each": table.pace.each, "spent": list(table.pace.spent)},
        "watchers": around.watchers,
        "host_away": not around.host,
        "undo": table.taking_back(link.seats, faced, language),
        "paused": _paused(table, link, language),
        "proposal": _proposal(table, link, language),
        "passing": table.seats[faced].passing if faced in link.seats else "",
        "log": table.open_to(link),
        "mails": around.mails and bool(link.seats),
        "pushes": around.pushes and bool(link.seats),
    }
    if table.finished:
        found["seed"] = str(table.seed)
        found["rematch"] = _again(table, link, language, around.rematch)
    links = _links(table, link, token) if token else {}
    if token and (link.host or links.get("seats")):
        found["links"] = links
    if link.host and token and around.lists:
        listed, text = table.listing is not None, table.listing[1] if table.listing else ""
        guests = [{"guest": number, "name": name} for number, name in around.guests]
        found["listing"] = {"listed": listed, "text": text, "guests": guests}
    return found


def _links(table: Table, link: Link, token: str) -> dict[str, Any]:
    """Returns the open invitations that somebody can send and, for the host, the onlookers'
    link."""
    inviters = (-1, *link.seats) if link.host else link.seats
    invited = {
        str(seat): f"/t/{seats.invitation(token, seat, each.invited)}"
        for seat, each in enumerate(table.seats)
        if each.person and not each.taken and seat not in link.seats and each.inviter in inviters
    }
    watch = {"watch": f"/watch/{seats.watch_token(token)}"} if link.host else {}
    return {"seats": invited, **watch}


def _again(
    table: Table, link: Link, language: str, rematch: Rematch | None
) -> dict[str, Any] | None:
    """Returns who offers a rematch, and the invitations for the people at this screen."""
    if rematch is None:
        return None
    own = [rematch.invitations[seat] for seat in link.seats if seat in rematch.invitations]
    return {
        "by": rematch.by,
        "name": _people(table, [rematch.by], language),
        "links": [f"/t/{each}" for each in own],
    }


def _paused(table: Table, link: Link, language: str) -> dict[str, Any] | None:
    """Returns the notice that a fault has paused or ended a game, in the same words for all.

    The details are included only for those to whom they reveal nothing hidden.
    """
    if table.paused is None:
        return None
    key = "ended" if table.paused.ended else "paused"
    details = table.details(link)
    return {
        "ended": table.paused.ended,
        "text": phrase(f"table.{key}", language),
        "how": "" if table.paused.ended else phrase("table.paused_how", language),
        "details": phrase("table.paused_by", language, fault=details) if details else "",
    }


def _proposal(table: Table, link: Link, language: str) -> dict[str, Any] | None:
    """Returns the open proposal as one of the people at the table sees it."""
    proposal, own = table.proposal, set(link.seats)
    if proposal is None:
        return None
    waiting = proposal.needs - proposal.agreed
    return {
        "kind": proposal.kind,
        "seat": proposal.seat,
        "strength": proposal.strength,
        "by": sorted(proposal.by),
        "needs": sorted(proposal.needs),
        "agreed": sorted(proposal.agreed),
        "text": phrase(
            f"table.proposed_{proposal.kind}",
            language,
            by=_people(table, proposal.by, language),
            player=_people(table, [proposal.seat], language),
        ),
        "waiting": phrase("table.proposed_to", language, players=_people(table, waiting, language)),
        "yours": bool(waiting & own),
        "mine": bool(proposal.by & own),
    }


def told_misfit(table: Table, misfit: Misfit, language: str) -> str:
    """Says why a table stays by its rules. Where something is hidden, the reply is only counted:
    neither it nor what the rules say of it may be known to all."""
    key = "luck" if misfit.luck else "refused"
    if not misfit.reply:
        return phrase(f"table.rules_{key}_start", language)
    told = phrase(f"table.rules_{key}", language, number=misfit.reply)
    if table.facts.secrets:
        return told
    return " ".join((told, table.replied(misfit.reply, language)))


def _people(table: Table, seats: Iterable[int], language: str) -> str:
    """Lists the names of some players: those they chose, else those of the game."""
    names = (table.seats[seat].nick or table.name(seat, language) for seat in sorted(seats))
    return enumerated(names, language)


def _curtain(table: Table, connection: Connection) -> int | None:
    """Returns the seat to whose player the screen must be handed first, if any."""
    own = connection.link.seats
    if len(own) < 2:
        return None
    asked = [seat for seat in table.asked() if seat in own and not table.seats[seat].bot]
    return asked[0] if asked and connection.faced not in asked else None


def _continues(before: ScreenState, now: ScreenState) -> bool:
    """Whether a screen can be updated incrementally, or must be redrawn."""
    return replace(before, at=now.at) == now and before.at <= now.at


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
