"""Library pages: one for each game and variant on offer, with its description and measured effect.

The effect of a variant is measured on request: bots play pairs of games, with and without the
variant, with the same seeds (`workshop/paired`). Each figure has its interval, and the bots and the
numbers of players and games are shown. Results are stored under the digests of both rules, so a
changed rule is measured anew. Only a game with one listed variant is measured, which bounds the
number of requests.

Visitors can submit drafts if the operator allows it (`--publish`): they are shown at once, or when
the owner, who has a key for that, has approved them. A submitted draft is a shared draft like any
other: it is opened in the workshop, and is read and played only in sandboxes. Its changes are
described like those of a variant.

Cards of games show how many minutes they take, if the server adds up how long people take to reply
(`minutes`).

Pages may be embedded in other sites if the operator allows it (`--embed`).
"""

from __future__ import annotations

import asyncio
import hmac
from contextlib import aclosing, suppress
from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from lawspeaker import ir
from lawspeaker.base.counts import in_both, nearest_count
from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.faces.web import messages, seats
from lawspeaker.faces.web.books import Books
from lawspeaker.faces.web.catalogue import Unknown
from lawspeaker.faces.web.link_previews import with_preview
from lawspeaker.faces.web.minutes import FEWEST_REPLIES
from lawspeaker.faces.web.security import POLICY
from lawspeaker.faces.web.table_registry import TableRegistry
from lawspeaker.faces.web.workshop import jobs, studies
from lawspeaker.faces.web.workshop.draft_store import LONGEST_NAME, SHOWN, WAITING, Full
from lawspeaker.faces.web.workshop.drafts import bundle, draft
from lawspeaker.faces.web.workshop.routes import STATIC, Workshop
from lawspeaker.faces.web.workshop.worker_pool import Stopped

BOT, GAMES, SECONDS, SEED = "greedy", 200, 120.0, 1
PATIENCE = 20.0
"""Seconds that a response waits for games in progress."""
NOBODY = "frame-ancestors 'none'"
NOTHING, APPROVED, ALL = "nothing", "approved", "all"
"""Selects which drafts of visitors the library shows."""
LONGEST_ABOUT = 200


class LibraryPages:
    def __init__(self, registry: TableRegistry, workshop: Workshop, books: Books) -> None:
        self.registry = registry
        self.books = books
        self.workshop = workshop
        self._measuring: dict[str, asyncio.Task[dict[str, Any] | None]] = {}

    def routes(self) -> list[Route]:
        get, post = ["GET"], ["POST"]
        return [
            Route("/library", self.page, methods=get),
            Route("/library/{name}", self.entry, methods=get),
            Route("/api/library/effect", self.effect, methods=get),
            Route("/api/library/effect", self.measure, methods=post),
            Route("/api/library/minutes", self.minutes, methods=get),
            Route("/api/library/drafts", self.drafts, methods=get),
            Route("/api/library/drafts", self.hand_in, methods=post),
            Route("/api/library/drafts/{token}/changes", self.changes, methods=get),
            Route("/api/library/drafts/{token}/decide", self.decide, methods=post),
        ]

    async def page(self, request: Request) -> Response:
        language = _language(request)
        return self._shown(phrase("web.library.title", language), phrase("web.tagline", language))

    async def entry(self, request: Request) -> Response:
        """Serves the page of a game, or of a game and one variant: GAME+VARIANT."""
        listed = await self._listed(request.path_params["name"])
        language = _language(request)
        title, about = (_told(listed[key], language) for key in ("title", "about"))
        return self._shown(title, about)

    def _shown(self, title: str, about: str) -> Response:
        text = (STATIC / "library.html").read_text(encoding="utf-8")
        embedding = self.registry.settings.embed
        allowed = f"frame-ancestors {' '.join(embedding)}" if embedding else NOBODY
        headers = {
            "cache-control": "no-cache",
            "content-security-policy": POLICY.replace(NOBODY, allowed),
        }
        return HTMLResponse(with_preview(text, title, about), headers=headers)

    async def _listed(self, name: str) -> dict[str, Any]:
        """Returns the catalogue entry for a name; raises HTTPException."""
        game, _, variant = name.partition("+")
        listing = await self.registry.reading(self.registry.catalogue.listing)
        found = next((each for each in listing["games"] if each["name"] == game), None)
        if found is not None and variant:
            found = next((each for each in found["variants"] if each["name"] == variant), None)
        if found is None:
            raise HTTPException(404, "this is not on offer here")
        return dict(found)

    # ------------------------------------------------------------ drafts of visitors

    async def drafts(self, request: Request) -> Response:
        """Lists the drafts of the library; with the owner's key also those awaiting approval."""
        mode, states = self.registry.settings.publish, [SHOWN]
        owner = await self._is_owner(request)
        if owner:
            states.append(WAITING)
        shown = mode != NOTHING or owner
        found = await self.registry.game(self.workshop.drafts.handed_in, *states) if shown else []
        told = {"publish": mode, "owner": owner, "drafts": [asdict(each) for each in found]}
        return JSONResponse(told, headers={"cache-control": "no-store"})

    async def hand_in(self, request: Request) -> Response:
        """Accepts a playable draft with a name and a description."""
        mode = self.registry.settings.publish
        if mode == NOTHING:
            raise HTTPException(403, "the library of this server takes no drafts")
        data = dict(messages.parsed(await request.body()))
        name, about = _said(data, "name", LONGEST_NAME), _said(data, "about", LONGEST_ABOUT)
        if not name:
            raise messages.BadMessage("bad_message", "what is handed in needs a name")
        kept = draft(data)
        files = await self.workshop.whole(kept)
        found = await self.workshop.only_quick(jobs.sound, files)
        if found["why"]:
            raise messages.BadMessage("bad_rules", found["why"])
        state = SHOWN if mode == ALL else WAITING
        try:
            token = await self.registry.game(self.workshop.drafts.hand_in, kept, name, about, state)
        except Full as full:
            return JSONResponse({"error": {"code": "full", "message": str(full)}}, 409)
        return JSONResponse({"link": f"/workshop/{token}", "state": state}, 201)

    async def decide(self, request: Request) -> Response:
        """Shows or removes a submitted draft; for the owner only."""
        if not await self._is_owner(request):
            raise HTTPException(401, "this needs the key of the server's owner")
        shown = messages.parsed(await request.body()).get("shown")
        if not isinstance(shown, bool):
            raise messages.BadMessage("bad_message", "`shown` is true or false")
        token = request.path_params["token"]
        await self.registry.game(self.workshop.drafts.decide, token, shown)
        return JSONResponse({})

    async def changes(self, request: Request) -> Response:
        """Describes the changes of a submitted draft in words."""
        token = request.path_params["token"]
        kept = None
        if seats.is_token(token):
            kept = await self.registry.game(self.workshop.drafts.get, token)
        if kept is None:
            raise HTTPException(404, "this draft is not there")
        if not kept.rules:
            return JSONResponse({"points": []})
        base = await self.registry.reading(self.registry.catalogue.game, kept.rules)
        files = bundle(base.files, kept.files)
        told = await self.workshop.only_quick(studies.agreed, base.files, files, _language(request))
        return JSONResponse(told)

    async def _is_owner(self, request: Request) -> bool:
        kind, _, key = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not seats.is_token(key):
            return False
        own = await self.registry.game(self.workshop.drafts.owner_key)
        return hmac.compare_digest(key, own)

    # ------------------------------------------------------------ minutes

    async def minutes(self, request: Request) -> Response:
        """Returns the measured minutes of a game; without a name, which games have them."""
        settings, store = self.registry.settings, self.registry.store
        name = request.query_params.get("name")
        if name is None:
            timed = []
            if settings.times:
                timed = await self.registry.game(store.timed, FEWEST_REPLIES)
            return JSONResponse({"names": timed})
        await self._listed(name)
        found = None
        if settings.times:
            thinking = await self.registry.game(store.thinking, name)
            if sum(replies for replies, _ in thinking.values()) >= FEWEST_REPLIES:
                found = await self.registry.reading(self.books.minutes, name, thinking)
        return JSONResponse({"minutes": None if found is None else asdict(found)})

    # ------------------------------------------------------------ measured effects

    async def effect(self, request: Request) -> Response:
        """Returns the measured effect of a variant; null if it was not measured yet."""
        name = request.query_params.get("name", "")
        base, other = await self._both(name)
        kept = self.registry.store.measured
        found = await self.registry.game(kept, base.program.digest, other.program.digest)
        return JSONResponse({"found": found, "running": name in self._measuring})

    async def measure(self, request: Request) -> Response:
        """Measures a variant by playing games with and without it, and stores the result."""
        name = messages.parsed(await request.body()).get("name")
        if not isinstance(name, str):
            raise messages.BadMessage("bad_message", "`name` is a game and a variant")
        await self._both(name)
        if name not in self._measuring:
            task = self._measuring[name] = asyncio.create_task(self._measured(name))
            task.add_done_callback(lambda _: self._measuring.pop(name, None))
        running = self._measuring[name]
        # The request need not stay open: the client polls while the games go on.
        await asyncio.wait([running], timeout=PATIENCE)
        if not running.done():
            return JSONResponse({"found": None, "running": True}, 202)
        found = running.result()
        if found is None:
            raise HTTPException(503, "these games take too long to be measured here")
        return JSONResponse({"found": found, "running": False})

    async def _both(self, name: str) -> Any:
        """Returns the game, and the game with the variant; raises HTTPException."""
        game, _, variant = name.partition("+")
        if not variant:
            raise HTTPException(404, "a variant is measured against its game")
        await self._listed(name)
        try:
            catalogue = self.registry.catalogue
            base = await self.registry.reading(catalogue.game, game)
            return base, await self.registry.reading(catalogue.game, name)
        except Unknown as error:
            raise HTTPException(404, str(error)) from None

    async def _measured(self, name: str) -> dict[str, Any] | None:
        base, other = await self._both(name)
        digests = base.program.digest, other.program.digest
        known = await self.registry.game(self.registry.store.measured, *digests)
        if known is not None:
            return known
        counts = in_both(base.program.counts, other.program.counts)
        if not counts:
            return None
        players = nearest_count(counts, 3)
        found: dict[str, Any] | None = None
        job = (studies.paired, base.files, other.files, players, BOT, GAMES, SEED)
        # When time is up, the result covers the games played so far.
        with suppress(Stopped):
            async with aclosing(self.workshop.slow.run(*job, seconds=SECONDS)) as told:
                async for each in told:
                    found = each
        if found is None:
            return None
        names = list(base.program.player_names[:players])
        kept = {**found, "bot": BOT, "players": players, "names": names}
        await self.registry.game(self.registry.store.keep_measured, *digests, kept)
        return kept


def _said(data: dict[str, Any], key: str, longest: int) -> str:
    """Pops a text field that accompanies a draft from the message."""
    said = data.pop(key, "")
    if not isinstance(said, str) or len(said) > longest:
        raise messages.BadMessage("bad_message", f"`{key}` is a text of at most {longest}")
    return messages.clean(said).strip()


def _language(request: Request) -> str:
    wanted = request.query_params.get("language", "")
    return wanted if wanted in LANGUAGES else "en"


def _told(texts: dict[str, str], language: str) -> str:
    return texts.get(language) or ir.in_language(texts, "en")
