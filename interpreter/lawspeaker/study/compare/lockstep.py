"""Plays two rulebooks in lockstep: the same position and replies, until they diverge.

They diverge when different players are asked or by a different clause, when the options differ,
or when different events lead to different positions; or if they have different pieces from the
start. Events are compared by their effect, not by their clause; another order of events is no
divergence if the resulting position is the same. Markers that only one of them uses are ignored:
the effect of these rules shows soon enough.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from typing import Any

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.ir.walk import code_of, everything
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import IllegalChoice, Option
from lawspeaker.match.events import Event, event_text
from lawspeaker.match.log.fingerprints import position
from lawspeaker.match.match import Match
from lawspeaker.position.rng import Stream

ASKED, OFFERED, HAPPENED, SETUP = "asked", "offered", "happened", "setup"


class Manner(Enum):
    """Random playing styles: uniform, preferring to do something, or mostly passing."""

    ANY, EAGER, IDLE = range(3)


MOSTLY = 4
"""An idle player acts once in this many times."""


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question: seat, clause, and options."""

    seat: int | None
    clause: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """An event with its clause."""

    kind: str
    clause: str
    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One rulebook at the divergence: its questions, and its events from there on."""

    asked: tuple[PendingQuestion, ...]
    events: tuple[Happened, ...]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The divergence of two rulebooks: its kind and both sides."""

    sort: str
    one: Side
    other: Side

    @property
    def signature(self) -> tuple[object, ...]:
        """Key of the kind of divergence."""
        return self.sort, *self._signed()

    @property
    def apart(self) -> int:
        """Number of events that differ."""
        sides = ([(e.kind, e.text) for e in side.events] for side in (self.one, self.other))
        return sum(one != other for one, other in zip_longest(*sides))

    def like(self, whole: Divergence) -> bool:
        """Whether a partial game diverges like the whole one, up to a side that ends early."""
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
    """An answer: seat, clause and text."""

    seat: int
    clause: str
    text: str


class Lockstep:
    """Two matches in the same position, as far as can be observed."""

    def __init__(self, one: Match, other: Match) -> None:
        self.one = one
        self.other = other
        self.idle = idle_markers(one.program, other.program)
        self.replies: list[Reply] = []
        self._told = (0, 0)

    def divergence(self) -> Divergence | None:
        """The divergence by events since the last call, or by the current questions."""
        left, right = (
            happened(match, told, self.idle)
            for match, told in zip((self.one, self.other), self._told, strict=True)
        )
        self._told = (len(self.one.events), len(self.other.events))
        here, there = pending_questions(self.one), pending_questions(self.other)
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
    """The position in texts, without idle markers."""
    found = position(match.machine.layout, match.state)
    shown = {name: each for name, each in found["markers"].items() if name not in idle}
    return {**found, "markers": shown}


def pending_questions(match: Match) -> tuple[PendingQuestion, ...]:
    """The pending questions of a match."""
    return tuple(
        PendingQuestion(each.seat, each.clause.id, tuple(option.text for option in each.options))
        for each in match.decisions
    )


def happened(match: Match, since: int = 0, idle: Collection[str] = ()) -> tuple[Happened, ...]:
    """All events from a given one on."""
    return tuple(
        Happened(
            event.kind,
            match.program.clauses[event.clause].id,
            event_text(match.machine, event),
            event.seat,
        )
        for event in events_since(match, since, idle)
    )


def events_since(match: Match, since: int, idle: Collection[str]) -> list[Event]:
    """The relevant events: without the end of a single clause and without idle markers."""
    stopped = match.state.ended and match.state.ended != "over"
    markers = match.program.markers
    return [
        event
        for event in match.events[since:]
        if not (event.kind == "end" and stopped)
        and not (event.kind == "marker" and markers[event.data[0]].name in idle)
    ]


def idle_markers(one: ir.Program, other: ir.Program) -> frozenset[str]:
    """Names of markers that only one of the programs uses."""
    return _moved_by(one) ^ _moved_by(other)


_moved: LruCache[tuple[ir.Program, frozenset[str]]] = LruCache(16)


def _moved_by(program: ir.Program) -> frozenset[str]:
    """Names of markers that rules set or read."""

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
    """A random reply in a playing style, from all or some of the options."""
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
    """Plays in lockstep; yields None for each position in which they agree, else the divergence.

    If only the options differ, play continues with options that both have. `replies` are given
    first; those to questions that are not asked are dropped. Stops at the limit of replies, at
    the end of the game, on faults or illegal replies, or, without an RNG, when the given replies
    are used up.
    """
    given = list(replies)
    try:
        while True:
            found = pair.divergence()
            yield found
            parted = found is not None and (found.sort != OFFERED or luck is None)
            if parted or len(pair.replies) >= most:
                return
            now = [(each.seat, each.clause) for each in pending_questions(pair.one)]
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
