"""Exact sums of integers, without overflow or rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lawspeaker.study.lab.statistics import Estimate, Mean, Ratio, RatioChange

Numbers = NDArray[Any]
"""Integers: 64 bits, or Python objects where that is not enough."""
LARGEST = (1 << 63) - 1
PARTS = 1_000_000
"""Unit of fractions in sums, so that these are exact."""


def fitting(most: int) -> type:
    """The dtype for numbers up to `most`."""
    return np.int64 if most <= LARGEST else object


def squarable(values: Numbers) -> Numbers:
    """Converts numbers so that the sum of their squares does not overflow."""
    most = max(abs(int(values.max(initial=0))), abs(int(values.min(initial=0))))
    return values.astype(fitting(most**2 * max(1, values.size)), copy=False)


def mean(values: Numbers, unit: int = 1) -> Mean:
    """The mean of numbers in units of 1 / `unit`."""
    values = squarable(values)
    return Mean(len(values), int(values.sum()), int((values * values).sum()), unit)


def means(values: Numbers, which: NDArray[np.bool_], unit: int = 1) -> list[Mean]:
    """The mean of the marked entries of every column."""
    values = np.where(which, squarable(values), 0)
    sums = which.sum(axis=0), values.sum(axis=0), (values * values).sum(axis=0)
    rows = zip(*(each.tolist() for each in sums), strict=True)
    return [Mean(count, total, squares, unit) for count, total, squares in rows]


def fractions(values: Sequence[float], among: float = 1) -> Estimate:
    """The mean of numbers from 0 to 1, with pseudo-observations at both ends."""
    around = np.rint(PARTS * (2 * np.array(values) - 1)).astype(np.int64)
    found = mean(around, PARTS).estimate(among, within=1)
    if not len(values):
        return Estimate(0.0, 0.0, 1.0)
    return Estimate(*((each + 1) / 2 for each in (found.value, found.low, found.high)))


def ratio(parts: Numbers, wholes: Numbers) -> Ratio:
    """The ratio of two sums, with the moments for its variance."""
    return Ratio(
        len(parts),
        int(parts.sum()),
        int(wholes.sum()),
        product(parts, parts),
        product(parts, wholes),
        product(wholes, wholes),
    )


def ratio_change(before: tuple[Numbers, Numbers], after: tuple[Numbers, Numbers]) -> RatioChange:
    """The change of such a ratio between paired rows."""
    crossed = (product(one, other) for one in before for other in after)
    return RatioChange(ratio(*before), ratio(*after), *crossed)


def product(one: Numbers, other: Numbers) -> int:
    """The dot product of two columns."""
    if not len(one):
        return 0
    most = max(int(abs(one).max()), int(abs(other).max()))
    sort = fitting(most**2 * len(one))
    return int((one.astype(sort, copy=False) * other.astype(sort, copy=False)).sum())


def added(one: Any, other: Any) -> Any:
    """Adds two sums of the same shape, tuples entrywise."""
    if isinstance(one, tuple):
        return tuple(added(*pair) for pair in zip(one, other, strict=True))
    return one + other


@dataclass(frozen=True, slots=True)
class Sums:
    """Base class of records of sums, added field by field."""

    def __add__(self, other: Self) -> Self:
        names = [each.name for each in fields(self)]
        return type(self)(*(added(getattr(self, name), getattr(other, name)) for name in names))
