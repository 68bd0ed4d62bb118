"""Two rulebooks played in step: the same position, the same replies, until they part.

They part when other players are asked or by another clause, when not the same can be chosen, or
when something else happens and leads elsewhere. What happens is compared by what it does, not by
which clause does it; the same deeds in another order are no divergence as long as they come to the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import IllegalChoice, Option
from lawspeaker.match.events import tell
from lawspeaker.match.log.prints import position
from lawspeaker.match.match import Match
from lawspeaker.position.luck import Stream

ASKED, OFFERED, HAPPENED = "asked", "offered", "happened"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: whom, by which clause, and all that can be answered."""

    seat: int | None
    clause: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened, by which clause."""

    kind: str
    clause: str
    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One rulebook where they part: what is asked, and what happened from there on."""

    asked: tuple[Asked, ...]
    events: tuple[Happened, ...]


@dataclass(frozen=True, slots=True)
class Divergence:
    sort: str
    one: Side
    other: Side

    @property
    def signature(self) -> tuple[object, ...]:
        """What must stay the same while a play is shortened."""
        return self.sort, *(_signed(self.sort, side) for side in (self.one, self.other))


def _signed(sort: str, side: Side) -> object:
    if sort == HAPPENED:
        return [(each.kind, each.clause, each.seat) for each in side.events[:1]]
    return [each.clause for each in side.asked]


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered, by whom, to which clause."""

    seat: int
    clause: str
    text: str


class Lockstep:
    """Two matches that stand at the same point, as far as anyone can tell."""

    def __init__(self, one: Match, other: Match) -> None:
        self.one = one
        self.other = other
        self.replies: list[Reply] = []
        self._told = (0, 0)

    def divergence(self) -> Divergence | None:
        """How they part by what happened since this was last asked, or by what is asked now."""
        left, right = (
            happened(match, told)
            for match, told in zip((self.one, self.other), self._told, strict=True)
        )
        self._told = (len(self.one.events), len(self.other.events))
        here, there = asked(self.one), asked(self.other)
        for at in range(max(len(left), len(right))):
            one, other = left[at : at + 1], right[at : at + 1]
            if [(e.kind, e.text) for e in one] != [(e.kind, e.text) for e in other]:
                if here == there and standing(self.one) == standing(self.other):
                    break
                return Divergence(HAPPENED, Side(here, left[at:]), Side(there, right[at:]))
        if [(each.seat, each.clause) for each in here] != [(e.seat, e.clause) for e in there]:
            return Divergence(ASKED, Side(here, ()), Side(there, ()))
        if any(
            set(each.options) != set(also.options) for each, also in zip(here, there, strict=True)
        ):
            return Divergence(OFFERED, Side(here, ()), Side(there, ()))
        return None

    def answer(self, reply: Reply) -> None:
        for match in (self.one, self.other):
            match.choose(reply.text, seat=reply.seat)
        self.replies.append(reply)


def standing(match: Match) -> dict[str, Any]:
    """How things stand, in texts."""
    return position(match.machine.layout, match.state)


def asked(match: Match) -> tuple[Asked, ...]:
    return tuple(
        Asked(each.seat, each.clause.id, tuple(option.text for option in each.options))
        for each in match.decisions
    )


def happened(match: Match, since: int = 0) -> tuple[Happened, ...]:
    """All that has happened, from an event on; that a clause is done is no event of the game."""
    stopped = match.state.ended and match.state.ended != "over"
    return tuple(
        Happened(
            event.kind,
            match.program.clauses[event.clause].id,
            tell(match.machine, event),
            event.seat,
        )
        for event in match.events[since:]
        if event.kind != "end" or not stopped
    )


def some_reply(match: Match, luck: Stream, eager: bool) -> Reply | None:
    """A reply by chance; an eager player does something rather than nothing, if he can."""
    decision = match.decision
    if decision is None or decision.seat is None:
        return None
    options = decision.options
    if eager:
        doing = [option for option in options if not _nothing(option)]
        options = tuple(doing) or options
    option = luck.choose(options)
    return Reply(decision.seat, decision.clause.id, option.text)


def _nothing(option: Option) -> bool:
    return option.alternative is None or () in option.values


def play_apart(
    pair: Lockstep,
    luck: Stream,
    most: int,
    eager: bool = False,
    replies: Sequence[Reply] = (),
) -> Iterator[Divergence | None]:
    """Plays in step until they part: None for each position in which they agree.

    The first replies may be given. Gives up after so many replies, at the end of the game, or
    when the rules break or a given reply is not allowed.
    """
    given = list(replies)
    try:
        while True:
            found = pair.divergence()
            yield found
            if found is not None or len(pair.replies) >= most:
                return
            reply = given.pop(0) if given else some_reply(pair.one, luck, eager)
            if reply is None:
                return
            pair.answer(reply)
    except (RuleFault, IllegalChoice):
        return
