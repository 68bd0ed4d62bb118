"""Events of a match, clause by clause, filtered by viewer.

The data of an event are plain numbers, by kind:

    move     piece, origin, destination, whether under all in it, whether it was drawn
    score    seat, points (negative when lost), total afterwards; then, for those who may know,
             the operation and the values of the names in it, of a piece with its place
    choose   clause and operation that asked, alternative (-1: pass), values of the parts
    forced   the same, if everyone could see that there was only one answer: nobody was asked
    chance   clause and operation, the place of a piece (None of anything else), the outcome
    marker   marker, seat (None if it is nobody's own), new value
    state    type of piece, which state, piece, new value
    shuffle  place
    tell     operation, value; `known` says to whom
    cannot   nothing: somebody must choose but cannot, as everyone learns now
    end      the winners

`known` is the bit set of seats that may know the details, with one bit for spectators. `seen_by`
filters an event for a viewer: pieces are replaced by the first that looks the same, and unknown
details are removed. The viewer knows that a piece moved from here to there, not which; that a
player chose, not what; that an open state of a hidden piece changed, not of which. Events about
which he knows nothing are dropped: hidden markers and states, chance outcomes among hidden
things, moves between places he cannot count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lawspeaker import ir
from lawspeaker.ir.secrecy import unannounced_outcomes
from lawspeaker.ir.walk import bound_slots, everything, names_in, slots_read
from lawspeaker.machines.reference.slot_pieces import reply_values, shape_of
from lawspeaker.match.decision import with_receivers
from lawspeaker.position.layout import Layout, Value, joined_with_counts

if TYPE_CHECKING:
    from lawspeaker.machines.reference.machine import Machine

Viewer = int | str | None
"""A seat, None for a spectator, or `all` for an omniscient viewer."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event: clause, kind, seat, data, and who may know its details."""

    number: int
    clause: int
    kind: str
    seat: int | None
    data: tuple[Value, ...]
    known: int


def seen_by(machine: Machine, event: Event, viewer: Viewer) -> Event | None:
    """Filters an event for a viewer; None if he does not learn that anything happened."""
    layout = machine.layout
    if viewer == "all":
        return event
    if not layout.sees(event.known, viewer):
        return _from_outside(layout, event, viewer)
    data = _by_looks(machine, event)
    known = event.known if event.kind == "tell" else layout.everyone
    if data == event.data and known == event.known:
        return event  # common case: no copy
    return Event(event.number, event.clause, event.kind, event.seat, data, known)


def known_to(machine: Machine, events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """The unfiltered events that a viewer learns of; their numbers are not for him."""
    return [event for event in events if seen_by(machine, event, viewer) is not None]


def events_for(machine: Machine, events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """The events as a viewer knows them, renumbered without gaps."""
    known = (seen_by(machine, event, viewer) for event in events)
    told = [event for event in known if event is not None]
    if viewer == "all":
        return told
    return [e if e.number == at else replace(e, number=at) for at, e in enumerate(told)]


def _from_outside(layout: Layout, event: Event, viewer: Viewer) -> Event | None:
    """The visible data of an event, for a viewer who does not know its details."""
    data = event.data
    match event.kind:
        case "move":
            _, origin, to, *_ = data
            counted = layout.count_seen[origin] | layout.count_seen[to]
            if not layout.sees(counted, viewer):
                return None
            data = (None, *data[1:])
        case "choose" | "forced":
            data = (*data[:2], None, None)
        case "state":
            number, which, _, value = data
            if layout.states[number][which].seen_by != "everyone":
                return None
            data = (number, which, None, value)
        case "tell":
            return replace(event, data=(data[0], None))
        case _:
            return None
    return replace(event, data=data, known=0)


def _by_looks(machine: Machine, event: Event) -> tuple[Value, ...]:
    """The data of an event, with pieces replaced by the first that looks the same."""
    layout, data = machine.layout, event.data
    looks = layout.looks.__getitem__
    match event.kind:
        case "move":
            return (looks(data[0]), *data[1:])
        case "score":
            statement = (
                machine.codes[event.clause].operations[data[3]].statement if len(data) > 3 else None
            )
            if not isinstance(statement, ir.Score) or not statement.reason_known:
                return data[:3]  # The inputs of the score may be hidden.
            pieces = [isinstance(each.type, ir.PieceType) for each in names_in(statement)]
            told = zip(pieces, data[4], strict=True)
            named = tuple(
                [(looks(value[0]), value[1]) if piece else value for piece, value in told]
            )
            return (*data[:4], named)
        case "state":
            number, which, piece, value = data
            shape = shape_of(layout.states[number][which].type)
            return (number, which, looks(piece), value if shape is None else shape(value, looks))
        case "choose" | "forced":
            clause, at, number, values = data
            if number < 0:
                return data
            alternative = machine.codes[clause].questions[at].ask.alternatives[number]
            return (clause, at, number, reply_values(alternative, values, looks))
        case "chance":
            shape = shape_of(machine.codes[data[0]].luck[data[1]].type)
        case "marker":
            shape = shape_of(layout.program.markers[data[0]].type)
        case "tell":
            shape = shape_of(tell_statement(machine, event).what.type)
        case _:
            return data
    return data if shape is None else (*data[:-1], shape(data[-1], looks))


def is_silent(layout: Layout, chance: tuple[Value, ...]) -> bool:
    """Whether the event of this chance outcome is hidden from everyone."""
    clause, _, place, _ = chance
    return clause in (_silent_luck(layout) if place is None else silent_picks(layout))


@lru_cache(maxsize=64)
def _silent_luck(layout: Layout) -> frozenset[int]:
    return unannounced_outcomes(layout.program)


@lru_cache(maxsize=64)
def silent_picks(layout: Layout) -> frozenset[int]:
    """Clauses whose random pick of a piece is hidden from those who see the piece.

    The pick depends on something that not everyone sees, or on a name, whose value is not
    analysed.
    """
    program = layout.program
    return frozenset(
        clause.index
        for clause in program.clauses
        for statement in everything(clause.body)
        if isinstance(statement, ir.Pick) and not _is_open(program, statement.binder)
    )


def _is_open(program: ir.Program, binder: ir.Binder) -> bool:
    """Whether those who see a piece can tell why chance may pick it.

    For other things the checker ensures this.
    """
    if not isinstance(binder.type, ir.PieceType):
        return True
    named = set(slots_read(binder.where)) - bound_slots(binder.where) - {binder.slot}
    looks = _all_of(program, binder.where)
    return not named and not any(_is_hidden(program, node) for node in looks)


def _all_of(program: ir.Program, code: object) -> Iterator[Any]:
    """All nodes of code and of the functions it calls."""
    waiting, seen = [code], set[int]()
    while waiting:
        for node in everything(waiting.pop()):
            yield node
            if isinstance(node, ir.CallFunction) and node.function not in seen:
                seen.add(node.function)
                function = program.functions[node.function]
                waiting.append((*(value for _, value in function.lets), function.result))


def _is_hidden(program: ir.Program, node: object) -> bool:
    """Whether an expression reads something that somebody may not see."""
    match node:
        case ir.Contents(place=place) | ir.TopOf(place=place) | ir.ItemOf(place=place):
            of = place.type
            return isinstance(of, ir.PlaceType) and program.families[of.index].seen_by != "everyone"
        case ir.PlaceOf(family=family) | ir.Occupied(family=family) | ir.OpenPlaces(family=family):
            return program.families[family].seen_by != "everyone"
        case ir.MarkerValue(marker=marker):
            return program.markers[marker].seen_by != "everyone"
        case ir.PieceState(piece=piece, state=state):
            return program.pieces[piece].states[state].seen_by != "everyone"
        case ir.Possible() | ir.SupposingDone():
            return True
    return False


class Faces:
    """Tracks states that are visible only with their piece, as of each event.

    A move can reveal them: a die under a cup shows its face when the cup is lifted. The event
    does not contain them, so they are replayed from the start of the game. `past` are all its
    events, or none if the game is not known from its start.
    """

    def __init__(self, layout: Layout, past: Sequence[Event]) -> None:
        self.layout = layout
        self.hidden = [
            [which for which, entry in enumerate(entries) if entry.seen_by != "everyone"]
            for entries in layout.states
        ]
        self.past = past if any(self.hidden) else ()
        self.at = 0
        self.now: dict[tuple[int, int], Value] = {}

    def shown_by(self, event: Event, viewer: Viewer) -> tuple[Value, ...]:
        """All states of a piece that becomes visible to a viewer by a move."""
        if not self.past:
            return ()
        piece, origin, to, *_ = self.past[event.number].data
        seen = self.layout.seen
        if not self.layout.sees(seen[to], viewer):
            return ()
        if viewer != "all" and seen[origin] == self.layout.everyone:
            return ()
        number = self.layout.piece_type[piece]
        if not self.hidden[number]:
            return ()
        self._follow(event.number)
        states = self.layout.states[number]
        return tuple(self.now.get((piece, at), state.start) for at, state in enumerate(states))

    def _follow(self, number: int) -> None:
        """Replays states up to just before an event."""
        if number < self.at:
            self.at = 0
            self.now.clear()
        for event in self.past[self.at : number]:
            if event.kind == "state":
                _, which, piece, value = event.data
                self.now[piece, which] = value
        self.at = number


def event_text(machine: Machine, event: Event, viewer: Viewer = "all") -> str:
    """Renders an event for a viewer in canonical texts; empty if he knows nothing of it."""
    seen = seen_by(machine, event, viewer)
    return "" if seen is None else seen_event_text(machine, seen, viewer)


def seen_event_text(machine: Machine, event: Event, viewer: Viewer) -> str:
    """Renders an event that is filtered already."""
    layout, program = machine.layout, machine.program
    data: tuple[Value, ...] = event.data
    match event.kind:
        case "move":
            piece, origin, to, under, _ = data
            number = program.families[layout.place_family[to]].holds
            what = f"a {program.pieces[number].name}"
            if piece is not None:
                what = layout.text(ir.PieceType("", layout.piece_type[piece]), piece)
            way = "under" if under else "to"
            return f"{what} from {_place(layout, origin)} {way} {_place(layout, to)}"
        case "score":
            seat, points, total, *_ = data
            name = layout.named_side(seat) or " and ".join(
                program.player_names[each] for each in layout.players_of[layout.side_of[seat]]
            )
            verb = "scores" if points >= 0 else "loses"
            return f"{name} {verb} {abs(points)}, {total} in all"
        case "choose" | "forced":
            clause, at, number, values = data
            assert event.seat is not None
            name = program.player_names[event.seat]
            verb = "chooses" if event.kind == "choose" else "can only choose"
            if number is None:
                return f"{name} {verb}" if event.kind == "choose" else f"{name} has no choice"
            return f"{name} {verb} {_choice(machine, clause, at, number, values)}"
        case "chance":
            clause, at, _, value = data
            of: ir.Type = machine.codes[clause].luck[at].type
            return f"luck picks {layout.text(of, value)}"
        case "marker":
            marker, which, value = data
            entry = layout.markers[layout.marker_at[marker] + (which or 0)]
            return f"{entry.said} is {layout.text(entry.type, value)}"
        case "state":
            number, at, piece, value = data
            entry = layout.states[number][at]
            text = f"a {program.pieces[number].name}"
            if piece is not None:
                text = layout.text(ir.PieceType("", number), piece)
            told = f"{entry.declared.name} of {text}{entry.which}"
            return f"{told} is {layout.text(entry.type, value)}"
        case "shuffle":
            return f"{_place(layout, data[0])} is shuffled"
        case "cannot":
            return "there is nothing to choose"
        case "tell":
            names = [program.player_names[seat] for seat in informed_seats(layout, event)]
            statement = tell_statement(machine, event)
            verb = "shown" if statement.shows else "told"
            told = f"{' and '.join(names) or 'nobody'} {'are' if len(names) > 1 else 'is'} {verb}"
            told = f"everyone is {verb}" if event.known == layout.everyone else told
            if not layout.sees(event.known, viewer):
                return f"{told} something"
            text = layout.text(statement.what.type, data[1])
            return f"{told}: {statement.name} is {text}" if statement.name else f"{told}: {text}"
        case "end":
            names = [program.player_names[seat] for seat in data]
            return f"the game is over; winners: {', '.join(names) or 'none'}"
    raise ValueError(event.kind)


def tell_statement(machine: Machine, event: Event) -> ir.Tell:
    """The Tell statement that caused an event."""
    statement = machine.codes[event.clause].operations[event.data[0]].statement
    assert isinstance(statement, ir.Tell)
    return statement


def informed_seats(layout: Layout, event: Event) -> list[int]:
    """The seats that were told something."""
    return [seat for seat in layout.seats if event.known >> seat & 1]


def _place(layout: Layout, place: int) -> str:
    return layout.text(ir.PlaceType("", layout.place_family[place]), place)


def _choice(machine: Machine, clause: int, at: int, number: int, values: tuple[Value, ...]) -> str:
    if number < 0:
        return "pass"
    alternative = machine.codes[clause].questions[at].ask.alternatives[number]
    texts = []
    for part, value in zip(alternative.parts, values, strict=True):
        members = value if part.several else (value,)
        texts.append(joined_with_counts(machine.layout.text(part.binder.type, m) for m in members))
    told = ", ".join(map(str, with_receivers(alternative, texts, "to")))
    return f"{alternative.label} {told}".rstrip() if alternative.label is not None else told
