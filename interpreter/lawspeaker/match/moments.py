"""The table at a moment between two questions.

A reply brings about many events, and a match keeps only how things stood before and how they stand
now. `Moments` begins with the situation in which the reply was given and does event by event what
the journal says, so that a seat can be shown what it saw on the way. A view of such a moment has
nothing in it that the seat's view would not have had if somebody had been asked just then; nobody
is asked, and the control stack is left out.
"""

from __future__ import annotations

from lawspeaker.match.events import Event
from lawspeaker.match.match import Match
from lawspeaker.match.view import View, view_of
from lawspeaker.position.state import State


class Moments:
    """What a reply (counted from 0) brought about, followed from event to event."""

    def __init__(self, match: Match, state: State, reply: int) -> None:
        self._match = match
        self._state = state
        self._events = match.events_of(reply)
        self._done = 0
        state.pending, state.stack, state.secret = None, [], {}

    @classmethod
    def of(cls, match: Match, reply: int) -> Moments | None:
        """None if the match has not kept how things stood then."""
        state = match.before(reply)
        return None if state is None else cls(match, state, reply)

    def view(self, seat: int | None, number: int) -> View:
        """What a seat knew just after an event; later moments can be asked for, never earlier
        ones."""
        events = self._events
        while self._done < len(events) and events[self._done].number <= number:
            self._do(events[self._done])
            self._done += 1
        past = self._match.events[: number + 1]
        return view_of(self._match.machine, self._state, seat, past)

    def _do(self, event: Event) -> None:
        state, layout = self._state, self._match.machine.layout
        match event.kind:
            case "move" | "shuffle" | "tell":
                note = (event.kind, event.clause, event.seat, event.data, event.known)
                self._match.machine.knowing.done(state, note)
            case "marker":
                marker, entry, value = event.data
                state.markers[layout.marker_at[marker] + (entry or 0)] = value
            case "state":
                number, entry, piece, value = event.data
                state.states[layout.state_at[number][entry] + piece] = value
            case "score":
                seat, _, total, *_ = event.data
                state.scores[seat] = total
