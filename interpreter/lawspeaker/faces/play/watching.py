"""A game told from beginning to end to those who look on, turn by turn.

Where a marker changes, something new begins: what happened before is then told. If the marker
counts one further (a round, say), the scores are told first.

Whatever is counted here are events that the viewer knows of. A hidden event among them would move
the point at which a story begins or is cut, and so tell that it happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import numeral
from lawspeaker.faces.play.shown import Note, Shown, Told
from lawspeaker.ir.types import NumberType
from lawspeaker.match.events import Event, Viewer, known_to
from lawspeaker.match.match import Match
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story, brief

MOST_HELD = 200
"""So many events are told at the latest, whatever happens."""


class Watching:
    def __init__(self, match: Match, language: str) -> None:
        self.match = match
        self.language = language
        self._known: list[Event] = []
        self._read = 0
        """So many events of the match have been looked through for those that everybody knows."""
        first = beginning(match, None)
        self.told = sum(event.number < first for event in self.events)
        labels = Labels(match.view(None))
        self.story = Story(
            match.machine,
            None,
            language,
            labels,
            past_of(match),
            circumstances=Circumstances(match, None),
        )
        self.scores = self._scores(self.told)

    @property
    def events(self) -> list[Event]:
        """What has happened, as far as those who look on know of it."""
        happened = self.match.events
        self._known += known_to(self.match.machine, happened[self._read :], None)
        self._read = len(happened)
        return self._known

    def news(self, all_of_it: bool = False) -> list[Shown]:
        """What can be told by now; at the end, all that is left."""
        events = self.events
        until = len(events)
        if not all_of_it and until - self.told < MOST_HELD:
            until = max(self._beginnings(), default=self.told)
        return list(self._told(until))

    def _beginnings(self) -> Iterator[int]:
        """Where, after what was told, something new begins."""
        events = self.events
        for at in range(self.told + 1, len(events)):
            if self._is_told(events[at]) and not self._is_told(events[at - 1]):
                while at > self.told and events[at - 1].kind == "chance":
                    at -= 1  # What luck brings is told by the marker.
                if at > self.told:
                    yield at

    def _is_told(self, event: Event) -> bool:
        """Whether a marker changes of which the story tells."""
        return event.kind == "marker" and self.match.program.markers[event.data[0]].told

    def _told(self, until: int) -> Iterator[Shown]:
        starts = [at for at in self._beginnings() if at < until]
        for first, last in zip([self.told, *starts], [*starts, until], strict=True):
            events = self.events[first:last]
            if not events:
                continue
            if self._is_new_round(first) and self._scores(first) != self.scores:
                self.scores = self._scores(first)
                yield Note(self._scores_text(), "strong")
            yield Told(brief(self.story.lines(events)), apart=False)
        self.told = until

    def _is_new_round(self, at: int) -> bool:
        """Whether an event, luck apart, sets a marker that counts, one further than it was."""
        events = self.events
        while events[at].kind == "chance" and at + 1 < len(events):
            at += 1
        event = events[at]
        if event.kind != "marker":
            return False
        number, entry, value = event.data
        of = self.match.program.markers[number].type
        if not isinstance(of, NumberType) or not of.listed or entry is not None:
            return False
        before = [
            other.data[2]
            for other in self.events[:at]
            if other.kind == "marker" and other.data[0] == number
        ]
        return bool(before) and value == before[-1] + 1

    def _scores(self, at: int) -> list[int]:
        """The scores as they stood when an event happened."""
        scores = [0] * self.match.players
        for event in self.events[:at]:
            if event.kind == "score":
                scores[event.data[0]] = event.data[2]
        return scores

    def _scores_text(self) -> str:
        layout = self.match.machine.layout
        told = [
            f"{layout.holder_name(side[0], self.language)} {numeral(self.scores[side[0]])}"
            for side in layout.sides
        ]
        return f"{phrase('end.scores', self.language)}: {', '.join(told)}"


def past_of(match: Match) -> Sequence[Event]:
    """All events of a match, if it is known from its start."""
    return match.events if match.from_start else ()


def beginning(match: Match, viewer: Viewer) -> int:
    """The number of the event with which the story begins: the last markers before the first
    question, after the setup that the table shows anyway; as far as a viewer knows of them."""
    happened = match.events_of(None) if match.from_start else []
    events = known_to(match.machine, happened, viewer)
    at = len(events)
    while at and events[at - 1].kind != "marker":
        at -= 1
    while at and events[at - 1].kind == "marker":
        at -= 1
    return events[at].number if at else len(happened)
