"""Estimates as texts: with as many digits as they bear, the same for all that stand together."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from lawspeaker.base.typography import NO_BREAK
from lawspeaker.study.lab.statistics import Estimate

MOST_DIGITS = 4
MOST_DIGITS_OF_PERCENT = 2


@dataclass(frozen=True, slots=True)
class Telling:
    digits: int
    scale: int = 1

    @classmethod
    def of(cls, estimates: Iterable[Estimate], *, scale: int = 1, least: int = 1) -> Telling:
        """One digit more than the widest interval among them leaves open, but some at least.

        `scale` is 100 for shares, which are told in percent.
        """
        halves = [scale * each.half for each in estimates if 0 < each.half < math.inf]
        open_to = math.floor(math.log10(max(halves))) if halves else 0
        most = MOST_DIGITS if scale == 1 else MOST_DIGITS_OF_PERCENT
        return cls(min(most, max(least, -open_to)), scale)

    def value(self, estimate: Estimate) -> str:
        return self.number(estimate.value)

    def change(self, estimate: Estimate) -> str:
        """With its sign, and marked where the interval leaves room for none."""
        sign = "≈ " if estimate.low <= 0 <= estimate.high else ""
        return f"{sign}{self.scale * estimate.value:+.{self.digits}f}{self._unit}"

    def span(self, estimate: Estimate) -> str:
        if math.isinf(estimate.low):
            return "unknown"
        return f"{self.number(estimate.low)} to {self.number(estimate.high)}"

    def half(self, estimate: Estimate) -> str:
        """How far off it may be, if that is known."""
        if math.isinf(estimate.half):
            return ""
        return f" ±{self.scale * estimate.half:.{self.digits}f}"

    def number(self, number: float) -> str:
        return f"{self.scale * number:.{self.digits}f}{self._unit}"

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
    return f"{100 * value:.1f}{NO_BREAK}%"
