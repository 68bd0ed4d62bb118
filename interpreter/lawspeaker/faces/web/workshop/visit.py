"""One visitor of the workshop, for as long as the page is open.

Each message asks for one sort of work and carries the whole draft. Of each sort a visitor has one
under way: a newer wish of the same sort takes the place of the older one, which is not answered any
more. Short work has workers of its own, so that it never waits for games being played: some answer
what the editor asks (what is wrong, what could be written, what a word is), others what a position
looks like.

Nothing here knows of a server: a published workshop is a visit, too (`faces/publishing/bench`).
What needs one, since very many games are played, is asked for by `studying`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from typing import Any, ClassVar, Protocol

from lawspeaker.base.diagnostics import RulesError
from lawspeaker.faces.web.catalogue import Unknown
from lawspeaker.faces.web.messages import LARGEST_BODY, LARGEST_SEED, BadMessage, parsed
from lawspeaker.faces.web.workshop import fields, jobs
from lawspeaker.faces.web.workshop.drafts import LARGEST_DRAFT, draft, files_in
from lawspeaker.faces.web.workshop.fields import Data
from lawspeaker.faces.web.workshop.trial_positions import LONGEST, Files, Place
from lawspeaker.faces.web.workshop.versions import Reader, original_of, put_together
from lawspeaker.faces.web.workshop.worker_pool import OUR_FAULT, Job, Stopped

MOST_GAMES = 2_000
MOST_PLAYERS = 64
QUICK, LONG = 10.0, 240.0
"""So many seconds each sort of work may take."""
SEEKING = 20.0

log = logging.getLogger("lawspeaker.web")

Send = Callable[[dict[str, Any]], Awaitable[None]]
"""Tells the visitor something, if he is still there."""


class Pool(Protocol):
    """Where work is done, see `WorkerPool`."""

    def run(self, job: Job, *args: Any, seconds: float) -> AsyncGenerator[Any, None]: ...


class Visit:
    lasting: ClassVar[frozenset[str]] = frozenset({"seek", "figures"})
    """Work that is stopped when something newer is asked for, rather than waited for."""

    def __init__(self, send: Send, reader: Reader, editing: Pool, quick: Pool, slow: Pool) -> None:
        self.send = send
        self.reader = reader
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
            elif kind in self.works:
                await self._begin(str(kind), data)
            elif kind != "ping":
                known = ", ".join((*self.works, "stop", "ping"))
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
        elif kind in self.lasting:
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
                await self.works[kind](self, waiting)
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
        await self.send({"type": kind, **told})

    async def _tell(
        self, pool: Pool, kind: str, number: Any, seconds: float, job: Job, *args: Any
    ) -> None:
        """Does a job, and says all it tells."""
        async with aclosing(pool.run(job, *args, seconds=seconds)) as found:
            async for each in found:
                await self._say(kind, id=number, **each)

    # ------------------------------------------------------------ what can be asked for

    async def _both(self, data: Data) -> tuple[Files, Files]:
        """The rules as they were, and as they are now."""
        now = draft(data)
        before = files_in(data, "before")
        original = await original_of(self.reader, now.rules)
        return put_together(original, before), put_together(original, now.files)

    async def _examine(self, data: Data) -> None:
        before, after = await self._both(data)
        place = Place(
            fields.number(data, "players", MOST_PLAYERS),
            fields.number(data, "seed", LARGEST_SEED),
            fields.number(data, "replies", LONGEST),
        )
        spoken, shape = str(data.get("language", ""))[:2], str(data.get("shape", "wide"))[:4]
        job = (jobs.examined, before, after, place, spoken, shape)
        await self._tell(self.quick, "examined", data.get("id"), QUICK, *job)

    # ------------------------------------------------------------ what the editor asks

    async def _check(self, data: Data) -> None:
        """What is wrong with names and types, and what the words of the open file are."""
        before, after = await self._both(data)
        job = (jobs.checked, after, self._earlier or before, fields.file(data, after))
        async with aclosing(self.editing.run(*job, seconds=QUICK)) as found:
            async for each in found:
                if each["known"]:
                    self._earlier = after
                await self._say("checked", id=data.get("id"), **each)

    async def _question(self, kind: str, job: Job, data: Data, *more: Any) -> None:
        before, after = await self._both(data)
        asked = (job, after, self._earlier or before, fields.file(data, after), *more)
        await self._tell(self.editing, kind, data.get("id"), QUICK, *asked)

    async def _complete(self, data: Data) -> None:
        await self._question(
            "completed", jobs.completed, data, fields.number(data, "at", LARGEST_DRAFT)
        )

    async def _hover(self, data: Data) -> None:
        await self._question(
            "hovered", jobs.hovered, data, fields.number(data, "at", LARGEST_DRAFT)
        )

    async def _define(self, data: Data) -> None:
        await self._question(
            "defined", jobs.defined, data, fields.number(data, "at", LARGEST_DRAFT)
        )

    async def _declare(self, data: Data) -> None:
        await self._question("declared", jobs.declared, data, fields.text(data, "clause"))

    async def _refer(self, data: Data) -> None:
        await self._question(
            "referred", jobs.referred, data, fields.number(data, "at", LARGEST_DRAFT)
        )

    async def _rename(self, data: Data) -> None:
        at = fields.number(data, "at", LARGEST_DRAFT)
        await self._question("renamed", jobs.renamed, data, at, fields.text(data, "new"))

    async def _mend(self, data: Data) -> None:
        await self._question("mended", jobs.mended, data, fields.number(data, "at", LARGEST_DRAFT))

    async def _translate(self, data: Data) -> None:
        await self._question("translated", jobs.translated, data)

    async def _begin_file(self, data: Data) -> None:
        kind, called = fields.text(data, "kind"), fields.text(data, "called")
        await self._question("filed", jobs.begun, data, kind, called)

    async def _move_file(self, data: Data) -> None:
        await self._question("filed", jobs.moved, data, fields.text(data, "called"))

    async def _remove_file(self, data: Data) -> None:
        await self._question("filed", jobs.removed, data)

    # ------------------------------------------------------------ what a change does

    async def _seek(self, data: Data) -> None:
        before, after = await self._both(data)
        players, seed = (
            fields.number(data, "players", MOST_PLAYERS),
            fields.number(data, "seed", LARGEST_SEED),
        )
        job = (jobs.sought, before, after, players, seed)
        await self._tell(self.slow, "sought", data.get("id"), SEEKING, *job)

    async def _figures(self, data: Data) -> None:
        """The first figures of games by the rules as they are now, and as they were."""
        before, after = await self._both(data)
        players = fields.number(data, "players", MOST_PLAYERS)
        games = min(fields.number(data, "games", MOST_GAMES), MOST_GAMES)
        job = (jobs.figured, before, after, players, fields.bot(data), games, 1)
        await self._tell(self.slow, "figures", data.get("id"), LONG, *job)

    async def _format(self, data: Data) -> None:
        sent = draft({"files": [{"name": data.get("name"), "text": data.get("text")}]})
        job = (jobs.tidied, sent.files[0].name, sent.files[0].text)
        await self._tell(self.quick, "formatted", data.get("id"), QUICK, *job)

    async def _patch(self, data: Data) -> None:
        before, after = await self._both(data)
        name = draft({"files": [{"name": data.get("name"), "text": ""}]}).files[0].name
        own_game = not draft(data).rules
        patch = (jobs.patched, before, after, name.removesuffix(".yaml"))
        job = (jobs.gathered, after) if own_game else patch
        await self._tell(self.quick, "patched", data.get("id"), QUICK, *job)

    works: ClassVar[Mapping[str, Callable[[Any, Data], Awaitable[None]]]] = {
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
        "begin_file": _begin_file,
        "move_file": _move_file,
        "remove_file": _remove_file,
        "seek": _seek,
        "figures": _figures,
        "format": _format,
        "patch": _patch,
    }
