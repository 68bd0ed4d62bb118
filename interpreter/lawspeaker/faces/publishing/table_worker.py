"""Runs one table in a worker of the browser, instead of in a server.

The table, its channel and its pictures are the server's own (`faces/web`). A game is stored as
rules, seats, seed and replies: a *record*, which the page stores after each change and from which
the game is resumed. A record may also hold an opened log, which is first replayed, and checked by
that.

Nothing can be kept secret from whoever holds the device. So people who share it are asked to hand
it over, with a curtain in between, as at a server.

Nothing here depends on the browser: the worker passes in a few functions.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, ParamSpec, TypeVar, cast

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play.pausing import Paused, paused_of
from lawspeaker.faces.web.bots_at_table import Turn
from lawspeaker.faces.web.channel import SHAPES, Channel, Connection, about
from lawspeaker.faces.web.game_in_play import TYPED, GameInPlay, Look
from lawspeaker.faces.web.guests import Guests
from lawspeaker.faces.web.pace import ChatLine
from lawspeaker.faces.web.seats import HOST, SEAT, Link, Seat
from lawspeaker.faces.web.store import Broken, KeptReply, KeptTable
from lawspeaker.faces.web.tables import Table
from lawspeaker.match.game import Game
from lawspeaker.match.log.reader import BadLog, from_json
from lawspeaker.match.replay import Replay
from lawspeaker.players.bots import BOTS

P = ParamSpec("P")
T = TypeVar("T")

ME = "me"
NOBODY = -1
PACE = 0.5
"""Seconds between replies of bots, so that people can follow them."""

log = logging.getLogger("lawspeaker.published")


class Unplayable(Exception):
    """Raised for a record that cannot be played; the message is for people."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """The stored data of a game.

    `who` is the occupant of each seat, `me` or a bot; `bots` are stand-ins for people. Replies are
    (seat, option, choice).
    """

    rules: str
    digest: str
    seed: int
    discretion: str
    language: str
    who: tuple[str, ...]
    nicks: tuple[str, ...]
    bots: tuple[str, ...]
    replies: tuple[tuple[int, int, str], ...] = ()
    mail: str = ""
    """The id of a game that is sent from device to device as links, else empty."""
    mine: int = NOBODY
    """The one seat that is played here in such a game."""
    paused: str = ""
    """The serialized pause of the game, else empty."""

    @classmethod
    def read(cls, text: str, game: Game) -> StoredGame:
        """Parses a record that a page has stored or made; raises Unplayable."""
        try:
            data = json.loads(text)
            if "log" in data:
                return _of_log(data, game)
            seats = data["seats"]
            found = cls(
                str(data["rules"]),
                str(data.get("digest", game.program.digest)),
                int(data["seed"]),
                "discreet" if data.get("discretion") == "discreet" else "quick",
                str(data.get("language", "")),
                tuple(str(each["who"]) for each in seats),
                tuple(str(each.get("name", ""))[:24] for each in seats),
                tuple(str(each.get("bot", "")) for each in seats),
                tuple(
                    (int(seat), int(at), str(said)) for seat, at, said in data.get("replies", ())
                ),
                str(data.get("mail", "")),
                int(data.get("mine", NOBODY)),
                str(data.get("paused", "")),
            )
            paused_of(found.paused)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise Unplayable(f"this is no game that was kept here ({error})") from None
        return found.checked(game)

    def checked(self, game: Game) -> StoredGame:
        if self.digest != game.program.digest:
            raise Unplayable("the rules of this page have changed since this game was begun")
        if len(self.who) not in game.players:
            raise Unplayable(f"{game.name} is not for {len(self.who)} players")
        if any(each not in (ME, "", *BOTS) for each in (*self.who, *self.bots)):
            raise Unplayable(f"a seat is for one of {', '.join((ME, *BOTS))}")
        if self.mine not in range(NOBODY, len(self.who)):
            raise Unplayable(f"there is no seat {self.mine}")
        return self

    def text(self) -> str:
        return json.dumps(
            {
                "rules": self.rules,
                "digest": self.digest,
                "seed": str(self.seed),
                "discretion": self.discretion,
                "language": self.language,
                "seats": [
                    {"who": who, "name": nick, "bot": bot}
                    for who, nick, bot in zip(self.who, self.nicks, self.bots, strict=True)
                ],
                "replies": self.replies,
                "mail": self.mail,
                "mine": self.mine,
                "paused": self.paused,
            },
            ensure_ascii=False,
        )


def _of_log(data: Mapping[str, Any], game: Game) -> StoredGame:
    """Builds a record from a log, which is replayed and must reproduce its outcome."""
    try:
        # The log is a JSON string: a seed has more digits than numbers of a browser.
        found = from_json(json.loads(data["log"]))
    except BadLog as bad:
        raise Unplayable(bad.message) from None
    if found.digest != game.program.digest:
        raise Unplayable(f"this game was played by other rules ({found.rules}) than this page's")
    if found.chance != "seed" or found.luck:
        raise Unplayable("the luck of this game was told from outside; it cannot go on here")
    replies: list[tuple[int, int, str]] = []
    again = Replay(game.program, found)
    options: dict[int | None, list[str]] = {}
    details = ""
    for step in again:
        details = step.fault
        if step.reply is not None and not step.refused:
            texts = options[step.reply.seat]
            said = again.match.replies[-1].text if again.match is not None else ""
            number = texts.index(said) if said in texts else TYPED
            replies.append((step.reply.seat or 0, number, said))
        if again.match is not None:
            asked = again.match.decisions
            options = {
                each.seat: [option.text for option in again.match.shown(each.seat).options]
                for each in asked
                if each.seat is not None
            }
    if again.difference is not None:
        raise Unplayable(again.difference.diagnostic().message)
    who = tuple(each if each in BOTS else ME for each in found.seats) or (ME,) * found.players
    wanted = data.get("seats")
    if wanted:
        who = tuple(str(each["who"]) for each in wanted)
    language = str(data.get("language", ""))
    record = StoredGame(
        game.name,
        found.digest,
        found.seed,
        found.discretion,
        language,
        who,
        ("",) * found.players,
        ("",) * found.players,
        tuple(replies),
        paused="" if found.fault is None else Paused.of(found.fault, details).text(),
    )
    return record.checked(game)


class _Keeping:
    """The store of a table: updates the record and passes it to the page."""

    def __init__(self, record: StoredGame, keep: Callable[[str], None]) -> None:
        self.record = record
        self._keep = keep
        self._said = 0

    def _renew(self, record: StoredGame) -> None:
        self.record = record
        self._keep(record.text())

    def add_reply(self, table: int, at: int, kept: KeptReply, *standing: Any) -> None:
        reply = (kept.seat, kept.option, kept.choice)
        self._renew(replace(self.record, replies=(*self.record.replies[:at], reply)))

    def take_back(self, table: int, replies: int, *standing: Any) -> None:
        self._renew(replace(self.record, replies=self.record.replies[:replies], paused=""))

    def pause(self, table: int, paused: Paused) -> None:
        self._renew(replace(self.record, paused=paused.text()))

    def set_seats(self, table: int, seats: Sequence[Seat], *standing: Any) -> None:
        bots = tuple(each.bot if each.person else "" for each in seats)
        self._renew(replace(self.record, bots=bots))

    def set_standing(self, table: int, *standing: Any) -> None:
        """Does nothing: at one screen no consent is needed, so nothing is ever proposed."""

    def lines(self, table: int) -> list[ChatLine]:
        """Returns nothing: chat is not stored, since the players are together."""
        return []

    def add_line(self, table: int, line: ChatLine, most: int) -> ChatLine:
        self._said += 1
        return replace(line, number=self._said)


class House:
    """A table with its screen, in place of the registry that a channel expects.

    `keep` stores a record. `think` asks the bots' worker: it takes a turn and returns an answer,
    both as JSON.
    """

    def __init__(
        self,
        game: Game,
        record: str,
        keep: Callable[[str], None],
        think: Callable[[str], Awaitable[str]],
        pace: float = PACE,
    ) -> None:
        self.settings = SimpleNamespace(pace=pace, most_keys=1, open_tables=False)
        # Nobody asks for a seat here, and nobody is told with the page closed.
        self.guests = Guests()
        self.mailing = SimpleNamespace(server=None)
        self.pushing = SimpleNamespace(on=False)
        # The browser's storage knows whose tables these are.
        self.store = SimpleNamespace(gather=lambda *_: None)
        self._think = think
        self._told_off = False
        kept = StoredGame.read(record, game)
        table = KeptTable(
            kept.digest, kept.rules, kept.seed, kept.discretion, kept.language, _seats(kept)
        )
        table = replace(table, paused=paused_of(kept.paused))
        try:
            play = GameInPlay(game, table, [KeptReply(*each) for each in kept.replies])
        except Broken as broken:
            raise Unplayable(str(broken)) from None
        store = _Keeping(kept, keep)
        self.table = Table(1, table, game.files, play, cast(Any, store))
        self.link = self._link(store)
        self.channel = Channel(cast(Any, self), self.table)
        store._renew(store.record)

    def _link(self, store: _Keeping) -> Link:
        """Returns the link of this screen: all people's seats, or by mail the seat that was to
        move.

        The latter is the one that was asked when the game first arrived here.
        """
        if not store.record.mail:
            people = (seat for seat, each in enumerate(self.table.seats) if each.person)
            return Link(1, HOST, tuple(people))
        if store.record.mine == NOBODY:
            mine = next(iter(self.table.asked()), 0)
            store.record = replace(store.record, mine=mine)
        return Link(1, SEAT, (store.record.mine,))

    # ------------------------------------------------------------ registry interface

    async def at(self, table: Table, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a job on the table in this thread, the only one."""
        return job(*args, **kwargs)

    async def advised(self, table: Table, turn: Turn) -> dict[str, Any]:
        """Returns a hint by a bot; empty if no bot can run here."""
        answer = json.loads(await self._think(as_text(turn)))
        if "advice" in answer:
            return cast(dict[str, Any], answer["advice"])
        log.error("no hint can be given: %s", answer.get("error"))
        return {"options": []}

    async def game(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return job(*args, **kwargs)

    async def thought(self, table: Table, turn: Turn) -> int:
        """Returns a bot's reply; on failure a random option, after telling people once."""
        answer = json.loads(await self._think(as_text(turn)))
        if "number" in answer:
            return int(answer["number"])
        log.error("a bot cannot think: %s", answer.get("error"))
        if not self._told_off:
            self._told_off = True
            for each in self.channel.connections:
                text = phrase("table.bot_cannot_think", each.language, why=answer.get("error", ""))
                each.answer(type="note", text=text)
        return table.chosen(replace(turn, bot="random"))

    # ------------------------------------------------------------ the screen

    async def show(self, send: Callable[[str], Any], language: str, shape: str) -> Connection:
        """Connects a screen; its messages go to `send`."""

        class Socket:
            async def send_text(self, text: str) -> None:
                send(text)

            async def close(self, code: int = 1000) -> None:
                pass

        known = self.table.facts.languages
        spoken = language if language in known else self.table.language
        shown = shape if shape in SHAPES else SHAPES[0]
        link = self.link
        connection = Connection(cast(Any, Socket()), "", link, spoken, shown, in_parts=True)
        await self.channel.join(connection)
        return connection

    # ------------------------------------------------------------ history

    def scene(self, after: int | None, seat: str | None, language: str, shape: str) -> str:
        """Returns the scene after the first `after` replies as JSON, in the server's format."""
        table = self.table
        at = table.at if after is None else max(0, min(after, table.at))
        own = self.link.seats
        viewer = int(seat) if seat else (own[0] if seat is None and len(own) == 1 else None)
        spoken = language if language in table.facts.languages else table.language
        look = Look(viewer, spoken, shape if shape in SHAPES else SHAPES[0])
        return json.dumps(
            {
                "type": "scene",
                "at": at,
                "of": table.at,
                "since": 0,
                "ask": None,
                "seat": viewer,
                "curtain": None,
                "you": {"seats": list(own), "host": True, "watch": False},
                "table": about(table, self.link, "", spoken),
                "scene": table.scene_after(at, look),
            },
            ensure_ascii=False,
        )

    def log(self) -> str:
        """Returns the log of the game for `lawspeaker replay`."""
        return self.table.log().text()

    def branch(self, after: int) -> str:
        """Returns a record that continues from an earlier point."""
        record = cast(_Keeping, self.table._store).record
        return replace(record, replies=record.replies[:after], paused="").text()


def _seats(record: StoredGame) -> tuple[Seat, ...]:
    return tuple(
        Seat(who == ME, bot if who == ME else who, nick)
        for who, nick, bot in zip(record.who, record.nicks, record.bots, strict=True)
    )


def as_text(turn: Turn) -> str:
    """Serializes a turn for the bots' worker, which has the rules already."""
    position = turn.position
    return json.dumps(
        {
            "seat": turn.seat,
            "bot": turn.bot,
            "ask": turn.ask,
            "players": position.players,
            "seed": str(position.seed),
            "discretion": position.discretion,
            "replies": position.replies,
        }
    )
