"""Intervals that say what they mean."""

from __future__ import annotations

import math
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest

from lawspeaker.study.lab.exact_sums import mean, ratio, ratio_change
from lawspeaker.study.lab.statistics import (
    Estimate,
    Mean,
    deviations,
    difference,
    mean_of,
    share,
    student,
)


def exact_mean(*values: int, unit: int = 1) -> Mean:
    return mean(np.array(values), unit)


def test_the_mean_and_its_interval() -> None:
    values = [103, 40, 60, 80, 140]
    found = exact_mean(*values, unit=10)
    assert found.value == pytest.approx(fmean(values) / 10)
    assert found.deviation == pytest.approx(stdev(values) / 10)
    assert found.estimate().half == pytest.approx(
        2.776 * stdev(values) / 10 / math.sqrt(5), rel=1e-2
    )


def test_means_of_parts_make_the_mean_of_all() -> None:
    assert exact_mean(3, 5, -8, 1) == exact_mean(3) + exact_mean() + exact_mean(5, -8, 1)
    half, third = exact_mean(1, unit=2), exact_mean(1, unit=3)
    assert half + third == third + half == Mean(2, 5, 13, unit=6)
    assert (half + third).value == pytest.approx(5 / 12)
    assert mean_of({3: 2, 5: 1}) == exact_mean(3, 3, 5)


def quantile(at: float, freedom: int) -> float:
    """What another library says of this distribution, which takes long to import."""
    from scipy.stats import t

    return float(t.ppf(at, freedom))


def test_one_value_says_nothing_about_its_spread() -> None:
    assert exact_mean(3).estimate().half == math.inf


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 20, 199, 10**6])
def test_intervals_of_few_values_are_students(freedom: int) -> None:
    assert student(freedom) == pytest.approx(quantile(0.975, freedom), rel=1e-2)


@pytest.mark.parametrize("among", [1, 8, 200])
@pytest.mark.parametrize("freedom", [1, 2, 30, 199, 2000])
def test_of_many_intervals_all_hold(among: int, freedom: int) -> None:
    wide = student(freedom, deviations(among))
    assert wide == pytest.approx(quantile(1 - 0.025 / among, freedom), rel=1e-2)
    some = Mean(freedom + 1, 0, 7)
    assert some.estimate(among).half == pytest.approx(wide * some.deviation / math.sqrt(some.count))


def test_wilsons_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    luck, truth, hits = Random(3), 0.15, 0
    for _ in range(400):
        found = share(sum(luck.random() < truth for _ in range(60)), 60)
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def test_the_interval_of_a_difference_covers_the_truth_about_as_often_as_it_says() -> None:
    luck, one, other, hits = Random(5), 0.1, 0.25, 0
    for _ in range(400):
        now, before = (share(sum(luck.random() < p for _ in range(60)), 60) for p in (one, other))
        found = difference(now, before)
        hits += found.low <= one - other <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def test_the_difference_of_two_means_is_the_usual_one() -> None:
    found = difference(Estimate(5, 2, 8), Estimate(3, -1, 7))
    assert (found.value, found.low, found.high) == (2, -3, 7)
    wide = difference(Estimate(5, 2, 8), Estimate(3, -1, 7), 10)
    assert wide.half == pytest.approx(5 * deviations(10) / deviations(1))
    unknown = difference(Estimate(5, 2, 8), Estimate(3, -math.inf, math.inf))
    assert (unknown.low, unknown.high) == (-math.inf, math.inf)


def test_a_share_of_nothing_says_nothing() -> None:
    found = share(0, 0)
    assert (found.low, found.high) == (0.0, 1.0)


@pytest.mark.parametrize("count", [1, 2, 8, 20, 200])
def test_games_that_all_came_out_alike_leave_room_for_others(count: int) -> None:
    """Who was ahead by a whole victory in all of a few games need not always be."""
    always = Mean(count, 6 * count, 36 * count, 6)
    found = always.estimate(within=1)
    assert (found.value, found.high) == (1.0, 1.0)
    wilson = share(count, count)
    assert found.low < 2 * wilson.low - 1 + 0.2, "about as wide as that of a share"
    assert found.low < 1 - 1 / (count + 2)
    assert Mean(count, 0, 0, 6).estimate(within=1).half > 1 / (count + 2)
    assert Mean().estimate(within=1).half == math.inf


def test_bounded_means_are_held_by_their_intervals() -> None:
    """95 % of intervals hold the true mean, near a bound, too, where Student's do not."""
    luck, held, students = Random(3), 0, 0
    trials, games, chance = 1500, 20, 0.95
    for _ in range(trials):
        won = sum(luck.random() < chance for _ in range(games))
        found = Mean(games, 2 * won - games, games)
        truth = 2 * chance - 1
        held += found.estimate(within=1).low <= truth <= found.estimate(within=1).high
        students += found.estimate().low <= truth <= found.estimate().high
    assert held > 0.94 * trials > students


Games = list[tuple[int, int]]
"""Of each game, what one rule gives and what all give."""


def columns(games: Games) -> tuple[np.ndarray, np.ndarray]:
    return np.array([part for part, _ in games]), np.array([whole for _, whole in games])


def seldom_much(luck: Random, games: int) -> Games:
    """Two points in each game, and in one of four many more from the rule that is looked at."""
    extra = [luck.choice([0, 0, 0, 20]) + luck.randrange(3) for _ in range(games)]
    return [(each, each + 2) for each in extra]


def test_a_part_is_one_of_all_games_together() -> None:
    """And not the mean of the parts of each game, which would be a half here."""
    games = [(0, 2), (8, 8), (0, 2), (8, 8)]
    assert ratio(*columns(games)).estimate().value == 16 / 20
    assert ratio(*columns(games[:1])) + ratio(*columns(games[1:])) == ratio(*columns(games))


def test_parts_are_held_by_their_intervals() -> None:
    luck, held, changes = Random(5), 0, 0
    trials, games, truth = 600, 80, 6 / 8
    for _ in range(trials):
        found = seldom_much(luck, games)
        part = ratio(*columns(found)).estimate()
        held += part.low <= truth <= part.high
        # By other rules twice as much comes from elsewhere, in the same games.
        other = [(part, part + 4) for part, _ in found]
        change = ratio_change(columns(found), columns(other)).estimate()
        changes += change.low <= 6 / 10 - truth <= change.high
        assert change.half < part.half, "what is paired is surer"
    assert 0.91 * trials < held < 0.98 * trials
    assert 0.91 * trials < changes < 0.98 * trials


def test_a_part_that_is_the_same_in_all_games_need_not_be_so_in_others() -> None:
    few, many = (ratio(*columns([(0, 2)] * count)).estimate() for count in (5, 1000))
    assert few.low == 0
    assert few.high > 0.2
    assert 0 < many.high < 0.01
    nothing = ratio(*columns([(0, 0)] * 5)).estimate()
    assert (nothing.low, nothing.high) == (0, 1)
    same = ratio_change(columns([(1, 3)] * 4), columns([(1, 3)] * 4)).estimate()
    assert same == Estimate(0, 0, 0)


def test_a_part_of_what_is_left_to_none_may_change_by_all() -> None:
    gone = ratio_change(columns([(1, 3)] * 4), columns([(0, 0)] * 4)).estimate()
    assert (gone.low, gone.high) == (-1, 1)
