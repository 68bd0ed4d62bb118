"""Events tell nobody which piece it was that he cannot see."""

from __future__ import annotations

from dataclasses import replace

from lawspeaker.ir.types import PieceType
from lawspeaker.match.decision import Option
from lawspeaker.match.events import Event, seen_by
from lawspeaker.match.match import Match
from tests.properties.tables import Table, every_manner, every_table, finish, play, start
from tests.properties.test_views import viewers


@every_manner
def test_a_moved_piece_is_known_only_to_who_sees_it_go_or_come(
    table: Table, discretion: str
) -> None:
    match = finish(start(table, 61, discretion=discretion), 61)
    layout = match.machine.layout
    for event in match.events:
        if event.kind != "move":
            continue
        piece, origin, to, *_ = event.data
        for seat in viewers(match):
            sees = layout.sees(layout.seen[origin] | layout.seen[to], seat)
            shown = seen_by(match.machine, event, seat)
            counts = layout.sees(layout.count_seen[origin] | layout.count_seen[to], seat)
            if shown is None:
                assert not sees
                assert not counts
                continue
            assert shown.data[0] == (layout.looks[piece] if sees else None)
            assert shown.data[1:] == event.data[1:]
            check_words(match, event, piece, seat, sees)


def check_words(match: Match, event: Event, piece: int, seat: int | None, sees: bool) -> None:
    """In words too, what is not seen is just a piece of its type."""
    layout = match.machine.layout
    number = layout.piece_type[piece]
    text, told = layout.text(PieceType("", number), piece), match.tell(event, seat)
    if sees:
        assert told == match.tell(event, "all")
        assert text in told
    else:
        twins = {match.tell(as_if(event, other), seat) for other in layout.pieces_of[number]}
        assert twins == {told}


def as_if(event: Event, piece: int) -> Event:
    """The event, had it been another piece."""
    return Event(
        event.number, event.clause, event.kind, event.seat, (piece, *event.data[1:]), event.known
    )


@every_table
def test_a_choice_is_known_only_to_who_sees_what_was_chosen(table: Table) -> None:
    match = start(table, 62)
    layout = match.machine.layout
    for option in play(match, 62):
        if option.setting.kind != "choice":
            continue
        seen = layout.everyone
        for piece in pieces_of(option):
            seen &= layout.seen[match.state.where[piece]]
        twin = match.copy()
        twin.choose(option.text)
        event = next(e for e in twin.events[len(match.events) :] if e.kind == "choose")
        assert event.seat == option.setting.seat
        for seat in viewers(match):
            knows = seat == event.seat or layout.sees(seen, seat)
            shown = seen_by(match.machine, event, seat)
            assert shown is not None
            assert (shown.data[2] is not None) == knows


def pieces_of(option: Option) -> list[int]:
    """The pieces that were chosen."""
    pieces: list[int] = []
    parts = () if option.alternative is None else option.alternative.parts
    for part, value in zip(parts, option.values, strict=True):
        if isinstance(part.binder.type, PieceType):
            pieces += value if part.several else (value,)
    return pieces


@every_table
def test_views_tell_events_as_their_seat_knows_them(table: Table) -> None:
    match = finish(start(table, 63), 63)
    for seat in viewers(match):
        view = match.view(seat)
        seen = [seen_by(match.machine, event, seat) for event in match.events]
        known = [event for event in seen if event is not None]
        assert view.events == [replace(event, number=at) for at, event in enumerate(known)]
        told = [event["text"] for event in view.to_json()["events"]]
        assert told == [text for event in match.events if (text := match.tell(event, seat))]
