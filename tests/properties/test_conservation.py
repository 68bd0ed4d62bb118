"""Nothing is lost: every piece is somewhere once, and every point was given by a clause."""

from __future__ import annotations

from lawspeaker.match.match import Match
from lawspeaker.position.state import State
from tests.properties.tables import Table, every_table, finish, play, start


def check_pieces(match: Match) -> None:
    """Every piece is in exactly one place, which has room and is made for it."""
    layout, state = match.machine.layout, match.state
    everywhere = [piece for held in state.contents.values() for piece in held]
    assert sorted(everywhere) == list(range(len(layout.piece_type)))
    for place, held in state.contents.items():
        family = layout.program.families[layout.place_family[place]]
        assert held, "an empty place is left out"
        assert all(state.where[piece] == place for piece in held)
        assert all(layout.piece_type[piece] == family.holds for piece in held)
        assert family.room is None or len(held) <= family.room
        if family.arranged == "heap":
            assert list(held) == sorted(held), "a heap has no order, so it is kept sorted"
    check_loose(match, state)


def check_loose(match: Match, state: State) -> None:
    """What is shuffled lies in the middle of a place with an order, and is kept sorted."""
    for place, (under, loose) in state.loose.items():
        held = state.contents[place]
        middle = held[under : under + loose]
        assert not match.machine.layout.heap[place]
        assert loose > 0
        assert len(middle) == loose
        assert list(middle) == sorted(middle)


@every_table
def test_every_piece_is_in_one_place_at_every_decision(table: Table) -> None:
    match = start(table, 21)
    check_pieces(match)
    for _ in play(match, 21):
        check_pieces(match)
    check_pieces(match)


@every_table
def test_every_point_was_given_by_a_clause(table: Table) -> None:
    match = start(table, 22)
    for number, _ in enumerate(play(match, 22)):
        if number % 5 == 0:
            check_points(match)
    check_points(match)


def check_points(match: Match) -> None:
    given = [0] * match.players
    for event in match.events:
        if event.kind == "score":
            seat, gain, total, *_ = event.data
            given[seat] += gain
            assert total == given[seat]
    assert list(match.machine.layout.shared(given)) == match.scores
    for seat, score in enumerate(match.scores):
        rows = match.why_points(seat)
        assert sum(row.total for row in rows) == score
        assert all(row.total == row.points * row.times for row in rows)
        assert all(row.clause is not None for row in rows)


@every_table
def test_what_should_always_hold_does(table: Table) -> None:
    match = start(table, 23)
    for _ in play(match, 23):
        match.machine.check_always(match.state)
    match.machine.check_always(match.state)


@every_table
def test_events_are_numbered_and_name_a_clause(table: Table) -> None:
    match = finish(start(table, 24), 24)
    assert [event.number for event in match.events] == list(range(len(match.events)))
    assert all(match.program.clauses[event.clause].says for event in match.events)
    assert all(match.tell(event) for event in match.events)
