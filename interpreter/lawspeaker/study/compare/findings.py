"""What was found out about differences beyond the rule texts: witnesses and effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A comparison without findings need not wait for what finds them.
    from lawspeaker.study.compare.alone import Alone
    from lawspeaker.study.compare.effect import Effect
    from lawspeaker.study.compare.explaining import Explained
    from lawspeaker.study.compare.witness import Search

POSITIONS = 6_000
"""How many positions are looked at before a search for a witness is given up."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference of one telling. What was not asked for is None."""

    alone: Alone
    search: Search | None = None
    explained: Explained | None = None
    effect: Effect | None = None

    @property
    def number(self) -> int:
        return self.alone.difference.number

    @property
    def telling(self) -> int:
        return self.alone.telling


@dataclass(frozen=True, slots=True)
class Findings:
    """`together` holds, for each telling after the first, the effect of all its differences;
    `seats` are the players' names in the language of the comparison."""

    each: tuple[Finding, ...] = ()
    together: tuple[Effect | None, ...] = ()
    bots: str = ""
    players: int = 0
    seed: int = 0
    seats: tuple[str, ...] = ()

    def of(self, difference: int, telling: int | None = None) -> list[Finding]:
        return [
            found
            for found in self.each
            if found.number == difference and telling in (None, found.telling)
        ]
