"""What code needs of what there is, noted where it is checked; `completeness` asks for it when all
is. The code of each clause has its own, and the whole takes them together."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker.base.source import Span
from lawspeaker.meaning.check.meanings import Meanings


@dataclass(slots=True)
class Used:
    """What some code was found to need of what there is: that of one clause, or of all."""

    mentioned: set[str] = field(default_factory=set)
    """Every word in code that could not be fully checked: what it names may well be in use."""
    called: set[int] = field(default_factory=set)
    """The clauses of values that are asked for."""
    supposed: set[int] = field(default_factory=set)
    """Clauses of which it is asked what would be if they were done."""
    offered: set[str] = field(default_factory=set)
    """Windows that are opened."""
    remembered: set[str] = field(default_factory=set)
    looked_up: set[str] = field(default_factory=set)
    """Of the positions, those that are remembered, and those that are asked for."""
    played_at: set[Span] = field(default_factory=set)
    """Where rules play pieces, and so do the clause of whichever kind that is."""
    meanings: Meanings = field(default_factory=Meanings)

    def take(self, other: Used) -> None:
        self.mentioned |= other.mentioned
        self.called |= other.called
        self.supposed |= other.supposed
        self.offered |= other.offered
        self.remembered |= other.remembered
        self.looked_up |= other.looked_up
        self.played_at |= other.played_at
        self.meanings.take(other.meanings)
