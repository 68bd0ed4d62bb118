"""What all know is worked out once for their views, and no view is another for it."""

from __future__ import annotations

from lawspeaker.match.past_views import Moments
from tests.properties.tables import Table, every_table, play, start

REPLIES = 10


@every_table
def test_a_view_is_the_same_whoever_else_looks(table: Table) -> None:
    match = start(table, seed=11)
    for _ in play(match, 11, most=REPLIES):
        common = match.in_common()
        for seat in (*range(match.players), None):
            assert match.view(seat, common) == match.view(seat)


@every_table
def test_moments_can_be_seen_in_any_order(table: Table) -> None:
    match = start(table, seed=12)
    for _ in play(match, 12, most=REPLIES):
        if not match.replies:
            continue
        reply = len(match.replies) - 1
        kept, state = Moments.of(match, reply), match.before(reply)
        assert kept is not None
        assert state is not None
        again = Moments(match, state, reply)
        events = match.events_of(reply)[::5]
        seen = {each.number: again.view(0, each.number) for each in events}
        for event in reversed(events):
            assert kept.view(0, event.number) == seen[event.number]
