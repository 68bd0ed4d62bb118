"""Changes what a seat cannot see, and nothing else.

`rearranged` gives a state that a seat cannot tell from the given one: the pieces in places it
cannot see have changed places with each other (within their type), the seed is another one, others
have secretly replied something else, and markers and states it cannot see show something else. What
is visible of a hidden piece, its public states, stays where it was.
"""

from __future__ import annotations

from typing import Any

from lawspeaker.ir.types import BrokenType, MaybeType, NumberType, PieceType, SetType, Type
from lawspeaker.machines.reference.slot_pieces import reply_values
from lawspeaker.match.match import Match
from lawspeaker.position.layout import Layout
from lawspeaker.position.rng import Stream
from lawspeaker.position.state import State

Value = Any
Seat = int | None


def rearranged(match: Match, seat: Seat, luck: Stream) -> State:
    """Another state that looks the same from a seat (None: to a spectator)."""
    layout, state = match.machine.layout, match.state.copy()
    exchange = exchange_hidden(layout, state, seat, luck)
    exchange_pieces(match, state, exchange)
    change_hidden_states(layout, state, seat, luck)
    change_hidden_markers(layout, state, seat, luck)
    state.secret = {
        other: reply if other == seat else luck.choose(match.machine.offers(match.state)[other])
        for other, reply in state.secret.items()
        if other == seat or match.machine.offers(match.state).get(other)
    } | {other: reply for other, reply in state.secret.items() if other not in asked_seats(state)}
    state.seed = luck.word()
    state.offered = None
    return state


def renumbered(match: Match, luck: Stream) -> State:
    """The same state, pieces that look the same exchanged wherever they are."""
    layout, state = match.machine.layout, match.state.copy()
    equals: dict[int, list[int]] = {}
    for piece, first in enumerate(layout.looks):
        equals.setdefault(first, []).append(piece)
    exchange: dict[int, int] = {}
    for pieces in equals.values():
        exchange |= dict(zip(pieces, luck.shuffled(pieces), strict=True))
    exchange_pieces(match, state, exchange)
    state.markers = [
        exchanged(entry.type, shown, exchange)
        for entry, shown in zip(layout.markers, state.markers, strict=True)
    ]
    ask = match.machine.question(state)
    for seat, (number, values) in state.secret.items():
        if number >= 0 and ask is not None:
            alternative = ask.ask.alternatives[number]
            told = reply_values(alternative, values, exchange.__getitem__)
            state.secret[seat] = (number, told)
    state.offered = None
    return state


def exchange_pieces(match: Match, state: State, exchange: dict[int, int]) -> None:
    """Puts other pieces in the places of some, with their states, wherever they are spoken of."""
    layout = match.machine.layout
    old_states = state.states.copy()
    state.contents = {}
    for place, held in match.state.contents.items():
        pieces = [exchange.get(piece, piece) for piece in held]
        state.contents[place] = in_order(layout, state, place, pieces)
        for piece in pieces:
            state.where[piece] = place
    for piece, other in exchange.items():
        for at in layout.state_at[layout.piece_type[piece]]:
            state.states[at + other] = old_states[at + piece]
    for frame in state.stack:
        for number, slot in enumerate(match.program.clauses[frame.clause].slots):
            frame.slots[number] = exchanged(slot.type, frame.slots[number], exchange)


def asked_seats(state: State) -> tuple[int, ...]:
    return () if state.pending is None else state.pending[1]


def exchange_hidden(layout: Layout, state: State, seat: Seat, luck: Stream) -> dict[int, int]:
    """By piece in a hidden place, the piece of its type that takes its place."""
    exchange: dict[int, int] = {}
    for pieces in layout.pieces_of:
        hidden = [p for p in pieces if not is_known(layout, state, p, seat)]
        exchange |= dict(zip(hidden, luck.shuffled(hidden), strict=True))
    return exchange


def is_known(layout: Layout, state: State, piece: int, seat: Seat) -> bool:
    """Whether a seat sees a piece where it lies, or knows it from what it was shown."""
    place = state.where[piece]
    known = layout.seen[place] | state.known.get(piece, 0)
    if state.contents[place][-1] == piece:
        known |= layout.top_seen[place]
    return layout.sees(known, seat)


def in_order(layout: Layout, state: State, place: int, pieces: list[int]) -> tuple[int, ...]:
    """Pieces as a place keeps them: a heap and a loose middle sorted."""
    if layout.heap[place]:
        pieces.sort()
    elif place in state.loose:
        under, loose = state.loose[place]
        pieces[under : under + loose] = sorted(pieces[under : under + loose])
    return tuple(pieces)


def exchanged(of: Type, value: Value, exchange: dict[int, int]) -> Value:
    """A value of a slot, with its pieces exchanged."""
    if isinstance(of, MaybeType):
        return exchanged(of.of, value, exchange)
    if isinstance(of, SetType) and isinstance(value, tuple):
        return tuple(exchanged(of.of, member, exchange) for member in value)
    if isinstance(of, PieceType) and isinstance(value, int):
        return exchange.get(value, value)
    return value


def change_hidden_states(layout: Layout, state: State, seat: Seat, luck: Stream) -> None:
    for number, entries in enumerate(layout.states):
        for declared, at in zip(entries, layout.state_at[number], strict=True):
            if declared.seen_by == "everyone":
                continue
            for piece in layout.pieces_of[number]:
                if not is_known(layout, state, piece, seat):
                    state.states[at + piece] = another(layout, declared.type, luck)


def change_hidden_markers(layout: Layout, state: State, seat: Seat, luck: Stream) -> None:
    for at, entry in enumerate(layout.markers):
        hidden = not layout.sees(layout.viewers(entry.seen_by, entry.owner), seat)
        if hidden and state.markers[at] is not None:
            state.markers[at] = another(layout, entry.type, luck)


def another(layout: Layout, of: Type, luck: Stream) -> Value:
    """Any value of a type."""
    plain = of.of if isinstance(of, MaybeType) else of
    assert not isinstance(plain, BrokenType)
    if isinstance(plain, NumberType) and not plain.listed:
        return luck.below(100)
    return luck.choose(layout.domain(plain))
