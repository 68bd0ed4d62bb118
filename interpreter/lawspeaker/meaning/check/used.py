"""Records what code uses, while it is checked, for `completeness` to find what is unused. Each
clause has its own record, and the whole program merges them."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker.base.source import Span
from lawspeaker.meaning.check.meanings import Meanings


@dataclass(slots=True)
class Used:
    """The things that some code uses: that of one clause, or of the whole program."""

    mentioned: set[str] = field(default_factory=set)
    """Every name in code that could not be fully checked, since it may be in use."""
    called: set[int] = field(default_factory=set)
    """The clauses of values that are called."""
    supposed: set[int] = field(default_factory=set)
    """Clauses used in `supposing`."""
    offered: set[str] = field(default_factory=set)
    """Windows that are opened."""
    remembered: set[str] = field(default_factory=set)
    looked_up: set[str] = field(default_factory=set)
    """Positions that are remembered, and those that are queried."""
    played_at: set[Span] = field(default_factory=set)
    """The spans where rules play pieces, and so call the clause of any kind."""
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
