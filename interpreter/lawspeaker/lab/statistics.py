"""Means and shares, and how sure one can be of them.

Intervals are 95 %: for means the normal one, for shares Wilson's, which stays sensible near 0
and 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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


@dataclass(slots=True)
class Mean:
    """A running mean (Welford's way, so that large numbers do not swallow small ones)."""

    count: int = 0
    mean: float = 0.0
    spread: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self.spread += step * (value - self.mean)

    @property
    def deviation(self) -> float:
        return math.sqrt(self.spread / (self.count - 1)) if self.count > 1 else 0.0

    def estimate(self) -> Estimate:
        if self.count < 2:
            return Estimate(self.mean, -math.inf, math.inf)
        half = Z95 * self.deviation / math.sqrt(self.count)
        return Estimate(self.mean, self.mean - half, self.mean + half)


def share(successes: float, count: int) -> Estimate:
    """Wilson's interval for a share."""
    if count == 0:
        return Estimate(0.0, 0.0, 1.0)
    part = successes / count
    square = Z95 * Z95
    middle = (part + square / (2 * count)) / (1 + square / count)
    half = Z95 / (1 + square / count)
    half *= math.sqrt(part * (1 - part) / count + square / (4 * count * count))
    return Estimate(part, max(0.0, middle - half), min(1.0, middle + half))
