"""The session of one visitor of the workshop.

Each message requests one kind of work and carries the whole draft. A visitor has one request of
each kind in flight: a newer one supersedes the older, which is not answered any more. Short work
has workers of its own, so that it never waits for games: some workers serve the editor
(diagnostics, completion, hover), others show positions.

Nothing here depends on a server: a published workshop is a session, too
(`faces/publishing/workshop_worker`). Requests that need a server, since very many games are played,
are in `studying`.
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
MOST_NUMBERS = 1_000
"""Maximum number of values in a list that the form can set."""
QUICK, LONG = 10.0, 240.0
"""Time limits in seconds for quick and for long work."""
SEEKING = 20.0

log = logging.getLogger("lawspeaker.web")

Send = Callable[[dict[str, Any]], Awaitable[None]]
"""Sends a message to the visitor, if he is still connected."""


class Pool(Protocol):
    """Protocol of a pool of workers, see `WorkerPool`."""

    def run(self, job: Job, *args: Any, seconds: float) -> AsyncGenerator[Any, None]: ...


class Visit:
    lasting: ClassVar[frozenset[str]] = frozenset({"seek", "figures"})
    """Kinds of work that a newer request cancels rather than waits for."""

    def __init__(self, send: Send, reader: Reader, editing: Pool, quick: Pool, slow: Pool) -> None:
        self.send = send
        self.reader = reader
        self.editing = editing
        self.quick = quick
        self.slow = slow
        self._earlier: Files = ()  # the draft as it was when its files last could be put together
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, Data] = {}

    async def hear(self, text: str) -> None:
        """Handles a message: starts the work it requests, or reports an error."""
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
        """Cancels all work when the visitor disconnects."""
        self._waiting.clear()
        for task in self._under_way.values():
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    # ------------------------------------------------------------ scheduling

    async def _begin(self, kind: str, data: Data) -> None:
        running = self._under_way.get(kind)
        if running is None or running.done():
            self._start(kind, data)
        elif kind in self.lasting:
            await self._stop(kind)
            self._start(kind, data)
        else:
            self._waiting[kind] = data  # the running task is short, and fills caches

    def _start(self, kind: str, data: Data) -> None:
        self._under_way[kind] = asyncio.create_task(self._work(kind, data))

    async def _stop(self, kind: str) -> None:
        task = self._under_way.pop(kind, None)
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _work(self, kind: str, data: Data) -> None:
        """Performs a request, and then the one that arrived meanwhile."""
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
        """Runs a job and sends everything it yields."""
        async with aclosing(pool.run(job, *args, seconds=seconds)) as found:
            async for each in found:
                await self._say(kind, id=number, **each)

    # ------------------------------------------------------------ requests

    async def _both(self, data: Data) -> tuple[Files, Files]:
        """Returns the files before and after the change."""
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

    # ------------------------------------------------------------ requests of the editor

    async def _check(self, data: Data) -> None:
        """Sends the diagnostics of names and types, and the tokens of the open file."""
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

    async def _numbers(self, data: Data) -> None:
        spoken = str(data.get("language", ""))[:2]
        await self._question("numbered", jobs.numbered, data, spoken)

    async def _set_number(self, data: Data) -> None:
        target = fields.text(data, "target")
        values = fields.texts(data, "values", MOST_NUMBERS)
        own_game = not draft(data).rules
        await self._question("filed", jobs.set_number, data, target, values, own_game)

    # ------------------------------------------------------------ effects of a change

    async def _seek(self, data: Data) -> None:
        before, after = await self._both(data)
        players, seed = (
            fields.number(data, "players", MOST_PLAYERS),
            fields.number(data, "seed", LARGEST_SEED),
        )
        job = (jobs.sought, before, after, players, seed)
        await self._tell(self.slow, "sought", data.get("id"), SEEKING, *job)

    async def _figures(self, data: Data) -> None:
        """Sends statistics of games by the current and by the original rules."""
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
        "numbers": _numbers,
        "set_number": _set_number,
        "seek": _seek,
        "figures": _figures,
        "format": _format,
        "patch": _patch,
    }
