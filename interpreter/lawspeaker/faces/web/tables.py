"""One game being played, kept reply by reply.

A `Table` is a match and what is stored of it. Whatever changes it is first on the disk, then in
the match, and then told to anybody; so a server that is stopped at any moment goes on with the
game as it was told last, or one reply further. A table that nobody has looked at for a while is
closed and costs nothing; it is opened again by playing its replies.

Everything here runs in the game thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play import answers
from lawspeaker.faces.play.shown import Sum
from lawspeaker.faces.web.agreement import BOT, UNDO, Proposal
from lawspeaker.faces.web.bots_at_table import Position, Turn
from lawspeaker.faces.web.scene import scene
from lawspeaker.faces.web.seats import INVITATION, SEAT, Link, Seat, invitation, new_token
from lawspeaker.faces.web.store import KeptReply, KeptTable, NotKept, Store
from lawspeaker.faces.web.why import told, why_not
from lawspeaker.ir.types import PLAYER
from lawspeaker.match import undo
from lawspeaker.match.decision import Decision, IllegalChoice
from lawspeaker.match.game import Game
from lawspeaker.match.log import Log
from lawspeaker.match.match import Match, RuleFault

MOST_SCENES = 16
"""So many scenes of one moment are remembered: several onlookers see the same."""


class Refused(Exception):
    """What was asked for is not allowed, and nothing has changed. `code` is a word for programs,
    `sentence` is for people; `clause` and `citations` say which rule refuses it, if one does."""

    def __init__(
        self,
        code: str,
        sentence: str,
        clause: str = "",
        citations: Sequence[str] = (),
        anyway: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.clause = clause
        self.citations = tuple(citations)
        self.anyway = anyway

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "sentence": self.sentence,
            "clause": self.clause,
            "citations": list(self.citations),
            "anyway": self.anyway,
        }


class Broken(Exception):
    """A stored table that cannot be played again; the message is for people."""


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody looks at a table: as which seat (None: an onlooker), in which language, on
    which shape of screen, and how many replies he has been told of already."""

    seat: int | None
    language: str
    shape: str = "wide"
    since: int = 0


class Table:
    """A match with its seats, of which every change is stored."""

    def __init__(
        self, number: int, kept: KeptTable, game: Game, store: Store, replies: Sequence[KeptReply]
    ) -> None:
        self.number = number
        self.game = game
        self.seed = kept.seed
        self.discretion = kept.discretion
        self.language = kept.language
        self.seats: tuple[Seat, ...] = kept.seats
        self.proposal = kept.proposal
        self.rewound = 0
        """Grows whenever replies are taken back: what was told before no longer holds."""
        self._store = store
        self._scenes: dict[Look, dict[str, Any]] = {}
        self.match = game.start(len(kept.seats), kept.seed, discretion=kept.discretion)
        self._layout = self.match.view(None).layout
        self._given: list[KeptReply] = []
        for each in replies:
            self._given.append(_given_again(self.match, each))

    # ------------------------------------------------------------ what there is

    @property
    def program(self) -> ir.Program:
        return self.game.program

    @property
    def at(self) -> int:
        """How many replies there are."""
        return len(self._given)

    @property
    def finished(self) -> bool:
        return self.match.decision is None

    def title(self, language: str) -> str:
        title = self.program.title
        return title.get(language) or next(iter(title.values()), self.program.name)

    def name(self, seat: int, language: str) -> str:
        return self._layout.name(PLAYER, seat, language)

    def names(self, language: str) -> list[str]:
        return [self.name(seat, language) for seat in range(len(self.seats))]

    def people(self) -> set[int]:
        """The seats that people play now."""
        return {seat for seat, each in enumerate(self.seats) if each.person and not each.bot}

    def asked(self) -> list[int]:
        """The seats that still have to answer."""
        return [each.seat for each in self.match.decisions if each.seat is not None]

    def ask(self, seat: int) -> int | None:
        """A number that names the question a seat is asked now: how many replies had been given
        when it was put. Others who are asked at the same time may answer without changing it."""
        if seat not in self.asked():
            return None
        together = len(self.match.view(None).asked)
        return self.at - (together - len(self.match.decisions))

    def holds_all(self, link: Link) -> bool:
        """Whether a link holds the seats of all people here, so that nothing is secret to it."""
        people = {seat for seat, each in enumerate(self.seats) if each.person}
        return link.host and people <= set(link.seats)

    def open_to(self, link: Link) -> bool:
        """Whether all of the game may be told: it holds every hidden hand and the seed."""
        return self.finished or self.holds_all(link)

    def scene(self, look: Look) -> dict[str, Any]:
        """The table as somebody looks at it now."""
        found = self._scenes.get(look)
        if found is None:
            found = scene(self.match, look.seat, look.language, look.since, look.shape)
            if len(self._scenes) >= MOST_SCENES:
                self._scenes.clear()
            self._scenes[look] = found
        return found

    def scene_after(self, replies: int, look: Look) -> dict[str, Any]:
        """The table as it was after so many replies."""
        if replies == self.at:
            return self.scene(look)
        past = self.match.copy()
        past.rewind(replies)
        return scene(past, look.seat, look.language, look.since, look.shape)

    def log(self) -> Log:
        """The whole game as `lawspeaker replay` reads it."""
        names = [each.bot or "human" for each in self.seats]
        return self.match.record(names, self.game.files)

    def replies(self, first: int) -> list[KeptReply]:
        """The first so many replies."""
        return self._given[:first]

    # ------------------------------------------------------------ questions of players

    def why_not(self, seat: int | None, text: str, language: str) -> dict[str, Any]:
        """Why something is not offered to a seat."""
        if seat is None or seat not in self.asked():
            raise Refused("not_asked", phrase("table.not_asked", language))
        return why_not(self.match, seat, text, language)

    def rule(self, seat: int | None, clause: str, language: str) -> dict[str, Any]:
        """A clause by its id; without one, that of the question to a seat."""
        decision: Decision | None = None
        if not clause and seat is not None and seat in self.asked():
            decision = self.match.asked(seat)
        found = next((each for each in self.program.clauses if each.id == clause), None)
        if decision is not None:
            found = decision.clause
        if found is None:
            raise Refused("no_clause", phrase("rules.none", language, text=clause))
        return told(answers.rule(self.program, found, language, decision))

    def points(self, seat: int, language: str) -> dict[str, Any]:
        """Where the points of a seat come from."""
        if not 0 <= seat < len(self.seats):
            raise Refused("no_seat", phrase("table.no_seat", language))
        shown = answers.points(self.match, seat, language)[0]
        if isinstance(shown, Sum):
            rows = [list(row) for row in shown.rows]
            return {"seat": seat, "total": shown.total, "rows": rows, "text": ""}
        return {"seat": seat, "total": 0, "rows": [], "text": getattr(shown, "text", "")}

    # ------------------------------------------------------------ changes

    def reply(self, seat: int, number: int, ask: int, language: str) -> None:
        """A seat takes option `number` of the question `ask`; raises Refused or NotKept."""
        current = self.ask(seat)
        if current is None:
            code, key = (
                ("over", "table.over") if self.finished else ("not_asked", "table.not_asked")
            )
            raise Refused(code, phrase(key, language))
        decision = self.match.asked(seat)
        clause = decision.clause.id
        if ask != current:
            raise Refused("stale", phrase("table.stale", language), clause)
        if not 0 <= number < len(decision.options):
            raise Refused("illegal", phrase("ask.number", language, count=len(decision.options)))
        option = decision.options[number]
        kept = KeptReply(seat, number, option.text)
        try:
            self.match.choose(option, seat=seat)
        except RuleFault as fault:
            raise Refused("fault", str(fault), fault.clause) from None
        # The game goes on, so that going back is no longer what was proposed.
        proposal = self.proposal if self.proposal and self.proposal.kind != UNDO else None
        try:
            self._store.add_reply(self.number, self.at, kept, self.finished, proposal)
        except Exception:
            # Nobody has been told of it, and nobody shall be: it is not on the disk.
            self.match.rewind(self.at)
            raise
        self._given.append(kept)
        self.proposal = proposal
        self._changed()

    def last_of(self, seats: Sequence[int]) -> int | None:
        """Which of some seats has answered last."""
        return next((each.seat for each in reversed(self._given) if each.seat in seats), None)

    def barred(self, seat: int, language: str) -> Refused | None:
        """Why a seat cannot take back its last reply without asking; None if it can."""
        if undo.steps_back(self.match, seat):
            return None
        found = undo.barrier(self.match, seat)
        if found is None:
            return Refused("nothing", phrase("undo.nothing", language))
        other = self.match.replies[found.reply].setting.seat
        player = self.name(seat if other is None else other, language)
        reason = phrase(f"undo.{found.kind}", language, player=player)
        told = phrase("undo.barred", language, reason=reason)
        return Refused("barred", told, found.clause, anyway=self.last_of([seat]) is not None)

    def take_back(self, seat: int, language: str) -> None:
        """Goes back to before the last reply of a seat, whatever came after it."""
        mine = [at for at, each in enumerate(self._given) if each.seat == seat]
        if not mine:
            raise Refused("nothing", phrase("undo.nothing", language))
        self._store.take_back(self.number, mine[-1])
        self.proposal = None
        self.match.rewind(mine[-1])
        del self._given[mine[-1] :]
        self.rewound += 1
        self._changed()

    def set_bot(self, seat: int, bot: str) -> None:
        """Lets a bot play for a seat; an empty name gives it back to its person."""
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], bot=bot)
        settled = self.proposal and self.proposal.kind == BOT and self.proposal.seat == seat
        proposal = None if settled else self.proposal
        self._store.set_seats(self.number, seats, self.finished, proposal)
        self.seats, self.proposal = tuple(seats), proposal
        self._changed()

    # ------------------------------------------------------------ agreeing

    def undo(self, own: Sequence[int], anyway: bool, language: str) -> Proposal:
        """Takes back the last reply of one's own seats. Where that is not fair it is refused, or,
        with `anyway`, put to the others."""
        seat = self.last_of(own)
        if seat is None:
            raise Refused("nothing", phrase("undo.nothing", language))
        barred = self.barred(seat, language)
        if barred is not None and not anyway:
            raise barred
        needs = frozenset() if barred is None else frozenset(self.people() - set(own))
        return self.settle(Proposal(UNDO, frozenset(own), seat, needs), language)

    def settle(self, proposal: Proposal, language: str) -> Proposal:
        """Does what is proposed if nobody else has to agree, and else puts it to the others."""
        if not proposal.passed:
            self.propose(proposal)
        elif proposal.kind == UNDO:
            self.take_back(proposal.seat, language)
        else:
            self.set_bot(proposal.seat, proposal.strength)
        return proposal

    def agree(self, own: Sequence[int], language: str) -> Proposal:
        return self.settle(self._proposed_to(own, language).with_consent(own), language)

    def decline(self, own: Sequence[int], language: str) -> Proposal:
        """Ends a proposal; whoever made it withdraws it so. Gives what it was."""
        proposal = self._proposed_to(own, language)
        self.propose(None)
        return proposal

    def _proposed_to(self, own: Sequence[int], language: str) -> Proposal:
        """The open proposal, if it is for these seats to say something about it."""
        proposal = self.proposal
        if proposal is None or not set(own) & (proposal.needs | proposal.by):
            raise Refused("nothing_proposed", phrase("table.nothing_proposed", language))
        return proposal

    def propose(self, proposal: Proposal | None) -> None:
        """Puts something to the people at the table; None: nothing any more."""
        self._store.set_standing(self.number, self.finished, proposal)
        self.proposal = proposal

    def sit_down(self, token: str, nick: str) -> str | None:
        """Somebody accepts an invitation; gives the token of the seat's new link. None when
        somebody else was quicker."""
        link = self._store.link(token)
        if link is None or not link.invites:
            return None
        (seat,) = link.seats
        own = new_token()
        self._hand_over(seat, replace(self.seats[seat], taken=True, nick=nick), own, SEAT)
        return own

    def free(self, seat: int, host: str) -> None:
        """Takes a seat away from whoever was invited to it, and invites anew."""
        number = self.seats[seat].invited + 1
        changed = replace(self.seats[seat], taken=False, nick="", invited=number)
        self._hand_over(seat, changed, invitation(host, seat, number), INVITATION)

    def _hand_over(self, seat: int, changed: Seat, token: str, role: str) -> None:
        seats = (*self.seats[:seat], changed, *self.seats[seat + 1 :])
        self._store.hand_over(self.number, seats, token, Link(self.number, role, (seat,)))
        self.seats = seats
        self._changed()

    def _changed(self) -> None:
        self._scenes.clear()

    # ------------------------------------------------------------ bots

    def bots_turn(self) -> Turn | None:
        """The first bot that is asked."""
        for seat in self.asked():
            ask = self.ask(seat)
            if self.seats[seat].bot and ask is not None:
                return Turn(seat, self.seats[seat].bot, ask, self._position())
        return None

    def _position(self) -> Position:
        return Position(
            self.number,
            self.program.digest,
            self.game.files,
            len(self.seats),
            self.seed,
            self.discretion,
            tuple((each.seat, each.option) for each in self._given),
        )


def opened(number: int, kept: KeptTable, game: Game, store: Store) -> Table:
    """A stored table, played again up to where it stands; raises Broken."""
    try:
        table = Table(number, kept, game, store, store.replies(number))
    except (IllegalChoice, RuleFault, LookupError) as error:
        raise Broken(f"table {number} cannot be played again: {error}") from error
    with suppress(NotKept):  # to look at a table nothing need be written
        table.propose(kept.proposal)  # somebody was here today
    return table


def _given_again(match: Match, kept: KeptReply) -> KeptReply:
    """Gives a stored reply: by its number, and if that has come to mean another, by its text."""
    options = match.asked(kept.seat).options
    if kept.option < len(options) and options[kept.option].text == kept.choice:
        match.choose(options[kept.option], seat=kept.seat)
        return kept
    texts = [each.text for each in options]
    match.choose(kept.choice, seat=kept.seat)
    return replace(kept, option=texts.index(match.replies[-1].text))
