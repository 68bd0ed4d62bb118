"""What can be measured of a game, as one number each: for sweeps and for tuning.

score    the mean score of the players
spread   from the lowest to the highest score
margin   from the second to the first, by the goal of the game
length   how many decisions the game takes
start    the share of victory of whoever is first asked alone, less the fair one
ties     1 when a victory is shared
draws    1 when nobody wins
leads    how often another side takes the sole lead

Who plays for himself is a side alone; the points of a side are added, and all who are on it have
its share of a victory. A measure is told in whole numbers of a unit, which depends on who plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lawspeaker.study.lab.exact_sums import Numbers, mean
from lawspeaker.study.lab.games import Games, victory
from lawspeaker.study.lab.statistics import Estimate, Mean, share


def score(games: Games) -> Numbers:
    """In parts of a point, one for each player."""
    return np.asarray(games.scores.sum(axis=1))


def spread(games: Games) -> Numbers:
    return np.asarray(np.ptp(games.scores, axis=1))


def margin(games: Games) -> Numbers:
    """Between the two best by the goal; nothing for who plays alone."""
    ranked = np.sort(games.worths(), axis=1)
    return np.asarray(np.ptp(ranked[:, -2:], axis=1))


def length(games: Games) -> Numbers:
    return games.decisions


def start(games: Games) -> Numbers:
    """In parts of a victory, one for each side. What nobody wins, nobody should have won, and where
    all are always asked at once, nobody starts."""
    won = games.victories()[np.arange(len(games)), games.starter]
    whole = victory(games.players) * (games.victors > 0)
    return np.asarray((len(games.sides) * won - whole) * (games.starter >= 0))


def ties(games: Games) -> Numbers:
    return np.asarray(games.victors > 1, np.int64)


def draws(games: Games) -> Numbers:
    return np.asarray(games.victors == 0, np.int64)


def leads(games: Games) -> Numbers:
    return games.leads


MEASURES: Mapping[str, Callable[[Games], Numbers]] = {
    each.__name__: each for each in (score, spread, margin, length, start, ties, draws, leads)
}


def unit(name: str, games: Games) -> int:
    """How many parts a whole one of a measure has."""
    parts = {"score": games.players, "start": len(games.sides) * victory(games.players)}
    return parts.get(name, 1)


Means = tuple[Mean, ...]
"""The mean of every measure over some games, kept as sums."""
Measured = Mapping[str, Estimate]


def measured(games: Games) -> Means:
    """Every measure over some games."""
    return tuple(mean(measure(games), unit(name, games)) for name, measure in MEASURES.items())


def changed(before: Games, after: Games) -> Means:
    """By how much every measure changes from game to game; game i stands against game i."""
    assert np.array_equal(before.numbers, after.numbers)
    return tuple(
        mean(measure(after) - measure(before), unit(name, before))
        for name, measure in MEASURES.items()
    )


def estimates(sums: Means) -> Measured:
    """What the sums of measures or of their changes say."""
    return {name: mean.estimate() for name, mean in zip(MEASURES, sums, strict=True)}


def shares(sums: Means, sides: int) -> Measured:
    """The same for measures as they are, where what is a share has the interval of one. So many
    sides play."""
    found = dict(estimates(sums))
    count = sums[0].count
    for name in ("ties", "draws"):
        found[name] = share(found[name].value * count, count)
    fair = (1 - found["draws"].value) / sides
    won = share((found["start"].value + fair) * count, count)
    found["start"] = Estimate(won.value - fair, won.low - fair, won.high - fair)
    return found
