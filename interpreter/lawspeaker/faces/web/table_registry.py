"""All tables of a server: creates, opens and closes them, and owns the threads they run in.

Besides the event loop there is the game thread, in which games are played and links looked up, one
at a time; each takes milliseconds. Rules are compiled in the catalogue's thread. Bots run in
processes of their own.

Games by visitors' rules may take long. Each is played in a process of its own (`sandbox`), and a
few threads wait for these processes. Such a table handles one request at a time, so it never takes
more than one of these threads and delays only itself.

A table stays open while it is used: while somebody is connected, or a request is being handled. Of
the others the most recently used stay open, too. Where several processes share the tables, each is
played by one of them at a time (`peers`), and an open one is its own.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, ParamSpec, TypeVar

from lawspeaker.base.counts import not_for
from lawspeaker.base.diagnostics import RulesError
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web import bots_at_table, seats
from lawspeaker.faces.web.bot_pool import BrokenProcessPool, Thinkers
from lawspeaker.faces.web.bots_at_table import Turn
from lawspeaker.faces.web.catalogue import Catalogue, TableRules, Unknown
from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.game_in_play import GameInPlay, Misfit
from lawspeaker.faces.web.guests import Guests
from lawspeaker.faces.web.mailing import Mailing
from lawspeaker.faces.web.messages import FRIEND, ME, Branch, NewTable, Sitter
from lawspeaker.faces.web.pace import Pace
from lawspeaker.faces.web.peers import Peer
from lawspeaker.faces.web.pushing import Pushing
from lawspeaker.faces.web.relaying import Relay
from lawspeaker.faces.web.sandbox import OutOfBounds, Processes, SandboxedGame, is_draft
from lawspeaker.faces.web.seats import Link, Seat, nick_trouble
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import Broken, KeptReply, KeptTable, Store
from lawspeaker.faces.web.strengths import who_can_sit
from lawspeaker.faces.web.tables import Table, waiting_for

P = ParamSpec("P")
T = TypeVar("T")

SEED_BITS = 62
DAY = 24 * 60 * 60
LONGEST_THOUGHT = 60.0
"""Timeout in seconds for a bot in another process; after that, a random option is taken."""

log = logging.getLogger("lawspeaker.web")


class NoTable(Exception):
    """Raised when a requested table cannot be created: a code for programs, a sentence for
    people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class TableRegistry:
    """All tables of a server, and the executors for its work."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.catalogue = Catalogue(settings.library)
        self.relay = Relay(settings.inside, settings.process)
        self.store = Store(settings.data, self.relay.me, alone=not settings.inside)
        self.thinkers = Thinkers(settings.thinkers)
        self.processes = Processes(settings.most_sandboxed, settings.seconds_sandboxed)
        self.mailing = Mailing(settings.mail, settings.hurry)
        self.pushing = Pushing(settings.push, settings.hurry)
        self.guests = Guests(settings.hurry)
        self._game = ThreadPoolExecutor(1, thread_name_prefix="game")
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="catalogue")
        self._waiting = ThreadPoolExecutor(settings.most_sandboxed, thread_name_prefix="sandbox")
        self._open: OrderedDict[int, Table] = OrderedDict()
        self._opening: dict[int, asyncio.Task[Table]] = {}
        self._used: Counter[int] = Counter()

    def close(self) -> None:
        """Shuts the threads down after their current jobs; nothing is written afterwards."""
        self.thinkers.close()
        self.processes.close()
        self._waiting.shutdown(wait=True, cancel_futures=True)
        self._reading.shutdown(wait=True, cancel_futures=True)
        self._game.shutdown(wait=True, cancel_futures=True)
        self.relay.close()
        self.store.close()

    @property
    def open_tables(self) -> int:
        return len(self._open)

    async def game(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a job in the game thread."""
        return await self._in(self._game, job, *args, **kwargs)

    async def reading(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a job in the catalogue's thread."""
        return await self._in(self._reading, job, *args, **kwargs)

    async def at(self, table: Table, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a job on a table, where its game is played; raises OutOfBounds."""
        if not table.sandboxed:
            return await self.game(job, *args, **kwargs)
        await table.turn.acquire()
        doing = asyncio.ensure_future(self._in(self._waiting, job, *args, **kwargs))
        doing.add_done_callback(partial(_over, table.turn))
        # The caller may be cancelled, but the table stays busy until the job is done.
        return await asyncio.shield(doing)

    async def _in(
        self, where: ThreadPoolExecutor, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(where, partial(job, *args, **kwargs))

    async def keep_tidy(self) -> None:
        """Deletes expired tables, now and once a day."""
        finished, running = self.settings.keep_finished, self.settings.keep_running
        while finished is not None or running is not None:
            spared = {*self._open, *self._used}
            try:
                gone = await self.game(self.store.forget, finished, running, spared)
                log.info("%d old tables deleted", gone)
            except NotKept as error:
                log.error("old tables are still there: %s", error)
            await asyncio.sleep(DAY)

    async def keep_here(self) -> None:
        """Renews the row of this process regularly, for those who share its tables."""
        while self.store.peers.lasts is not None:
            await asyncio.sleep(self.store.peers.lasts / 4)
            try:
                # Not in the game thread: a long game must not look like a dead server.
                await asyncio.to_thread(self.store.peers.stay)
            except NotKept as error:
                log.error("others may think that this server is gone: %s", error)

    # ------------------------------------------------------------ opening tables

    async def owner(self, token: str) -> Peer | None:
        """Returns the other process that plays the table of a token, if there is one."""
        link = await self.link(token) if self.settings.inside else None
        if link is None or link.table in self._open:
            return None
        return await self.game(self.store.peers.owner, link.table)

    async def gone(self, peer: Peer) -> None:
        """Releases the tables of another process that has died."""
        log.warning("a process that played tables has ended")
        with suppress(NotKept):
            await self.game(self.store.peers.leave, peer.id)

    def lost(self, table: Table) -> None:
        """Closes a table that another process plays now."""
        if self._open.get(table.number) is table:
            self._open.pop(table.number).close()

    async def link(self, token: str) -> Link | None:
        """Returns what a token grants, if anything."""
        return await self.game(self.store.link, token) if seats.is_token(token) else None

    async def used(self, token: str) -> Link | None:
        """Returns the invitation that a used token was."""
        return await self.game(self.store.used, token) if seats.is_token(token) else None

    @asynccontextmanager
    async def using(self, link: Link) -> AsyncIterator[Table]:
        """Yields the table of a link and keeps it open meanwhile; raises Broken."""
        number = link.table
        self._used[number] += 1
        try:
            table = await self._opened(number)
            if not all(0 <= seat < len(table.seats) for seat in link.seats):
                raise Broken(f"table {number} has no seats {link.seats}")
            yield table
        finally:
            self._used[number] -= 1
            if not self._used[number]:
                del self._used[number]
            self._close_some()

    async def _opened(self, number: int) -> Table:
        if number not in self._open:
            opening = self._opening.get(number)
            if opening is None:
                opening = self._opening[number] = asyncio.create_task(self._open_again(number))
                opening.add_done_callback(partial(self._is_open, number))
            # The caller may be cancelled, but the table is opened only once.
            return await asyncio.shield(opening)
        self._open.move_to_end(number)
        return self._open[number]

    def _is_open(self, number: int, opening: asyncio.Task[Table]) -> None:
        del self._opening[number]
        if not opening.cancelled() and opening.exception() is None:
            self._open[number] = opening.result()

    async def _open_again(self, number: int) -> Table:
        kept = await self.game(self.store.table, number)
        if kept is None:
            raise Broken(f"there is no table {number}")
        await self.game(self.store.peers.claim, number)
        files = await self.game(self.store.files, kept.digest)
        replies = await self.game(self.store.replies, number)
        try:
            play = await self._play(kept, files, replies)
        except (Broken, RulesError) as error:
            raise Broken(f"table {number} cannot be played again: {error}") from error
        table = await self._table(number, kept, files, play)
        with suppress(NotKept):  # viewing a table requires no write
            await self.game(table.propose, kept.proposal)  # records today's visit
        return table

    async def _play(
        self, kept: KeptTable, files: Sequence[RuleFile], replies: Sequence[KeptReply]
    ) -> GameInPlay | SandboxedGame:
        """Replays a game to its current position; raises Broken, RulesError, OutOfBounds."""
        if is_draft(kept.rules):
            return await self._in(
                self._waiting, SandboxedGame, self.processes, kept, files, replies
            )
        game = await self.reading(self.catalogue.opened, kept.digest, kept.rules, files)
        return await self.game(GameInPlay, game, kept, replies)

    async def _table(
        self,
        number: int,
        kept: KeptTable,
        files: Sequence[RuleFile],
        play: GameInPlay | SandboxedGame,
    ) -> Table:
        where = self._waiting if play.sandboxed else self._game

        def opened() -> Table:
            listing = self.store.listing_of(number)
            timed = self.settings.times and not play.sandboxed
            return Table(number, kept, files, play, self.store, listing, timed)

        try:
            return await self._in(where, opened)
        except BaseException:
            play.close()
            raise

    def _close_some(self) -> None:
        idle = [number for number in self._open if not self._used[number]]
        for number in idle[: max(0, len(self._open) - self.settings.most_open)]:
            self._open.pop(number).close()
            if self.settings.inside:
                self._game.submit(self._released, number)

    def _released(self, number: int) -> None:
        """Releases a closed table to other processes, unless it was reopened here."""
        if number not in self._open and number not in self._opening:
            with suppress(NotKept):
                self.store.peers.release(number)

    # ------------------------------------------------------------ new tables

    async def new_table(self, wish: NewTable) -> str:
        """Creates a table; returns the token of the host's link. Raises NoTable."""
        try:
            game = await self.reading(self.catalogue.game, wish.rules)
        except Unknown as error:
            raise NoTable("unknown_rules", str(error)) from None
        except RulesError as error:
            told = "; ".join(each.message for each in error.diagnostics[:3])
            raise NoTable("bad_rules", told) from None
        return await self.set_up(TableRules.of(game), wish)

    async def set_up(self, rules: TableRules, wish: NewTable) -> str:
        """Creates a table for given rules; returns the token of the host's link. Raises NoTable."""
        _check_seats(rules, wish.seats)
        _check_nicks(wish.seats, wish.language)
        others = any(each.who == FRIEND for each in wish.seats)
        if wish.seed is not None and others:
            raise NoTable("seed", "who knows the seed knows all cards: not with friends")
        seed = secrets.randbits(SEED_BITS) if wish.seed is None else wish.seed
        discretion = "discreet" if wish.discreet else "quick"
        language = wish.language if wish.language in rules.languages else rules.languages[0]
        kept = KeptTable(rules.digest, rules.name, seed, discretion, language, _seats(wish.seats))
        if wish.clock or (wish.lobby and others):
            spent = (0,) * len(wish.seats)
            kept = replace(kept, pace=Pace(wish.lobby and others, wish.clock, spent))
        return await self._keep(rules, kept, wish.seats, [])

    async def branch(self, table: Table, wish: Branch) -> str:
        """Creates a table that continues from an earlier point of another; raises NoTable."""
        if wish.after > table.at:
            raise NoTable("too_late", f"there are {table.at} replies")
        sitters = wish.seats or tuple(
            Sitter(ME if each.person else each.bot, each.nick) for each in table.seats
        )
        facts = table.facts
        rules = TableRules(table.rules, table.digest, table.files, facts.counts, facts.languages)
        _check_seats(rules, sitters)
        _check_nicks(wish.seats, table.language)
        if len(sitters) != len(table.seats):
            raise NoTable("seats", f"this game has {len(table.seats)} seats")
        kept = KeptTable(
            rules.digest,
            rules.name,
            table.seed,
            table.discretion,
            table.language,
            _seats(sitters),
        )
        return await self._keep(rules, kept, sitters, table.replies(wish.after))

    async def _keep(
        self,
        rules: TableRules,
        kept: KeptTable,
        sitters: Sequence[Sitter],
        replies: Sequence[KeptReply],
    ) -> str:
        """Stores a new table, which stays open; rules that fail are not stored."""
        try:
            play = await self._play(kept, rules.files, replies)
        except Broken as broken:
            raise NoTable("bad_rules", str(broken)) from None
        host = seats.new_token()
        own = [seat for seat, each in enumerate(sitters) if each.who == ME]
        friends = [seat for seat, each in enumerate(sitters) if each.who == FRIEND]
        links = seats.links(host, own, friends)

        def keep() -> int:
            if self.store.count() >= self.settings.most_tables:
                raise NoTable("full", "there are too many tables here already")
            return self.store.add_table(kept, rules.files, links, play.given)

        try:
            where = self._waiting if play.sandboxed else self._game
            standing = await self._in(where, play.do, GameInPlay.standing)
            facts = await self._in(where, play.do, GameInPlay.facts)
            kept = replace(kept, waiting=waiting_for(standing), titles=facts.titles)
            number = await self.game(keep)
        except BaseException:
            play.close()
            raise
        self._open[number] = await self._table(number, kept, rules.files, play)
        self._close_some()
        return host

    # ------------------------------------------------------------ other rules

    async def fit(self, table: Table, rules: TableRules) -> Misfit | None:
        """Returns where a game does not follow other rules; raises Broken or OutOfBounds."""
        play = await self._by(table, rules.name, rules.digest, rules.files)
        try:
            return await self.at(table, table.fit, play)
        finally:
            play.close()

    async def move(self, table: Table, name: str, digest: str) -> Misfit | None:
        """Moves a table to other rules, which are stored, if its whole game follows them."""
        files = await self.game(self.store.files, digest)
        play = await self._by(table, name, digest, files)
        try:
            misfit = await self.at(table, table.move, play, name, digest, files)
        except BaseException:
            play.close()
            raise
        if misfit is not None:
            play.close()
        return misfit

    async def _by(
        self, table: Table, name: str, digest: str, files: Sequence[RuleFile]
    ) -> GameInPlay | SandboxedGame:
        """Begins the game of a table anew by other rules."""
        if is_draft(name) != table.sandboxed:
            raise Broken("rules on offer and drafts do not take each other's place")
        fixed = (digest, name, table.seed, table.discretion, table.language, table.seats)
        return await self._play(KeptTable(*fixed), files, ())

    # ------------------------------------------------------------ bots

    async def thought(self, table: Table, turn: Turn) -> int:
        """Returns a bot's reply; on failure or timeout a random option. Raises OutOfBounds."""
        try:
            return await self._thought(table, turn)
        except (TimeoutError, OutOfBounds):
            log.warning("table %d: a bot thinks for too long", table.number)
        except Exception:
            log.exception("table %d: a bot has failed", table.number)
        anyhow = Turn(turn.seat, "random", turn.ask, turn.position)
        return await self.at(table, table.chosen, anyhow)

    async def advised(self, table: Table, turn: Turn) -> dict[str, Any]:
        """Returns a hint by a bot; raises OutOfBounds or TimeoutError."""
        if table.sandboxed or self.settings.thinkers == 0:
            return await self.at(table, table.advice, turn)
        return await self._elsewhere(bots_at_table.think_of_advice, turn)

    async def _thought(self, table: Table, turn: Turn) -> int:
        if table.sandboxed or self.settings.thinkers == 0:
            return await self.at(table, table.chosen, turn)
        return await self._elsewhere(bots_at_table.think, turn)

    async def _elsewhere(self, thinking: Callable[[Turn], T], turn: Turn) -> T:
        """Runs a bot in the process pool; retries once if a process died."""
        loop = asyncio.get_running_loop()
        for _ in range(2):
            pool = self.thinkers.pool()
            try:
                doing = loop.run_in_executor(pool, thinking, turn)
                return await asyncio.wait_for(doing, LONGEST_THOUGHT)
            except BrokenProcessPool:
                self.thinkers.broke(pool)
        raise TimeoutError


def _over(turn: asyncio.Lock, doing: asyncio.Future[Any]) -> None:
    """Releases a table after a job, and retrieves its exception, which nobody may be waiting
    for."""
    turn.release()
    if not doing.cancelled():
        doing.exception()


def _check_seats(rules: TableRules, sitters: Sequence[Sitter]) -> None:
    if len(sitters) not in rules.counts:
        raise NoTable("seats", not_for("this game", rules.counts, len(sitters)))
    known = [ME, FRIEND, *who_can_sit(rules.digest, len(sitters))]
    for each in sitters:
        if each.who not in known:
            raise NoTable("seats", f"a seat is for one of {', '.join(known)}")


def _check_nicks(sitters: Sequence[Sitter], language: str) -> None:
    nicks = [each.nick for each in sitters]
    for number, nick in enumerate(nicks):
        trouble = nick_trouble(nick, nicks[:number], language)
        if trouble is not None:
            raise NoTable("name", trouble)


def _seats(sitters: Sequence[Sitter]) -> tuple[Seat, ...]:
    people = (ME, FRIEND)
    return tuple(
        Seat(each.who in people, "" if each.who in people else each.who, each.nick)
        for each in sitters
    )
