"""What happens before the eyes of a seat, and which deeds tell it something that was hidden.

These tell, to those who see the result: `tell` and `show`; a piece that goes from where it was
hidden to where it is seen (what it is, and its states), or that lay under it; points; the end of
the game; that somebody cannot do what he must; and luck that everyone sees. In twin games such a
deed may differ. Whatever else a seat sees must not: markers, states and moves of what was seen
before, moves between hidden places, shuffling, and whether any of it is done at all. Of what others
choose nothing differs, as `twins` has them choose what looks the same.

Where what happened in two games parts, the deed is looked for by which they part. If the sort of
deed that comes next in one game comes later in the other, the other has done something in between,
and that is the deed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from json import dumps
from typing import Any

from lawspeaker.ir.types import PieceType
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match
from lawspeaker.position.state import State

Seat = int | None
"""A seat, or None for a spectator."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An event as a seat knows it. `tells`: it may be otherwise where hidden things are; by luck
    alone, if `lucky`. `shown` is what shows with a piece that moves, or is picked: its states, and
    which it is; if it was `drawn` that may be otherwise, as nobody knows how a shuffled pile lies,
    or which of several is taken from a heap. `luck` is what luck had brought before that the seat
    was not told, each with whether it was a piece, `place` where a piece has gone, and `told_to`
    who was told something."""

    kind: str
    clause: int
    text: str
    tells: bool = False
    lucky: bool = False
    shown: str = ""
    drawn: bool = False
    luck: tuple[tuple[bool, str], ...] = ()
    place: int | None = None
    told_to: int = 0

    @property
    def sort(self) -> tuple[str, int]:
        return self.kind, self.clause

    def same_as(self, other: Deed | None) -> bool:
        return other is not None and (self.text, self.shown) == (other.text, other.shown)

    def may_differ(self, same_luck: bool) -> bool:
        return self.tells or (self.lucky and not same_luck) or bool(self._luck(same_luck))

    def _luck(self, same_luck: bool) -> list[tuple[bool, str]]:
        """What luck had brought that may be otherwise. The same luck picks the same numbers, but of
        equal pieces it may pick others."""
        return [each for each in self.luck if each[0] or not same_luck]

    def may_differ_from(self, other: Deed, same_luck: bool) -> bool:
        """Whether the same sort of deed may be done so in one game, and so in the other."""
        if self.text == other.text and self.drawn and other.drawn:
            return True
        if self._luck(same_luck) != other._luck(same_luck):
            return True
        differ = [each.tells or (each.lucky and not same_luck) for each in (self, other)]
        # Who is shown a piece at last need not know where it came from.
        return all(differ) or (any(differ) and self.place is not None and self.place == other.place)


class Eyes:
    """Follows a match with the eyes of a seat, from a state on. Where pieces are, their states and
    what is shuffled are followed from event to event, to know what each of them may show."""

    def __init__(self, match: Match, seat: Seat, state: State) -> None:
        self.match = match
        self.layout = match.machine.layout
        self.seat = seat
        self.where = state.where.copy()
        self.states = state.states.copy()
        self.loose = set(state.loose)
        tops = self.layout.top_seen
        self.piles = {
            place: list(held)
            for place, held in state.contents.items()
            if self.layout.sees(tops[place], seat) and not self.sees(place)
        }
        """What lies in piles of which the seat sees the top."""
        self.luck: list[tuple[bool, str]] = []
        self.seen = 0

    def news(self) -> list[Deed]:
        """What has happened since the last look, as far as the seat knows of it."""
        events = self.match.events[self.seen :]
        self.seen += len(events)
        return self.known(events)

    def known(self, events: Sequence[Event]) -> list[Deed]:
        """Events as far as the seat knows of them."""
        self.luck.clear()
        deeds = [self._deed(event, then) for event, then in zip_longest(events, events[1:])]
        return [deed for deed in deeds if deed.text]

    def _deed(self, event: Event, then: Event | None) -> Deed:
        facts = self.match.facts(event, self.seat)
        facts.pop("number", None)
        text = self.match.tell(event, self.seat)
        deed = Deed(event.kind, event.clause, _joined(text, facts), luck=tuple(self.luck))
        match event.kind:
            case "score" | "end" | "cannot":
                return replace(deed, tells=True)
            case "tell":
                tells = self.layout.sees(event.known, self.seat)
                return replace(deed, tells=tells, told_to=event.known)
            case "chance":
                return self._picked(event, then, deed, facts)
            case "move":
                return self._moved(event, deed, facts)
            case "state":
                number, which, piece, value = event.data
                place = self.where[piece]
                if not self.sees(place):
                    deed = replace(deed, shown=self.showing(piece, place))
                self.states[self.layout.state_at[number][which] + piece] = value
            case "shuffle":
                self.loose.add(event.data[0])
        return deed

    def sees(self, place: int) -> bool:
        """Whether the seat sees what lies in a place."""
        return self.layout.sees(self.layout.seen[place], self.seat)

    def _sees_top(self, place: int, piece: int) -> bool:
        """Whether the seat sees a piece since it lies on top."""
        return self.piles.get(place, [])[-1:] == [piece]

    def _moved(self, event: Event, deed: Deed, facts: dict[str, Any]) -> Deed:
        piece, origin, to, under, _ = event.data
        was_on_top = self._sees_top(origin, piece)
        if origin in self.piles:
            self.piles[origin].remove(piece)
        if self.layout.sees(self.layout.top_seen[to], self.seat) and not self.sees(to):
            pile = self.piles.setdefault(to, [])
            pile.insert(0 if under else len(pile), piece)
        is_on_top = self._sees_top(to, piece)
        shown = self.showing(piece, to)
        self.where[piece] = to
        uncovered = self.piles.get(origin, [])[-1:] if was_on_top else []
        for each in uncovered:
            number = self.layout.piece_type[each]
            shown += self.layout.text(PieceType("", number), each) + self.showing(each, origin)
        drawn = self.layout.heap[origin] or origin in self.loose
        # A piece that comes out of hiding before everyone's eyes tells all that it was moved, also
        # those who saw it before.
        public = self._open_to_all(to, under) and not self._open_to_all(origin, not was_on_top)
        if drawn and self.sees(origin):
            # Which one it is was left to luck, not where it goes.
            shown += str(facts.pop("piece", ""))
            text = _joined("", facts)
            return replace(deed, text=text, shown=shown, tells=public, drawn=True, place=to)
        tells = (self.sees(to) or is_on_top) and not (self.sees(origin) or was_on_top)
        tells = tells or public or bool(uncovered)
        return replace(deed, tells=tells, shown=shown, drawn=drawn, place=to)

    def _open_to_all(self, place: int, covered: bool) -> bool:
        """Whether everyone sees a piece in a place, or on top of it if nothing covers it."""
        layout = self.layout
        seen = layout.seen[place] if covered else layout.seen[place] | layout.top_seen[place]
        return seen == layout.everyone

    def _picked(self, event: Event, then: Event | None, deed: Deed, facts: dict[str, Any]) -> Deed:
        """Luck may pick what everyone sees, and what the seat is told nothing of; but of what is
        hidden, or is then kept as something hidden, it may tell nothing."""
        clause, at, _, value = event.data
        of = self.match.machine.codes[clause].luck[at].type
        pieces = isinstance(of, PieceType)
        if pieces and not self.sees(self.where[value]):
            self.luck.append((True, self.showing(value, self.where[value])))
            return deed
        states = self.showing(value, self.where[value]) if pieces else ""
        if not deed.text:
            self.luck.append((pieces, self.layout.text(of, value) + states))
            return deed
        if pieces:
            shown = str(facts.pop("outcome", "")) + states
            return replace(deed, text=_joined("luck", facts), shown=shown, drawn=True)
        kept = then is not None and then.kind in ("marker", "state") and then.clause == clause
        seen = then is None or not kept or self.layout.sees(then.known, self.seat)
        return replace(deed, lucky=seen)

    def followed(self, piece: int) -> int:
        """At which position a piece lies that the seat does not see, if it can tell: where it knows
        others, and they have an order."""
        state, layout = self.match.state, self.layout
        held = state.contents[state.where[piece]]
        if layout.heap[state.where[piece]]:
            return 0
        sight = layout.sight(self.seat)
        known = any(state.known.get(each, 0) & sight for each in held)
        return held.index(piece) + 1 if known else 0

    def showing(self, piece: int, place: int) -> str:
        """The states that show with a piece where it comes to lie: all, or on its back those that
        everyone sees."""
        number = self.layout.piece_type[piece]
        all_of_them = self.sees(place) or self._sees_top(place, piece)
        declared = self.layout.states[number]
        pairs = zip(self.layout.state_at[number], declared, strict=True)
        shown = [
            self.states[at + piece]
            for at, state in pairs
            if all_of_them or state.seen_by == "everyone"
        ]
        return repr(shown)


def _joined(text: str, facts: dict[str, Any]) -> str:
    return f"{text} {dumps(facts, sort_keys=True)}" if facts else text


@dataclass(frozen=True, slots=True)
class Parting:
    """What happened in two games where they part, and the deed by which they do."""

    deed: Deed
    told: bool
    one: str
    two: str


def parting(one: Sequence[Deed], two: Sequence[Deed], same_luck: bool) -> Parting | None:
    """Where two games part; None if the same happened in both."""
    for at, (mine, theirs) in enumerate(zip_longest(one, two)):
        if mine is not None and mine.same_as(theirs):
            continue
        texts = ("" if each is None else each.text + each.shown for each in (mine, theirs))
        deed = _between(one[at:], two[at:])
        if mine is not None and theirs is not None and mine.sort == theirs.sort:
            told = mine.may_differ_from(theirs, same_luck)
            if told or (mine.place, mine.told_to) == (theirs.place, theirs.told_to):
                return Parting(mine, told, *texts)
            # Two statements of one clause: one game has done something that the other has not.
        return Parting(deed, deed.may_differ(same_luck), *texts)
    return None


def _between(one: Sequence[Deed], two: Sequence[Deed]) -> Deed:
    """The deed by which two games part: one has done it and the other has not."""
    if not one or not two:
        return (one or two)[0]
    mine, theirs = one[0], two[0]
    later_in_one = any(_alike(each, theirs) for each in one)
    later_in_two = any(_alike(each, mine) for each in two)
    if later_in_one != later_in_two:
        return mine if later_in_one else theirs
    # Each went a way of its own: it is told if either way tells.
    return theirs if theirs.tells else mine


def _alike(one: Deed, other: Deed) -> bool:
    """Whether one statement may have done both."""
    return (one.sort, one.told_to) == (other.sort, other.told_to)
