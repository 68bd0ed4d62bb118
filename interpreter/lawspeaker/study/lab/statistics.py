"""Exact sums with confidence intervals for means, shares and ratios.

Sums are of integers, so they are exact and independent of order and partition. Intervals are 95
%: Student's for means, Wilson's for shares, which behaves well near 0 and 1. Student's would be
degenerate for few equal values. So a mean of bounded values, such as a difference of victories,
is estimated with two pseudo-observations, one at either bound (as Agresti and Min do for pairs).

A part of something that is itself a sum, such as a part of all points, is a ratio of sums. A mean
of ratios would weigh games with few points like those with many. The variance of a ratio is
estimated from the residuals of its games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of multiples of 1 / `unit`, kept as exact sums of the integers (`total`) and
    their squares.
    """

    count: int = 0
    total: int = 0
    squares: int = 0
    unit: int = 1

    def __add__(self, other: Mean) -> Mean:
        one, two = self.told_in(other.unit), other.told_in(self.unit)
        return Mean(
            one.count + two.count, one.total + two.total, one.squares + two.squares, one.unit
        )

    def told_in(self, unit: int) -> Mean:
        """The same in the least common multiple of both units."""
        finer = unit // math.gcd(self.unit, unit)
        if finer == 1:
            return self
        return Mean(self.count, self.total * finer, self.squares * finer**2, self.unit * finer)

    @property
    def value(self) -> float:
        return self.total / (self.count * self.unit) if self.count else 0.0

    @property
    def deviation(self) -> float:
        """Sample standard deviation."""
        if self.count < 2:
            return 0.0
        spread = self.count * self.squares - self.total**2
        return math.sqrt(spread / (self.count * (self.count - 1) * self.unit**2))

    def estimate(self, among: float = 1, within: int | None = None) -> Estimate:
        """Confidence interval, corrected for so many comparisons (Bonferroni).

        `within` bounds the absolute value.
        """
        if within is not None and self.count:
            found = self._one_more_at_either(within).estimate(among)
            low, high = max(-within, found.low), min(within, found.high)
            return Estimate(self.value, min(self.value, low), max(self.value, high))
        if self.count < 2:
            return Estimate(self.value, -math.inf, math.inf)
        half = student(self.count - 1, deviations(among)) * self.deviation / math.sqrt(self.count)
        return Estimate(self.value, self.value - half, self.value + half)

    def _one_more_at_either(self, bound: int) -> Mean:
        """Adds pseudo-observations at both bounds."""
        more = 2 * (bound * self.unit) ** 2
        return Mean(self.count + 2, self.total, self.squares + more, self.unit)


@dataclass(frozen=True, slots=True)
class Ratio:
    """The ratio of two sums, `part` and `whole`, with part <= whole in every game, kept as exact
    moments.
    """

    count: int = 0
    part: int = 0
    whole: int = 0
    parts_squared: int = 0
    products: int = 0
    wholes_squared: int = 0

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(
            self.count + other.count,
            self.part + other.part,
            self.whole + other.whole,
            self.parts_squared + other.parts_squared,
            self.products + other.products,
            self.wholes_squared + other.wholes_squared,
        )

    @property
    def value(self) -> float:
        return self.part / self.whole if self.whole else 0.0

    @property
    def weights(self) -> tuple[float, float]:
        """Linearisation weights of a game's part and whole."""
        each = self.count / self.whole if self.whole else 0.0
        return each, -each * self.value

    @property
    def left(self) -> float:
        """Sum of squared residuals."""
        # Integers avoid cancellation.
        squares = (
            self.parts_squared * self.whole**2
            - 2 * self.products * self.part * self.whole
            + self.wholes_squared * self.part**2
        )
        return squares * self.count**2 / self.whole**4 if self.whole else 0.0

    def estimate(self, among: float = 1) -> Estimate:
        """Confidence interval, corrected for so many comparisons; of no data it is [0, 1]."""
        if self.count < 2 or not self.whole:
            return Estimate(self.value, 0.0, 1.0)
        left, count = self.left, self.count
        if not left:
            # All ratios are equal: add pseudo-observations at 0 and 1, as with other bounded
            # values.
            left, count = (1 - self.value) ** 2 + self.value**2, count + 2
        half = _half(left, count, among)
        low, high = max(0.0, self.value - half), min(1.0, self.value + half)
        return Estimate(self.value, low, high)


@dataclass(frozen=True, slots=True)
class RatioChange:
    """The change of a ratio between paired games, with the cross moments of parts and wholes."""

    before: Ratio
    after: Ratio
    parts: int = 0
    part_whole: int = 0
    whole_part: int = 0
    wholes: int = 0

    def __add__(self, other: RatioChange) -> RatioChange:
        return RatioChange(
            self.before + other.before,
            self.after + other.after,
            self.parts + other.parts,
            self.part_whole + other.part_whole,
            self.whole_part + other.whole_part,
            self.wholes + other.wholes,
        )

    @property
    def count(self) -> int:
        return self.before.count

    @property
    def value(self) -> float:
        return self.after.value - self.before.value

    def estimate(self, among: float = 1) -> Estimate:
        """Confidence interval, corrected for so many comparisons."""
        if self.count < 2 or not self.before.whole or not self.after.whole:
            return Estimate(self.value, -1.0, 1.0)
        part, whole = self.before.weights
        other_part, other_whole = self.after.weights
        together = (
            part * other_part * self.parts
            + part * other_whole * self.part_whole
            + whole * other_part * self.whole_part
            + whole * other_whole * self.wholes
        )
        left = max(0.0, self.before.left + self.after.left - 2 * together)
        # Residuals of identical games are 0 but for rounding.
        left = 0.0 if self._same else left
        half = _half(left, self.count, among)
        low, high = max(-1.0, self.value - half), min(1.0, self.value + half)
        return Estimate(self.value, low, high)

    @property
    def _same(self) -> bool:
        """Whether all pairs are identical."""
        one, other = self.before, self.after
        return (
            one.parts_squared + other.parts_squared == 2 * self.parts
            and one.wholes_squared + other.wholes_squared == 2 * self.wholes
        )


def _half(squares: float, count: int, among: float) -> float:
    """Half of Student's interval for centred values with this sum of squares."""
    error = math.sqrt(max(0.0, squares) / (count * (count - 1)))
    return student(count - 1, deviations(among)) * error


def mean_of(counted: Mapping[int, int]) -> Mean:
    """The mean of a histogram."""
    return Mean(
        sum(counted.values()),
        sum(value * times for value, times in counted.items()),
        sum(value**2 * times for value, times in counted.items()),
    )


def times(mean: Mean, among: float = 1) -> Estimate:
    """Mean number of occurrences; if 0, with the interval of a share."""
    return mean.estimate(among) if mean.total else share(0, mean.count, among)


def deviations(among: float) -> float:
    """Normal quantile for simultaneous 95 % intervals (Bonferroni)."""
    return Z95 if among == 1 else NormalDist().inv_cdf(1 - 0.025 / among)


def student(freedom: int, z: float = Z95) -> float:
    """Quantile of Student's t distribution with `freedom` degrees of freedom, at the level of
    normal `z`.

    A series in 1 / `freedom` around the normal distribution; at 95 % off by less than 1 % from 3
    on. Below that it is in closed form.
    """
    if freedom < 3:
        # One-sided tail probability.
        tail = (1 - math.erf(z / math.sqrt(2))) / 2
        if freedom == 1:
            return 1 / math.tan(math.pi * tail)
        return (1 - 2 * tail) / math.sqrt(2 * tail * (1 - tail))
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return math.fsum(term / float(freedom) ** power for power, term in enumerate(terms))


def difference(now: Estimate, before: Estimate, among: float = 1) -> Estimate:
    """Difference of two independent estimates (Newcombe's square-and-add interval), corrected
    for so many comparisons.

    Games with common random numbers mostly come out alike by both rules, which this ignores: the
    interval is then conservative.
    """
    value, wider = now.value - before.value, deviations(among) / Z95
    below = math.hypot(now.value - now.low, before.high - before.value)
    above = math.hypot(now.high - now.value, before.value - before.low)
    return Estimate(value, value - wider * below, value + wider * above)


def share(successes: float, count: int, among: float = 1) -> Estimate:
    """Wilson's interval for a share, corrected for so many comparisons.

    Fractional successes, such as shared victories, vary less than whole ones, so the interval is
    then conservative.
    """
    if count == 0:
        return Estimate(0.0, 0.0, 1.0)
    part = successes / count
    z = deviations(among)
    square = z * z
    middle = (part + square / (2 * count)) / (1 + square / count)
    half = z / (1 + square / count)
    half *= math.sqrt(part * (1 - part) / count + square / (4 * count * count))
    # Keep the share inside despite rounding.
    return Estimate(part, max(0.0, min(part, middle - half)), min(1.0, max(part, middle + half)))
