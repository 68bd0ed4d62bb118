"""Statements held against samples, corrected for how many there are.

A review looks at hundreds of things at once. If each had an interval that holds in 95 % of cases,
some would be outside of theirs by luck alone. So all claims are gathered first, and every interval
is made so wide that with 95 % all of them hold together (Bonferroni). What then still lies beyond
its limit is a finding; everything else is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lawspeaker.study.lab.statistics import Estimate, Mean, Ratio, share
from lawspeaker.study.reviewing.looking import Moment


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    successes: float
    count: int

    def estimate(self, among: int = 1) -> Estimate:
        return share(self.successes, self.count, among)


@dataclass(frozen=True, slots=True)
class Ahead:
    """By how much some were ahead of others in victories: at most by a whole one in each game."""

    wins: Mean

    def estimate(self, among: int = 1) -> Estimate:
        return self.wins.estimate(among, within=1)


Sample = Share | Mean | Ratio | Ahead
Weights = Mapping[str, tuple[int, float]]
"""For each kind the group of findings it belongs to, those of a higher one first, and how far
beyond its limit is much: where a finding weighs half of the most that it can."""


@dataclass(frozen=True, slots=True)
class About:
    """What a claim is about: its kind, of whom or what it speaks, and the games behind it."""

    kind: str
    subject: str
    bots: tuple[str, ...]
    games: int
    witness: Moment | None = None
    figures: dict[str, float] = field(default_factory=dict, hash=False)
    """Further figures to be told, by name."""

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """What tells it from all other claims about a game."""
        return self.kind, self.subject, self.bots


@dataclass(frozen=True, slots=True)
class Claim:
    """That a figure lies above or below a limit. `sure`: it has happened, and needs no test.
    `least`: it is told only if it is as far from the limit as this."""

    about: About
    sample: Sample
    above: float | None = None
    below: float | None = None
    sure: bool = False
    least: float = 0.0

    @property
    def limit(self) -> float | None:
        return self.below if self.above is None else self.above


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim that holds, with its corrected interval, the limit that it is held against, and how
    much it weighs."""

    about: About
    estimate: Estimate
    weight: float
    limit: float | None = None


Key = tuple[str, str, tuple[str, ...]]
Claims = Mapping[Key, Claim]
"""By what they are about, whether they hold or not."""


def open_to_chance(claims: Claims) -> int:
    """How many of them chance may decide."""
    return sum(not each.sure for each in claims.values())


def held(claims: Iterable[Claim], weights: Weights) -> tuple[tuple[Finding, ...], Claims]:
    """Those that hold, the weightiest first, and all of them. Within a group those weigh more that
    are surely further beyond their limit, in the measure of their kind."""
    every = {claim.about.key: claim for claim in claims}
    among, found = max(1, open_to_chance(every)), []
    for claim in every.values():
        estimate = claim.sample.estimate(1 if claim.sure else among)
        beyond = 0.0
        if claim.above is not None and estimate.value >= claim.above + claim.least:
            beyond = max(beyond, estimate.low - claim.above)
        if claim.below is not None and estimate.value <= claim.below - claim.least:
            beyond = max(beyond, claim.below - estimate.high)
        if claim.sure or beyond > 0:
            group, much = weights[claim.about.kind]
            size = abs(estimate.value) if claim.sure else beyond
            weight = group + size / (size + much)
            found.append(Finding(claim.about, estimate, weight, claim.limit))
    found.sort(key=lambda each: (-each.weight, each.about.subject))
    return tuple(found), every
