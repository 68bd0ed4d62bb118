"""Turns shares of playouts into win probabilities of those who play, and checks them.

Playouts are random, and players are not: a lead may be worth more to them, or less. The shares
are sharpened or flattened by one exponent, the same for the whole game (temperature scaling), so
that games that were played are as likely as possible. Each game is judged by the exponent of the
other half of the games, so the calibration curve tells how good the probabilities are in games
that they were not fitted to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from lawspeaker.study.lab.exact_sums import PARTS, Numbers, ratio
from lawspeaker.study.lab.outlook import GameOutlook
from lawspeaker.study.lab.statistics import Estimate

PRIOR = 1.0
"""Playouts of a fair share that are added to each position, so that no probability is 0."""
SHARPEST, STEPS = 8.0, 60
"""The largest exponent, and the steps of the search for the best one."""
BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions in a tenth of the range: how many, their mean, and the share that came true."""

    count: int
    predicted: float
    happened: Estimate


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Win probabilities of each game (positions by sides), the exponent over all games, and the
    calibration curve.
    """

    probabilities: tuple[Numbers, ...]
    exponent: float
    curve: tuple[Bin, ...]


def calibrated(games: Sequence[GameOutlook], playouts: int) -> Calibrated:
    """Probabilities for finished games with at least one position each."""
    raw = [_logarithms(game, playouts) for game in games]
    halves = [
        _exponent([each for at, each in enumerate(zip(raw, games, strict=True)) if at % 2 == half])
        for half in (0, 1)
    ]
    # Each game by what fits the other half.
    found = tuple(_scaled(each, halves[1 - at % 2]) for at, each in enumerate(raw))
    whole = _exponent(list(zip(raw, games, strict=True)))
    return Calibrated(found, whole, _curve(found, games))


def _logarithms(game: GameOutlook, playouts: int) -> Numbers:
    """Log of the smoothed shares of victories, positions by sides."""
    shares = np.array([each.shares for each in game.outlooks])
    logs: Numbers = np.log((shares * playouts + PRIOR / shares.shape[1]) / (playouts + PRIOR))
    return logs


def _scaled(logs: Numbers, exponent: float) -> Numbers:
    # Of games that nobody may win, the rest to 1 stays what it is.
    whole = np.minimum(1.0, np.exp(logs).sum(axis=1, keepdims=True))
    powers = np.exp(exponent * (logs - logs.max(axis=1, keepdims=True)))
    scaled: Numbers = whole * powers / powers.sum(axis=1, keepdims=True)
    return scaled


def _exponent(some: Sequence[tuple[Numbers, GameOutlook]]) -> float:
    """The exponent under which the outcomes are most likely (golden-section search)."""
    # Games that nobody won say nothing about it; each of the others counts once.
    told = [(logs, game.won) for logs, game in some if sum(game.won)]
    if not told:
        return 1.0
    every = np.concatenate([logs for logs, _ in told])
    won = np.concatenate([np.tile(np.array(own) / len(logs), (len(logs), 1)) for logs, own in told])

    def surprise(power: float) -> float:
        return -float((np.log(_scaled(every, exp(power))) * won).sum())

    golden = (5**0.5 - 1) / 2
    low, high = -log(SHARPEST), log(SHARPEST)
    one, other = high - golden * (high - low), low + golden * (high - low)
    values = surprise(one), surprise(other)
    for _ in range(STEPS):
        if values[0] < values[1]:
            high, other, values = other, one, (0.0, values[0])
            one = high - golden * (high - low)
            values = surprise(one), values[1]
        else:
            low, one, values = one, other, (values[1], 0.0)
            other = low + golden * (high - low)
            values = values[0], surprise(other)
        if high - low < 1e-3:
            break
    return exp((low + high) / 2)


def _curve(found: Sequence[Numbers], games: Sequence[GameOutlook]) -> tuple[Bin, ...]:
    """Predictions by tenths. Those of a game belong together, so intervals are by game."""
    count, predicted, happened = (np.zeros((len(games), BINS)) for _ in range(3))
    for at, (chances, game) in enumerate(zip(found, games, strict=True)):
        bins = np.minimum(BINS - 1, (chances * BINS).astype(int))
        won = np.broadcast_to(np.array(game.won), chances.shape)
        for table, weights in ((count, None), (predicted, chances), (happened, won)):
            picked = None if weights is None else weights.ravel()
            table[at] = np.bincount(bins.ravel(), picked, BINS)
    bins_found = []
    for each in range(BINS):
        whole = int(count[:, each].sum())
        if whole:
            mean = float(predicted[:, each].sum() / whole)
            came = np.rint(PARTS * happened[:, each]).astype(np.int64)
            share = ratio(came, PARTS * count[:, each].astype(np.int64)).estimate()
            bins_found.append(Bin(whole, mean, share))
    return tuple(bins_found)
