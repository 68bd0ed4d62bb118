"""Means and shares, and how sure one can be of them.

Everything is added up in whole numbers, so sums are exact: it does not matter in which order, in
how many parts or by whom. Intervals are 95 %: for means Student's, for shares Wilson's, which stays
sensible near 0 and 1. Student's would not: of a few games that all came out alike it would say that
all others surely do. So a mean of values that have bounds, such as what somebody is ahead in
victories, is estimated with two games more, one at either bound (as Agresti and Min do for pairs).

A part of something that is summed up itself, as a part of all points, is the ratio of two sums. A
mean of the parts of each game would be something else: a game in which few points are given would
count as much as one with many. How far a ratio varies is told by what is left of its games when
each is given the part that all have together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval: how far off the value may well be."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of values that are whole numbers of 1 / `unit` each, kept as exact sums: of the
    numbers (`total`) and of their squares."""

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
        """The same in the smallest unit that both this one and `unit` are made of."""
        finer = unit // math.gcd(self.unit, unit)
        if finer == 1:
            return self
        return Mean(self.count, self.total * finer, self.squares * finer**2, self.unit * finer)

    @property
    def value(self) -> float:
        return self.total / (self.count * self.unit) if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of the values."""
        if self.count < 2:
            return 0.0
        spread = self.count * self.squares - self.total**2
        return math.sqrt(spread / (self.count * (self.count - 1) * self.unit**2))

    def estimate(self, among: int = 1, within: int | None = None) -> Estimate:
        """With an interval so wide that, of so many, all hold their values in 95 % of cases.
        `within`: no value can be further from 0 than so far."""
        if within is not None and self.count:
            found = self._one_more_at_either(within).estimate(among)
            low, high = max(-within, found.low), min(within, found.high)
            return Estimate(self.value, min(self.value, low), max(self.value, high))
        if self.count < 2:
            return Estimate(self.value, -math.inf, math.inf)
        half = student(self.count - 1, deviations(among)) * self.deviation / math.sqrt(self.count)
        return Estimate(self.value, self.value - half, self.value + half)

    def _one_more_at_either(self, bound: int) -> Mean:
        """With two values more, so far below 0 and so far above it."""
        more = 2 * (bound * self.unit) ** 2
        return Mean(self.count + 2, self.total, self.squares + more, self.unit)


@dataclass(frozen=True, slots=True)
class Ratio:
    """What part one sum is of another, which it cannot exceed in any game, kept as exact sums: of
    the `part` and the `whole`, of their squares and products."""

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
        """What a game counts for by its part and its whole when it is asked how far the ratio would
        be another one without it."""
        each = self.count / self.whole if self.whole else 0.0
        return each, -each * self.value

    @property
    def left(self) -> float:
        """The sum of the squares of what is left of the games, in parts of a whole one."""
        # In whole numbers up to the end: what is left may be far smaller than what is taken away.
        squares = (
            self.parts_squared * self.whole**2
            - 2 * self.products * self.part * self.whole
            + self.wholes_squared * self.part**2
        )
        return squares * self.count**2 / self.whole**4 if self.whole else 0.0

    def estimate(self, among: int = 1) -> Estimate:
        """With an interval so wide that, of so many, all hold their values in 95 % of cases. Of
        nothing, any part may be."""
        if self.count < 2 or not self.whole:
            return Estimate(self.value, 0.0, 1.0)
        left, count = self.left, self.count
        if not left:
            # The part is the same in all games. They need not be all there are: as with other
            # bounded values, two more are added, one with the whole as its part, one with none.
            left, count = (1 - self.value) ** 2 + self.value**2, count + 2
        half = _half(left, count, among)
        low, high = max(0.0, self.value - half), min(1.0, self.value + half)
        return Estimate(self.value, low, high)


@dataclass(frozen=True, slots=True)
class RatioChange:
    """By how much a ratio changes from some games to others, which have their luck in common game
    by game: both, and the sums of the products of their parts and wholes."""

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

    def estimate(self, among: int = 1) -> Estimate:
        """With an interval so wide that, of so many, all hold their values in 95 % of cases."""
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
        # What is left of games that are all alike is nothing, but for what was rounded.
        left = 0.0 if self._same else left
        half = _half(left, self.count, among)
        low, high = max(-1.0, self.value - half), min(1.0, self.value + half)
        return Estimate(self.value, low, high)

    @property
    def _same(self) -> bool:
        """Whether all games are the same in this: no part and no whole is another one."""
        one, other = self.before, self.after
        return (
            one.parts_squared + other.parts_squared == 2 * self.parts
            and one.wholes_squared + other.wholes_squared == 2 * self.wholes
        )


def _half(squares: float, count: int, among: int) -> float:
    """Half of Student's interval of the mean of values around 0 whose squares have this sum."""
    error = math.sqrt(max(0.0, squares) / (count * (count - 1)))
    return student(count - 1, deviations(among)) * error


def mean_of(counted: Mapping[int, int]) -> Mean:
    """The mean of whole numbers, given how often each of them occurs."""
    return Mean(
        sum(counted.values()),
        sum(value * times for value, times in counted.items()),
        sum(value**2 * times for value, times in counted.items()),
    )


def times(mean: Mean) -> Estimate:
    """How often something happens a game. What never did has the interval of a share: in so many
    games it may at most, once each."""
    return mean.estimate() if mean.total else share(0, mean.count)


def deviations(among: int) -> float:
    """How many deviations of a normal distribution make intervals of which, of so many, all hold
    in 95 % of cases (Bonferroni)."""
    return Z95 if among == 1 else NormalDist().inv_cdf(1 - 0.025 / among)


def student(freedom: int, z: float = Z95) -> float:
    """How many deviations of a mean make an interval, for a sample of one more than `freedom`,
    where it would be `z` for a normal distribution: 95 %, if nothing is said.

    A series in 1 / `freedom` around the normal distribution; at 95 % off by less than 1 % from 3
    on. Below that the distribution is known.
    """
    if freedom < 3:
        # What is outside of the interval, on one side.
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


def difference(now: Estimate, before: Estimate, among: int = 1) -> Estimate:
    """By how much a value is more than another that comes from other games (Newcombe: how far the
    ends of both intervals are away is squared and added); so wide that, of so many, all hold in
    95 % of cases.

    Games with the same luck mostly come out alike by both rules, which this does not make use of:
    of such the interval is rather too wide than too narrow.
    """
    value, wider = now.value - before.value, deviations(among) / Z95
    below = math.hypot(now.value - now.low, before.high - before.value)
    above = math.hypot(now.high - now.value, before.value - before.low)
    return Estimate(value, value - wider * below, value + wider * above)


def share(successes: float, count: int, among: int = 1) -> Estimate:
    """Wilson's interval for a share; so wide that, of so many, all hold in 95 % of cases.

    Where successes come in parts, as shared victories do, they vary less than whole ones, so the
    interval is then a little wider than it need be.
    """
    if count == 0:
        return Estimate(0.0, 0.0, 1.0)
    part = successes / count
    z = deviations(among)
    square = z * z
    middle = (part + square / (2 * count)) / (1 + square / count)
    half = z / (1 + square / count)
    half *= math.sqrt(part * (1 - part) / count + square / (4 * count * count))
    # The share itself is in the interval, whatever is rounded at its ends.
    return Estimate(part, max(0.0, min(part, middle - half)), min(1.0, max(part, middle + half)))
