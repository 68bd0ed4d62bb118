"""The endpoints of the workshop."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
)
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.render.compare import CompareOptions, about_texts, any_marked, rows_shown
from lawspeaker.faces.render.compare_json import to_json
from lawspeaker.faces.web import messages, seats
from lawspeaker.faces.web.buckets import Buckets
from lawspeaker.faces.web.catalogue import TableRules, Unknown
from lawspeaker.faces.web.comparing import Comparisons, policy_for
from lawspeaker.faces.web.seats import Link
from lawspeaker.faces.web.security import client_of
from lawspeaker.faces.web.store import KeptTable
from lawspeaker.faces.web.table_registry import NoTable, TableRegistry
from lawspeaker.faces.web.workshop import jobs, mixing, starting, studies
from lawspeaker.faces.web.workshop.differing import compared
from lawspeaker.faces.web.workshop.draft_store import Drafts, Full
from lawspeaker.faces.web.workshop.drafts import Draft, called, draft, started_from
from lawspeaker.faces.web.workshop.editor_reference import reference
from lawspeaker.faces.web.workshop.laboratory import choices, measures
from lawspeaker.faces.web.workshop.mixing import Picks, picks_in
from lawspeaker.faces.web.workshop.reading_desk import LARGEST_TEXTS
from lawspeaker.faces.web.workshop.studying import LAB_BOTS, Studying
from lawspeaker.faces.web.workshop.trial_games import DraftTrial
from lawspeaker.faces.web.workshop.trial_positions import Files, Tellings
from lawspeaker.faces.web.workshop.versions import (
    MOST_TELLINGS,
    original_of,
    put_together,
    versions,
    whole,
)
from lawspeaker.faces.web.workshop.visit import LONG, QUICK
from lawspeaker.faces.web.workshop.worker_pool import OUR_FAULT, Job, Stopped, WorkerPool
from lawspeaker.outside.library import LibraryError
from lawspeaker.study.compare import OtherGame
from lawspeaker.study.compare.mix import CannotMix

Found = TypeVar("Found")

STATIC = Path(__file__).parent.parent / "static"
FLOODING = 4429
GONE = (WebSocketDisconnect, RuntimeError, OSError)
_TEXT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}\.(txt|md|markdown)")
MOST_OF_ONE = 6
"""Maximum number of workshop pages open from one address."""
LONGEST_NAMES = 600
MOST_AGREED = 128
"""Number of cached descriptions of what tables' drafts change."""
MOST_RULES = 20_000
"""Maximum number of different rules of tables, since their texts are stored."""


class Workshop:
    def __init__(self, registry: TableRegistry, comparisons: Comparisons) -> None:
        self.registry = registry
        self.comparisons = comparisons
        processes = registry.settings.thinkers
        self.editing = WorkerPool(min(processes, 2))
        self.quick = WorkerPool(min(processes, 2))
        self.slow = WorkerPool(processes)
        self.drafts = Drafts(registry.settings.data)
        self._agreed: OrderedDict[tuple[str, str, str], dict[str, Any]] = OrderedDict()
        hurry = registry.settings.hurry
        self._talking = Buckets(burst=120 * hurry, rate=20 * hurry)
        self._connections: Counter[str] = Counter()

    def stop(self) -> None:
        """Cancels all running jobs."""
        for each in (self.editing, self.quick, self.slow):
            each.close()

    def close(self) -> None:
        self.stop()
        self.drafts.close()

    def routes(self) -> list[Route | WebSocketRoute]:
        get, post = ["GET"], ["POST"]
        return [
            Route("/workshop", self.page, methods=get),
            Route("/workshop/{token}", self.page, methods=get),
            Route("/comparison", self.comparison_page, methods=get),
            Route("/api/comparison", self.comparison, methods=get),
            Route("/api/comparison", self.comparison_of_drafts, methods=post),
            Route("/api/mix", self.mix, methods=get),
            Route("/api/mix", self.mix_of_drafts, methods=post),
            Route("/contract", self.contract, methods=get),
            Route("/lab", self.lab_page, methods=get),
            Route("/desk", self.desk_page, methods=get),
            Route("/api/desk/text", self.text_of_book, methods=get),
            Route("/api/choices", self.choices, methods=get),
            Route("/api/reference", self.reference, methods=get),
            Route("/api/workshop/start", self.start, methods=get),
            Route("/api/workshop/table", self.play, methods=post),
            Route("/api/agreed/{token}", self.agreed, methods=get),
            Route("/api/drafts", self.share, methods=post),
            Route("/api/drafts/{token}", self.shared, methods=get),
            WebSocketRoute("/api/workshop", self.socket),
        ]

    async def page(self, request: Request) -> Response:
        token = request.path_params.get("token")
        if token is not None and not seats.is_token(token):
            raise HTTPException(404, "this link leads nowhere")
        return _page("workshop.html")

    async def comparison_page(self, request: Request) -> Response:
        return _page("comparison.html")

    async def lab_page(self, request: Request) -> Response:
        return _page("lab.html")

    async def desk_page(self, request: Request) -> Response:
        return _page("desk.html")

    async def text_of_book(self, request: Request) -> Response:
        """Serves the text of a book from the server's folder, if there is one, which implies local
        use."""
        name = request.query_params.get("file", "")
        folder = self.comparisons.texts
        if folder is None or not _TEXT.fullmatch(name):
            raise HTTPException(404, "this text is not here")
        found = await self.registry.reading(self._text, folder / name)
        if found is None:
            raise HTTPException(404, "this text is not here")
        return PlainTextResponse(found, headers={"cache-control": "no-store"})

    def _text(self, path: Path) -> str | None:
        library = self.registry.catalogue.library
        try:
            return library.read(path, LARGEST_TEXTS) if library.holds(path) else None
        except LibraryError:
            return None

    async def choices(self, request: Request) -> Response:
        """Lists the choices, measures and bots for experiments with some rules."""
        rules = request.query_params.get("rules", "")[:LONGEST_NAMES]
        game = await self.registry.reading(self.registry.catalogue.game, rules)
        bots = [{"name": bot, "games": most} for bot, most in LAB_BOTS.items()]
        language = request.query_params.get("language", "")
        told = {"choices": choices(game.program, language), "measures": measures(game.program)}
        return JSONResponse({**told, "bots": bots})

    async def comparison(self, request: Request) -> Response:
        """Serves a comparison of editions as JSON; effects of differences are requested over the
        socket."""

        def compare(named: Tellings, language: str) -> dict[str, object]:
            told, found = compared(named, language)
            view = CompareOptions(shelf=self.comparisons.shelf(told))
            marked = any_marked(rows_shown(found), found.table.columns, view.shelf)
            marks = "highlighted" if marked else ""
            notes = about_texts(view.shelf, found.table.language, "barred", marks)
            return {**to_json(found, None, view), "about_texts": notes}

        return JSONResponse(await self._of_tellings(request, compare))

    async def mix(self, request: Request) -> Response:
        """Serves the picked readings as a variant."""
        picks = _picks(request)
        return JSONResponse(await self._of_tellings(request, mixing.variant, picks))

    async def comparison_of_drafts(self, request: Request) -> Response:
        """Serves a comparison that includes drafts: their files are sent along and read only by
        workers."""
        named, language, _ = await self._with_drafts(request)
        return await self._worked_out(studies.side_by_side, named, language)

    async def mix_of_drafts(self, request: Request) -> Response:
        named, language, data = await self._with_drafts(request)
        told = data.get("picks")
        picks = picks_in(told if isinstance(told, list) else [], len(named))
        return await self._worked_out(studies.picked, named, language, picks)

    async def _with_drafts(self, request: Request) -> tuple[Tellings, str, dict[str, Any]]:
        data = dict(messages.parsed(await request.body()))
        named = await versions(self.registry, data.get("names"))
        return named, str(data.get("language") or "en")[:2], data

    async def _worked_out(self, job: Job, *args: object) -> Response:
        try:
            return JSONResponse(await self._only(self.slow, LONG, job, *args))
        except Stopped as stopped:
            raise messages.BadMessage(stopped.code, stopped.message) from None

    async def contract(self, request: Request) -> Response:
        """Serves the picked readings as a printable agreement."""
        picks = _picks(request)
        try:
            html = await self._of_tellings(request, mixing.agreement, picks)
        except CannotMix as error:
            raise HTTPException(404, str(error)) from None
        return HTMLResponse(html, headers={"content-security-policy": policy_for(html)})

    async def _of_tellings(
        self, request: Request, job: Callable[..., Found], *more: object
    ) -> Found:
        """Runs a job on the editions that a request names, in its language."""
        query = request.query_params
        names, language = query.getlist("name"), query.get("language") or "en"
        if not 2 <= len(names) <= MOST_TELLINGS or any(len(each) > LONGEST_NAMES for each in names):
            raise messages.BadMessage(
                "bad_message", f"name two to {MOST_TELLINGS} versions of a game"
            )
        catalogue = self.registry.catalogue

        def done() -> Found:
            games = [catalogue.game(name) for name in names]
            named = tuple((each.name, each.files) for each in games)
            try:
                return job(named, language, *more)
            except OtherGame as error:
                raise Unknown(str(error)) from None

        return await self.registry.reading(done)

    async def reference(self, request: Request) -> Response:
        found = await self.registry.reading(reference)
        return JSONResponse(found, headers={"cache-control": "max-age=600"})

    # ------------------------------------------------------------ start

    async def start(self, request: Request) -> Response:
        """Serves the initial files of a draft, see `starting.started`."""
        query = request.query_params
        rules, way, other = query.get("rules", ""), query.get("as", "edit"), query.get("other", "")
        rows = query.getlist("row")
        if any(len(each) > LONGEST_NAMES for each in (rules, way, other, *rows)):
            raise messages.BadMessage("bad_message", "this name is too long")
        begin = partial(starting.started, self.registry.catalogue, way, rules, other, rows)
        return JSONResponse(await self.registry.reading(begin))

    # ------------------------------------------------------------ sharing

    async def share(self, request: Request) -> Response:
        kept = draft(messages.parsed(await request.body()))
        if kept.rules:
            await self.registry.reading(self.registry.catalogue.checked, kept.rules)
        try:
            token = await self.registry.game(self.drafts.add, kept)
        except Full as full:
            told = {"error": {"code": "full", "message": str(full)}}
            return JSONResponse(told, 409)
        return JSONResponse({"link": f"/workshop/{token}"}, 201)

    async def shared(self, request: Request) -> Response:
        token = request.path_params["token"]
        kept = await self.registry.game(self.drafts.get, token) if seats.is_token(token) else None
        if kept is None:
            raise HTTPException(404, "this link leads nowhere")
        return JSONResponse(
            await self.registry.reading(starting.begun, self.registry.catalogue, kept)
        )

    # ------------------------------------------------------------ playing

    async def play(self, request: Request) -> Response:
        """Creates a table that plays by a draft, if a trial of it stays within its limits."""
        data = dict(messages.parsed(await request.body()))
        own = draft({"rules": data.get("rules", ""), "files": data.pop("files", [])})
        wish = messages.wished(data)
        original = await original_of(self.registry, own.rules)
        if put_together(original, own.files) == original:
            token = await self.registry.new_table(wish)
        else:
            rules = await self._playable(own, original, len(wish.seats))
            token = await self.registry.set_up(rules, wish)
        return JSONResponse({"link": f"/t/{token}"}, 201)

    async def playable(self, data: Mapping[str, Any], players: int) -> TableRules:
        """Returns the rules of a draft in a message, if a trial stays within its limits; raises
        NoTable."""
        own = draft(data)
        return await self._playable(own, await original_of(self.registry, own.rules), players)

    async def _playable(self, own: Draft, original: Files, players: int) -> TableRules:
        files = put_together(original, own.files)
        if await self.registry.game(self.registry.store.count_rules) >= MOST_RULES:
            raise NoTable("full", "there are too many tables with rules of their own already")
        try:
            found: DraftTrial = await self._only(self.quick, QUICK, jobs.tried, files, players)
        except Stopped as stopped:
            raise NoTable(stopped.code, stopped.message) from None
        if found.why or found.facts is None:
            raise NoTable("bad_rules", found.why)
        rules = TableRules.of_draft(found.facts, files)
        return replace(rules, name=called(own, original, rules.name))

    async def agreed(self, request: Request) -> Response:
        """Describes the changes of a table's draft, for a holder of a link to the table."""
        link = await self.registry.link(request.path_params["token"])
        kept = None if link is None else await self.registry.game(self._table, link)
        if kept is None:
            raise HTTPException(404, "this link leads nowhere")
        wanted = request.query_params.get("language", "")
        language = wanted if wanted in LANGUAGES else kept.language
        try:
            base = await self.registry.reading(
                self.registry.catalogue.game, started_from(kept.rules)
            )
        except Unknown:
            return JSONResponse({"points": []})  # the draft is a game of its own: everything is new
        key = (base.program.digest, kept.digest, language)
        found = self._agreed.pop(key, None)
        if found is None:
            files = await self.registry.game(self.registry.store.files, kept.digest)
            found = await self._only(self.quick, QUICK, studies.agreed, base.files, files, language)
        self._agreed[key] = found
        while len(self._agreed) > MOST_AGREED:
            self._agreed.popitem(last=False)
        return JSONResponse(found)

    def _table(self, link: Link) -> KeptTable | None:
        return self.registry.store.table(link.table)

    async def held_against(self, *against: object) -> dict[str, Any]:
        """Reports where a game would first have diverged under other rules; raises Stopped."""
        found: dict[str, Any] = await self._only(self.slow, LONG, studies.held_against, *against)
        return found

    async def whole(self, own: Draft) -> Files:
        """Returns all files of a draft with its base files; raises Unknown or BadMessage."""
        return await whole(self.registry, own)

    async def only_quick(self, job: Job, *args: object) -> Any:
        """Runs a quick job and returns its single result; raises Stopped."""
        return await self._only(self.quick, QUICK, job, *args)

    async def _only(self, pool: WorkerPool, seconds: float, job: Job, *args: object) -> Any:
        """Runs a job and returns its single result; raises Stopped."""
        async with aclosing(pool.run(job, *args, seconds=seconds)) as told:
            found = [each async for each in told]
        if len(found) != 1:
            raise Stopped(*OUR_FAULT)
        return found[0]

    # ------------------------------------------------------------ WebSocket

    async def socket(self, socket: WebSocket) -> None:
        await socket.accept()
        client = client_of(socket.scope)
        if self._connections[client] >= MOST_OF_ONE * max(1, int(self.registry.settings.hurry)):
            await socket.close(FLOODING)
            return
        self._connections[client] += 1

        async def send(told: dict[str, Any]) -> None:
            with suppress(*GONE):
                await socket.send_json(told)

        visit = Studying(send, self.registry, self.editing, self.quick, self.slow)
        warming = asyncio.gather(
            *(each.warm() for each in (self.editing, self.quick, self.slow)), return_exceptions=True
        )
        try:
            with suppress(*GONE, KeyError):
                while True:
                    text = await socket.receive_text()
                    if not self._talking.take(client):
                        await socket.close(FLOODING)
                        return
                    await visit.hear(text)
        finally:
            await visit.leave()
            await warming
            self._connections[client] -= 1
            if not self._connections[client]:
                del self._connections[client]


def _picks(request: Request) -> Picks:
    query = request.query_params
    return picks_in(query.getlist("pick"), len(query.getlist("name")))


def _page(name: str) -> Response:
    return FileResponse(STATIC / name, headers={"cache-control": "no-cache"})
