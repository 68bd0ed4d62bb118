"""What happened, clause by clause, and who may know it.

The data of an event are plain numbers, by its kind:

    move     piece, origin, destination, whether under all in it
    score    seat, points (negative when lost), total afterwards
    choose   clause and operation that asked, alternative (-1: pass), values of the parts
    chance   clause and operation, what was picked
    marker   marker, seat (None if it is nobody's own), what it shows now
    state    type of piece, which state, piece, what it is now
    shuffle  place
    tell     operation, what is told; `known` says to whom
    end      the winners

`known` has a bit for each seat that may know the details, and one for spectators. For the others
`seen_by` takes the details out: they know that a piece moved from here to there, not which; that
a player chose, not what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.ir.types import PieceType, PlaceType, Type
from lawspeaker.ir.walk import everything
from lawspeaker.position.layout import Layout, Value, counted

if TYPE_CHECKING:
    from lawspeaker.machines.reference.machine import Machine

Viewer = int | str | None
"""A seat, None for a spectator, or `all` for someone who knows everything."""


@dataclass(frozen=True, slots=True)
class Event:
    number: int
    clause: int
    kind: str
    seat: int | None
    data: tuple[Value, ...]
    known: int


def seen_by(layout: Layout, event: Event, viewer: Viewer) -> Event:
    """The event as a viewer knows it."""
    if layout.sees(event.known, viewer):
        return event
    data = event.data
    match event.kind:
        case "move":
            data = (None, *data[1:])
        case "choose":
            data = (*data[:2], None, None)
        case "chance" | "marker" | "tell":
            data = (*data[:-1], None)
        case "state":
            data = (*data[:2], None, None)
        case _:
            data = ()
    return replace(event, data=data)


@lru_cache(maxsize=64)
def silent_luck(layout: Layout) -> frozenset[int]:
    """Clauses in which luck is not told: what it brings may go where not everyone sees it.

    They set a state or a marker that some do not see, tell something to some, or give something
    to a clause that does.
    What others may know of it, the events that follow tell.
    """
    program = layout.program
    silent: set[int] = set()
    giving: dict[int, set[int]] = {}
    for clause in program.clauses:
        for deed in everything(clause.body):
            match deed:
                case ir.SetState(piece, state):
                    seen_by = program.pieces[piece].states[state].seen_by
                case ir.SetMarker(marker):
                    seen_by = program.markers[marker].seen_by
                case ir.Tell(who):
                    seen_by = "everyone" if who is None else ""
                case ir.Do(target, arguments) if arguments:
                    giving.setdefault(clause.index, set()).add(target)
                    continue
                case _:
                    continue
            if seen_by != "everyone":
                silent.add(clause.index)
    while more := {clause for clause, targets in giving.items() if targets & silent} - silent:
        silent |= more
    return frozenset(silent)


class Faces:
    """States that nobody sees but with their piece, as they stood when an event happened.

    A move can lay them open: a die under a cup shows its face when the cup is lifted. Nothing is
    told by the event itself, so they are followed from the start of the game. `past` are all its
    events, or none if the game is not known from its start.
    """

    def __init__(self, layout: Layout, past: Sequence[Event]) -> None:
        self.layout = layout
        self.hidden = [
            [which for which, state in enumerate(piece.states) if state.seen_by != "everyone"]
            for piece in layout.program.pieces
        ]
        self.past = past if any(self.hidden) else ()
        self.at = 0
        self.now: dict[tuple[int, int], Value] = {}

    def shown_by(self, event: Event, viewer: Viewer) -> tuple[Value, ...]:
        """All states of a piece that moves to where a viewer sees it from where he did not."""
        piece, origin, to, _ = event.data
        seen = self.layout.seen
        if piece is None or not self.past or not self.layout.sees(seen[to], viewer):
            return ()
        if viewer != "all" and self.layout.sees(seen[origin], viewer):
            return ()
        number = self.layout.piece_type[piece]
        if not self.hidden[number]:
            return ()
        self._follow(event.number)
        states = self.layout.program.pieces[number].states
        return tuple(self.now.get((piece, at), state.start) for at, state in enumerate(states))

    def _follow(self, number: int) -> None:
        """Brings what is known of states to just before an event."""
        if number < self.at:
            self.at = 0
            self.now.clear()
        for event in self.past[self.at : number]:
            if event.kind == "state":
                _, which, piece, value = event.data
                self.now[piece, which] = value
        self.at = number


def tell(machine: Machine, event: Event, viewer: Viewer = "all") -> str:
    """An event in words, as a viewer knows it; texts are the canonical ones."""
    layout, program = machine.layout, machine.program
    data: tuple[Value, ...] = seen_by(layout, event, viewer).data
    match event.kind:
        case "move":
            piece, origin, to, under = data
            number = program.families[layout.place_family[to]].holds
            what = f"a {program.pieces[number].name}"
            if piece is not None:
                what = layout.text(PieceType("", layout.piece_type[piece]), piece)
            way = "under" if under else "to"
            return f"{what} from {_place(layout, origin)} {way} {_place(layout, to)}"
        case "score":
            seat, points, total = data
            name = program.player_names[seat]
            verb = "scores" if points >= 0 else "loses"
            return f"{name} {verb} {abs(points)}, {total} in all"
        case "choose":
            clause, at, number, values = data
            name = program.player_names[event.seat or 0]
            if number is None:
                return f"{name} chooses"
            return f"{name} chooses {_choice(machine, clause, at, number, values)}"
        case "chance":
            clause, at, value = data
            if value is None:
                return "luck picks something"
            of: Type = machine.codes[clause].luck[at].type
            return f"luck picks {layout.text(of, value)}"
        case "marker":
            marker, seat, value = data
            declared = program.markers[marker]
            whose = "" if seat is None else f" of {program.player_names[seat]}"
            seen = layout.sees(event.known, viewer)
            shown = layout.text(declared.type, value) if seen else "something"
            return f"{declared.name}{whose} is {shown}"
        case "state":
            number, state_number, piece, value = data
            state = program.pieces[number].states[state_number]
            if piece is None:
                return f"{state.name} of a {program.pieces[number].name} changes"
            text = layout.text(PieceType("", number), piece)
            return f"{state.name} of {text} is {layout.text(state.type, value)}"
        case "shuffle":
            return f"{_place(layout, data[0])} is shuffled"
        case "tell":
            names = [program.player_names[seat] for seat in told_seats(layout, event)]
            told = f"{' and '.join(names) or 'nobody'} {'are' if len(names) > 1 else 'is'} told"
            told = "everyone is told" if event.known == layout.everyone else told
            if not layout.sees(event.known, viewer):
                return f"{told} something"
            deed = told_by(machine, event)
            text = layout.text(deed.what.type, data[1])
            return f"{told}: {deed.name} is {text}" if deed.name else f"{told}: {text}"
        case "end":
            names = [program.player_names[seat] for seat in data]
            return f"the game is over; winners: {', '.join(names) or 'none'}"
    raise ValueError(event.kind)


def told_by(machine: Machine, event: Event) -> ir.Tell:
    """The deed that has told something."""
    deed = machine.codes[event.clause].operations[event.data[0]].deed
    assert isinstance(deed, ir.Tell)
    return deed


def told_seats(layout: Layout, event: Event) -> list[int]:
    """The seats that were told something."""
    return [seat for seat in layout.seats if event.known >> seat & 1]


def _place(layout: Layout, place: int) -> str:
    return layout.text(PlaceType("", layout.place_family[place]), place)


def _choice(machine: Machine, clause: int, at: int, number: int, values: tuple[Value, ...]) -> str:
    if number < 0:
        return "pass"
    alternative = machine.codes[clause].questions[at].ask.alternatives[number]
    texts = []
    for part, value in zip(alternative.parts, values, strict=True):
        members = value if part.several else (value,)
        texts.append(counted(machine.layout.text(part.binder.type, m) for m in members))
    told = ", ".join(texts)
    return f"{alternative.label} {told}".rstrip() if alternative.label is not None else told
