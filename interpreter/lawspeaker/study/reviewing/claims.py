"""Tests claims against samples, with Bonferroni correction.

A review tests hundreds of claims. With 95 % intervals for each, some would fail by chance. So all
claims are collected first, and intervals are simultaneous at 95 % (Bonferroni). A claim that
still exceeds its limit is a finding; others are not reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lawspeaker.study.lab.statistics import Estimate, Mean, Ratio, share
from lawspeaker.study.reviewing.instrumented_games import Moment


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion."""

    successes: float
    count: int

    def estimate(self, among: int = 1) -> Estimate:
        return share(self.successes, self.count, among)


@dataclass(frozen=True, slots=True)
class Ahead:
    """Mean lead in victories, bounded by one per game."""

    wins: Mean

    def estimate(self, among: int = 1) -> Estimate:
        return self.wins.estimate(among, within=1)


@dataclass(frozen=True, slots=True)
class Apart:
    """Distance of a mean from a figure that counts as known."""

    mean: Mean
    known: float

    def estimate(self, among: int = 1) -> Estimate:
        found = self.mean.estimate(among)
        return Estimate(*(each - self.known for each in (found.value, found.low, found.high)))


Sample = Share | Mean | Ratio | Ahead | Apart
Weights = Mapping[str, tuple[int, float]]
"""For each kind its group, higher first, and the excess at which a finding has half of its
maximum weight.
"""


@dataclass(frozen=True, slots=True)
class About:
    """Subject of a claim: its kind, what it is about, and the games behind it."""

    kind: str
    subject: str
    bots: tuple[str, ...]
    games: int
    witness: Moment | None = None
    figures: dict[str, float] = field(default_factory=dict, hash=False)
    """Further figures to be reported, by name."""

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """Unique key of a claim in a review."""
        return self.kind, self.subject, self.bots


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that a figure is above or below a limit.

    `sure`: it was observed, and needs no test. `least`: minimum distance from the limit to be
    reported.
    """

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
    """A confirmed claim with its corrected interval, limit and weight."""

    about: About
    estimate: Estimate
    weight: float
    limit: float | None = None


Key = tuple[str, str, tuple[str, ...]]
Claims = Mapping[Key, Claim]
"""All claims by key, confirmed or not."""


def open_to_chance(claims: Claims) -> int:
    """Number of claims subject to chance."""
    return sum(not each.sure for each in claims.values())


def confirmed(claims: Iterable[Claim], weights: Weights) -> tuple[tuple[Finding, ...], Claims]:
    """Confirmed claims, most important first, and all claims.

    Within a group the weight increases with the distance of the interval from the limit.
    """
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
