"""Endpoints for a home: the tables and drafts of somebody who has a key instead of an account.

The key comes with each request as `Authorization: Bearer KEY`, never in a URL, and is not stored
(`keys`). Data is looked up by the key's hash: the id of a draft is meaningful only with its key. A
table is added when a browser with a seat there sends its key over the table's WebSocket
(`channel`).

Responses contain links next to text of others. They are never compressed: their length would reveal
something about the links.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from lawspeaker.faces.web import messages, seats
from lawspeaker.faces.web.pace import NOBODY
from lawspeaker.faces.web.store import HomeFull, HomeTable
from lawspeaker.faces.web.table_registry import TableRegistry
from lawspeaker.faces.web.workshop import starting
from lawspeaker.faces.web.workshop.bringing import Brought, brought, listed, unpacked
from lawspeaker.faces.web.workshop.draft_store import ID, LONGEST_NAME, Drafts, Full
from lawspeaker.faces.web.workshop.drafts import draft
from lawspeaker.faces.web.workshop.packing import packed
from lawspeaker.faces.web.workshop.routes import STATIC

PLAIN = {"content-encoding": "identity"}
"""Headers that prevent compression of a response."""
LOBBY, YOURS, WAITING, OVER = "lobby", "yours", "waiting", "over"
"""The state of a table: not begun, waiting for the requester, waiting for others, or over."""


class Home:
    def __init__(self, registry: TableRegistry, drafts: Drafts) -> None:
        self.registry = registry
        self.drafts = drafts
        drafts.most_keys = registry.settings.most_keys

    def routes(self) -> list[Route]:
        get, post = ["GET"], ["POST"]
        return [
            Route("/home", self.page, methods=get),
            Route("/api/home", self.home, methods=get),
            Route("/api/home/tables/out", self.take_out, methods=post),
            Route("/api/home/seat", self.seat, methods=post),
            Route("/api/home/join", self.join, methods=post),
            Route("/api/bring", self.bring, methods=post),
            Route("/api/home/drafts/{own}", self.draft, methods=get),
            Route("/api/home/drafts/{own}", self.save, methods=post),
            Route("/api/home/drafts/{own}/versions", self.versions, methods=get),
            Route("/api/home/drafts/{own}/files", self.files, methods=get),
            Route("/api/home/drafts/{own}/change", self.change, methods=post),
        ]

    async def page(self, request: Request) -> Response:
        return FileResponse(STATIC / "home.html", headers={"cache-control": "no-cache"})

    async def home(self, request: Request) -> Response:
        """Lists everything that belongs to a key."""
        key = key_of(request)
        tables = await self.registry.game(self.registry.store.home, key)
        drafts = await self.registry.game(self.drafts.listed, key)
        found = {
            "tables": [_shown(each) for each in tables],
            "drafts": [asdict(each) for each in drafts],
            "publish": self.registry.settings.publish,
        }
        return JSONResponse(found, headers=PLAIN)

    # ------------------------------------------------------------ tables

    async def take_out(self, request: Request) -> Response:
        key, token = key_of(request), _token(await request.body(), "link")
        await self.registry.game(self.registry.store.take_out, key, token)
        return JSONResponse({})

    async def seat(self, request: Request) -> Response:
        """Returns the seat that this key took with an invitation; null if somebody else used it."""
        key, token = key_of(request), _token(await request.body(), "link")
        used = await self.registry.used(token)
        mine = await self.registry.game(self.registry.store.home, key) if used else []
        links = [
            f"/t/{each.token}"
            for each in mine
            if used and (each.link.table, each.link.seats) == (used.table, used.seats)
        ]
        return JSONResponse({"link": links[0] if links else None}, headers=PLAIN)

    async def join(self, request: Request) -> Response:
        """Copies the tables and drafts of another key to this one."""
        key, other = key_of(request), _token(await request.body(), "key")
        store, most = self.registry.store, self.registry.settings.most_keys
        try:
            for each in await self.registry.game(store.home, other):
                keep = (key, each.token, each.link, most)
                await self.registry.game(store.gather, *keep)
            await self.registry.game(self.drafts.join, key, other)
        except (HomeFull, Full) as full:
            return _full(full)
        return JSONResponse({})

    # ------------------------------------------------------------ drafts

    async def draft(self, request: Request) -> Response:
        """Returns a draft with its base files, as the workshop opens it."""
        name, kept = await self._opened(request)
        begun = await self.registry.reading(starting.begun, self.registry.catalogue, kept)
        return JSONResponse({**begun, "name": name})

    async def files(self, request: Request) -> Response:
        """Returns the files of a draft as a ZIP archive, even if its base rules are gone."""
        name, kept = await self._opened(request)
        return Response(packed(name, kept), media_type="application/zip")

    async def _opened(self, request: Request) -> Any:
        key, own, wanted = key_of(request), _own(request), request.query_params.get("version", "")
        number = (
            int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 9 else None
        )
        found = await self.registry.game(self.drafts.opened, key, own, number)
        if found is None:
            raise HTTPException(404, "this draft is not there; it may belong to another key")
        return found

    async def versions(self, request: Request) -> Response:
        found = await self.registry.game(self.drafts.versions, key_of(request), _own(request))
        return JSONResponse([asdict(each) for each in found])

    async def bring(self, request: Request) -> Response:
        """Imports uploaded files as a draft; nothing is stored yet."""
        body = await request.body()
        kind = request.headers.get("content-type", "").partition(";")[0]

        def made() -> Brought:
            packed = kind == "application/zip"
            files = unpacked(body) if packed else listed(messages.parsed(body).get("files"))
            return brought(files, self.registry.catalogue.library.games())

        return JSONResponse((await self.registry.reading(made)).to_json())

    async def save(self, request: Request) -> Response:
        """Stores a draft; responds when it is on disk."""
        key, own, data = key_of(request), _own(request), messages.parsed(await request.body())
        name, kept = _name(data), draft(data)
        try:
            await self.registry.game(self.drafts.save, key, own, name, kept)
        except Full as full:
            return _full(full)
        return JSONResponse({})

    async def change(self, request: Request) -> Response:
        """Renames, archives, restores or deletes a draft."""
        key, own, data = key_of(request), _own(request), messages.parsed(await request.body())
        match data.get("what"):
            case "name":
                await self.registry.game(self.drafts.rename, key, own, _name(data))
            case "away" | "back":
                await self.registry.game(self.drafts.put_away, key, own, data["what"] == "away")
            case "delete":
                await self.registry.game(self.drafts.delete, key, own)
            case _:
                raise messages.BadMessage("bad_message", "`what`: name, away, back or delete")
        return JSONResponse({})


def key_of(request: Request) -> str:
    """Extracts the key from a request; raises HTTPException."""
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not seats.is_token(key):
        raise HTTPException(401, "this needs a key: 32 letters and digits")
    return key


def _own(request: Request) -> str:
    own: str = request.path_params["own"]
    if not ID.match(own):
        raise HTTPException(404, "this draft is not there")
    return own


def _token(body: bytes, name: str) -> str:
    token = messages.parsed(body).get(name)
    if not isinstance(token, str) or not seats.is_token(token):
        raise messages.BadMessage("bad_message", f"`{name}` has 32 letters and digits")
    return token


def _name(data: dict[str, Any]) -> str:
    name = data.get("name", "")
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        raise messages.BadMessage("bad_message", f"a name has at most {LONGEST_NAME} characters")
    return messages.clean(name).strip()


def _full(full: Exception) -> Response:
    return JSONResponse({"error": {"code": "full", "message": str(full)}}, 409)


def _shown(table: HomeTable) -> dict[str, Any]:
    """Summarizes a table for its owner: whom it waits for, but not what has happened."""
    own, waiting = table.link.seats, table.waiting
    people = {seat for seat, each in enumerate(table.seats) if each.person and not each.bot}
    if table.lobby:
        waiting = NOBODY  # no question has been put yet
    mine = people & set(own) & set(waiting.open)
    # Whether somebody has answered is known to himself alone; to whom a question was put is public.
    asked = mine | (people & set(waiting.asked)) - set(own)
    state = LOBBY if table.lobby else OVER if table.finished else YOURS if mine else WAITING
    return {
        "link": f"/t/{table.token}",
        "rules": table.rules,
        "titles": table.titles,
        "language": table.language,
        "state": state,
        "since": waiting.since if asked and not table.finished else None,
        "seats": [
            {
                "nick": each.nick,
                "bot": each.bot,
                "mine": seat in own,
                "open": table.link.host and each.person and not each.taken and seat not in own,
                "asked": seat in asked,
                "ready": each.ready or seat not in people,
            }
            for seat, each in enumerate(table.seats)
        ],
        "host": table.link.host,
        "began": table.began,
        "touched": table.touched,
    }
