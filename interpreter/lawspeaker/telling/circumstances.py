"""The context of an answer: the pieces, places and players that the question was about.

`win the fight` says little to anyone but the player asked. While a question is open, the frame of
the asking clause is part of every view (see `match/view`). Of the things in it, those that add
information are shown with the answer.

Only what every view contained then is shown: live slots that are not private to the player asked,
and pieces only to those who saw them where they lay.
"""

from __future__ import annotations

from lawspeaker.ir.types import PLAYER, PieceType, PlaceType, Type
from lawspeaker.match.events import Event, Viewer
from lawspeaker.match.match import Match
from lawspeaker.position.layout import Value


class Circumstances:
    """The contexts of all questions of a match, for a viewer."""

    def __init__(self, match: Match, viewer: Viewer) -> None:
        self.match = match
        self.machine = match.machine
        self.viewer = viewer
        self._where: dict[int, int] = {}
        self._at = 0

    def of(self, event: Event) -> list[tuple[Type, Value]]:
        """The things in the context of a public answer."""
        things = (each for each in self.names(event).values() if _is_thing(each[0]))
        return list(dict.fromkeys(things))

    def names(self, event: Event) -> dict[str, tuple[Type, Value]]:
        """The slots live at an answered question: types and values, pieces by their looks."""
        reply = self._reply(event)
        if reply is None:
            return {}
        setting = self.match.replies[reply].setting
        clause, at, *_ = event.data
        slots = self.machine.program.clauses[clause].slots
        if setting.frame_clause != clause or len(setting.slots) != len(slots):
            return {}
        live = self.machine.codes[clause].operations[at].live - self.machine.private[clause]
        found: dict[str, tuple[Type, Value]] = {}
        for number in sorted(live):
            of, value = slots[number].type, setting.slots[number]
            if value is not None and isinstance(of, PieceType):
                value = self._seen(value, event)
            if value is not None:
                found[slots[number].name] = of, value
        return found

    def _reply(self, event: Event) -> int | None:
        """The index of the reply behind an event; None if the match did not start at the
        beginning."""
        if event.seat is None or not self.match.from_start:
            return None
        last = self.match.reply_of(event.number)
        given = range(-1 if last is None else last, -1, -1)
        replies = self.match.replies
        return next((at for at in given if replies[at].seat == event.seat), None)

    def _seen(self, piece: int, event: Event) -> int | None:
        """A piece by its looks, if the viewer saw it where it lay at an event."""
        if event.number < self._at:
            self._where, self._at = {}, 0
        for each in self.match.events[self._at : event.number]:
            if each.kind == "move":
                self._where[each.data[0]] = each.data[2]
        self._at = event.number
        layout = self.machine.layout
        place = self._where.get(piece, layout.start[piece])
        return layout.looks[piece] if layout.sees(layout.seen[place], self.viewer) else None


def _is_thing(of: Type) -> bool:
    return of == PLAYER or isinstance(of, PieceType | PlaceType)
