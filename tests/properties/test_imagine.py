"""An imagined match agrees with the view it was made from, and knows no more than that."""

from __future__ import annotations

from lawspeaker.match.match import Match, imagine
from lawspeaker.position.rng import RngFactory
from tests.properties.hidden import rearranged
from tests.properties.tables import (
    WHOLE,
    Table,
    every_manner,
    every_table,
    finish,
    longest,
    play,
    start,
    without_past,
)
from tests.properties.test_conservation import check_pieces
from tests.properties.test_views import viewers


@every_manner
def test_it_agrees_with_the_view(table: Table, discretion: str) -> None:
    match = start(table, 51, discretion=discretion)
    for number, _ in enumerate(play(match, 51)):
        for seat in viewers(match) if number % 3 == 0 else ():
            view = without_past(match).view(seat)
            imagined = imagine(match.view(seat), 7 * number)
            check_pieces(imagined)
            assert imagined.view(seat) == view
            assert imagined.view(seat).to_json() == view.to_json()


@every_table
def test_it_can_be_played_to_the_end(table: Table) -> None:
    match = start(table, 52)
    for number, _ in enumerate(play(match, 52)):
        for seat in viewers(match) if number % 20 == 0 else ():
            imagined = imagine(match.view(seat), number)
            finish(imagined, number)
            assert imagined.finished or len(imagined.replies) == longest(imagined, WHOLE)


@every_table
def test_the_same_seed_gives_the_same_match_and_another_seed_another(table: Table) -> None:
    match = start(table, 53)
    for number, _ in enumerate(play(match, 53)):
        for seat in viewers(match) if number % 8 == 0 else ():
            view = match.view(seat)
            one, two = imagine(view, 5), imagine(view, 5)
            assert one.state.canonical() == two.state.canonical()
            assert imagine(view, 6).state.canonical() != one.state.canonical()


@every_table
def test_it_does_not_depend_on_what_is_hidden(table: Table) -> None:
    luck = RngFactory(54).stream("rearranging")
    match = start(table, 54)
    for number, _ in enumerate(play(match, 54)):
        for seat in viewers(match) if number % 4 == 0 else ():
            other = Match.from_state(match.program, rearranged(match, seat, luck))
            mine, theirs = imagine(match.view(seat), number), imagine(other.view(seat), number)
            assert mine.state.canonical() == theirs.state.canonical()


@every_table
def test_imagining_leaves_the_match_alone(table: Table) -> None:
    match = start(table, 55)
    for number, _ in enumerate(play(match, 55)):
        if number % 15 == 0:
            before, events = match.state.canonical(), len(match.events)
            finish(imagine(match.view(0), 1), 1)
            assert match.state.canonical() == before
            assert len(match.events) == events
