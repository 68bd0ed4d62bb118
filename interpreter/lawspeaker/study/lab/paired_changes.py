"""Tests changes between paired games for significance, with Bonferroni correction.

Of many changes that are looked at, some differ by chance. So all that is looked at together is
one family, and a change is `clear` only if 0 lies outside of the interval that holds for the
whole family with 95 % (Bonferroni). The reported interval is for the single change. The effects
of `compare`, `review` of two versions and `worth` all use this.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.study.lab.statistics import Estimate, Mean

FEWEST = 10
"""Minimum number of differing pairs for a statement about a mean."""


@dataclass(frozen=True, slots=True)
class MeasuredChange(Estimate):
    """A change with its interval. `clear`: significant after correction for all hypotheses."""

    clear: bool = False


def change(
    found: Mean,
    looked_at: float,
    differing: int,
    within: int | None = None,
    looks: float = 1,
) -> MeasuredChange:
    """Estimates a change over pairs of games, of which so many are `differing`.

    `within` bounds the change of one pair; both intervals are corrected for `looks` (`sequential`).
    """
    told, wide = found.estimate(looks, within), found.estimate(looked_at * looks, within)
    clear = differing >= FEWEST and (wide.low > 0 or wide.high < 0)
    return MeasuredChange(found.value, told.low, told.high, clear)
