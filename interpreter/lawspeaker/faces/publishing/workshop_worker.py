"""Runs the workshop in a worker of the browser, instead of in a server's processes.

Visitor session, language service and jobs are the server's own (`faces/web/workshop`). The rules on
offer are beside this package, as in an installation. Nothing here depends on the browser: the
worker passes in a function that receives all messages.

Drafts from a link or from storage are validated like those that visitors send to a server. The page
kills a worker that takes too long.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.faces.web.catalogue import Catalogue, Unknown
from lawspeaker.faces.web.messages import FRIEND, BadMessage, parsed, wished
from lawspeaker.faces.web.workshop import starting
from lawspeaker.faces.web.workshop.drafts import Draft, called, draft
from lawspeaker.faces.web.workshop.trial_games import tried
from lawspeaker.faces.web.workshop.trial_positions import Files
from lawspeaker.faces.web.workshop.versions import put_together
from lawspeaker.faces.web.workshop.visit import Visit
from lawspeaker.faces.web.workshop.worker_pool import (
    REFUSED,
    TOO_LONG,
    TOO_MUCH,
    Job,
    Stopped,
    why,
)
from lawspeaker.match.game import Game
from lawspeaker.outside.library import Library, built_in
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.position.fault import NoCompiledMachine

P = ParamSpec("P")
T = TypeVar("T")

SLOWER = 3.0
"""Factor for the time limits of jobs relative to a server, since a browser is slower,"""
PATIENCE = 20.0
"""and for those of a table, which delays only its own user."""
MODULES = 2
"""Number of compiled games cached: each takes much memory."""


class Here:
    """A pool that runs jobs in this thread, yielding to the event loop between results."""

    async def run(self, job: Job, *args: Any, seconds: float) -> AsyncGenerator[Any, None]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + SLOWER * seconds
        try:
            for each in job(*args):
                yield each
                await asyncio.sleep(0)
                if loop.time() > deadline:
                    raise Stopped(*TOO_LONG)
        except REFUSED as error:
            raise Stopped("bad_rules", why(error)) from None
        except (MemoryError, RecursionError):
            raise Stopped(*TOO_MUCH) from None


class Playing(Here):
    """A pool for jobs that play many games."""

    async def run(self, job: Job, *args: Any, seconds: float) -> AsyncGenerator[Any, None]:
        with suppress(NoCompiledMachine):
            # Imported here: editing alone need not wait for it.
            from lawspeaker.machines.adapter import keep_at_most

            keep_at_most(MODULES)
        async with aclosing(super().run(job, *args, seconds=seconds)) as found:
            async for each in found:
                yield each


class Bench:
    """The session of one visitor, and the rules to start from; `tell` receives all messages as
    JSON."""

    def __init__(self, tell: Callable[[str], object], root: Path | None = None) -> None:
        self._tell = tell
        self.catalogue = offered(root or built_in())
        here = Here()
        self._visit = Visit(self._send, self, here, here, Playing())

    async def _send(self, told: dict[str, Any]) -> None:
        self._tell(json.dumps(told, ensure_ascii=False))

    async def reading(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return job(*args, **kwargs)

    async def hear(self, text: str) -> None:
        """Handles a message of the page."""
        await self._visit.hear(text)

    # ------------------------------------------------------------ requests with a single response

    def start(self, text: str) -> str:
        """Returns the initial files of a draft; `text` is a JSON list of query parameters."""
        asked = [(str(name), str(value)) for name, value in json.loads(text)]
        query = dict(asked)
        rows = [value for name, value in asked if name == "row"]
        way, rules, other = (query.get(name, "") for name in ("as", "rules", "other"))
        return _answer(starting.started, self.catalogue, way, rules, other, rows)

    def shared(self, text: str) -> str:
        """Returns the draft in a link, with its base files."""

        def begun() -> dict[str, Any]:
            return starting.begun(self.catalogue, draft(parsed(text)))

        return _answer(begun)

    def table(self, text: str) -> str:
        """Returns the game and the record of a table that plays by a draft, if a trial succeeds."""
        return _answer(self._table, text)

    def _table(self, text: str) -> dict[str, Any]:
        data = dict(parsed(text))
        own = draft({"rules": data.get("rules", ""), "files": data.pop("files", [])})
        wish = wished(data)
        if any(each.who == FRIEND for each in wish.seats):
            raise BadMessage("no_server", "friends need a server to come to")
        original = _original(self.catalogue, own)
        files = put_together(original, own.files)
        (found,) = tried(files, len(wish.seats), PATIENCE)
        facts = found.facts
        if found.why or facts is None:
            raise BadMessage("bad_rules", found.why)
        name = called(own, original, facts.name) if own.files else own.rules
        seats = [{"who": each.who, "name": each.nick} for each in wish.seats]
        record = {"rules": name, "digest": found.digest, "discretion": "quick", "seats": seats}
        spoken = wish.language if wish.language in facts.languages else facts.languages[0]
        game = {"name": name, "title": found.titles, **own.to_json()}
        return {"game": game, "record": {**record, "language": spoken}}


def read(text: str) -> Game:
    """Compiles the game of a draft, as `table` returned it; raises BadMessage, Unknown or
    RulesError."""
    data = parsed(text)
    own, name = draft(data), str(data.get("name", ""))
    files = put_together(_original(offered(built_in()), own), own.files)
    diagnostics = Diagnostics()
    program = compile_bundle(files, diagnostics, name)
    if program is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return Game(program, name, files)


def offered(root: Path) -> Catalogue:
    """Returns a catalogue of the games and variants in a folder."""
    return Catalogue(Library(here=root, path=(), built_in=root))


def _original(catalogue: Catalogue, own: Draft) -> Files:
    return catalogue.game(own.rules).files if own.rules else ()


def _answer(job: Callable[P, dict[str, Any]], *args: P.args, **kwargs: P.kwargs) -> str:
    """Returns the result of a job, or its error, as JSON."""
    try:
        return json.dumps(job(*args, **kwargs), ensure_ascii=False)
    except BadMessage as bad:
        code, message = bad.code, bad.message
    except Unknown as unknown:
        code, message = "unknown_rules", str(unknown)
    except RulesError as error:
        code, message = "bad_rules", error.diagnostics[0].message
    return json.dumps({"error": {"code": code, "message": message}}, ensure_ascii=False)
