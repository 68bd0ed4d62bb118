"""Memory layout of a module in turns: question, answers, observation and option."""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.position.layout import Layout

MEMBERS = 6
"""The most members of a set that an encoded option has."""


class TurnRoom:
    """`at`: how many of the asked seats have answered. `answers`: by seat. `row`: the observation
    of a seat; `option`: an encoded option."""

    def __init__(self, room: Callable[..., int], layout: Layout) -> None:
        program = layout.program
        asks = [
            statement
            for clause in program.clauses
            for statement in everything(clause.body)
            if isinstance(statement, ir.Ask)
        ]
        families = program.families
        self.counted = [
            place for place, family in enumerate(layout.place_family) if not families[family].grid
        ]
        self.seats_at = 1
        self.markers_at = self.seats_at + 3 * layout.players
        self.places_at = self.markers_at + len(layout.first_markers)
        self.states_at = self.places_at + len(layout.alike)
        self.counts_at = self.states_at + len(layout.first_states)
        self.length = self.counts_at + len(self.counted)
        self.width = 2 + max(
            (
                sum(1 + MEMBERS * part.several for part in alternative.parts)
                for ask in asks
                for alternative in ask.alternatives
            ),
            default=0,
        )
        self.question = room(4)
        self.at = room(4)
        self.answers = room(4 * max(1, layout.players))
        self.filled = room(4 * max(1, len(layout.alike)))
        self.row = room(4 * self.length)
        self.option = room(4 * self.width)
