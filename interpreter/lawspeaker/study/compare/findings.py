"""Empirical findings about differences: witnesses and effects."""

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
"""Maximum number of positions in a search for a witness."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Findings about a difference of one ruleset, with effects by number of players.

    Missing parts are None or empty. `equal`: proven equal in play.
    """

    alone: Alone
    search: Search | None = None
    explained: Explained | None = None
    effects: tuple[Effect, ...] = ()
    equal: bool = False

    @property
    def evidence(self) -> Evidence:
        """Number of games in which it was seen, over pairs and searches."""
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
    def column(self) -> int:
        return self.alone.column

    @property
    def found(self) -> bool:
        """Whether it has a significant effect."""
        return any(each.matters for each in self.effects)

    @property
    def weight(self) -> tuple[float, float, float]:
        """Maximum weight over numbers of players."""
        return max((each.weight for each in self.effects), default=(0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings of a comparison.

    `together` holds the effects of all differences of each ruleset after the first; `again` those
    of the first ruleset replayed with the same seeds, which must be none; all by number of
    players. `seats` are the players' names in the language of the comparison. `wanted` is the
    requested number of pairs; there are fewer if the run was stopped. `proofs`: results of
    searching bots against weaker ones. `machine`: the back end that played the pairs.
    """

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

    def of(self, difference: int, column: int | None = None) -> list[Finding]:
        return [
            found
            for found in self.each
            if found.number == difference and column in (None, found.column)
        ]

    @property
    def evidence(self) -> dict[int, dict[int, Evidence]]:
        """Evidence by numbers of differences and rulesets."""
        found: dict[int, dict[int, Evidence]] = {}
        for each in self.each:
            found.setdefault(each.number, {})[each.column] = each.evidence
        return found

    @property
    def weighed(self) -> list[Finding]:
        """Those with effects, most important first."""
        found = [each for each in self.each if each.effects]
        return sorted(found, key=lambda each: each.weight, reverse=True)

    @property
    def ranked(self) -> list[Finding]:
        """Those with a significant effect."""
        return [each for each in self.weighed if each.found]
