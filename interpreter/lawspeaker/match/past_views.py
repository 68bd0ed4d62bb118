"""Reconstructs views of the table between two questions.

A reply causes many events, and a match keeps only the states before and after. `Moments` starts
from the state before the reply and applies the journal event by event, so that a seat can be
shown the intermediate positions. Such a view contains nothing that the seat would not have seen
had somebody been asked at that moment; there is no pending question and no control stack.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from lawspeaker.match.decision import Option
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match
from lawspeaker.match.view import InCommon, View, view_of
from lawspeaker.position.state import State


class Moments:
    """The states within a reply (counted from 0), after each event."""

    def __init__(self, match: Match, state: State, reply: int) -> None:
        self._machine = match.machine
        self._past = match.events
        self._events = match.events_of(reply)
        state.pending, state.stack, state.secret = None, [], {}
        self._first = state
        self._after: dict[int, tuple[State, InCommon]] = {}
        """States by the number of events applied."""

    @classmethod
    def of(cls, match: Match, reply: int) -> Moments | None:
        """The moments of a reply; None if the match has not kept the state before it.

        Those of the last reply are cached, as every screen needs them.
        """
        given, known = match.replies[reply], _last.get(match)
        if known is not None and known[0] is given:
            return known[1]
        state = match.before(reply)
        if state is None:
            return None
        _last[match] = (given, cls(match, state, reply))
        return _last[match][1]

    def view(self, seat: int | None, number: int) -> View:
        """The view of a seat just after an event."""
        done = sum(event.number <= number for event in self._events)
        state, common = self._stood(done)
        past = self._past[: number + 1]
        return view_of(self._machine, state, seat, past, common=common)

    def _stood(self, done: int) -> tuple[State, InCommon]:
        if done not in self._after:
            before = max((each for each in self._after if each < done), default=0)
            state = (self._after[before][0] if before else self._first).copy()
            for event in self._events[before:done]:
                self._do(state, event)
            self._after[done] = state, InCommon(self._machine, state)
        return self._after[done]

    def _do(self, state: State, event: Event) -> None:
        layout = self._machine.layout
        match event.kind:
            case "move" | "shuffle" | "tell":
                note = (event.kind, event.clause, event.seat, event.data, event.known)
                self._machine.knowing.done(state, note)
            case "marker":
                marker, entry, value = event.data
                state.markers[layout.marker_at[marker] + (entry or 0)] = value
            case "state":
                number, entry, piece, value = event.data
                state.states[layout.state_at[number][entry] + piece] = value
            case "score":
                seat, _, total, *_ = event.data
                state.scores[seat] = total


_last: WeakKeyDictionary[Match, tuple[Option, Moments]] = WeakKeyDictionary()
