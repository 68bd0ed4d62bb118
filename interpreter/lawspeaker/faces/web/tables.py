"""A table: a game in progress whose every reply is stored.

A `Table` is a game and its stored data. Every change is on disk before it is broadcast; so a server
that is stopped at any moment resumes with the last state it announced, or one reply further. A
table that nobody uses is closed and costs nothing; it is reopened by replaying its replies.

Everything here runs in one thread at a time (see `table_registry`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Any

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play.pausing import Paused
from lawspeaker.faces.web import seats as roles
from lawspeaker.faces.web.agreement import BOT, END, RESUME, RULES, SEAT, UNDO, Proposal
from lawspeaker.faces.web.bots_at_table import HINT, Position, Turn
from lawspeaker.faces.web.game_in_play import GameInPlay, Look, Misfit, Refused, Standing
from lawspeaker.faces.web.messages import clean
from lawspeaker.faces.web.minutes import AWAY
from lawspeaker.faces.web.pace import MOST_LINES, NOBODY, ChatLine, Pace, Waiting
from lawspeaker.faces.web.sandbox import OutOfBounds, SandboxedGame
from lawspeaker.faces.web.seats import (
    INVITATION,
    Link,
    Seat,
    fingerprint,
    invitation,
    new_token,
    nick_trouble,
)
from lawspeaker.faces.web.store import KeptReply, KeptTable, Store
from lawspeaker.faces.web.strengths import stand_ins
from lawspeaker.match.auto_pass import Until
from lawspeaker.match.log import Log, RuleFile
from lawspeaker.match.log.record import CODES

log = logging.getLogger("lawspeaker.web")


class Table:
    """A game with its seats; stores every change."""

    def __init__(
        self,
        number: int,
        kept: KeptTable,
        files: Sequence[RuleFile],
        play: GameInPlay | SandboxedGame,
        store: Store,
        listing: tuple[str, str] | None = None,
        timed: bool = False,
    ) -> None:
        self.number = number
        self.rules = kept.rules
        self.digest = kept.digest
        """The key of its rules' texts in the store."""
        self.files = tuple(files)
        self.seed = kept.seed
        self.discretion = kept.discretion
        self.language = kept.language
        self.seats: tuple[Seat, ...] = kept.seats
        self.proposal = kept.proposal
        self.pace = kept.pace
        self.paused = kept.paused
        """The reply that could not be carried out, if the game is paused or was ended because of
        it."""
        self._needed: dict[int, int] = {}
        """By seat, the seconds used for a question that others have still to answer."""
        self._timed = timed
        self._took: list[tuple[str, int]] = []
        """Questions answered and their seconds, as long as others have still to answer."""
        self.rewound = 0
        """Counts the rewinds; a screen that shows an earlier count is stale."""
        self.turn = asyncio.Lock()
        """Serializes requests to a sandboxed game."""
        self._store = store
        self._play = play
        self.facts = play.do(GameInPlay.facts)
        if self.language not in self.facts.languages:
            self.language = self.facts.languages[0]
        self.stand_ins = stand_ins(self.facts.name, self.facts.digest, len(self.seats))
        """The bots that can stand in for a player here."""
        self._standing = play.do(GameInPlay.standing)
        self.waiting = NOBODY
        if self.paused is None:
            self.waiting = waiting_for(self._standing, self._standing, kept.waiting)
        self.listing = listing
        """Its public token in the lobby and what its host says of it, if it is listed there."""
        self._pass_by_themselves()

    def close(self) -> None:
        """Closes the game; the stored data stay."""
        self._play.close()

    # ------------------------------------------------------------ queries

    @property
    def sandboxed(self) -> bool:
        """Whether its game is played in a process of its own."""
        return self._play.sandboxed

    @property
    def at(self) -> int:
        """The number of replies."""
        return len(self._play.given)

    @property
    def finished(self) -> bool:
        """Whether the game is over, by the rules or because it was ended after a fault."""
        return self._standing.finished or (self.paused is not None and self.paused.ended)

    def title(self, language: str) -> str:
        titles = self.facts.titles
        return ir.in_language(titles, language, self.facts.name)

    def name(self, seat: int, language: str) -> str:
        return self.names(language)[seat]

    def names(self, language: str) -> Sequence[str]:
        """Returns the game's names for the players."""
        return self.facts.names.get(language) or self.facts.names[self.facts.languages[0]]

    def people(self) -> set[int]:
        """Returns the seats that people play now."""
        return {seat for seat, each in enumerate(self.seats) if each.person and not each.bot}

    def asked(self) -> list[int]:
        """Returns the seats that have still to answer; none in the lobby or while paused."""
        return [] if self.pace.lobby or self.paused else list(self._standing.asks)

    def ask(self, seat: int) -> int | None:
        """Returns the id of the question that a seat has to answer (see `Standing`)."""
        return None if self.pace.lobby or self.paused else self._standing.asks.get(seat)

    def holds_all(self, link: Link) -> bool:
        """Whether a link holds the seats of all people here, so that nothing is secret to it."""
        people = {seat for seat, each in enumerate(self.seats) if each.person}
        return link.host and people <= set(link.seats)

    def open_to(self, link: Link) -> bool:
        """Whether a link may see the whole game, with every hidden hand and the seed."""
        return self.finished or self.holds_all(link)

    def details(self, link: Link) -> str:
        """Returns the message of the fault that paused the game, if it reveals nothing hidden to a
        link.

        See `faces/play/pausing`.
        """
        if self.paused is None:
            return ""
        alone = self.holds_all(link) and sum(each.person for each in self.seats) == 1
        open_to_all = self.finished or not self.facts.secrets
        return self.paused.details if open_to_all or alone else ""

    @property
    def nicks(self) -> tuple[str, ...]:
        """The names that people chose, by seat."""
        return tuple(each.nick for each in self.seats)

    def scene(self, look: Look) -> dict[str, Any]:
        """Returns the current scene for a viewer.

        In the lobby it shows only the players, so that nobody can shop around for a better start.
        """
        seen = GameInPlay.unbegun if self.pace.lobby else GameInPlay.scene
        found = self._play.do(seen, replace(look, people=self.nicks))
        return {**found, "question": None, "asked": []} if self.paused else found

    def scene_after(self, replies: int, look: Look) -> dict[str, Any]:
        """Returns the scene after the first `replies` replies."""
        if self.pace.lobby or (replies == self.at and not look.in_stages):
            return self.scene(look)
        return self._play.do(GameInPlay.scene_after, replies, replace(look, people=self.nicks))

    def log(self) -> Log:
        """Returns the log of the game for `lawspeaker replay`."""
        found = self._play.do(GameInPlay.log, [each.bot or "human" for each in self.seats])
        return found if self.paused is None else replace(found, fault=self.paused.logged())

    def report(self, replies: int, clause: str, about: str) -> str:
        """Returns the position after so many replies as a scenario file."""
        return self._play.do(GameInPlay.report, self.rules, replies, clause, about)

    def replies(self, first: int) -> list[KeptReply]:
        """Returns the first `first` replies."""
        return self._play.given[:first]

    # ------------------------------------------------------------ questions of players

    def why_not(self, seat: int | None, text: str, language: str) -> dict[str, Any]:
        """Explains why something is not offered to a seat."""
        if seat is None or seat not in self.asked():
            raise Refused("not_asked", phrase("table.not_asked", language))
        return self._play.do(GameInPlay.why_not, seat, text, language)

    def rule(self, seat: int | None, clause: str, language: str) -> dict[str, Any]:
        """Returns a clause by id; without an id, that of the question to a seat."""
        asked = None if self.pace.lobby else seat
        return self._play.do(GameInPlay.rule, asked, clause, language)

    def what_is(self, seat: int | None, thing: str, language: str) -> dict[str, Any]:
        """Describes a thing in the picture as a seat (None for an onlooker) sees it."""
        self._begun(language)
        found = self._play.do(GameInPlay.what_is, seat, thing, language, self.nicks)
        if found is None:
            raise Refused("no_thing", phrase("table.no_thing", language))
        return found

    def foreseen(self, seat: int | None, number: int, ask: int, language: str) -> dict[str, Any]:
        """Returns the consequences of an answer as the asked seat can know them; nothing if the
        question is another one by now."""
        if seat is None or self.ask(seat) != ask:
            return {"lines": [], "more": 0, "decides": ""}
        return self._play.do(GameInPlay.foreseen, seat, number, language, self.nicks)

    def lesson(self, language: str) -> list[dict[str, Any]]:
        """Returns the cards of the first lesson; they follow from the rules alone."""
        return self._play.do(GameInPlay.lesson, language)

    def points(self, seat: int, language: str) -> dict[str, Any]:
        """Lists where the points of a seat come from."""
        if not 0 <= seat < len(self.seats):
            raise Refused("no_seat", phrase("table.no_seat", language))
        self._begun(language)
        return self._play.do(GameInPlay.points, seat, language)

    def _begun(self, language: str) -> None:
        """Raises Refused in the lobby."""
        if self.pace.lobby:
            raise Refused("lobby", phrase("table.lobby", language))

    # ------------------------------------------------------------ changes

    def reply(self, seat: int, number: int, ask: int, language: str, text: str = "") -> None:
        """Applies and stores a reply: option `number` of the question `ask`, or a typed answer.

        Raises Refused or NotKept. If the reply cannot be carried out, the game is paused.
        Afterwards the seats that pass by themselves do so.
        """
        self._reply(seat, number, ask, language, text)
        self._pass_by_themselves()

    def _reply(self, seat: int, number: int, ask: int, language: str, text: str = "") -> None:
        self._begun(language)
        self._goes_on(language)
        if self.ask(seat) is None:
            code, key = (
                ("over", "table.over") if self.finished else ("not_asked", "table.not_asked")
            )
            raise Refused(code, phrase(key, language))
        question = self._question(seat)
        try:
            kept, standing = self._play.do(GameInPlay.reply, seat, number, ask, language, text)
        except Refused as refused:
            if refused.code not in CODES:
                raise
            self._pause(seat, number, refused.code, refused.sentence, text)
            return
        except OutOfBounds as beyond:
            self._pause(seat, number, beyond.code, "", text)
            return
        # The game has moved on, so a proposed undo is void.
        proposal = self.proposal if self.proposal and self.proposal.kind != UNDO else None
        waiting = waiting_for(standing, self._standing, self.waiting)
        pace, needed = self._clocked(seat, waiting)
        took, held = self._times(seat, question, waiting)
        try:
            told = (standing.finished, proposal, waiting, pace, (self.rules, took))
            self._store.add_reply(self.number, self.at, kept, *told)
        except Exception:
            # It is not on disk, so it must not be announced.
            self._play.do(GameInPlay.rewind, self.at)
            raise
        self._play.given.append(kept)
        self._standing, self.proposal, self.waiting = standing, proposal, waiting
        self.pace, self._needed, self._took = pace or self.pace, needed, held

    def pass_until(self, seat: int, until: str, language: str) -> None:
        """Lets a seat pass by itself where it may step in, `until` an event; empty ends that."""
        self._begun(language)
        stretch = self._standing.stretch
        if until == Until.STRETCH.value and not stretch:
            raise Refused("not_asked", phrase("table.not_asked", language))
        self._set_passing(seat, until, stretch if until == Until.STRETCH.value else "")
        self._pass_by_themselves()

    def _set_passing(self, seat: int, until: str, stretch: str = "") -> None:
        changed = replace(self.seats[seat], passing=until, stretch=stretch)
        seats = (*self.seats[:seat], changed, *self.seats[seat + 1 :])
        self._store.set_seats(self.number, seats, self.finished, self.proposal)
        self.seats = seats

    def _pass_by_themselves(self) -> None:
        """Replies for the seats that pass by themselves, one after the other."""
        try:
            while (seat := self._passes()) is not None:
                ask, number = self.ask(seat), self._play.do(GameInPlay.passing, seat)
                assert ask is not None
                self._reply(seat, number, ask, self.language)
        except Exception:
            # Earlier replies are stored. The seat that should have passed is asked.
            log.exception("table %d: nobody passes by himself", self.number)

    def _passes(self) -> int | None:
        """Returns the next seat that passes by itself.

        A seat stops doing so when it is asked anything else, or when something else is interrupted.
        """
        stretch = self._standing.stretch
        for seat in self.asked():
            each = self.seats[seat]
            if not each.passing or each.bot:
                continue
            if each.passing == Until.STRETCH.value:
                over = bool(stretch) and stretch != each.stretch
            else:
                over = not stretch
            if over:
                self._set_passing(seat, "")
            elif stretch:
                return seat
        return None

    def _pause(self, seat: int, number: int, code: str, details: str, text: str) -> None:
        """Pauses the game at a reply that could not be carried out; everybody gets the same
        message."""
        choice, clause = self._play.do(GameInPlay.offered, seat, number, text)
        paused = Paused(seat, choice, clause, self._standing.asked, code, clean(details))
        self._store.pause(self.number, paused)
        self.paused, self.proposal, self.waiting = paused, None, NOBODY
        log.error("table %d is paused (%s): %s", self.number, code, paused.details or "–")

    def _goes_on(self, language: str) -> None:
        """Raises Refused while the game is paused."""
        if self.paused is not None and not self.paused.ended:
            raise Refused("paused", phrase("table.paused", language))

    def _is_paused(self, language: str) -> Paused:
        """Raises Refused unless the game is paused."""
        if self.paused is None or self.paused.ended:
            raise Refused("not_paused", phrase("table.not_paused", language))
        return self.paused

    def _clocked(self, seat: int, after: Waiting) -> tuple[Pace | None, dict[int, int]]:
        """Returns the clocks after a reply, and the times withheld until all have answered.

        The clocks are None if they do not change.
        """
        if not self.pace.each or self.seats[seat].bot:
            return None, self._needed
        needed = {**self._needed, seat: max(0, int(time.time()) - self.waiting.since)}
        if set(after.open) == set(self.waiting.open) - {seat} and after.open:
            return None, needed
        return self.pace.after(needed), {}

    def _question(self, seat: int) -> str:
        """Returns the question that a person is about to answer; empty if times are not stored."""
        each = self.seats[seat]
        if not self._timed or not each.person or each.bot or each.passing:
            return ""
        return self._play.do(GameInPlay.asking, seat)

    def _times(
        self, seat: int, question: str, after: Waiting
    ) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """Returns the times to be stored after a reply, and those withheld until all have
        answered."""
        seconds = max(0, int(time.time()) - self.waiting.since)
        took = [*self._took, (question, seconds)] if question and seconds <= AWAY else self._took
        if after.open and set(after.open) == set(self.waiting.open) - {seat}:
            return [], took
        return took, []

    def ready(self, own: Sequence[int], ready: bool) -> None:
        """Stores whether some seats are ready; begins when all are."""
        changed = (
            replace(each, ready=ready) if seat in own and each.person else each
            for seat, each in enumerate(self.seats)
        )
        seats = tuple(changed)
        people = [each for each in seats if each.person and not each.bot]
        self._begin(seats, all(each.ready for each in people))

    def begin(self) -> None:
        """Begins the game, whoever is ready."""
        self._begin(self.seats, True)

    def _begin(self, seats: tuple[Seat, ...], now: bool) -> None:
        if not self.pace.lobby:
            return
        pace = replace(self.pace, lobby=not now)
        since = int(time.time()) if now else self.waiting.since
        waiting = replace(self.waiting, since=since)
        self._store.set_pace(self.number, pace, seats, waiting)
        self.pace, self.seats, self.waiting = pace, seats, waiting

    # ------------------------------------------------------------ chat and undo

    def lines(self) -> list[ChatLine]:
        """Returns the chat lines."""
        return self._store.lines(self.number)

    def say(self, seat: int, kind: str, text: str) -> ChatLine:
        """Stores a chat line before it is broadcast."""
        line = ChatLine(0, seat, int(time.time()), kind, text)
        return self._store.add_line(self.number, line, MOST_LINES)

    def last_of(self, seats: Sequence[int]) -> int | None:
        """Returns which of some seats has replied last."""
        given = reversed(self._play.given)
        return next((each.seat for each in given if each.seat in seats), None)

    def taking_back(
        self, seats: Sequence[int], faced: int | None, language: str
    ) -> dict[str, Any] | None:
        """Describes what an undo of some seats would take back.

        The reply is put in words if its own player looks; `replies` is the number that would be
        undone. Returns None if there is none.
        """
        seat = self.last_of(seats)
        if seat is None or self.paused is not None:
            return None
        given = self._play.given
        first = max(at for at, each in enumerate(given) if each.seat == seat)
        what = self._play.do(GameInPlay.last_reply, seat, language) if seat == faced else ""
        return {"what": what, "replies": len(given) - first}

    def take_back(self, seat: int, language: str) -> None:
        """Rewinds to before the last reply of a seat."""
        mine = [at for at, each in enumerate(self._play.given) if each.seat == seat]
        if not mine:
            raise Refused("nothing", phrase("undo.nothing", language))
        if self.seats[seat].passing:
            self._set_passing(seat, "")
        self._go_back(mine[-1])

    def _go_back(self, after: int) -> None:
        """Rewinds to the first `after` replies, and ends a pause."""
        standing = self._play.do(GameInPlay.rewind, after)
        waiting = waiting_for(standing)
        try:
            self._store.take_back(self.number, after, waiting)
        except Exception:
            self._play.do(GameInPlay.give_again, self._play.given[after:])
            raise
        del self._play.given[after:]
        self._standing, self.proposal, self.waiting = standing, None, waiting
        self.paused = None
        self.rewound += 1
        self._pass_by_themselves()

    def set_bot(self, seat: int, bot: str) -> None:
        """Lets a bot play for a seat; an empty name returns it to its person."""
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], bot=bot, bot_since=int(time.time()) if bot else 0)
        settled = self.proposal and self.proposal.kind == BOT and self.proposal.seat == seat
        proposal = None if settled else self.proposal
        self._store.set_seats(self.number, seats, self.finished, proposal)
        self.seats, self.proposal = tuple(seats), proposal

    # ------------------------------------------------------------ proposals

    def undo(self, own: Sequence[int], anyway: bool, language: str) -> Proposal:
        """Takes back the last reply of one's own seats.

        Where that would be unfair it is refused or, with `anyway`, proposed to the others.
        """
        self._goes_on(language)
        seat = self.last_of(own)
        if seat is None or self.paused is not None:
            raise Refused("nothing", phrase("undo.nothing", language))
        barred = self._play.do(GameInPlay.barred, seat, language, self.nicks)
        if barred is not None and not anyway:
            raise barred
        needs = frozenset() if barred is None else frozenset(self.people() - set(own))
        return self.settle(Proposal(UNDO, frozenset(own), seat, needs), language)

    def resume(self, own: Sequence[int], after: int, language: str) -> Proposal:
        """Proposes, as the host, to resume a paused game after `after` replies."""
        self._is_paused(language)
        if after > self.at:
            raise Refused("too_late", phrase("table.too_late", language, count=self.at))
        needs = frozenset(self.people() - set(own))
        return self.settle(Proposal(RESUME, frozenset(own), 0, needs, after=after), language)

    def end(self, own: Sequence[int], here: Set[int], language: str) -> Proposal:
        """Ends a paused game as the host.

        If he was asked himself, those present must agree: whose reply faulted stays secret.
        """
        paused = self._is_paused(language)
        others = (self.people() & here) - set(own)
        needs = frozenset(others if set(own) & set(paused.asked) else ())
        return self.settle(Proposal(END, frozenset(own), 0, needs), language)

    def _end(self) -> None:
        assert self.paused is not None
        ended = replace(self.paused, ended=True)
        self._store.pause(self.number, ended)
        self.paused, self.proposal = ended, None

    def new_rules(
        self, own: Sequence[int], name: str, digest: str, files: Sequence[RuleFile]
    ) -> Proposal:
        """Proposes, as the host, to move to corrected rules, whose texts are stored."""
        self._store.add_rules(digest, files)
        needs = frozenset(self.people() - set(own))
        proposal = Proposal(RULES, frozenset(own), 0, needs, about=f"{digest} {name}")
        if not proposal.passed:
            self.propose(proposal)
        return proposal

    def fit(self, play: GameInPlay | SandboxedGame) -> Misfit | None:
        """Replays this game by other rules; returns where it does not follow them."""
        drawn = self._play.do(GameInPlay.drawn)
        return play.do(GameInPlay.follow, self._play.given, drawn)

    def move(
        self,
        play: GameInPlay | SandboxedGame,
        rules: str,
        digest: str,
        files: Sequence[RuleFile],
    ) -> Misfit | None:
        """Goes on by other rules if the whole game follows them; else nothing changes."""
        misfit = self.fit(play)
        if misfit is not None:
            return misfit
        facts, standing = play.do(GameInPlay.facts), play.do(GameInPlay.standing)
        given = play.given if not play.sandboxed else self._play.given
        waiting = waiting_for(standing)
        kept = KeptTable(digest, rules, self.seed, self.discretion, self.language, self.seats)
        kept = replace(kept, waiting=waiting, titles=facts.titles)
        self._store.move(self.number, kept, files, given, standing.finished)
        play.given = list(given)
        self._play.close()
        self._play, self.facts, self._standing, self.waiting = play, facts, standing, waiting
        self.rules, self.digest, self.files = rules, digest, tuple(files)
        self.stand_ins = stand_ins(facts.name, facts.digest, len(self.seats))
        self.paused = self.proposal = None
        self._needed = {}
        self.rewound += 1
        self._pass_by_themselves()
        return None

    def replied(self, number: int, language: str) -> str:
        """Returns a reply, counted from 1, in words; only for games in which nothing is hidden."""
        return self._play.do(GameInPlay.replied, number, language, self.nicks)

    def settle(self, proposal: Proposal, language: str) -> Proposal:
        """Carries a proposal out if nobody else must agree, and else stores it."""
        if not proposal.passed:
            self.propose(proposal)
        elif proposal.kind == UNDO:
            self.take_back(proposal.seat, language)
        elif proposal.kind == RESUME:
            self._go_back(proposal.after)
        elif proposal.kind == END:
            self._end()
        elif proposal.kind == RULES:
            self.propose(None)  # the registry opens the game under these rules, and calls `follow`
        elif proposal.kind == SEAT:
            mark, inviter = bytes.fromhex(proposal.about), min(proposal.by)
            self._vacate(proposal.seat, mark, inviter)
        else:
            self.set_bot(proposal.seat, proposal.strength)
        return proposal

    def agree(self, own: Sequence[int], language: str) -> Proposal:
        return self.settle(self._proposed_to(own, language).with_consent(own), language)

    def decline(self, own: Sequence[int], language: str) -> Proposal:
        """Withdraws or declines the open proposal, and returns it."""
        proposal = self._proposed_to(own, language)
        self.propose(None)
        return proposal

    def _proposed_to(self, own: Sequence[int], language: str) -> Proposal:
        """Returns the open proposal, if it concerns these seats; raises Refused."""
        proposal = self.proposal
        if proposal is None or not set(own) & (proposal.needs | proposal.by):
            raise Refused("nothing_proposed", phrase("table.nothing_proposed", language))
        return proposal

    def propose(self, proposal: Proposal | None) -> None:
        """Stores a proposal; None removes it."""
        self._store.set_standing(self.number, self.finished, proposal, self.waiting)
        self.proposal = proposal

    def sitting(self) -> list[int]:
        """Returns the occupied seats: those of the host, of bots, and of guests who have
        accepted."""
        own = self._store.hosts(self.number)
        return [
            seat
            for seat, each in enumerate(self.seats)
            if seat in own or each.taken or not each.person
        ]

    def free_seats(self) -> list[int]:
        """Returns the seats for which there is nobody yet."""
        return roles.free_seats(self.seats, tuple(self._store.hosts(self.number)))

    def list_in_lobby(self, listed: bool, text: str, most: int, after: int) -> bool:
        """Lists the table in the lobby, or takes it off; returns whether there was space.

        Its public link is another one each time, so the former one leads nowhere.
        """
        token = new_token() if listed else ""
        done = self._store.list_table(self.number, token, text, int(time.time()), most, after)
        if done:
            self.listing = (token, text) if listed else None
        return done

    def host_seen(self) -> None:
        """Stores that the host is here now, if the table is listed."""
        if self.listing is not None:
            self._store.host_seen(self.number, int(time.time()))

    def nick_trouble(self, own: Sequence[int], nick: str, language: str) -> str | None:
        """Returns why a name is not allowed in these seats; None if it is."""
        others = [seat for seat in range(len(self.seats)) if seat not in own]
        names = [self.name(seat, language) for seat in others]
        return nick_trouble(nick, [*(self.seats[seat].nick for seat in others), *names], language)

    def sit_down(self, token: str, nick: str) -> str | None:
        """Accepts an invitation; returns the token of the seat's new link.

        Returns None if somebody else was quicker.
        """
        link = self._store.link(token)
        if link is None or not link.invites:
            return None
        (seat,) = link.seats
        own = new_token()
        sitting = replace(self.seats[seat], taken=True, nick=nick)
        self._hand_over(seat, sitting, fingerprint(own), roles.SEAT)
        return own

    def away_since(self, seat: int) -> int | None:
        """Returns since when a game has waited for a seat, or a bot has played for its person.

        None if neither is so.
        """
        if self.seats[seat].bot:
            return self.seats[seat].bot_since or None
        return self.waiting.since if seat in self.waiting.asked else None

    def next_invitation(self, seat: int, token: str) -> str:
        """Returns the invitation that the holder of a token can send once a seat is free."""
        return invitation(token, seat, self.seats[seat].invited + 1)

    def free(self, seat: int, host: str) -> None:
        """Takes a seat away from its guest, and creates a new invitation by the host."""
        self._vacate(seat, fingerprint(self.next_invitation(seat, host)))

    def _vacate(self, seat: int, mark: bytes, inviter: int = -1) -> None:
        """Takes a seat away from its person; whoever has the token of this hash can sit down."""
        number = self.seats[seat].invited + 1
        seated = replace(self.seats[seat], taken=False, nick="", passing="", stretch="")
        changed = replace(seated, invited=number, ready=False, inviter=inviter)
        self._hand_over(seat, changed, mark, INVITATION)

    def _hand_over(self, seat: int, changed: Seat, mark: bytes, role: str) -> None:
        seats = (*self.seats[:seat], changed, *self.seats[seat + 1 :])
        open_still = self.proposal if self.proposal and self.proposal.seat != seat else None
        link = Link(self.number, role, (seat,))
        self._store.hand_over(self.number, seats, mark, link, open_still)
        self.seats, self.proposal = seats, open_still

    # ------------------------------------------------------------ bots

    def bots_turn(self) -> Turn | None:
        """Returns the turn of the first bot that is asked."""
        for seat in self.asked():
            ask = self.ask(seat)
            if self.seats[seat].bot and ask is not None:
                return Turn(seat, self.seats[seat].bot, ask, self._position())
        return None

    def hint_turn(self, seat: int | None, language: str) -> Turn:
        """Returns a request for a hint to a seat; raises Refused if it is not asked."""
        ask = None if seat is None else self.ask(seat)
        if seat is None or ask is None:
            raise Refused("not_asked", phrase("table.not_asked", language))
        return Turn(seat, HINT, ask, self._position())

    def advice(self, turn: Turn) -> dict[str, Any]:
        """Computes a hint by a bot in this thread."""
        return self._play.do(GameInPlay.advice, turn)

    def chosen(self, turn: Turn) -> int:
        """Computes a bot's choice in this thread."""
        return self._play.do(GameInPlay.chosen, turn)

    def _position(self) -> Position:
        return Position(
            self.number,
            self.facts.digest,
            self.files,
            len(self.seats),
            self.seed,
            self.discretion,
            tuple((each.seat, each.option) for each in self._play.given),
        )


def waiting_for(now: Standing, before: Standing | None = None, then: Waiting = NOBODY) -> Waiting:
    """Returns whom a game waits for. A question that was open before keeps its start time."""
    same = before is not None and set(before.asks.values()) == set(now.asks.values())
    since = then.since if same and then.since else int(time.time())
    return Waiting(since, now.asked, tuple(now.asks)) if now.asks else NOBODY
