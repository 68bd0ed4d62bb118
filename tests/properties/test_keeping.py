"""What is kept of a match is enough: copies, saved states and logs lead to the same game."""

from __future__ import annotations

import json

import pytest

from lawspeaker.match.decision import IllegalChoice
from lawspeaker.match.match import Match
from lawspeaker.position.state import State
from tests.library import game
from tests.properties.tables import Table, every_manner, every_table, finish, play, start


def event_texts(match: Match) -> list[str]:
    return [match.tell(event) for event in match.events]


@every_manner
@pytest.mark.parametrize("chance", ["seed", "ask"])
def test_the_replies_of_a_log_lead_to_the_same_game(
    table: Table, chance: str, discretion: str
) -> None:
    match = finish(start(table, 11, chance, discretion), 11)
    log = json.loads(json.dumps(match.log()))
    again = game(table[0]).replay(log)
    assert event_texts(again) == event_texts(match)
    assert again.events == match.events
    assert again.state.canonical() == match.state.canonical()
    assert again.state.digest() == match.state.digest()


@every_table
def test_saving_and_loading_at_every_decision_changes_nothing(table: Table) -> None:
    match, saved = start(table, 12), start(table, 12)
    for option in play(match, 12):
        text = saved.state.canonical()
        saved = Match.from_state(saved.program, State.from_json(json.loads(text)))
        assert saved.state.canonical() == text
        assert saved.state == match.state
        assert hash(saved.state) == hash(match.state)
        offered = [[each.text for each in decision.options] for decision in match.decisions]
        assert [[each.text for each in d.options] for d in saved.decisions] == offered
        seat = match.decision.seat if match.decision else None
        saved.choose(option.text, seat=seat)
    assert saved.state.canonical() == match.state.canonical()
    assert saved.scores == match.scores
    assert saved.winners == match.winners


@every_table
def test_a_copy_goes_its_own_way(table: Table) -> None:
    match = start(table, 13)
    for number, _ in enumerate(play(match, 13)):
        if number % 7:
            continue
        state, events = match.state.canonical(), list(match.events)
        options = [option.text for option in match.decision.options] if match.decision else []
        twin = match.copy()
        finish(twin, 1000 + number)
        assert twin.state.steps > match.state.steps
        assert match.state.canonical() == state
        assert match.events == events
        assert match.decision is not None
        assert [option.text for option in match.decision.options] == options


@every_table
def test_a_copy_that_is_answered_alike_stays_alike(table: Table) -> None:
    match = start(table, 14)
    twin = None
    for number, _ in enumerate(play(match, 14)):
        if number == 9:
            twin = match.copy()
            break
    if twin is not None:
        assert finish(twin, 5).state == finish(match, 5).state
        assert twin.events == match.events


@every_table
def test_a_refused_reply_changes_nothing(table: Table) -> None:
    match = start(table, 15)
    for number, _ in enumerate(play(match, 15)):
        if number % 10:
            continue
        before, events = match.state.canonical(), len(match.events)
        for wrong in ("no such thing", -1, 10**6):
            with pytest.raises(IllegalChoice):
                match.choose(wrong)
        assert match.state.canonical() == before
        assert len(match.events) == events
