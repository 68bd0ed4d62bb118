"""What was found out about differences beyond the rule texts: witnesses and effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawspeaker.study.compare.evidence import Evidence

if TYPE_CHECKING:
    # A comparison without findings need not wait for what finds them.
    from lawspeaker.study.compare.alone import Alone
    from lawspeaker.study.compare.effect import Effect
    from lawspeaker.study.compare.explaining import Explained
    from lawspeaker.study.compare.witness import Search
    from lawspeaker.study.lab.proving import Proof

POSITIONS = 6_000
"""How many positions are looked at before a search for a witness is given up."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference of one telling, its effects by number of players. What was not asked for is
    None or empty. `equal`: it is proven that play is the same."""

    alone: Alone
    search: Search | None = None
    explained: Explained | None = None
    effects: tuple[Effect, ...] = ()
    equal: bool = False

    @property
    def evidence(self) -> Evidence:
        """In how many games it was seen, of pairs and of those in which a witness was sought."""
        seen = sum(round(each.differs.value * each.games) for each in self.effects)
        games = sum(each.games for each in self.effects)
        if self.search is None:
            return Evidence(seen, games, self.equal)
        found, box = self.search, self.search.witness is not None and not self.search.games
        return Evidence(seen + found.shown, games + found.games, self.equal, box)

    @property
    def number(self) -> int:
        return self.alone.difference.number

    @property
    def telling(self) -> int:
        return self.alone.telling

    @property
    def found(self) -> bool:
        """Whether anything was found that luck alone does not do."""
        return any(each.matters for each in self.effects)

    @property
    def weight(self) -> tuple[float, float, float]:
        """How much it matters, for the number of players for which that is most."""
        return max((each.weight for each in self.effects), default=(0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Findings:
    """`together` holds, for each telling after the first, the effects of all its differences;
    `again` those of the first telling played again with the same luck, which must be none; all by
    number of players. `seats` are the players' names in the language of the comparison. `wanted`
    pairs were to be played; whoever stopped early has fewer. `proofs`: what the bots that think won
    against weaker ones. `machine`: who played the pairs, if any were."""

    each: tuple[Finding, ...] = ()
    together: tuple[tuple[Effect, ...], ...] = ()
    again: tuple[Effect, ...] = ()
    bots: str = ""
    seed: int = 0
    seats: tuple[str, ...] = ()
    wanted: int = 0
    stopped: bool = False
    proofs: tuple[Proof, ...] = ()
    machine: str = ""

    def of(self, difference: int, telling: int | None = None) -> list[Finding]:
        return [
            found
            for found in self.each
            if found.number == difference and telling in (None, found.telling)
        ]

    @property
    def evidence(self) -> dict[int, dict[int, Evidence]]:
        """What games have shown, by the numbers of differences and of tellings."""
        found: dict[int, dict[int, Evidence]] = {}
        for each in self.each:
            found.setdefault(each.number, {})[each.telling] = each.evidence
        return found

    @property
    def weighed(self) -> list[Finding]:
        """Those with effects, what matters most first."""
        found = [each for each in self.each if each.effects]
        return sorted(found, key=lambda each: each.weight, reverse=True)

    @property
    def ranked(self) -> list[Finding]:
        """Those that have an effect which exceeds that of luck."""
        return [each for each in self.weighed if each.found]
