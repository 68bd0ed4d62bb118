"""Statistics of games that aborted on a fault of the rules.

They are counted apart, as they have no winner and no final score. The data is bounded by the
number of faults, and independent of how games were distributed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hole:
    """A fault, the number of games that aborted on it, and the number of the first."""

    fault: str
    games: int
    first: int


@dataclass(frozen=True, slots=True)
class Broken:
    """Aborted games by message of the fault: how many, and the first."""

    by_fault: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, faults: Iterable[tuple[int, str]]) -> Broken:
        """Collects pairs of game number and fault."""
        found = cls()
        for number, fault in faults:
            found += cls({fault: (1, number)})
        return found

    def __add__(self, other: Broken) -> Broken:
        found = dict(self.by_fault)
        for fault, (games, first) in other.by_fault.items():
            more, earlier = found.get(fault, (0, first))
            found[fault] = games + more, min(first, earlier)
        return Broken(found)

    @property
    def games(self) -> int:
        return sum(games for games, _ in self.by_fault.values())

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The faults, by the number of their first game."""
        found = (Hole(fault, *counted) for fault, counted in self.by_fault.items())
        return tuple(sorted(found, key=lambda hole: (hole.first, hole.fault)))
