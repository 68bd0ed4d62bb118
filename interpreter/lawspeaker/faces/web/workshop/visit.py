"""One visitor of the workshop, for as long as the page is open.

Each message asks for one sort of work and carries the whole draft. Of each sort a visitor has one
under way: a newer wish of the same sort takes the place of the older one, which is not answered any
more. Short work has workers of its own, so that it never waits for games being played: some answer
what the editor asks (what is wrong, what could be written, what a word is), others what a position
looks like.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from lawspeaker.base.diagnostics import RulesError
from lawspeaker.faces.web.catalogue import Unknown
from lawspeaker.faces.web.messages import (
    LARGEST_BODY,
    LARGEST_SEED,
    LONGEST_TEXT,
    BadMessage,
    parsed,
)
from lawspeaker.faces.web.table_registry import TableRegistry
from lawspeaker.faces.web.workshop import jobs
from lawspeaker.faces.web.workshop.differing import Tellings
from lawspeaker.faces.web.workshop.drafts import LARGEST_DRAFT, called, draft
from lawspeaker.faces.web.workshop.laboratory import Wish
from lawspeaker.faces.web.workshop.mixing import picks_in
from lawspeaker.faces.web.workshop.trial_positions import LONGEST, Files, Place
from lawspeaker.faces.web.workshop.versions import GAME, original_of, put_together, versions
from lawspeaker.faces.web.workshop.worker_pool import OUR_FAULT, Job, Stopped, WorkerPool

MOST_GAMES = 2_000
MOST_PLAYERS = 64
MOST_ROWS = 10_000
QUICK, LONG = 10.0, 240.0
"""So many seconds each sort of work may take."""
SEEKING = 20.0
GONE = (WebSocketDisconnect, RuntimeError, OSError)
FAST_BOTS = ("random", "greedy")
THINKING = 40
"""So many games the bots of a review play, if that is not too much for them."""
MOST_TEXTS = 12
"""The most choices, measures or targets of one wish."""
LAB_BOTS = {"random": MOST_GAMES, "greedy": 500, "mc:100": 50, "tree:300": 20}
"""The bots of the lab, and how many games of each may be asked for at once."""

log = logging.getLogger("lawspeaker.web")

Data = dict[str, Any]


class Session:
    def __init__(
        self,
        socket: WebSocket,
        registry: TableRegistry,
        editing: WorkerPool,
        quick: WorkerPool,
        slow: WorkerPool,
    ) -> None:
        self.socket = socket
        self.registry = registry
        self.editing = editing
        self.quick = quick
        self.slow = slow
        self._earlier: Files = ()  # the draft as it last could be put together
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, Data] = {}

    async def hear(self, text: str) -> None:
        """Begins what a message asks for, or says what is wrong with it."""
        try:
            if len(text) > LARGEST_BODY:
                raise BadMessage("too_large", f"a message may have {LARGEST_BODY:,} characters")
            data = parsed(text)
            kind = data.get("type")
            if kind == "stop":
                await self._stop(str(data.get("what", "")))
            elif kind in self._works:
                await self._begin(str(kind), data)
            elif kind != "ping":
                known = ", ".join((*self._works, "stop", "ping"))
                raise BadMessage("bad_message", f"`type` must be one of {known}")
        except BadMessage as bad:
            await self._say("error", code=bad.code, message=bad.message)

    async def leave(self) -> None:
        """Nobody is there any more to tell anything."""
        self._waiting.clear()
        for task in self._under_way.values():
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    # ------------------------------------------------------------ one after the other

    async def _begin(self, kind: str, data: Data) -> None:
        running = self._under_way.get(kind)
        if running is None or running.done():
            self._start(kind, data)
        elif kind in LASTING:
            await self._stop(kind)
            self._start(kind, data)
        else:
            self._waiting[kind] = data  # what runs is short, and leaves something to build on

    def _start(self, kind: str, data: Data) -> None:
        self._under_way[kind] = asyncio.create_task(self._work(kind, data))

    async def _stop(self, kind: str) -> None:
        task = self._under_way.pop(kind, None)
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _work(self, kind: str, data: Data) -> None:
        """Does some work, and then what was asked for meanwhile."""
        waiting: Data | None = data
        while waiting is not None:
            number = waiting.get("id")
            try:
                await self._works[kind](self, waiting)
            except (BadMessage, Stopped) as stop:
                await self._stopped(number, kind, stop.code, stop.message)
            except Unknown as unknown:
                await self._stopped(number, kind, "unknown_rules", str(unknown))
            except RulesError as error:
                await self._stopped(number, kind, "bad_rules", error.diagnostics[0].message)
            except Exception:
                log.exception("something in the workshop has failed")
                await self._stopped(number, kind, *OUR_FAULT)
            waiting = self._waiting.pop(kind, None)

    async def _stopped(self, number: Any, kind: str, code: str, message: str) -> None:
        await self._say("stopped", id=number, what=kind, code=code, message=message)

    async def _say(self, kind: str, **told: Any) -> None:
        with suppress(*GONE):
            await self.socket.send_json({"type": kind, **told})

    async def _tell(
        self, pool: WorkerPool, kind: str, number: Any, seconds: float, job: Job, *args: Any
    ) -> None:
        """Does a job, and says all it tells."""
        async with aclosing(pool.run(job, *args, seconds=seconds)) as found:
            async for each in found:
                await self._say(kind, id=number, **each)

    # ------------------------------------------------------------ what can be asked for

    async def _both(self, data: Data) -> tuple[Files, Files]:
        """The rules as they were, and as they are now."""
        now = draft(data)
        then = draft(data, "before")
        original = await original_of(self.registry, now.rules)
        return put_together(original, then.files), put_together(original, now.files)

    async def _examine(self, data: Data) -> None:
        before, after = await self._both(data)
        place = Place(
            _number(data, "players", MOST_PLAYERS),
            _number(data, "seed", LARGEST_SEED),
            _number(data, "replies", LONGEST),
        )
        spoken, shape = str(data.get("language", ""))[:2], str(data.get("shape", "wide"))[:4]
        job = (jobs.examined, before, after, place, spoken, shape)
        await self._tell(self.quick, "examined", data.get("id"), QUICK, *job)

    # ------------------------------------------------------------ what the editor asks

    async def _check(self, data: Data) -> None:
        """What is wrong with names and types, and what the words of the open file are."""
        before, after = await self._both(data)
        job = (jobs.checked, after, self._earlier or before, _file(data, after))
        async with aclosing(self.editing.run(*job, seconds=QUICK)) as found:
            async for each in found:
                if each["known"]:
                    self._earlier = after
                await self._say("checked", id=data.get("id"), **each)

    async def _question(self, kind: str, job: Job, data: Data, *more: Any) -> None:
        before, after = await self._both(data)
        asked = (job, after, self._earlier or before, _file(data, after), *more)
        await self._tell(self.editing, kind, data.get("id"), QUICK, *asked)

    async def _complete(self, data: Data) -> None:
        await self._question("completed", jobs.completed, data, _number(data, "at", LARGEST_DRAFT))

    async def _hover(self, data: Data) -> None:
        await self._question("hovered", jobs.hovered, data, _number(data, "at", LARGEST_DRAFT))

    async def _define(self, data: Data) -> None:
        await self._question("defined", jobs.defined, data, _number(data, "at", LARGEST_DRAFT))

    async def _declare(self, data: Data) -> None:
        await self._question("declared", jobs.declared, data, _text(data, "clause"))

    async def _refer(self, data: Data) -> None:
        await self._question("referred", jobs.referred, data, _number(data, "at", LARGEST_DRAFT))

    async def _rename(self, data: Data) -> None:
        at = _number(data, "at", LARGEST_DRAFT)
        await self._question("renamed", jobs.renamed, data, at, _text(data, "new"))

    async def _mend(self, data: Data) -> None:
        await self._question("mended", jobs.mended, data, _number(data, "at", LARGEST_DRAFT))

    async def _translate(self, data: Data) -> None:
        await self._question("translated", jobs.translated, data)

    # ------------------------------------------------------------ what a change does

    async def _seek(self, data: Data) -> None:
        before, after = await self._both(data)
        players, seed = _number(data, "players", MOST_PLAYERS), _number(data, "seed", LARGEST_SEED)
        job = (jobs.sought, before, after, players, seed)
        await self._tell(self.slow, "sought", data.get("id"), SEEKING, *job)

    async def _effect(self, data: Data) -> None:
        before, after = await self._both(data)
        players = _number(data, "players", MOST_PLAYERS)
        games = min(_number(data, "games", MOST_GAMES), MOST_GAMES)
        job = (jobs.paired, before, after, players, _bot(data), games, 1)
        await self._tell(self.slow, "effect", data.get("id"), LONG, *job)

    async def _format(self, data: Data) -> None:
        sent = draft({"files": [{"name": data.get("name"), "text": data.get("text")}]})
        job = (jobs.tidied, sent.files[0].name, sent.files[0].text)
        await self._tell(self.quick, "formatted", data.get("id"), QUICK, *job)

    async def _patch(self, data: Data) -> None:
        before, after = await self._both(data)
        name = draft({"files": [{"name": data.get("name"), "text": ""}]}).files[0].name
        job = (jobs.patched, before, after, name.removesuffix(".yaml"))
        await self._tell(self.quick, "patched", data.get("id"), QUICK, *job)

    # ------------------------------------------------------------ tellings side by side

    async def _named(self, data: Data) -> Tellings:
        return await versions(self.registry, data.get("names"))

    async def _changes(self, data: Data) -> None:
        """What a draft changes, one by one, for each to be weighed alone."""
        job = (jobs.singled, await self._named(data), str(data.get("language", ""))[:2])
        await self._tell(self.quick, "changes", data.get("id"), QUICK, *job)

    async def _witness(self, data: Data) -> None:
        named = await self._named(data)
        spoken, shape = str(data.get("language", ""))[:2], str(data.get("shape", "wide"))[:4]
        number, telling = _number(data, "number", MOST_ROWS), _telling(data, named)
        job = (jobs.witnessed, named, spoken, shape, number, telling)
        await self._tell(self.slow, "witness", data.get("id"), LONG, *job)

    async def _weigh(self, data: Data) -> None:
        named = await self._named(data)
        number, telling = _number(data, "number", MOST_ROWS), _telling(data, named)
        games, spoken = _number(data, "games", MOST_GAMES), str(data.get("language", ""))[:2]
        players = _number({"players": 0, **data}, "players", MOST_PLAYERS)
        job = (jobs.weighed, named, spoken, number, telling, games, players, _bot(data))
        await self._tell(self.slow, "weighed", data.get("id"), LONG, *job)

    async def _balance(self, data: Data) -> None:
        """What a mix does, held against one of the tellings it is made of."""
        named = await self._named(data)
        told = data.get("picks")
        picks = picks_in(told if isinstance(told, list) else [], len(named))
        telling, games = (
            _number(data, "telling", len(named) - 1),
            _number(data, "games", MOST_GAMES),
        )
        job = (jobs.balanced, named, str(data.get("language", ""))[:2], picks, telling, games)
        await self._tell(self.slow, "balanced", data.get("id"), LONG, *job)

    # ------------------------------------------------------------ the lab

    async def _wish(self, data: Data) -> Wish:
        """By rules of the catalogue, or by a draft of them."""
        written = draft(data)
        original = await original_of(self.registry, written.rules)
        files, name = put_together(original, written.files), written.rules
        if written.files:
            name = called(written, original, GAME)
        players, bot = _number(data, "players", MOST_PLAYERS), str(data.get("bot", "random"))
        if bot not in LAB_BOTS:
            raise BadMessage("bad_message", f"`bot` is one of {', '.join(LAB_BOTS)}")
        games, seed = _number(data, "games", MOST_GAMES), _number(data, "seed", LARGEST_SEED)
        most = MOST_GAMES if data.get("type") == "review" else LAB_BOTS[bot]
        spoken = str(data.get("language", ""))[:2]
        return Wish(files, name, players, bot, max(2, min(games, most)), seed, spoken)

    async def _simulate(self, data: Data) -> None:
        wish = await self._wish(data)
        await self._tell(self.slow, "simulated", data.get("id"), LONG, jobs.simulated, wish)

    async def _sweep(self, data: Data) -> None:
        job = (jobs.swept, await self._wish(data), _texts(data, "vary"), _texts(data, "measure"))
        await self._tell(self.slow, "swept", data.get("id"), LONG, *job)

    async def _tune(self, data: Data) -> None:
        wish = await self._wish(data)
        asked = (_texts(data, each) for each in ("vary", "target", "measure"))
        await self._tell(self.slow, "tuned", data.get("id"), LONG, jobs.tuned, wish, *asked)

    async def _review(self, data: Data) -> None:
        wish = await self._wish(data)
        thinking = min(LAB_BOTS[wish.bot], THINKING)
        await self._tell(self.slow, "reviewed", data.get("id"), LONG, jobs.reviewed, wish, thinking)

    _works: Mapping[str, Callable[[Session, Data], Awaitable[None]]] = {
        "examine": _examine,
        "check": _check,
        "complete": _complete,
        "hover": _hover,
        "define": _define,
        "declare": _declare,
        "refer": _refer,
        "rename": _rename,
        "mend": _mend,
        "translate": _translate,
        "seek": _seek,
        "effect": _effect,
        "format": _format,
        "patch": _patch,
        "changes": _changes,
        "witness": _witness,
        "weigh": _weigh,
        "balance": _balance,
        "simulate": _simulate,
        "sweep": _sweep,
        "tune": _tune,
        "review": _review,
    }


LASTING = ("effect", "seek", "witness", "weigh", "balance", "simulate", "sweep", "tune", "review")
"""Work that is stopped when something newer is asked for, rather than waited for."""


def _bot(data: Data) -> str:
    bot = str(data.get("bot", "random"))
    if bot not in FAST_BOTS:
        raise BadMessage("bad_message", f"`bot` is one of {', '.join(FAST_BOTS)}")
    return bot


def _telling(data: Data, named: Sequence[object]) -> int:
    telling = _number(data, "telling", len(named) - 1)
    if telling == 0:
        raise BadMessage("bad_message", "`telling` is held against the first, so it is another")
    return telling


def _text(data: Data, name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise BadMessage("bad_message", f"`{name}` must be a text, {LONGEST_TEXT} at most")
    return value


def _file(data: Data, files: Files) -> str:
    """The file of a draft that a message is about."""
    name = _text(data, "file")
    if all(each.name != name for each in files):
        raise BadMessage("bad_message", f"there is no {name} among these files")
    return name


def _texts(data: Data, name: str) -> tuple[str, ...]:
    """Short texts: one, or a list of them."""
    value = data.get(name, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise BadMessage("bad_message", f"`{name}` is a list of texts")
    if len(texts) > MOST_TEXTS or any(len(each) > LONGEST_TEXT for each in texts):
        raise BadMessage("bad_message", f"`{name}` has at most {MOST_TEXTS} short texts")
    return tuple(each for each in texts if each.strip())


def _number(data: Data, name: str, most: int) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise BadMessage("bad_message", f"`{name}` must be a whole number from 0 to {most:,}")
    return value
