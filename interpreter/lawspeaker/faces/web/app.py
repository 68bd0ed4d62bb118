"""Defines the server's routes: static pages, JSON endpoints, and a WebSocket for each screen."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
)
from starlette.routing import (
    Mount,
    Route,
    WebSocketRoute,
    request_response,
    websocket_session,
)
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from lawspeaker.base.diagnostics import RulesError
from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.faces.render.book import NoTypst
from lawspeaker.faces.render.book.sheet import TooMany, sheet_of, sheet_page, sheet_pdf
from lawspeaker.faces.web import messages
from lawspeaker.faces.web.agreement import RULES
from lawspeaker.faces.web.books import Books
from lawspeaker.faces.web.buckets import Buckets
from lawspeaker.faces.web.catalogue import Stopping, TableRules, Unknown
from lawspeaker.faces.web.channel import (
    SEAT_TAKEN,
    SHAPES,
    WIDE,
    Channel,
    Connection,
    NotDrawn,
    about,
    told_misfit,
)
from lawspeaker.faces.web.comparing import Comparisons, policy_for
from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.game_in_play import Look
from lawspeaker.faces.web.guests import LISTED_FOR, MOST_LISTED
from lawspeaker.faces.web.home import PLAIN, Home
from lawspeaker.faces.web.inviting import invite
from lawspeaker.faces.web.leftovers import collect_when_quiet
from lawspeaker.faces.web.library_pages import LibraryPages
from lawspeaker.faces.web.link_previews import qr_code, with_preview
from lawspeaker.faces.web.metrics import Metrics, size_of
from lawspeaker.faces.web.open_tables import ask_for_seat, in_lobby
from lawspeaker.faces.web.page_words import words
from lawspeaker.faces.web.preview import Previews
from lawspeaker.faces.web.relaying import MOVED
from lawspeaker.faces.web.running import no_files_left
from lawspeaker.faces.web.sandbox import OutOfBounds, is_draft
from lawspeaker.faces.web.seats import Link, is_token
from lawspeaker.faces.web.security import HostNames, RequestGuard, TooLarge, TooSlow, client_of
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import Broken
from lawspeaker.faces.web.table_registry import NoTable, TableRegistry
from lawspeaker.faces.web.tables import Table
from lawspeaker.faces.web.workshop import studies
from lawspeaker.faces.web.workshop.routes import Workshop
from lawspeaker.faces.web.workshop.worker_pool import Stopped

STATIC = Path(__file__).parent / "static"
UNKNOWN_LINK, STOPPED, FLOODING, OUR_FAULT = 4404, 4408, 4429, 1011
GONE = (WebSocketDisconnect, RuntimeError, OSError)
"""Exceptions raised when sending to a browser that has disconnected."""
COSTLY = (
    "/compare",
    "/cards",
    "/book",
    "/api/brief",
    "/contract",
    "/api/comparison",
    "/api/mix",
    "/api/rules",
    "/api/preview/",
    "/api/scene/",
    "/api/under/",
    "/api/log/",
    "/api/report/",
    "/api/library/",
    "/api/workshop/",
    "/api/agreed/",
    "/api/rules/",
)
"""Path prefixes of expensive endpoints; their rate limit is lower."""
FRESH = "no-cache"
"""`Cache-Control` of static files: a browser may cache them, but must revalidate each time."""

log = logging.getLogger("lawspeaker.web")

Handler = Callable[[Request], Awaitable[Response]]


def make_app(settings: Settings) -> RequestGuard:
    """Builds the ASGI application, wrapped in its guard."""
    return guarded(Web(settings))


def guarded(web: Web) -> RequestGuard:
    """Builds the ASGI application of a given `Web`, wrapped in its guard."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(no_files_left)
        if web.settings.warm:
            web.warm_up()
        await web.registry.relay.listen(app)
        mails = partial(web.registry.mailing.keep_telling, web.registry.store)
        pushes = partial(web.registry.pushing.keep_telling, web.registry.store)
        jobs = (web.registry.keep_tidy, web.registry.keep_here, collect_when_quiet, mails, pushes)
        going_on = [asyncio.create_task(each()) for each in jobs]
        try:
            yield
        finally:
            for each in going_on:
                each.cancel()
            web.workshop.close()
            web.registry.close()
            web.metrics.close()

    app = Starlette(
        routes=web.routes(),
        lifespan=life,
        middleware=[Middleware(GZipMiddleware, minimum_size=2048, compresslevel=2)],
        exception_handlers={
            HTTPException: _http_error,
            ClientDisconnect: _cut_off,
            messages.BadMessage: _bad_message,
            NoTable: _no_table,
            Unknown: _unknown,
            Stopping: _stopping,
            RulesError: _bad_rules,
            Broken: _beyond,
            OutOfBounds: _beyond,
            Stopped: _stopped,
            NotKept: _not_kept,
            TooLarge: _too_large,
            TooSlow: _too_slow,
            Exception: _our_fault,
        },
    )
    names = HostNames.of(web.settings.host, web.settings.names)
    limits = messages.LARGEST_BODY, COSTLY, web.settings.hurry
    return RequestGuard(app, names, *limits, web.stop, web.metrics)


class AtItsOwner:
    """Forwards a request about a table to the process that plays that table."""

    def __init__(self, registry: TableRegistry, app: ASGIApp) -> None:
        self.registry, self.app = registry, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        owner = None
        if "relayed" not in scope:
            with suppress(NotKept, Broken):  # the route itself reports it
                owner = await self.registry.owner(scope["path_params"]["token"])
        if owner is not None:
            try:
                await self.registry.relay.forward(owner, scope, receive, send)
                return
            except ConnectionRefusedError:
                await self.registry.gone(owner)
        await self.app(scope, receive, send)


class Web:
    """The request handlers, with the state that they share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.registry = TableRegistry(settings)
        self.comparisons = Comparisons(self.registry.catalogue, settings.texts)
        self.books = Books(self.registry.catalogue)
        self.previews = Previews(self.registry.catalogue)
        self.workshop = Workshop(self.registry, self.comparisons)
        self.home = Home(self.registry, self.workshop.drafts)
        self.library = LibraryPages(self.registry, self.workshop, self.books)
        self.channels: dict[int, Channel] = {}
        hurry = settings.hurry
        self._talking = Buckets(burst=80 * hurry, rate=20 * hurry)
        self._connections: Counter[str] = Counter()
        self.metrics = Metrics(self._gauges)

    def stop(self) -> None:
        """Cancels long work that leaves nothing behind: reading rules, bots' thinking, jobs of the
        workshop.

        Replies are still stored until the end.
        """
        self.registry.catalogue.stop()
        self.registry.thinkers.stop()
        self.workshop.stop()

    def _gauges(self) -> dict[str, float]:
        data, store = self.settings.data, self.registry.store
        found = {
            "lawspeaker_screens": float(self._connections.total()),
            "lawspeaker_tables_open": float(self.registry.open_tables),
            "lawspeaker_replies_total": float(store.replies_added),
        }
        with suppress(NotKept, OSError):
            found["lawspeaker_tables_stored"] = float(store.count())
            if isinstance(data, Path):
                found["lawspeaker_data_bytes"] = size_of(data)
        return found

    def warm_up(self) -> None:
        """Compiles all games in the background."""
        self._warming = asyncio.create_task(self.registry.reading(self.registry.catalogue.listing))

    def routes(self) -> list[Route | Mount | WebSocketRoute]:
        get, post = ["GET"], ["POST"]
        owned = partial(AtItsOwner, self.registry)
        return [
            Route("/", _page("index.html"), methods=get),
            Route("/t/{token}", self.table_page, methods=get),
            Route("/watch/{token}", self.table_page, methods=get),
            Route("/replay/{token}", self.replay_page, methods=get),
            Route("/compare", self.compare, methods=get),
            Route("/book", self.book, methods=get),
            Route("/api/brief", self.brief, methods=get),
            Route("/api/games", self.games, methods=get),
            Route("/api/rules", self.rules, methods=get),
            Route("/api/words", self.words, methods=get),
            Route("/api/preview/{game}", self.preview, methods=get),
            Route("/cards", self.cards, methods=get),
            Route("/api/tables", self.new_table, methods=post),
            Route("/mail/{token}", self.mail_page, methods=get),
            Route("/mail/{token}", self.stop_mails, methods=post),
            Route("/api/mail/{token}", self.mail_state, methods=get),
            Route("/api/mail/{token}", self.confirm_mails, methods=post),
            Route("/api/open", self.open_tables, methods=get),
            Route("/api/qr/{token}", self.qr, methods=get),
            Route("/api/scene/{token}", owned(request_response(self.scene)), methods=get),
            Route("/api/log/{token}", owned(request_response(self.log)), methods=get),
            Route("/api/report/{token}", owned(request_response(self.report)), methods=get),
            Route("/api/under/{token}", owned(request_response(self.under)), methods=get),
            Route("/api/rules/{token}", owned(request_response(self.new_rules)), methods=post),
            Route("/api/rules/{token}", owned(request_response(self.proposed_rules)), methods=get),
            Route("/api/branch/{token}", owned(request_response(self.branch)), methods=post),
            Route("/healthz", _health, methods=get),
            *self.home.routes(),
            *self.library.routes(),
            *self.workshop.routes(),
            Mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static"),
            WebSocketRoute("/ws/{token}", owned(websocket_session(self.socket))),
        ]

    # ------------------------------------------------------------ pages

    async def table_page(self, request: Request) -> Response:
        token = request.path_params["token"]
        found = await self._link(token)
        if found is None:
            used = await self.registry.used(token)
            return _file("lost.html", 404) if used is None else _file("used.html", 410)
        title, about = await self._preview(found)
        return _html("table.html", title, about)

    async def _link(self, token: str) -> Link | None:
        """Returns what a token grants here; links of the lobby lead nowhere where there is none."""
        found = await self.registry.link(token)
        return None if found and found.listed and not self.settings.open_tables else found

    async def _preview(self, link: Link) -> tuple[str, str]:
        """Returns title and description for a link preview: the game for an invitation, none for a
        seat.

        A request for a seat also does not wait for the catalogue, which may be busy compiling.
        """
        kept, title = None, ""
        with suppress(Broken):
            kept = await self.registry.game(self.registry.store.table, link.table)
        language = "en" if kept is None else kept.language
        if (
            kept is not None
            and (link.invites or link.listed or link.watches)
            and not is_draft(kept.rules)
        ):
            wanted = (kept.rules, language)
            title = await self.registry.reading(self.registry.catalogue.title, *wanted)
        if not title:
            return "Lawspeaker", phrase("web.tagline", language)
        key = "invited" if link.invites or link.listed else "watch_title"
        return phrase(f"web.{key}", language, title=title), phrase("web.tagline", language)

    async def qr(self, request: Request) -> Response:
        """Serves the URL of an invitation or of the onlookers' link as a QR code."""
        token = request.path_params["token"]
        link = await self._link(token)
        if link is None or not (link.invites or link.watches):
            raise HTTPException(404, "this link leads nowhere")
        way = "t" if link.invites else "watch"
        address = f"{request.url.scheme}://{request.url.netloc}/{way}/{token}"
        return Response(qr_code(address), media_type="image/svg+xml")

    async def replay_page(self, request: Request) -> Response:
        found = await self._link(request.path_params["token"])
        return _file("lost.html", 404) if found is None else _file("replay.html")

    # ------------------------------------------------------------ choosing a game

    async def games(self, request: Request) -> Response:
        return JSONResponse(await self.registry.reading(self.registry.catalogue.listing))

    async def rules(self, request: Request) -> Response:
        name = _short(request.query_params.get("name", ""))
        language = request.query_params.get("language", "")
        return JSONResponse(
            await self.registry.reading(self.registry.catalogue.agreed, name, language)
        )

    async def compare(self, request: Request) -> Response:
        """Serves the comparison of editions and variants as a page of its own."""
        names = [_short(name) for name in request.query_params.getlist("name")]
        language = request.query_params.get("language", "")
        found = await self.registry.reading(self.comparisons.page, names, language)
        return HTMLResponse(found.html, headers={"content-security-policy": found.policy})

    async def cards(self, request: Request) -> Response:
        """Serves all cards and pieces of a game for printing: as HTML, or as a PDF with `pdf`."""
        name = _short(request.query_params.get("name", ""))
        wanted, pdf = request.query_params.get("language", ""), "pdf" in request.query_params

        def made() -> str | bytes:
            game = self.registry.catalogue.game(name)
            known = game.program.languages
            sheet = sheet_of(game, wanted if wanted in known else known[0], backs=True)
            return sheet_pdf(sheet) if pdf else sheet_page(sheet)

        try:
            found = await self.registry.reading(made)
        except NoTypst:
            raise HTTPException(404, "this server makes no PDF; print the page instead") from None
        except TooMany as many:
            raise HTTPException(404, str(many)) from None
        if isinstance(found, bytes):
            return Response(found, media_type="application/pdf")
        return HTMLResponse(found, headers={"content-security-policy": policy_for(found)})

    async def book(self, request: Request) -> Response:
        """Serves the rulebook of a game as a page of its own."""
        name = _short(request.query_params.get("name", ""))
        language = request.query_params.get("language", "")
        found = await self.registry.reading(self.books.page, name, language)
        return HTMLResponse(found.html, headers={"content-security-policy": found.policy})

    async def brief(self, request: Request) -> Response:
        """Serves a summary of a game in some sentences."""
        name = _short(request.query_params.get("name", ""))
        language, players = request.query_params.get("language", ""), _number(request, "players", 0)
        thinking = {}
        if self.registry.settings.times:
            thinking = await self.registry.game(self.registry.store.thinking, name)
        about = (name, players or 0, language, thinking)
        return JSONResponse(await self.registry.reading(self.books.brief, *about))

    async def words(self, request: Request) -> Response:
        language = request.query_params.get("language", "")
        spoken = language if language in LANGUAGES else "en"
        return JSONResponse({"language": spoken, "words": words(spoken)})

    async def mail_page(self, request: Request) -> Response:
        """Serves the page behind a link in a mail; opening it changes nothing."""
        return _file("mail.html")

    async def mail_state(self, request: Request) -> Response:
        found = await self._mail_at(request)
        return JSONResponse({"state": found})

    async def confirm_mails(self, request: Request) -> Response:
        """Confirms an address, or stops the mails to it."""
        await self._mail_at(request)
        wanted = messages.parsed(await request.body()).get("wanted")
        if not isinstance(wanted, bool):
            raise messages.BadMessage("bad_message", "`wanted` is true or false")
        token = request.path_params["token"]
        await self.registry.game(self.registry.store.confirm_mail, token, wanted)
        return JSONResponse({"state": "on" if wanted else ""})

    async def stop_mails(self, request: Request) -> Response:
        """Stops the mails to an address, as mail programs do by one click (RFC 8058)."""
        await self._mail_at(request)
        token = request.path_params["token"]
        await self.registry.game(self.registry.store.confirm_mail, token, False)
        return PlainTextResponse("")

    async def _mail_at(self, request: Request) -> str:
        token = request.path_params["token"]
        known = is_token(token)
        found = await self.registry.game(self.registry.store.mail_at, token) if known else None
        if found is None:
            raise HTTPException(404, "this link leads nowhere")
        return found

    async def open_tables(self, request: Request) -> Response:
        """Lists the tables at which visitors can ask for a seat, if this server has any."""
        on, tables = self.settings.open_tables, []
        if on:
            after = int(time.time()) - LISTED_FOR
            found = await self.registry.game(self.registry.store.listed, after, MOST_LISTED)
            tables = [in_lobby(each) for each in found]
        return JSONResponse({"on": on, "tables": tables}, headers=PLAIN)

    async def preview(self, request: Request) -> Response:
        """Serves a preview picture of a game as SVG."""
        name = _short(request.path_params["game"])
        language = request.query_params.get("language", "")
        drawn = await self.registry.reading(self.previews.picture, name, language)
        headers = {"cache-control": "max-age=600"}
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    async def new_table(self, request: Request) -> Response:
        wish = messages.new_table(await request.body())
        token = await self.registry.new_table(wish)
        log.info("new table")
        return JSONResponse({"link": f"/t/{token}"}, 201)

    # ------------------------------------------------------------ history

    async def scene(self, request: Request) -> Response:
        """Serves the table as it is now, or as it was after `after` replies, to a holder of its
        link."""
        async with self._linked(request.path_params["token"]) as (link, table):
            after = _number(request, "after", table.at)
            if after is None or after > table.at:
                raise messages.BadMessage(
                    "bad_message", f"`after` is a number from 0 to {table.at}"
                )
            told_all = await self.registry.at(table, table.open_to, link)
            look = _look(request, link, table, told_all, after)
            data = await self.registry.at(table, _past, table, link, after, look)
        return JSONResponse(data)

    async def log(self, request: Request) -> Response:
        """Serves the log of a game as a file, once nothing in it is secret."""
        async with self._linked(request.path_params["token"]) as (link, table):
            if not await self.registry.at(table, table.open_to, link):
                raise HTTPException(
                    403, "the log tells all hands: it is there when the game is over"
                )
            text = (await self.registry.at(table, table.log)).text()
        name = f"{table.facts.name}-{table.number}.json"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(text, media_type="application/json", headers=headers)

    async def report(self, request: Request) -> Response:
        """Serves the position after some replies as a scenario file, for who reports a problem with
        a rule."""
        wish = [_short(request.query_params.get(key, "")) for key in ("clause", "about")]
        clause, about = map(messages.clean, wish)
        async with self._linked(request.path_params["token"]) as (link, table):
            after = _number(request, "after", table.at)
            if after is None or after > table.at:
                raise messages.BadMessage(
                    "bad_message", f"`after` is a number from 0 to {table.at}"
                )
            if not await self.registry.at(table, table.open_to, link):
                raise HTTPException(
                    403, "a report tells all hands: it can be made when the game is over"
                )
            text = await self.registry.at(table, table.report, after, clause, about)
        name = f"problem-{table.number}-{after}.yaml"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(text, media_type="application/yaml", headers=headers)

    async def under(self, request: Request) -> Response:
        """Reports where this game would have diverged under other rules."""
        name = _short(request.query_params.get("rules", ""))
        other = await self.registry.reading(self.registry.catalogue.game, name)
        async with self._linked(request.path_params["token"]) as (link, table):
            if not await self.registry.at(table, table.open_to, link):
                raise HTTPException(403, "others still play this game: not before it is over")
            log = await self.registry.at(table, table.log)
            language, digest = _spoken(request, table, link), other.program.digest
        against = log, other.files, digest, other.name, language
        return JSONResponse(await self.workshop.held_against(*against))

    async def new_rules(self, request: Request) -> Response:
        """Moves a table to corrected rules, or proposes it to the others: those on offer under the
        same name or, for a table of a draft, another draft."""
        data = messages.parsed(await request.body())
        async with self._linked(request.path_params["token"]) as (link, table):
            if not link.host:
                raise HTTPException(403, "only the host can do this")
            if table.finished:
                raise HTTPException(409, "the game is over")
            if is_draft(table.rules):
                rules = await self.workshop.playable(data, len(table.seats))
            else:
                game = await self.registry.reading(self.registry.catalogue.game, table.rules)
                rules = TableRules.of(game)
            language = _spoken(request, table, link)
            told = await self._moving(table, link, rules, language)
        return JSONResponse(told)

    async def _moving(
        self, table: Table, link: Link, rules: TableRules, language: str
    ) -> dict[str, Any]:
        if rules.digest == table.digest:
            return {"done": False, "message": phrase("table.rules_same", language)}
        if len(table.seats) not in rules.counts or is_draft(rules.name) != table.sandboxed:
            return {"done": False, "message": phrase("table.rules_refused_start", language)}
        if not table.facts.secrets:
            # It tells nothing hidden, so nobody need agree to what cannot be.
            misfit = await self.registry.fit(table, rules)
            if misfit is not None:
                told = await self.registry.at(table, told_misfit, table, misfit, language)
                return {"done": False, "message": told}
        wanted = (link.seats, rules.name, rules.digest, rules.files)
        proposal = await self.registry.at(table, table.new_rules, *wanted)
        channel = self.channels.get(table.number) or Channel(self.registry, table)
        if proposal.passed:
            await channel.move(proposal)
            return {"done": table.digest == rules.digest, "message": ""}
        channel.changed()
        return {"done": True, "message": phrase("table.rules_asked", language)}

    async def proposed_rules(self, request: Request) -> Response:
        """Lists what the corrected rules change that are proposed at a table, in words."""
        async with self._linked(request.path_params["token"]) as (link, table):
            proposal, language = table.proposal, _spoken(request, table, link)
            if proposal is None or proposal.kind != RULES:
                raise HTTPException(404, "no other rules are proposed here")
            digest = proposal.about.partition(" ")[0]
            files = await self.registry.game(self.registry.store.files, digest)
            found = await self.workshop.only_quick(studies.agreed, table.files, files, language)
        return JSONResponse(found)

    async def branch(self, request: Request) -> Response:
        """Opens a new table that continues from an earlier point of this one."""
        wish = messages.branch(await request.body())
        async with self._linked(request.path_params["token"]) as (link, table):
            if not await self.registry.at(table, table.open_to, link):
                raise HTTPException(403, "others still play this game: not before it is over")
            token = await self.registry.branch(table, wish)
        return JSONResponse({"link": f"/t/{token}"}, 201)

    @asynccontextmanager
    async def _linked(self, token: str) -> AsyncIterator[tuple[Link, Table]]:
        link = await self._link(token)
        if link is None:
            raise HTTPException(404, "this link leads nowhere")
        if link.invites or link.listed:
            raise HTTPException(403, "this is an invitation: sit down first")
        async with self.registry.using(link) as table:
            yield link, table

    # ------------------------------------------------------------ sockets

    async def socket(self, socket: WebSocket) -> None:
        """Handles the WebSocket of one screen until it disconnects."""
        await socket.accept()
        client = client_of(socket.scope)
        if self._connections[client] >= self.settings.most_of_one:
            await socket.close(FLOODING)
            return
        self._connections[client] += 1
        try:
            await self._linked_socket(socket)
        finally:
            self._connections[client] -= 1
            if not self._connections[client]:
                del self._connections[client]

    async def _linked_socket(self, socket: WebSocket) -> None:
        token = socket.path_params["token"]
        link: Link | None = None
        try:
            link = await self._link(token)
            if link is None:
                used = await self.registry.used(token)
                await socket.close(UNKNOWN_LINK if used is None else SEAT_TAKEN)
                return
            async with self.registry.using(link) as table:
                language, shape = _spoken(socket, table, link), _shape(socket)
                read = partial(self._read, socket, link.table)
                if link.invites:
                    at = (socket, read, self.registry, table, token, link, language)
                    with suppress(*GONE):
                        await invite(*at, self._look_around)
                    self._look_around(table)
                elif link.listed:
                    client = client_of(socket.scope)
                    asking = (socket, read, self.registry, table, client, language)
                    with suppress(*GONE):
                        await ask_for_seat(*asking, self._look_around)
                else:
                    wishes = ("parts" in socket.query_params, "stages" in socket.query_params)
                    client = client_of(socket.scope)
                    connection = Connection(socket, token, link, language, shape, *wishes, client)
                    await self._connected(connection, table)
        except (Broken, OutOfBounds) as error:
            told = _told_of(error, await self._language(socket, link))
            with suppress(*GONE):
                await socket.send_json({"type": "error", **told})
                await socket.close(STOPPED)
        except NotKept as error:
            # Another process took the table first, or the database is unreachable: the browser
            # reconnects.
            log.warning("a table cannot be opened now: %s", error)
            with suppress(*GONE):
                await socket.close(MOVED)

    async def _language(self, asking: HTTPConnection, link: Link | None) -> str:
        """Returns the language for messages about a table that cannot be opened."""
        wanted = asking.query_params.get("language", "")
        if not wanted and link is not None:
            with suppress(Broken):
                kept = await self.registry.game(self.registry.store.table, link.table)
                wanted = kept.language if kept else ""
        return wanted if wanted in LANGUAGES else "en"

    def _look_around(self, table: Table) -> None:
        """Notifies the connections of a table: somebody may have taken a seat."""
        if table.number in self.channels:
            self.channels[table.number].changed()

    async def _connected(self, connection: Connection, table: Table) -> None:
        channel = self.channels.get(table.number)
        # the former table was closed and reopened
        if channel is None or channel.table is not table:
            channel = self.channels[table.number] = Channel(self.registry, table)
        if len(channel.connections) >= self.settings.most_sockets:
            await connection.socket.close(FLOODING)
            return
        try:
            await channel.join(connection)
            async with asyncio.TaskGroup() as both:
                writing = both.create_task(_write(connection, channel))
                await self._hear(connection, channel)
                writing.cancel()
        finally:
            channel.leave(connection)
            if not channel.connections and self.channels.get(table.number) is channel:
                channel.close()
                del self.channels[table.number]

    async def _hear(self, connection: Connection, channel: Channel) -> None:
        """Reads messages until the browser disconnects or exceeds its rate limit."""
        while True:
            try:
                text = await self._read(connection.socket, channel.table.number)
            except GONE:
                return
            await channel.hear(connection, text)

    async def _read(self, socket: WebSocket, table: int) -> str:
        """Reads a message; a connection that exceeds its rate limit is closed as if it had
        disconnected."""
        try:
            text = await socket.receive_text()
        except KeyError:  # a binary frame
            text = ""
        if not self._talking.take(client_of(socket.scope)):
            log.warning("table %d: a connection talks too much", table)
            await socket.close(FLOODING)
            raise WebSocketDisconnect(FLOODING)
        return text


async def _write(connection: Connection, channel: Channel) -> None:
    """Writes updates to a browser until sending fails; the reading task then ends as well."""
    try:
        await connection.write(channel)
    except GONE:
        return
    except NotDrawn:
        log.exception("a screen cannot be drawn")
        with suppress(*GONE):
            await connection.socket.close(OUR_FAULT)


# -------------------------------------------------------------------- answers


def _page(name: str) -> Handler:
    async def page(request: Request) -> Response:
        return _file(name)

    return page


def _html(name: str, title: str, about: str, image: str = "") -> Response:
    """Serves a page with the metadata for link previews filled in."""
    text = (STATIC / name).read_text(encoding="utf-8")
    headers = {"cache-control": FRESH}
    return HTMLResponse(with_preview(text, title, about, image), headers=headers)


def _file(name: str, status: int = 200) -> Response:
    return FileResponse(STATIC / name, status, headers={"cache-control": FRESH})


async def _health(request: Request) -> Response:
    return JSONResponse({"ok": True})


def _short(name: str) -> str:
    if len(name) > messages.LONGEST_TEXT:
        raise messages.BadMessage("bad_message", "this name is too long")
    return name


def _number(request: Request, name: str, default: int) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return default
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _look(request: Request, link: Link, table: Table, told_all: bool, after: int) -> Look:
    """Returns the view that a request may see of a table.

    That is the view of the link's own seat, of an onlooker or, once nothing is secret, of any seat.
    With `stages`, only the effects of the last reply are included.
    """
    query = request.query_params
    seat: int | None = link.seats[0] if len(link.seats) == 1 else None
    if "seat" in query:
        seat = _number(request, "seat", -1)
        allowed = range(len(table.seats)) if told_all else link.seats
        if seat not in allowed:
            raise HTTPException(403, "this link has another seat")
    staged = "stages" in query
    since = max(0, after - 1) if staged else 0
    return Look(seat, _spoken(request, table, link), _shape(request), since, in_stages=staged)


def _spoken(asking: HTTPConnection, table: Table, link: Link) -> str:
    """Chooses the language: the requested one, then the browser's, else that of the table.

    Only languages of the game count. The host has chosen the table's language, so the browser's is
    not asked for him.
    """
    wanted = [asking.query_params.get("language", "")]
    if not link.host:
        wanted += asking.query_params.get("browser", "").split(",")
    known = (each for each in wanted if each in table.facts.languages)
    return next(known, table.language)


def _shape(asking: HTTPConnection) -> str:
    wanted = asking.query_params.get("shape", WIDE)
    return wanted if wanted in SHAPES else WIDE


def _past(table: Table, link: Link, after: int, look: Look) -> dict[str, Any]:
    """Returns a past scene without the links that a host hands out.

    Responses are compressed, and a secret must not be compressed together with text that others
    control.
    """
    return {
        "type": "scene",
        "at": after,
        "of": table.at,
        "since": 0,
        "ask": None,
        "seat": look.seat,
        "curtain": None,
        "you": {"seats": list(link.seats), "host": link.host, "watch": link.watches},
        "table": about(table, link, "", look.language),
        "scene": table.scene_after(after, look),
    }


def _error(status: int, code: str, message: str) -> Response:
    return JSONResponse({"error": {"code": code, "message": message}}, status)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    codes = {401: "no_key", 403: "not_open", 404: "not_found", 405: "wrong_method"}
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return _file("lost.html", 404)
    return _error(error.status_code, codes.get(error.status_code, "refused"), error.detail)


async def _bad_message(request: Request, error: Exception) -> Response:
    assert isinstance(error, messages.BadMessage)
    return _error(400, error.code, error.message)


async def _no_table(request: Request, error: Exception) -> Response:
    assert isinstance(error, NoTable)
    return _error(409 if error.code == "full" else 400, error.code, error.message)


async def _unknown(request: Request, error: Exception) -> Response:
    return _error(404, "unknown_rules", str(error))


async def _bad_rules(request: Request, error: Exception) -> Response:
    assert isinstance(error, RulesError)
    return _error(400, "bad_rules", "; ".join(each.message for each in error.diagnostics[:3]))


async def _beyond(request: Request, error: Exception) -> Response:
    """Responds that a table cannot be opened, or that its rules exceed their time limit."""
    assert isinstance(error, Broken | OutOfBounds)
    language = request.query_params.get("language", "")
    told = _told_of(error, language if language in LANGUAGES else "en")
    return _error(410 if isinstance(error, Broken) else 503, told["code"], told["message"])


def _told_of(error: Broken | OutOfBounds, language: str) -> dict[str, str]:
    """Returns code and message for a table that cannot be opened, or whose rules exceed their
    limits."""
    log.error("%s", error)
    code = "broken" if isinstance(error, Broken) else error.code
    return {"code": code, "message": phrase(f"table.{code}", language)}


async def _stopped(request: Request, error: Exception) -> Response:
    assert isinstance(error, Stopped)
    return _error(503, error.code, error.message)


async def _not_kept(request: Request, error: Exception) -> Response:
    log.error("%s", error)
    return _error(503, "not_kept", "nothing can be stored at the moment; nothing has changed")


async def _too_large(request: Request, error: Exception) -> Response:
    return _error(413, "too_large", f"at most {messages.LARGEST_BODY:,} bytes can be sent")


async def _too_slow(request: Request, error: Exception) -> Response:
    return _error(408, "too_slow", "the request did not arrive in time")


async def _stopping(request: Request, error: Exception) -> Response:
    return _error(503, "stopping", "the server is being stopped; ask again in a moment")


async def _cut_off(request: Request, error: Exception) -> Response:
    """Responds to a connection that ended within the body; nobody reads this."""
    return _error(400, "cut_off", "the request was cut off")


async def _our_fault(request: Request, error: Exception) -> Response:
    return _error(500, "our_fault", "something went wrong here; it has been noted")
