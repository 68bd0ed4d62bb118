"""Changes from paired games, called clear only where chance does not explain them.

Whoever looks at many changes at once finds some by luck. So all that is looked at together is one
family, and a change is `clear` only if 0 lies outside of an interval that is so wide that with 95 %
all of the family hold (Bonferroni). The interval that is told stands for itself. The effects of
`compare`, `review` of two versions and `worth` all go by this.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.study.lab.statistics import Estimate, Mean

FEWEST = 10
"""Of fewer pairs that differ nothing can be said about a mean."""


@dataclass(frozen=True, slots=True)
class Change(Estimate):
    """`clear`: not to be put down to chance, among all that was looked at."""

    clear: bool = False


def change(found: Mean, looked_at: int, differing: int, within: int | None = None) -> Change:
    """A change by pairs of games, of which so many are `differing`; `within`: no change of one pair
    can be larger."""
    told, wide = found.estimate(within=within), found.estimate(looked_at, within)
    clear = differing >= FEWEST and (wide.low > 0 or wide.high < 0)
    return Change(found.value, told.low, told.high, clear)
