"""One thing after another: stages come in order, lead to what the scene shows, and tell no more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from lawspeaker.faces.web.scene import scene
from lawspeaker.match.match import Match
from lawspeaker.match.past_views import Moments
from lawspeaker.position.rng import RngFactory
from lawspeaker.telling.stages import MOST, stages
from tests.properties.tables import Table, start, table_id, tables
from tests.tiers import NIGHTLY

FEW = [("walhalla", 4), ("voluspa", 3), ("liars_dice", 3), ("stowaways", 3), ("backgammon", 2)]
played = pytest.mark.parametrize("table", tables() if NIGHTLY else FEW, ids=table_id)


def matches_after_replies(table: Table, most: int = 24) -> Iterator[Match]:
    """A match after each of its replies, which are any."""
    match, luck = start(table, seed=5), RngFactory(5).stream("replies")
    while len(match.replies) < most and match.decision is not None:
        match.choose(luck.choose(match.decision.options))
        yield match


@played
def test_moments_end_where_the_game_stands(table: Table) -> None:
    """What the journal says, done event by event, comes to the same as the game itself."""
    for match in matches_after_replies(table):
        reply = len(match.replies) - 1
        for seat in (0, None):
            moments = Moments.of(match, reply)
            assert moments is not None
            view, now = moments.view(seat, len(match.events) - 1), match.view(seat)
            assert view.scores == now.scores
            assert view.markers == now.markers
            assert {p: len(h) for p, h in view.contents.items()} == {
                p: len(h) for p, h in now.contents.items()
            }


@played
def test_stages_take_every_event_once_and_in_order(table: Table) -> None:
    for match in matches_after_replies(table):
        events = match.events_of(len(match.replies) - 1)
        found = stages(match.machine, events, 0)
        assert len(found) <= MOST
        for one, next_one in pairwise(found):
            assert one.first <= one.last < next_one.first


def test_a_lifted_cup_is_a_stop() -> None:
    """Dice are seen and counted before one of them is lost and the others go back."""
    match = start(("liars_dice", 3), seed=3)
    assert match.decision is not None
    match.choose(match.decision.options[0])
    match.choose("doubt")
    told = scene_stages(match, 0)
    assert [each["sort"] for each in told][:3] == ["reveal", "told", "move"]
    assert "svg" in told[0]
    assert [each["lines"] for each in told] == sorted(each["lines"] for each in told)
    assert "svg" not in told[-1]


def scene_stages(match: Match, seat: int | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = scene(match, seat, "en", len(match.replies) - 1, in_stages=True)[
        "stages"
    ]
    return found


def test_points_fall_where_they_are_for() -> None:
    """The end of a raid: every sort of points is a stage, and says the places it is for."""
    for match in matches_after_replies(("walhalla", 4), most=200):
        if not any(event.kind == "score" for event in match.events_of(len(match.replies) - 1)):
            continue
        told = scene_stages(match, None)
        fields = [each for each in told if each["clause"] == "wheat"]
        if fields:
            things = [thing for point in fields[0]["points"] for thing in point["things"]]
            assert things
            assert all(thing.startswith("field ") for thing in things)
            assert len([each for each in told if each["clause"] == "peninsulas"]) > 1
            return
    raise AssertionError("no raid has ended")


def test_a_screen_that_begins_gets_no_stages() -> None:
    for match in matches_after_replies(("walhalla", 4), most=2):
        assert "stages" not in scene(match, 0, "en")


def test_the_course_of_points_ends_with_the_score() -> None:
    match = start(("little_whist", 4), seed=3)
    while match.decision is not None:
        match.choose(match.decision.options[0])
    result = scene(match, 0, "en", people=("Frida", "", "", ""))["result"]
    assert result["course"][-1]["scores"] == match.scores
    for each in result["scores"]:
        assert sum(source["points"] for source in each["sources"]) == each["total"]
    if 0 in match.winners:
        assert "Frida" in result["text"]
