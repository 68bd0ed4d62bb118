"""All tables of a server: setting them up, opening and closing them, and the threads they run in.

There are two threads besides the event loop. In the game thread runs everything that touches a
match or the database, one thing after the other; each takes milliseconds. In the shelf's thread
rules are compiled. Bots think in processes of their own.

A table stays open while it is used: while somebody is connected, or a request is being answered.
Of the others the most recently used stay open, too.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import ParamSpec, TypeVar

from lawspeaker import ir
from lawspeaker.base.diagnostics import RulesError
from lawspeaker.faces.web import bots_at_table, seats
from lawspeaker.faces.web.bots_at_table import Thinkers, Turn
from lawspeaker.faces.web.bounded import is_draft
from lawspeaker.faces.web.seats import Link, Seat
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.shelf import Shelf, Unknown
from lawspeaker.faces.web.store import KeptReply, KeptTable, NotKept, Store
from lawspeaker.faces.web.tables import Broken, Table, opened
from lawspeaker.faces.web.wire import FRIEND, ME, Branch, NewTable, Sitter
from lawspeaker.match.game import Game
from lawspeaker.match.match import RuleFault
from lawspeaker.players.bots import BOTS

P = ParamSpec("P")
T = TypeVar("T")

SEED_BITS = 62
DAY = 24 * 60 * 60
LONGEST_THOUGHT = 60.0
"""So many seconds something may take elsewhere; after that, a bot takes any option."""

log = logging.getLogger("lawspeaker.web")


class NoTable(Exception):
    """A table cannot be set up as it was wished: a word for a code, and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Hall:
    """All tables of a server, and where its work is done."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.shelf = Shelf(settings.library)
        self.store = Store(settings.data)
        self.thinkers = Thinkers(settings.thinkers)
        self.apart: Callable[[Turn], Awaitable[int]] | None = None
        """Where bots think about rules that a visitor wrote; raises TimeoutError."""
        self._game = ThreadPoolExecutor(1, thread_name_prefix="game")
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="shelf")
        self._open: OrderedDict[int, Table] = OrderedDict()
        self._opening: dict[int, asyncio.Lock] = {}
        self._used: Counter[int] = Counter()

    def close(self) -> None:
        """Ends the threads after what they are doing; then nothing is written any more."""
        self.thinkers.close()
        self._reading.shutdown(wait=True, cancel_futures=True)
        self._game.shutdown(wait=True, cancel_futures=True)
        self.store.close()

    async def game(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does something in the game thread."""
        return await self._in(self._game, job, *args, **kwargs)

    async def reading(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does something in the shelf's thread."""
        return await self._in(self._reading, job, *args, **kwargs)

    async def elsewhere(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does something that takes long in a process of its own, where there are some."""
        if self.settings.thinkers == 0:
            return await self.game(job, *args, **kwargs)
        loop, pool = asyncio.get_running_loop(), self.thinkers.pool()
        try:
            doing = loop.run_in_executor(pool, partial(job, *args, **kwargs))
            return await asyncio.wait_for(doing, LONGEST_THOUGHT)
        except bots_at_table.BrokenProcessPool:
            self.thinkers.broke(pool)
            raise

    async def _in(
        self, where: ThreadPoolExecutor, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(where, partial(job, *args, **kwargs))

    async def keep_tidy(self) -> None:
        """Deletes, now and once a day, the tables that need not be kept any longer."""
        finished, running = self.settings.keep_finished, self.settings.keep_running
        while finished is not None or running is not None:
            spared = {*self._open, *self._used}
            try:
                gone = await self.game(self.store.forget, finished, running, spared)
                log.info("%d old tables deleted", gone)
            except NotKept as error:
                log.error("old tables are still there: %s", error)
            await asyncio.sleep(DAY)

    # ------------------------------------------------------------ opening tables

    async def link(self, token: str) -> Link | None:
        """What a token opens, if anything."""
        return await self.game(self.store.link, token) if seats.is_token(token) else None

    @asynccontextmanager
    async def using(self, number: int) -> AsyncIterator[Table]:
        """A table, which stays open as long as it is used; raises Broken."""
        self._used[number] += 1
        try:
            yield await self._opened(number)
        finally:
            self._used[number] -= 1
            if not self._used[number]:
                del self._used[number]
            self._close_some()

    async def _opened(self, number: int) -> Table:
        async with self._opening.setdefault(number, asyncio.Lock()):
            found = self._open.get(number)
            if found is None:
                found = self._open[number] = await self._open_again(number)
            self._open.move_to_end(number)
            return found

    async def _open_again(self, number: int) -> Table:
        kept = await self.game(self.store.table, number)
        if kept is None:
            raise Broken(f"there is no table {number}")
        files = await self.game(self.store.files, kept.digest)
        try:
            game = await self.reading(self.shelf.opened, kept.digest, kept.rules, files)
        except RulesError as error:
            raise Broken(f"the rules of table {number} cannot be read any more: {error}") from None
        return await self.game(opened, number, kept, game, self.store)

    def _close_some(self) -> None:
        idle = [number for number in self._open if not self._used[number]]
        for number in idle[: max(0, len(self._open) - self.settings.most_open)]:
            del self._open[number]
            self._opening.pop(number, None)

    # ------------------------------------------------------------ new tables

    async def new_table(self, wish: NewTable) -> str:
        """Sets up a table; gives the token of the host's link. Raises NoTable."""
        try:
            game = await self.reading(self.shelf.game, wish.rules)
        except Unknown as error:
            raise NoTable("unknown_rules", str(error)) from None
        except RulesError as error:
            told = "; ".join(each.message for each in error.diagnostics[:3])
            raise NoTable("bad_rules", told) from None
        return await self.set_up(game, wish)

    async def set_up(self, game: Game, wish: NewTable) -> str:
        """Sets up a table for a game; gives the token of the host's link. Raises NoTable."""
        _check_seats(game.program, wish.seats)
        others = any(each.who == FRIEND for each in wish.seats)
        if wish.seed is not None and others:
            raise NoTable("seed", "who knows the seed knows all cards: not with friends")
        seed = secrets.randbits(SEED_BITS) if wish.seed is None else wish.seed
        discretion = "discreet" if wish.discreet else "quick"
        language = _language(game.program, wish.language)
        kept = KeptTable(
            game.program.digest, game.name, seed, discretion, language, _seats(wish.seats)
        )
        return await self._keep(game, kept, wish.seats, [])

    async def branch(self, table: Table, wish: Branch) -> str:
        """Sets up a table that goes on from an earlier moment of another; raises NoTable."""
        if wish.after > table.at:
            raise NoTable("too_late", f"there are {table.at} replies")
        sitters = wish.seats or tuple(
            Sitter(ME if each.person else each.bot, each.nick) for each in table.seats
        )
        _check_seats(table.program, sitters)
        if len(sitters) != len(table.seats):
            raise NoTable("seats", f"this game has {len(table.seats)} seats")
        kept = KeptTable(
            table.program.digest,
            table.game.name,
            table.seed,
            table.discretion,
            table.language,
            _seats(sitters),
        )
        replies = await self.game(table.replies, wish.after)
        return await self._keep(table.game, kept, sitters, replies)

    async def _keep(
        self,
        game: Game,
        kept: KeptTable,
        sitters: Sequence[Sitter],
        replies: Sequence[KeptReply],
    ) -> str:
        host = seats.new_token()
        own = [seat for seat, each in enumerate(sitters) if each.who == ME]
        friends = [seat for seat, each in enumerate(sitters) if each.who == FRIEND]

        def keep() -> None:
            if self.store.count() >= self.settings.most_tables:
                raise NoTable("full", "there are too many tables here already")
            # Rules that fail at once are no reason to keep a table.
            game.start(len(kept.seats), kept.seed, discretion=kept.discretion)
            self.store.add_table(kept, game.files, seats.links(host, own, friends), replies)

        try:
            await self.game(keep)
        except RuleFault as fault:
            raise NoTable("bad_rules", str(fault)) from None
        return host

    # ------------------------------------------------------------ bots

    async def thought(self, table: Table, turn: Turn) -> int:
        """What a bot answers; if it cannot, or takes too long, any option."""
        if self.settings.thinkers == 0:
            return await self.game(bots_at_table.chosen, table.match, turn)
        for _ in range(2):
            try:
                if self.apart is not None and is_draft(table.game.name):
                    return await self.apart(turn)
                return await self.elsewhere(bots_at_table.think, turn)
            except bots_at_table.BrokenProcessPool:
                continue
            except TimeoutError:
                log.warning("table %d: a bot thinks for too long", table.number)
                break
            except Exception:
                log.exception("table %d: a bot has failed", table.number)
                break
        anyhow = Turn(turn.seat, "random", turn.ask, turn.position)
        return await self.game(bots_at_table.chosen, table.match, anyhow)


def _check_seats(program: ir.Program, sitters: Sequence[Sitter]) -> None:
    few, many = program.fewest, program.most
    if not few <= len(sitters) <= many:
        raise NoTable("seats", f"this game is for {few} to {many} players, not {len(sitters)}")
    known = [ME, FRIEND, *BOTS]
    for each in sitters:
        if each.who not in known:
            raise NoTable("seats", f"a seat is for one of {', '.join(known)}")


def _language(program: ir.Program, wanted: str) -> str:
    return wanted if wanted in program.languages else program.languages[0]


def _seats(sitters: Sequence[Sitter]) -> tuple[Seat, ...]:
    people = (ME, FRIEND)
    return tuple(
        Seat(each.who in people, "" if each.who in people else each.who, each.nick)
        for each in sitters
    )
