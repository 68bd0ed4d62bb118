"""Intervals that say what they mean."""

from __future__ import annotations

import math
from random import Random

import pytest

from lawspeaker.lab.statistics import Mean, share


def test_the_mean_and_its_interval() -> None:
    values = [10.3, 4.0, 6.0, 8.0, 14.0]
    mean = Mean()
    for value in values:
        mean.add(value)
    expected = sum(values) / len(values)
    deviation = math.sqrt(sum((each - expected) ** 2 for each in values) / (len(values) - 1))
    assert mean.mean == pytest.approx(expected)
    assert mean.deviation == pytest.approx(deviation)
    estimate = mean.estimate()
    assert estimate.half == pytest.approx(1.959964 * deviation / math.sqrt(len(values)))


def test_one_value_says_nothing_about_its_spread() -> None:
    mean = Mean()
    mean.add(3)
    assert mean.estimate().half == math.inf


def test_wilsons_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    luck, truth, hits = Random(3), 0.15, 0
    for _ in range(400):
        found = share(sum(luck.random() < truth for _ in range(60)), 60)
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def test_a_share_of_nothing_says_nothing() -> None:
    found = share(0, 0)
    assert (found.low, found.high) == (0.0, 1.0)
