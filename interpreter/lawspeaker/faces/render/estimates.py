"""Formats estimates with as many digits as their intervals justify.

Estimates shown together share the digits. Rounding is the same as on the web pages, so that both
show the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from lawspeaker.base.typography import NO_BREAK
from lawspeaker.study.lab.statistics import Estimate

MOST_DIGITS = 4
MOST_DIGITS_OF_PERCENT = 2
DIGITS_OF_JSON = 6
"""Number of decimal digits of figures in JSON."""


@dataclass(frozen=True, slots=True)
class Telling:
    digits: int
    scale: int = 1

    @classmethod
    def of(cls, estimates: Iterable[Estimate], *, scale: int = 1, least: int = 1) -> Telling:
        """Chooses digits: one more than the widest interval justifies, but at least `least`.

        `scale` is 100 for shares, which are shown in percent.
        """
        halves = [scale * each.half for each in estimates if 0 < each.half < math.inf]
        open_to = math.floor(math.log10(max(halves))) if halves else 0
        most = MOST_DIGITS if scale == 1 else MOST_DIGITS_OF_PERCENT
        return cls(min(most, max(least, -open_to)), scale)

    def value(self, estimate: Estimate) -> str:
        return self._told(estimate.value, self._digits(estimate))

    def change(self, estimate: Estimate) -> str:
        """Formats a change with its sign; `≈` marks one whose interval contains 0."""
        sign = "≈ " if estimate.low <= 0 <= estimate.high else ""
        told = self._told(estimate.value, self._digits(estimate))
        return f"{sign}{'' if told.startswith('-') else '+'}{told}"

    def span(self, estimate: Estimate) -> str:
        if math.isinf(estimate.low):
            return "unknown"
        return f"{self.number(estimate.low)} to {self.number(estimate.high)}"

    def half(self, estimate: Estimate) -> str:
        """Formats the half width of the interval, if it is known."""
        if math.isinf(estimate.half):
            return ""
        wide = self.scale * estimate.half
        return f" ±{rounded(wide, _shown(wide, self.digits))}"

    def number(self, number: float) -> str:
        return self._told(number, self.digits)

    def _told(self, number: float, digits: int) -> str:
        return f"{rounded(self.scale * round(number, DIGITS_OF_JSON), digits)}{self._unit}"

    def _digits(self, estimate: Estimate) -> int:
        """Returns more digits for a nonzero value that would be rounded to 0."""
        value, half = (self.scale * each for each in (estimate.value, estimate.half))
        shown = _shown(half, self.digits)
        return shown if 0 < abs(value) < 0.5 / 10**self.digits else self.digits

    @property
    def _unit(self) -> str:
        return f"{NO_BREAK}%" if self.scale == 100 else ""


def share_and_span(estimate: Estimate) -> str:
    return _and_span(estimate, Telling.of([estimate], scale=100))


def mean_and_span(estimate: Estimate) -> str:
    return _and_span(estimate, Telling.of([estimate]))


def _and_span(estimate: Estimate, telling: Telling) -> str:
    return f"{telling.value(estimate)} ({telling.span(estimate)})"


def percent(value: float) -> str:
    return Telling(1, 100).number(value)


def at_most(value: float) -> str:
    """Formats an upper bound in percent with two significant digits, never 0."""
    share = 100 * value
    return f"{rounded(share, _shown(share / 10, 1))}{NO_BREAK}%"


def rounded(number: float, digits: int) -> str:
    """Rounds half away from zero; zero has no sign."""
    if not math.isfinite(number):
        return str(number)
    told = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{told if told else abs(told):f}"


def _shown(wide: float, digits: int) -> int:
    """Returns `digits`, or more if the number would otherwise be rounded to 0."""
    if not 0 < wide < 0.5 / 10**digits:
        return digits
    return -math.floor(math.log10(wide))
