"""A view shows what a seat may see, and does not depend on anything else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from lawspeaker.match.decision import IllegalChoice
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.position.rng import RngFactory
from tests.properties.hidden import rearranged, renumbered
from tests.properties.tables import (
    Table,
    every_manner,
    every_table,
    finish,
    play,
    start,
    without_past,
)


def viewers(match: Match) -> Iterator[int | None]:
    yield from range(match.players)
    yield None


@every_manner
def test_what_a_seat_cannot_see_does_not_change_its_view(table: Table, discretion: str) -> None:
    luck = RngFactory(41).stream("rearranging")
    match = start(table, 41, discretion=discretion)
    changed = 0
    for number, _ in enumerate(play(match, 41)):
        if number % 3:
            continue
        for seat in viewers(match):
            other = Match.from_state(match.program, rearranged(match, seat, luck))
            changed += other.state.contents != match.state.contents
            before, after = without_past(match).view(seat), other.view(seat)
            assert before == after
            assert before.to_json() == after.to_json()
            assert hash(before) == hash(after)
            if before.decision is not None:
                assert after.decision is not None
                assert [o.text for o in before.decision.options] == [
                    o.text for o in after.decision.options
                ]
                assert before.decision.prompt == after.decision.prompt
    assert changed or no_secrets(match)


@every_table
def test_equal_pieces_change_places_and_no_view_changes(table: Table) -> None:
    """Which of two aces it is, nobody learns: not from numbers, options, or their order."""
    luck = RngFactory(47).stream("renumbering")
    match = start(table, 47)
    changed = 0
    for number, _ in enumerate(play(match, 47)):
        if number % 3:
            continue
        other = Match.from_state(match.program, renumbered(match, luck))
        changed += other.state.contents != match.state.contents
        for seat in viewers(match):
            before, after = without_past(match).view(seat), other.view(seat)
            assert before == after
            assert before.to_json() == after.to_json()
    layout = match.machine.layout
    assert changed or len(set(layout.looks)) == len(layout.looks)


def no_secrets(match: Match) -> bool:
    """Whether what is hidden of each type lies in a single heap, so that all know what is there."""
    hidden = [each for each in match.program.families if each.seen_by != "everyone"]
    heaps = [each for each in hidden if each.arranged == "heap" and not each.indices]
    return len({each.holds for each in heaps}) == len(hidden)


@every_manner
def test_a_view_keeps_nothing_that_was_not_seen(table: Table, discretion: str) -> None:
    """What looks the same, and has gone on before the same eyes, is the same to the last bit.

    A view has the control stack in it, which nobody is shown: no secret may hide there.
    """
    luck = RngFactory(46).stream("rearranging")
    match = start(table, 46, discretion=discretion)
    for number, option in enumerate(play(match, 46)):
        for seat in viewers(match) if number % 2 == 0 else ():
            one = without_past(match)
            two = Match.from_state(match.program, rearranged(match, seat, luck))
            two.state.seed = one.state.seed
            try:
                for each in (one, two):
                    each.choose(option.text, seat=option.setting.seat)
            except IllegalChoice:
                continue
            mine, theirs = one.view(seat), two.view(seat)
            if on_the_table(mine) == on_the_table(theirs):
                assert mine == theirs


def on_the_table(view: View) -> tuple[object, ...]:
    """What a view shows, without the values that the rules remember in between."""
    doing = [(clause, at) for clause, at, _ in view.stack]
    options = view.decision and [option.text for option in view.decision.options]
    lying = view.contents, view.states, view.markers, view.scores
    return (*lying, view.pending, options, doing, view.events)


@every_table
def test_at_a_discreet_table_who_is_asked_tells_nothing(table: Table) -> None:
    luck = RngFactory(42).stream("rearranging")
    match = start(table, 42, discretion="discreet")
    for _ in play(match, 42):
        for seat in viewers(match):
            state = rearranged(match, seat, luck)
            if state.pending is None or seat in state.pending[1] or state.secret:
                continue
            asked, state.pending = state.pending, None
            match.machine.run(state)
            assert state.pending == asked


@every_table
def test_a_view_is_the_same_however_often_one_looks(table: Table) -> None:
    match = start(table, 43)
    for number, _ in enumerate(play(match, 43)):
        if number % 10 == 0:
            before = match.state.canonical()
            for seat in viewers(match):
                view = match.view(seat)
                assert view == match.view(seat)
                assert view == match.copy().view(seat)
                json.dumps(view.to_json())
            assert match.state.canonical() == before


@every_table
def test_a_view_stays_what_it_was_when_the_match_goes_on(table: Table) -> None:
    match = start(table, 44)
    for number, _ in enumerate(play(match, 44)):
        if number == 6:
            break
    views = [match.view(seat) for seat in viewers(match)]
    told = [json.dumps(view.to_json()) for view in views]
    finish(match, 44)
    assert [json.dumps(view.to_json()) for view in views] == told


@every_table
def test_a_view_shows_what_may_be_seen(table: Table) -> None:
    match = start(table, 45)
    layout = match.machine.layout
    for number, _ in enumerate(play(match, 45)):
        if number % 6:
            continue
        for seat in viewers(match):
            view = match.view(seat)
            for place, held in match.state.contents.items():
                if layout.sees(layout.seen[place], seat):
                    shown = view.contents[place]
                    looks = layout.looks
                    if layout.heap[place]:
                        assert Counter(map(looks.__getitem__, shown)) == Counter(
                            map(looks.__getitem__, held)
                        )
                    else:
                        assert [looks[piece] for piece in shown] == [looks[p] for p in held]
                elif layout.sees(layout.count_seen[place], seat):
                    assert len(view.contents[place]) == len(held)
                    assert all(token < 0 for token in view.contents[place])
                else:
                    assert place not in view.contents
            assert list(view.points) == match.scores
            mine = [decision for decision in match.decisions if decision.seat == seat]
            assert (view.decision is not None) == bool(mine)
