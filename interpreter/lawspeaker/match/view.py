"""Views: the information set of a seat, the only interface for bots and front ends.

A `View` holds the visible places, the pending question, markers, scores, and the events that the
seat knows of. Visible pieces are numbers that encode only appearance and place (see `numbering`).
Hidden pieces have no identity: they are tokens, negative numbers from -1 in the order of places.
In an ordered hidden place a token is a position; in an unordered one tokens that the game refers
to come first. So exchanging what a seat cannot see or distinguish leaves its view equal.

The control stack is part of a view, with tokens for hidden pieces; dead slots are left out (they
may hold intermediate results), and so are private slots, except for the seats that are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.machines.reference.slot_pieces import Exchange, reply_values
from lawspeaker.match.decision import Decision, Setting, decided
from lawspeaker.match.events import Event, events_for, seen_by, seen_event_text
from lawspeaker.match.numbering import Numbering, NumbersOfAll, marker_shapes
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.position_rows import Row
from lawspeaker.position.state import Reply, State


class View:
    """Information set of `seat` (None: a spectator). Pieces are numbers, or tokens below 0."""

    __slots__ = (
        "_decision",
        "_events",
        "_machine",
        "_question",
        "contents",
        "discreet",
        "ended",
        "floating",
        "loose",
        "markers",
        "past",
        "pending",
        "picks",
        "reply",
        "scores",
        "seat",
        "shuffles",
        "stack",
        "states",
        "winners",
    )

    _machine: Machine
    _events: Sequence[Event]
    _decision: Decision | None
    _question: Callable[[], Decision] | None
    seat: int | None
    contents: dict[int, tuple[int, ...]]
    """By place, the pieces and tokens in it; places with hidden counts are omitted."""
    loose: dict[int, tuple[int, int]]
    floating: tuple[int, ...]
    """Types of tokens that the game refers to in places omitted from `contents`."""
    states: dict[int, tuple[Value, ...]]
    """By piece or token, its states; None for one that the seat cannot see."""
    markers: tuple[tuple[Value] | None, ...]
    past: tuple[tuple[Row, ...], ...]
    """Recorded positions, which everyone has seen."""
    scores: tuple[int, ...]
    stack: tuple[tuple[int, int, tuple[Value, ...]], ...]
    pending: tuple[str, tuple[int, ...]] | None
    reply: Reply | None
    """The seat's own reply to a simultaneous question that is still open."""
    discreet: bool
    shuffles: dict[int, int]
    picks: dict[int, int]
    ended: str
    winners: tuple[int, ...]

    @property
    def layout(self) -> Layout:
        return self._machine.layout

    @property
    def program(self) -> ir.Program:
        return self._machine.program

    @property
    def decision(self) -> Decision | None:
        """The seat's pending question, if any; computed lazily."""
        if self._question is not None:
            self._decision, self._question = self._question(), None
        return self._decision

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that are asked now."""
        return () if self.pending is None else self.pending[1]

    @property
    def points(self) -> tuple[int, ...]:
        """The score of each seat, taken from its side."""
        return self.layout.shared(self.scores)

    @property
    def finished(self) -> bool:
        return bool(self.ended)

    @property
    def events(self) -> list[Event]:
        """The events as the seat knows them, numbered from 0."""
        return events_for(self._machine, self._events, self.seat)

    def told(self, kind: str) -> Iterator[Event]:
        """Visible events of a kind, with their global numbers; others are not filtered at all."""
        return self._seen([event for event in self._events if event.kind == kind])

    def told_by(self, clause: int) -> Iterator[Event]:
        """Visible events of a clause, with their global numbers."""
        return self._seen([event for event in self._events if event.clause == clause])

    def last_move(self, number: int) -> Event | None:
        """The last visible move of a piece of a type."""
        types = self.layout.piece_type
        for event in reversed(self._events):
            # In a determinization the piece of an unseen move is unknown.
            if event.kind != "move" or event.data[0] is None:
                continue
            if types[event.data[0]] == number:
                seen = seen_by(self._machine, event, self.seat)
                if seen is not None and seen.data[0] is not None:
                    return seen
        return None

    def _seen(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            seen = seen_by(self._machine, event, self.seat)
            if seen is not None:
                yield seen

    def _facts(self) -> tuple[Any, ...]:
        asked = self.decision
        options = None if asked is None else [(o.reply, o.text) for o in asked.options]
        return (
            *(self.seat, self.contents, self.loose, self.floating, self.states, self.markers),
            *(self.scores, self.stack, self.pending, self.reply, self.discreet, self.shuffles),
            *(self.picks, self.past, self.ended, self.winners, options, self.events),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self._machine.program is other._machine.program and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.seat, self.scores, self.pending))

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<View of {who}: {self.program.name} after {len(self.events)} events>"

    def to_json(self) -> dict[str, Any]:
        """Serialises the view with canonical texts; a hidden piece is null."""
        layout, program = self.layout, self.layout.program
        names = program.player_names
        return {
            "game": program.name,
            "seat": None if self.seat is None else names[self.seat],
            "players": list(names[: layout.players]),
            "places": places_json(layout, self.contents, self.loose, self.states),
            "markers": markers_json(layout, self.markers),
            "scores": {names[seat]: points for seat, points in enumerate(self.points)},
            "pending": self._pending_json(),
            "events": [
                {
                    "number": event.number,
                    "clause": program.clauses[event.clause].id,
                    "kind": event.kind,
                    "text": seen_event_text(self._machine, event, self.seat),
                }
                for event in self.events
            ],
            "finished": self.finished,
            "winners": [names[seat] for seat in self.winners],
        }

    def _pending_json(self) -> dict[str, Any] | None:
        if self.pending is None:
            return None
        asked = [_name(self.layout, seat) for seat in self.pending[1]]
        told: dict[str, Any] = {"kind": self.pending[0], "seats": asked}
        own = self.decision
        if own is not None:
            told["clause"] = own.clause.id
            told["prompt"] = own.prompt
            told["options"] = [option.text for option in own.options]
        return told


def places_json(
    layout: Layout,
    contents: Mapping[int, tuple[int, ...]],
    loose: Mapping[int, tuple[int, int]],
    states: Mapping[int, tuple[Value, ...]],
) -> dict[str, Any]:
    """Serialises the contents and states by place; a hidden piece is null."""
    places: dict[str, Any] = {}
    for place, held in sorted(contents.items()):
        texts = [None if piece < 0 else _piece_text(layout, piece) for piece in held]
        entry: dict[str, Any] = {"count": len(held), "pieces": texts}
        if place in loose:
            entry["loose"] = list(loose[place])
        number = layout.program.families[layout.place_family[place]].holds
        shown = [_states_json(layout, number, states.get(piece, ())) for piece in held]
        if any(shown):
            entry["states"] = shown
        places[_place_text(layout, place)] = entry
    return places


def _states_json(layout: Layout, number: int, values: tuple[Value, ...]) -> dict[str, str]:
    if not values:
        return {}
    return {
        state.text: layout.text(state.type, value)
        for state, value in zip(layout.states[number], values, strict=True)
        if value is not None
    }


def markers_json(layout: Layout, markers: Sequence[tuple[Value] | None]) -> dict[str, str]:
    """Serialises markers by name; hidden ones are omitted."""
    return {
        entry.text: layout.text(entry.type, found[0])
        for entry, found in zip(layout.markers, markers, strict=True)
        if found is not None
    }


def _name(layout: Layout, seat: int) -> str:
    return layout.text(ir.PLAYER, seat)


def _place_text(layout: Layout, place: int) -> str:
    return layout.text(ir.PlaceType("", layout.place_family[place]), place)


def _piece_text(layout: Layout, piece: int) -> str:
    return layout.text(ir.PieceType("", layout.piece_type[piece]), piece)


# ---------------------------------------------------------------- looking


class InCommon:
    """Cache of what is the same in all views of a state; contains no hidden information."""

    def __init__(self, machine: Machine, state: State) -> None:
        self.spoken: dict[int, int] | None = None
        self.numbers: NumbersOfAll | None = None
        self.anyhow: dict[int, list[int]] = {}
        """By place, hidden pieces in an uninformative order."""
        if _markers_alike(machine.layout):
            self.spoken = _spoken(machine, state, None)
            self.numbers = NumbersOfAll(machine.layout, state, self.spoken)


@lru_cache(maxsize=64)
def _markers_alike(layout: Layout) -> bool:
    """Whether each marker that shows pieces is visible to all or to none."""
    return all(
        shape is None or layout.viewers(entry.seen_by, entry.owner) in (0, layout.everyone)
        for entry, shape in zip(layout.markers, marker_shapes(layout), strict=True)
    )


def view_of(
    machine: Machine,
    state: State,
    seat: int | None,
    events: Sequence[Event] = (),
    moment: object = None,
    *,
    whole: bool = False,
    common: InCommon | None = None,
) -> View:
    """Creates the view of a seat.

    `moment` identifies the time of the view. `whole` keeps private slots, for a referee who
    determinizes the rest. `common` is the cache shared by views of the same state.
    """
    layout = machine.layout
    view = View()
    view._machine = machine
    view._events = tuple(events)
    view.seat = seat
    if common is None or common.spoken is None:
        spoken = _spoken(machine, state, seat)
        numbers = Numbering(layout, state, seat, spoken)
        tokens = _tokens(layout, state, seat, spoken, numbers.told, {})
    else:
        spoken = common.spoken
        numbers = Numbering(layout, state, seat, spoken, common.numbers)
        tokens = _tokens(layout, state, seat, spoken, numbers.told, common.anyhow)
    shown = {**numbers.told, **tokens}
    sight = layout.sight(seat)

    def exchange(piece: int) -> int:
        return shown[piece]

    view.contents, view.loose, view.states = {}, {}, {}
    for place, held in state.contents.items():
        if layout.seen[place] & sight:
            view.contents[place] = numbers.held[place]
        elif layout.count_seen[place] & sight:
            view.contents[place] = _partly(layout, place, held, numbers.told, tokens)
        else:
            continue
        if place in state.loose:
            view.loose[place] = state.loose[place]
        if layout.state_at[layout.piece_type[held[0]]]:
            _look_at_states(view, layout, state, held, shown)
    view.floating = tuple(
        layout.piece_type[piece]
        for piece in tokens
        if not layout.count_seen[state.where[piece]] & sight
    )
    view.markers = _markers(layout, state, seat, exchange)
    view.past = tuple(state.past)
    view.scores = tuple(state.scores)
    asked = () if state.pending is None else state.pending[1]
    view.stack = _stack(machine, state, exchange, whole or seat in asked)
    view.pending = state.pending
    view.reply = None
    view._decision = view._question = None
    if state.pending is not None and seat in state.pending[1]:
        assert seat is not None
        question = machine.question(state)
        assert question is not None
        if seat in state.secret:
            view.reply = _exchanged(question.ask, state.secret[seat], exchange)
        else:
            view._question = _asking(view, state, question.ask, numbers, exchange, moment)
    view.discreet = state.discreet
    # A hidden count also hides whether there was anything to shuffle.
    counted = layout.count_seen
    view.shuffles = {at: n for at, n in state.shuffles.items() if counted[at] & sight}
    view.picks = state.picks.copy()
    view.ended = state.ended
    view.winners = state.winners
    return view


def in_seat_numbering(machine: Machine, state: State, seat: int) -> State:
    """A copy of the state in a seat's numbering, so that results do not depend on equal pieces'
    identity.
    """
    numbers = Numbering(machine.layout, state, seat, _spoken(machine, state, seat))
    return numbers.numbered(state, machine.shapes)


def _exchanged(ask: ir.Ask, reply: Reply, exchange: Exchange) -> Reply:
    """A reply in the seat's numbering."""
    number, values = reply
    if number < 0:
        return reply
    return number, reply_values(ask.alternatives[number], values, exchange)


def _asking(
    view: View,
    state: State,
    ask: ir.Ask,
    numbers: Numbering,
    exchange: Exchange,
    moment: object,
) -> Callable[[], Decision]:
    """Returns a function that computes the seat's question lazily, in the seat's numbering and
    order.
    """
    machine, seat = view._machine, view.seat
    assert seat is not None
    assert view.pending is not None
    kind = view.pending[0]
    offered = machine.offers(state)[seat] if numbers.increasing else None
    kept = None if numbers.increasing else numbers.numbered(state, machine.shapes)

    def asked() -> Decision:
        if kept is not None:
            replies = machine.offers(kept)[seat]
        else:
            assert offered is not None
            replies = [_exchanged(ask, reply, exchange) for reply in offered]
        table = view.contents, view.states, view.markers
        setting = Setting.seen(machine, seat, kind, ask, view.stack[-1], table, moment)
        return decided(setting, replies)

    return asked


def _spoken(machine: Machine, state: State, seat: int | None) -> dict[int, int]:
    """The pieces that the stack and markers refer to, in order of reference."""
    spoken: dict[int, int] = {}

    def note(piece: int) -> int:
        spoken.setdefault(piece, len(spoken))
        return piece

    _stack(machine, state, note, True)
    _markers(machine.layout, state, seat, note)
    return spoken


def _tokens(
    layout: Layout,
    state: State,
    seat: int | None,
    spoken: Mapping[int, int],
    told: Mapping[int, int],
    ordered: dict[int, list[int]],
) -> dict[int, int]:
    """Assigns a token to every piece that the seat cannot identify.

    Pieces in uncounted places come last, and only if the game refers to them. `ordered` caches
    the order of hidden pieces by place, which is the same for all viewers.
    """

    def anyhow(pieces: list[int]) -> list[int]:
        """Sorts pieces without an order by public knowledge only."""
        told = not spoken.keys().isdisjoint(pieces)
        if not told and not (pieces and _shows_states(layout, pieces[0])):
            return pieces
        shown = {piece: _public_states(layout, state, piece) for piece in pieces}
        if not told and all(each == shown[pieces[0]] for each in shown.values()):
            return pieces
        last = len(spoken)
        return sorted(pieces, key=lambda piece: (spoken.get(piece, last), repr(shown[piece])))

    tokens: dict[int, int] = {}
    sight = layout.sight(seat)
    for place, held in sorted(state.contents.items()):
        if layout.seen[place] & sight or not layout.count_seen[place] & sight:
            continue
        hidden = ordered.get(place)
        if hidden is None:
            hidden = ordered[place] = list(held)
            if layout.heap[place]:
                hidden[:] = anyhow(hidden)
            elif place in state.loose:
                under, loose = state.loose[place]
                hidden[under : under + loose] = anyhow(hidden[under : under + loose])
        for piece in hidden:
            if piece not in told:
                tokens[piece] = -len(tokens) - 1
    for piece in spoken:
        if piece not in tokens and piece not in told:
            tokens[piece] = -len(tokens) - 1
    return tokens


def _partly(
    layout: Layout,
    place: int,
    held: tuple[int, ...],
    told: Mapping[int, int],
    tokens: Mapping[int, int],
) -> tuple[int, ...]:
    """Contents of a place of which a seat sees some pieces or none: numbers and tokens."""
    backs = iter(sorted([tokens[piece] for piece in held if piece in tokens], reverse=True))
    if layout.heap[place]:
        return (*sorted(told[piece] for piece in held if piece in told), *backs)
    return tuple([told[piece] if piece in told else next(backs) for piece in held])


def _public_states(layout: Layout, state: State, piece: int) -> tuple[Value, ...]:
    states = state.states
    return tuple(
        [
            None if at is None else states[at + piece]
            for at in _open_states(layout)[layout.piece_type[piece]]
        ]
    )


def _shows_states(layout: Layout, piece: int) -> bool:
    """Whether some state of a piece is public."""
    return any(at is not None for at in _open_states(layout)[layout.piece_type[piece]])


@lru_cache(maxsize=64)
def _open_states(layout: Layout) -> tuple[tuple[int | None, ...], ...]:
    """By piece type, offsets of states; None for those that are not public."""
    return tuple(
        tuple(
            at if each.seen_by == "everyone" else None
            for at, each in zip(places, states, strict=True)
        )
        for places, states in zip(layout.state_at, layout.states, strict=True)
    )


def _look_at_states(
    view: View, layout: Layout, state: State, held: tuple[int, ...], shown: dict[int, int]
) -> None:
    places = layout.state_at[layout.piece_type[held[0]]]
    for piece in held:
        number = shown[piece]
        if number < 0:
            view.states[number] = _public_states(layout, state, piece)
        else:
            view.states[number] = tuple([state.states[at + piece] for at in places])


def _markers(
    layout: Layout, state: State, seat: int | None, exchange: Exchange
) -> tuple[tuple[Value] | None, ...]:
    every = zip(_markers_seen(layout, seat), state.markers, marker_shapes(layout), strict=True)
    return tuple(
        [
            (value if shape is None else shape(value, exchange),) if seen else None
            for seen, value, shape in every
        ]
    )


@lru_cache(maxsize=512)
def _markers_seen(layout: Layout, seat: int | None) -> tuple[bool, ...]:
    """For each marker entry, whether a seat sees it."""
    return tuple(
        layout.sees(layout.viewers(entry.seen_by, entry.owner), seat) for entry in layout.markers
    )


def _stack(
    machine: Machine, state: State, exchange: Exchange, whole: bool
) -> tuple[tuple[int, int, tuple[Value, ...]], ...]:
    """The frames with only live slots, and pieces substituted; private slots only if `whole`."""
    frames = []
    top = len(state.stack) - 1
    for depth, frame in enumerate(state.stack):
        operation = machine.codes[frame.clause].operations[frame.pc]
        live = operation.live if depth == top else operation.live_after
        shapes = machine.shapes[frame.clause]
        slots: list[Value] = [None] * len(frame.slots)
        for slot in sorted(live if whole else live - machine.private[frame.clause]):
            value = frame.slots[slot]
            slots[slot] = shapes[slot](value, exchange) if slot in shapes else value
        frames.append((frame.clause, frame.pc, tuple(slots)))
    return tuple(frames)
