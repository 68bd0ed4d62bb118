"""Games that broke off because their rules have a hole: how many, how, and which was the first.

They are counted apart, since they have no winner and no final score. What is kept of them does not
grow with their number, and is the same whoever counted which games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hole:
    """A way in which games broke off, how many did, and the number of the first of them."""

    fault: str
    games: int
    first: int


@dataclass(frozen=True, slots=True)
class Broken:
    """The games that broke off, by what is said of their fault: how many, and the first."""

    by_fault: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, faults: Iterable[tuple[int, str]]) -> Broken:
        """Those of games that have these numbers and faults."""
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
        """By the number of their first game."""
        found = (Hole(fault, *counted) for fault, counted in self.by_fault.items())
        return tuple(sorted(found, key=lambda hole: (hole.first, hole.fault)))
