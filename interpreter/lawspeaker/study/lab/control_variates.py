"""Control variates: a mean change, corrected by how far off a sample is in something known better.

The games without a change are shared by all that are compared with them, so many more of these can
be played than pairs. Then their mean is known well. If the first games of the pairs are, say,
luckier for a seat than usual, its changes are mostly too large, too: a regression of the change on
the figure of the first game says by how much. With the slope b, the residuals e of that regression,
and n pairs among the N games without a change,

    estimate  mean of the changes - b (mean of the n first games - mean of all N)
    variance  var(e) / n + b^2 var(first game) / N

which is the regression estimator of two-phase sampling. It is never much wider than that of the
pairs alone, and much narrower where pairs soon go different ways.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lawspeaker.study.lab.exact_sums import Numbers, mean, product
from lawspeaker.study.lab.statistics import Estimate, Mean, deviations, student

FEWEST_PAIRS = 50
"""Minimum number of pairs for a regression."""


@dataclass(frozen=True, slots=True)
class Controlled:
    """Sums over pairs in units of 1 / `unit`: of the `change`, of the figure of the first game,
    and of their product.
    """

    change: Mean
    first: Mean
    products: int = 0

    def __add__(self, other: Controlled) -> Controlled:
        change, first = self.change + other.change, self.first + other.first
        return Controlled(change, first, self.products + other.products)

    def estimate(self, known: Mean | None, among: float = 1, within: int | None = None) -> Estimate:
        """The mean change with its interval; `known` is the figure over all games without a
        change, those of the pairs among them. `within` bounds the absolute change.
        """
        count, first = self.change.count, self.first
        spread = first.squares - first.total**2 / max(1, count)
        if known is None or known.count <= count or count < FEWEST_PAIRS or spread <= 0:
            return self.change.estimate(among, within)
        unit = self.change.unit
        slope = (self.products - self.change.total * first.total / count) / spread
        off = slope * (first.value - known.value)
        bounds = 2 * (within * unit) ** 2 if within is not None else 0
        rows = count + (2 if bounds else 0)
        left = self.change.squares + bounds - self.change.total**2 / rows
        left = max(0.0, left - slope**2 * spread) / unit**2
        variance = left / (rows * (rows - 2)) + (slope * known.deviation) ** 2 / known.count
        half = student(count - 2, deviations(among)) * math.sqrt(variance)
        middle = self.change.total / (rows * unit) - off
        value = self.change.value - off
        low, high = min(value, middle - half), max(value, middle + half)
        if within is not None:
            value, low, high = (min(within, max(-within, each)) for each in (value, low, high))
        return Estimate(value, low, high)


def controlled(first: Numbers, second: Numbers, unit: int = 1) -> Controlled:
    """Sums over the figures of both games of each pair."""
    change = second - first
    return Controlled(mean(change, unit), mean(first, unit), product(change, first))
