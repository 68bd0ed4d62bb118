"""Two rulebooks played in step: the same position, the same replies, until they part.

They part when other players are asked or by another clause, when not the same can be chosen, or
when something else happens and leads elsewhere; or they have not the same pieces to begin with.
What happens is compared by what it does, not by which clause does it; the same deeds in another
order are no divergence as long as they come to the same. A marker that only one of them has rules
for says nothing by itself: what these rules do shows soon enough.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from typing import Any

from lawspeaker import ir
from lawspeaker.base.cache import Kept
from lawspeaker.ir.walk import code_of, everything
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import IllegalChoice, Option
from lawspeaker.match.events import Event, tell
from lawspeaker.match.log.prints import position
from lawspeaker.match.match import Match
from lawspeaker.position.luck import Stream

ASKED, OFFERED, HAPPENED, SETUP = "asked", "offered", "happened", "setup"


class Manner(Enum):
    """How players choose: by chance; something rather than nothing; nothing, where they may, but
    for once in a while."""

    ANY, EAGER, IDLE = range(3)


MOSTLY = 4
"""An idle player does something once in so many times."""


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
        """The way in which they part."""
        return self.sort, *self._signed()

    @property
    def apart(self) -> int:
        """In how much of what happens they differ."""
        sides = ([(e.kind, e.text) for e in side.events] for side in (self.one, self.other))
        return sum(one != other for one, other in zip_longest(*sides))

    def like(self, whole: Divergence) -> bool:
        """Whether a part of a game parts them as the whole game does: in the same way, but for a
        side on which nothing follows, since the part is over."""
        sides = zip(self._signed(), whole._signed(), strict=True)
        return self.sort == whole.sort and all(here in ((), there) for here, there in sides)

    def _signed(self) -> tuple[tuple[object, ...], ...]:
        return _signed(self.sort, self.one), _signed(self.sort, self.other)


def _signed(sort: str, side: Side) -> tuple[object, ...]:
    if sort == HAPPENED:
        return tuple((each.kind, each.clause, each.seat) for each in side.events[:1])
    return tuple(each.clause for each in side.asked)


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
        self.idle = idle_markers(one.program, other.program)
        self.replies: list[Reply] = []
        self._told = (0, 0)

    def divergence(self) -> Divergence | None:
        """How they part by what happened since this was last asked, or by what is asked now."""
        left, right = (
            happened(match, told, self.idle)
            for match, told in zip((self.one, self.other), self._told, strict=True)
        )
        self._told = (len(self.one.events), len(self.other.events))
        here, there = asked(self.one), asked(self.other)
        for at in range(max(len(left), len(right))):
            one, other = left[at : at + 1], right[at : at + 1]
            if [(e.kind, e.text) for e in one] != [(e.kind, e.text) for e in other]:
                if here == there and self._stand_alike():
                    break
                return Divergence(HAPPENED, Side(here, left[at:]), Side(there, right[at:]))
        if [(each.seat, each.clause) for each in here] != [(e.seat, e.clause) for e in there]:
            return Divergence(ASKED, Side(here, ()), Side(there, ()))
        if any(
            set(each.options) != set(also.options) for each, also in zip(here, there, strict=True)
        ):
            return Divergence(OFFERED, Side(here, ()), Side(there, ()))
        return None

    def _stand_alike(self) -> bool:
        return standing(self.one, self.idle) == standing(self.other, self.idle)

    def answer(self, reply: Reply) -> None:
        for match in (self.one, self.other):
            match.choose(reply.text, seat=reply.seat)
        self.replies.append(reply)


def standing(match: Match, idle: Collection[str] = ()) -> dict[str, Any]:
    """How things stand, in texts; without what idle markers show."""
    found = position(match.machine.layout, match.state)
    shown = {name: each for name, each in found["markers"].items() if name not in idle}
    return {**found, "markers": shown}


def asked(match: Match) -> tuple[Asked, ...]:
    return tuple(
        Asked(each.seat, each.clause.id, tuple(option.text for option in each.options))
        for each in match.decisions
    )


def happened(match: Match, since: int = 0, idle: Collection[str] = ()) -> tuple[Happened, ...]:
    """All that has happened, from an event on."""
    return tuple(
        Happened(
            event.kind,
            match.program.clauses[event.clause].id,
            tell(match.machine, event),
            event.seat,
        )
        for event in deeds(match, since, idle)
    )


def deeds(match: Match, since: int, idle: Collection[str]) -> list[Event]:
    """The events of a game; that a clause is done is none, nor what an idle marker shows."""
    stopped = match.state.ended and match.state.ended != "over"
    markers = match.program.markers
    return [
        event
        for event in match.events[since:]
        if not (event.kind == "end" and stopped)
        and not (event.kind == "marker" and markers[event.data[0]].name in idle)
    ]


def idle_markers(one: ir.Program, other: ir.Program) -> frozenset[str]:
    """The names of the markers that only one of them has rules for."""
    return _moved_by(one) ^ _moved_by(other)


_moved: Kept[tuple[ir.Program, frozenset[str]]] = Kept(16)


def _moved_by(program: ir.Program) -> frozenset[str]:
    """The markers that are moved or looked at by rules."""

    def found() -> frozenset[str]:
        return frozenset(
            program.markers[node.marker].name
            for node in everything(code_of(program))
            if isinstance(node, ir.MarkerValue | ir.SetMarker)
        )

    return _moved.get(id(program), lambda: (program, found()))[1]


def some_reply(
    match: Match, luck: Stream, manner: Manner, among: Collection[str] | None = None
) -> Reply | None:
    """A reply by chance, as players of this manner give it, from all or some of the options."""
    decision = match.decision
    if decision is None or decision.seat is None:
        return None
    options = decision.options
    if among is not None:
        options = tuple(option for option in options if option.text in among)
        if not options:
            return None
    if manner is Manner.EAGER or (manner is Manner.IDLE and luck.below(MOSTLY)):
        wanted = [option for option in options if _nothing(option) == (manner is Manner.IDLE)]
        options = tuple(wanted) or options
    option = luck.choose(options)
    return Reply(decision.seat, decision.clause.id, option.text)


def _nothing(option: Option) -> bool:
    return option.alternative is None or () in option.values


def play_apart(
    pair: Lockstep,
    luck: Stream | None,
    most: int,
    manner: Manner = Manner.ANY,
    replies: Sequence[Reply] = (),
) -> Iterator[Divergence | None]:
    """Plays in step until they part: None for each position in which they agree.

    Where only not the same can be chosen, they go on by luck with what can be chosen in both. The
    first replies may be given; one to a question that is not asked falls away. Gives up after so
    many replies, at the end of the game, when the rules break or a given reply is not allowed, or,
    without luck, when no more replies are given.
    """
    given = list(replies)
    try:
        while True:
            found = pair.divergence()
            yield found
            parted = found is not None and (found.sort != OFFERED or luck is None)
            if parted or len(pair.replies) >= most:
                return
            now = [(each.seat, each.clause) for each in asked(pair.one)]
            while given and (given[0].seat, given[0].clause) not in now:
                del given[0]
            reply = given.pop(0) if given else None
            if reply is None and luck is not None:
                among = None if found is None else found.other.asked[0].options
                reply = some_reply(pair.one, luck, manner, among)
            if reply is None:
                return
            pair.answer(reply)
    except (RuleFault, IllegalChoice):
        return
