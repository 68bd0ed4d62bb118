"""Narrates a game to spectators, turn by turn.

A change of a marker starts a new section, and the events before it are then told. If the marker
counts up (a round, say), the scores are told first.

All counts are over events that the viewer knows. A hidden event among them would shift where a
section begins, and so reveal that it happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import numeral
from lawspeaker.faces.play.shown import Shown, ShownNote, StoryLines
from lawspeaker.ir.types import NumberType
from lawspeaker.match.events import Event, Viewer, known_to
from lawspeaker.match.match import Match
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story, brief

MOST_HELD = 200
"""Number of untold events after which they are told in any case."""


class Watching:
    def __init__(self, match: Match, language: str) -> None:
        self.match = match
        self.language = language
        self._known: list[Event] = []
        self._read = 0
        """Number of events of the match that were filtered for public ones."""
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
        """The events that spectators know."""
        happened = self.match.events
        self._known += known_to(self.match.machine, happened[self._read :], None)
        self._read = len(happened)
        return self._known

    def news(self, all_of_it: bool = False) -> list[Shown]:
        """Returns what can be told by now; with `all_of_it`, everything left."""
        events = self.events
        until = len(events)
        if not all_of_it and until - self.told < MOST_HELD:
            until = max(self._beginnings(), default=self.told)
        return list(self._told(until))

    def _beginnings(self) -> Iterator[int]:
        """Yields the untold events at which a new section begins."""
        events = self.events
        for at in range(self.told + 1, len(events)):
            if self._is_told(events[at]) and not self._is_told(events[at - 1]):
                while at > self.told and events[at - 1].kind == "chance":
                    at -= 1  # The marker's change already tells what chance brought.
                if at > self.told:
                    yield at

    def _is_told(self, event: Event) -> bool:
        """Whether an event changes a marker that the story mentions."""
        return event.kind == "marker" and self.match.program.markers[event.data[0]].told

    def _told(self, until: int) -> Iterator[Shown]:
        starts = [at for at in self._beginnings() if at < until]
        for first, last in zip([self.told, *starts], [*starts, until], strict=True):
            events = self.events[first:last]
            if not events:
                continue
            if self._is_new_round(first) and self._scores(first) != self.scores:
                self.scores = self._scores(first)
                yield ShownNote(self._scores_text(), "strong")
            yield StoryLines(brief(self.story.lines(events)), apart=False)
        self.told = until

    def _is_new_round(self, at: int) -> bool:
        """Whether an event, apart from chance, increments a counting marker."""
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
        """Returns the scores as they were when an event happened."""
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
    """Returns all events of a match, if it is known from its start."""
    return match.events if match.from_start else ()


def beginning(match: Match, viewer: Viewer) -> int:
    """Returns the number of the first event of the story for a viewer.

    It begins with the last markers before the first question; the setup before these is visible on
    the table.
    """
    happened = match.events_of(None) if match.from_start else []
    events = known_to(match.machine, happened, viewer)
    at = len(events)
    while at and events[at - 1].kind != "marker":
        at -= 1
    while at and events[at - 1].kind == "marker":
        at -= 1
    return events[at].number if at else len(happened)
