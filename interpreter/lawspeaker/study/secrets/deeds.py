"""What happens before the eyes of a seat, and which deeds tell it something that was hidden.

These tell, to those who see the result: `tell`; a piece that goes from where it was hidden to where
it is seen (what it is, and its states); points; the end of the game; that somebody cannot do what
he must; and luck that everyone sees. In twin games such a deed may differ. Whatever else a seat
sees must not: markers, states and moves of what was seen before, moves between hidden places,
shuffling, and whether any of it is done at all. Of what others choose nothing differs, as `twins`
has them choose what looks the same.

Where what happened in two games parts, the deed is looked for by which they part. If the sort of
deed that comes next in one game comes later in the other, the other has done something in between,
and that is the deed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from json import dumps

from lawspeaker.ir.types import PieceType
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match
from lawspeaker.position.state import State

Seat = int | None
"""A seat, or None for a spectator."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An event as a seat knows it. `tells`: it may be otherwise where hidden things are; by luck
    alone, if `lucky`. `shown` are the states that show with a piece that moves; if it was `drawn`
    they may be others, as nobody knows how a shuffled pile lies, or which of several equal dice is
    taken."""

    kind: str
    clause: int
    text: str
    tells: bool
    lucky: bool = False
    shown: str = ""
    drawn: bool = False

    @property
    def sort(self) -> tuple[str, int]:
        return self.kind, self.clause

    def same_as(self, other: Deed | None) -> bool:
        return other is not None and (self.text, self.shown) == (other.text, other.shown)

    def may_differ(self, same_luck: bool) -> bool:
        return self.tells or (self.lucky and not same_luck)


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
        self.seen = 0

    def news(self) -> list[Deed]:
        """What has happened since the last look, as far as the seat knows of it."""
        events = self.match.events[self.seen :]
        self.seen += len(events)
        around = zip([None, *events], events, [*events[1:], None], strict=False)
        deeds = [self._deed(event, before, then) for before, event, then in around]
        return [deed for deed in deeds if deed.text]

    def _deed(self, event: Event, before: Event | None, then: Event | None) -> Deed:
        facts = self.match.facts(event, self.seat)
        facts.pop("number", None)
        text = self.match.tell(event, self.seat)
        if facts:
            text += f" {dumps(facts, sort_keys=True)}"
        tells = lucky = drawn = False
        shown = ""
        match event.kind:
            case "score" | "end" | "cannot":
                tells = True
            case "tell":
                tells = self.layout.sees(event.known, self.seat)
            case "chance":
                lucky = self._in_the_open(event, then)
            case "marker":
                lucky = _by_luck(before, event)
            case "move":
                piece, origin, to, _ = event.data
                drawn = self.layout.heap[origin] or origin in self.loose
                shown = self.showing(piece, to)
                tells = self.sees(to) and not self.sees(origin)
                lucky = drawn and self.sees(origin)
                self.where[piece] = to
            case "state":
                lucky = _by_luck(before, event)
                number, which, piece, value = event.data
                self.states[self.layout.state_at[number][which] + piece] = value
            case "shuffle":
                self.loose.add(event.data[0])
        return Deed(event.kind, event.clause, text, tells, lucky, shown, drawn)

    def sees(self, place: int) -> bool:
        """Whether the seat sees what lies in a place."""
        return self.layout.sees(self.layout.seen[place], self.seat)

    def _in_the_open(self, event: Event, then: Event | None) -> bool:
        """Whether luck picks what everyone may see: no hidden piece, and nothing that is then kept
        as something hidden."""
        clause, at, value = event.data
        if isinstance(self.match.machine.codes[clause].luck[at].type, PieceType):
            return self.sees(self.where[value])
        kept = then is not None and then.kind in ("marker", "state") and then.clause == clause
        return then is None or not kept or self.layout.sees(then.known, self.seat)

    def showing(self, piece: int, place: int) -> str:
        """The states that show with a piece where it comes to lie: all, or on its back those that
        everyone sees."""
        number, all_of_them = self.layout.piece_type[piece], self.sees(place)
        declared = self.layout.program.pieces[number].states
        pairs = zip(self.layout.state_at[number], declared, strict=True)
        shown = [
            self.states[at + piece]
            for at, state in pairs
            if all_of_them or state.seen_by == "everyone"
        ]
        return repr(shown)


def _by_luck(before: Event | None, event: Event) -> bool:
    """Whether what is set is what luck has just brought, as a die shows what was rolled."""
    luck = before is not None and before.kind == "chance" and before.clause == event.clause
    return luck and before is not None and before.data[-1] == event.data[-1]


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
        deeds = _between(one[at:], two[at:])
        told = all(deed.may_differ(same_luck) for deed in deeds)
        if mine is not None and theirs is not None and mine.text == theirs.text:
            told = told or (mine.drawn and theirs.drawn)
        return Parting(deeds[0], told, *texts)
    return None


def _between(one: Sequence[Deed], two: Sequence[Deed]) -> list[Deed]:
    """The deeds by which two games part: those that one has done and the other has not, or the
    same sort of deed, done otherwise."""
    if not one or not two:
        return [(one or two)[0]]
    mine, theirs = one[0], two[0]
    if mine.sort == theirs.sort:
        return [mine, theirs]
    later_in_one = any(each.sort == theirs.sort for each in one)
    later_in_two = any(each.sort == mine.sort for each in two)
    if later_in_one != later_in_two:
        return [mine] if later_in_one else [theirs]
    # Each went a way of its own: it is told if either way tells.
    return [theirs] if theirs.tells else [mine]
