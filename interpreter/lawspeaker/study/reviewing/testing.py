"""Statements held against samples, corrected for how many there are.

A review looks at hundreds of things at once. If each had an interval that holds in 95 % of cases,
some would be outside of theirs by luck alone. So all claims are gathered first, and every interval
is made so wide that with 95 % all of them hold together (Bonferroni). What then still lies beyond
its limit is a finding; everything else is not told.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    """That a figure lies above or below a limit. `sure`: it has happened, and needs no test."""

    about: About
    sample: Share | Mean | Ratio | Ahead
    above: float | None = None
    below: float | None = None
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim that holds, with its corrected interval, and how much it weighs."""

    about: About
    estimate: Estimate
    weight: float


Estimates = dict[tuple[str, str, tuple[str, ...]], Estimate]
"""The figure of every claim, whether it holds or not."""


def held(
    claims: Iterable[Claim], weights: dict[str, float]
) -> tuple[tuple[Finding, ...], Estimates]:
    """Those that hold, the weightiest first, and the figures of all. Of one kind those weigh more
    that are further beyond their limit."""
    gathered = list(claims)
    found, estimates = [], {}
    for claim in gathered:
        estimate = claim.sample.estimate(len(gathered))
        estimates[claim.about.key] = estimate
        beyond = 0.0
        if claim.above is not None:
            beyond = max(beyond, estimate.low - claim.above)
        if claim.below is not None:
            beyond = max(beyond, claim.below - estimate.high)
        if claim.sure or beyond > 0:
            size = estimate.value if claim.sure else beyond
            weight = weights[claim.about.kind] + min(abs(size), 0.999)
            found.append(Finding(claim.about, estimate, weight))
    found.sort(key=lambda each: (-each.weight, each.about.subject))
    return tuple(found), estimates
