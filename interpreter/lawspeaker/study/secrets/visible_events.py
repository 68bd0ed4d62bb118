"""Events visible to a seat, and which of them may legitimately reveal hidden information.

To those who see the result these reveal information: `tell` and `show`; a piece that moves from a
hidden to a visible place (its identity and states), or that lay under it; points; the end of the
game; that somebody cannot do what he must; and public chance events. In twin games such an event
may differ. Everything else that a seat sees must be equal: markers, states and moves of visible
things, moves between hidden places, shuffles, and whether any of these happen at all. Others'
choices look equal, as `twins` selects them so.

If event sequences diverge, the responsible event is determined: if the next kind of event of one
game comes later in the other, the other game has an additional event, which is it.
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
class VisibleEvent:
    """An event as a seat knows it.

    `tells`: it may differ where hidden things do; if `lucky`, only by chance. `shown` is what
    becomes visible with a moved or picked piece: its states and identity; if `drawn` that may
    differ, as the order of a shuffled pile is unknown, or the piece is one of several in a heap.
    `luck` are preceding chance outcomes hidden from the seat, each with whether it was a piece,
    `place` the destination of a piece, and `told_to` the recipients of information.
    """

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

    def same_as(self, other: VisibleEvent | None) -> bool:
        return other is not None and (self.text, self.shown) == (other.text, other.shown)

    def may_differ(self, same_luck: bool) -> bool:
        return self.tells or (self.lucky and not same_luck) or bool(self._luck(same_luck))

    def _luck(self, same_luck: bool) -> list[tuple[bool, str]]:
        """The chance outcomes that may differ. Equal seeds pick equal numbers, but maybe other
        equal pieces.
        """
        return [each for each in self.luck if each[0] or not same_luck]

    def may_differ_from(self, other: VisibleEvent, same_luck: bool) -> bool:
        """Whether the same kind of event may differ in this way between the games."""
        if self.text == other.text and self.drawn and other.drawn:
            return True
        if self._luck(same_luck) != other._luck(same_luck):
            return True
        differ = [each.tells or (each.lucky and not same_luck) for each in (self, other)]
        # A piece that becomes visible may come from different places.
        return all(differ) or (any(differ) and self.place is not None and self.place == other.place)


class Eyes:
    """Observes a match as a seat, from a state on.

    Tracks positions and states of pieces and shuffles event by event, to know what each may
    reveal.
    """

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
        """Contents of piles of which the seat sees only the top."""
        self.luck: list[tuple[bool, str]] = []
        self.seen = 0

    def news(self) -> list[VisibleEvent]:
        """Events since the last call, as far as the seat knows of them."""
        events = self.match.events[self.seen :]
        self.seen += len(events)
        return self.known(events)

    def known(self, events: Sequence[Event]) -> list[VisibleEvent]:
        """Filters events to the seat's knowledge."""
        self.luck.clear()
        visibles = [self._visible(event, then) for event, then in zip_longest(events, events[1:])]
        return [visible for visible in visibles if visible.text]

    def _visible(self, event: Event, then: Event | None) -> VisibleEvent:
        facts = self.match.facts(event, self.seat)
        facts.pop("number", None)
        text = self.match.tell(event, self.seat)
        visible = VisibleEvent(
            event.kind, event.clause, _joined(text, facts), luck=tuple(self.luck)
        )
        match event.kind:
            case "score" | "end" | "cannot":
                return replace(visible, tells=True)
            case "tell":
                tells = self.layout.sees(event.known, self.seat)
                return replace(visible, tells=tells, told_to=event.known)
            case "chance":
                return self._picked(event, then, visible, facts)
            case "move":
                return self._moved(event, visible, facts)
            case "state":
                number, which, piece, value = event.data
                place = self.where[piece]
                if not self.sees(place):
                    visible = replace(visible, shown=self.showing(piece, place))
                self.states[self.layout.state_at[number][which] + piece] = value
            case "shuffle":
                self.loose.add(event.data[0])
        return visible

    def sees(self, place: int) -> bool:
        """Whether the seat sees the contents of a place."""
        return self.layout.sees(self.layout.seen[place], self.seat)

    def _sees_top(self, place: int, piece: int) -> bool:
        """Whether the seat sees a piece because it lies on top."""
        return self.piles.get(place, [])[-1:] == [piece]

    def _moved(self, event: Event, visible: VisibleEvent, facts: dict[str, Any]) -> VisibleEvent:
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
        # A publicly revealed piece tells everyone that it moved, also those who saw it before.
        public = self._open_to_all(to, under) and not self._open_to_all(origin, not was_on_top)
        if drawn and self.sees(origin):
            # Its identity is random, its destination is not.
            shown += str(facts.pop("piece", ""))
            text = _joined("", facts)
            return replace(visible, text=text, shown=shown, tells=public, drawn=True, place=to)
        tells = (self.sees(to) or is_on_top) and not (self.sees(origin) or was_on_top)
        tells = tells or public or bool(uncovered)
        return replace(visible, tells=tells, shown=shown, drawn=drawn, place=to)

    def _open_to_all(self, place: int, covered: bool) -> bool:
        """Whether everyone sees a piece in a place, or on top of it if uncovered."""
        layout = self.layout
        seen = layout.seen[place] if covered else layout.seen[place] | layout.top_seen[place]
        return seen == layout.everyone

    def _picked(
        self, event: Event, then: Event | None, visible: VisibleEvent, facts: dict[str, Any]
    ) -> VisibleEvent:
        """A chance event: it may reveal what is public, but nothing hidden or stored as hidden."""
        clause, at, _, value = event.data
        of = self.match.machine.codes[clause].luck[at].type
        pieces = isinstance(of, PieceType)
        if pieces and not self.sees(self.where[value]):
            self.luck.append((True, self.showing(value, self.where[value])))
            return visible
        states = self.showing(value, self.where[value]) if pieces else ""
        if not visible.text:
            self.luck.append((pieces, self.layout.text(of, value) + states))
            return visible
        if pieces:
            shown = str(facts.pop("outcome", "")) + states
            return replace(visible, text=_joined("luck", facts), shown=shown, drawn=True)
        kept = then is not None and then.kind in ("marker", "state") and then.clause == clause
        seen = then is None or not kept or self.layout.sees(then.known, self.seat)
        return replace(visible, lucky=seen)

    def followed(self, piece: int) -> int:
        """The position of an unseen piece, if the seat can track it: in an ordered place where
        it knows some.
        """
        state, layout = self.match.state, self.layout
        held = state.contents[state.where[piece]]
        if layout.heap[state.where[piece]]:
            return 0
        sight = layout.sight(self.seat)
        known = any(state.known.get(each, 0) & sight for each in held)
        return held.index(piece) + 1 if known else 0

    def showing(self, piece: int, place: int) -> str:
        """The states of a piece that are visible in a place: all, or on its back the public
        ones.
        """
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
    """The divergence of two event sequences, and the responsible event."""

    visible: VisibleEvent
    told: bool
    one: str
    two: str


def parting(
    one: Sequence[VisibleEvent], two: Sequence[VisibleEvent], same_luck: bool
) -> Parting | None:
    """The divergence of two event sequences; None if they are equal."""
    for at, (mine, theirs) in enumerate(zip_longest(one, two)):
        if mine is not None and mine.same_as(theirs):
            continue
        texts = ("" if each is None else each.text + each.shown for each in (mine, theirs))
        visible = _between(one[at:], two[at:])
        if mine is not None and theirs is not None and mine.sort == theirs.sort:
            told = mine.may_differ_from(theirs, same_luck)
            if told or (mine.place, mine.told_to) == (theirs.place, theirs.told_to):
                return Parting(mine, told, *texts)
            # Different statements of one clause: one game has an additional event.
        return Parting(visible, visible.may_differ(same_luck), *texts)
    return None


def _between(one: Sequence[VisibleEvent], two: Sequence[VisibleEvent]) -> VisibleEvent:
    """The event responsible for a divergence: one game has it and the other has not."""
    if not one or not two:
        return (one or two)[0]
    mine, theirs = one[0], two[0]
    later_in_one = any(_alike(each, theirs) for each in one)
    later_in_two = any(_alike(each, mine) for each in two)
    if later_in_one != later_in_two:
        return mine if later_in_one else theirs
    # Both took different paths: the divergence is legitimate if either path reveals something.
    return theirs if theirs.tells else mine


def _alike(one: VisibleEvent, other: VisibleEvent) -> bool:
    """Whether the same statement may have caused both."""
    return (one.sort, one.told_to) == (other.sort, other.told_to)
