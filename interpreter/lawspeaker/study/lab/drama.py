"""When a game is decided: the course of the win probabilities of many games.

The measures are those of the literature on game quality (Browne: drama, uncertainty,
decisiveness, lead change; Ely, Frankel and Kamenica: suspense and surprise):

favourite     by part of the game, the share of games that the side with the best chances wins
uncertainty   by part of the game, the error of the probabilities (Brier score) as a part of that
              of knowing nothing: 1 while all is open, 0 when all is known
open          mean of the uncertainty over the game
decided       the part of the game after which the winner's probability stays above `SURE`
lead changes  how often another side becomes the favourite, by `CLEARLY` at least
comeback      whether the winner's probability was ever below half of a fair share
drama         mean of how far the winner was behind the favourite, over the game
swing         the largest change of the winner's probability by one decision
snowball      points that a side makes in the second half more than the others, by point of lead
              half way, after whole rounds: above 0 who leads runs away, below 0 who is behind
              catches up
exchanged     the same by experiment: first and last swap their points half way, and both positions
              are played out

All players of a game are alike, so only luck and the rules put one ahead: the snowball is an
effect of the lead, not of better play. A lead can be in points or in what makes points, such as
cards on the table. Only the former is exchanged, so `exchanged` is what the rules give for points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawspeaker.study.lab.calibration import Bin, calibrated
from lawspeaker.study.lab.exact_sums import PARTS, Numbers, fractions, mean, ratio
from lawspeaker.study.lab.outlook import GameOutlook
from lawspeaker.study.lab.statistics import Estimate, share, student, times

SURE = 0.9
CLEARLY = 0.1
PARTS_OF_A_GAME = 10
"""Number of points of the curves."""
FEWEST = 4
"""Minimum number of games."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A part of the game: the share won by the favourite, the uncertainty, and the share of games
    that were decided by then.
    """

    part: float
    favourite: Estimate
    uncertainty: Estimate
    decided: Estimate


@dataclass(frozen=True, slots=True)
class Kingmaker:
    """A question by which hopeless sides decided between others: in how many decisions."""

    clause: str
    times: int


@dataclass(frozen=True, slots=True)
class Drama:
    """The measures over finished games; `skipped` positions and `broken` games do not count."""

    games: int
    broken: int
    positions: int
    skipped: int
    playouts: int
    sides: int
    exponent: float
    curve: tuple[Bin, ...]
    moments: tuple[Moment, ...]
    open: Estimate
    decided: Estimate
    lead_changes: Estimate
    comebacks: Estimate
    drama: Estimate
    swing: Estimate
    snowball: Estimate | None
    exchanged: Estimate | None
    kingmaking: Estimate | None
    kingmakers: tuple[Kingmaker, ...]


class NothingOpen(ValueError):
    """The games say nothing about when they are decided; the message says why."""


def drama(games: Sequence[GameOutlook], playouts: int) -> Drama:
    """The measures of some games. Raises NothingOpen."""
    told = [each for each in games if each.outlooks]
    if not told and any(not each.fault for each in games):
        raise NothingOpen("no position could be played out: random games of these rules do not end")
    if len(told) < FEWEST:
        raise NothingOpen(f"{len(told)} games came to their end; {FEWEST} at least are needed")
    sides = len(told[0].won)
    if sides < 2:
        raise NothingOpen("all play together: there is nobody to be ahead of")
    found = calibrated(told, playouts)
    courses = [_course(*each) for each in zip(found.probabilities, told, strict=True)]
    return Drama(
        len(told),
        sum(bool(each.fault) for each in games),
        sum(len(each.outlooks) for each in told),
        sum(each.skipped for each in games),
        playouts,
        sides,
        found.exponent,
        found.curve,
        _moments(found.probabilities, told),
        _openness(found.probabilities, told),
        fractions([each.decided for each in courses]),
        _count([each.changes for each in courses]),
        share(sum(each.comeback for each in courses), len(courses)),
        fractions([each.behind for each in courses]),
        fractions([each.swing for each in courses]),
        _snowball(told),
        _exchanged(told),
        _kings(told),
        _kingmakers(told),
    )


@dataclass(frozen=True, slots=True)
class _Course:
    """The measures of one game."""

    decided: float
    changes: int
    comeback: bool
    behind: float
    swing: float


def _course(chances: Numbers, game: GameOutlook) -> _Course:
    won = np.array(game.won)
    # What is known at the end belongs to the course: nothing is open any more.
    own = np.append(chances @ won / max(won.sum(), 1e-9), 1.0) if won.any() else None
    decided = _decided(chances, game)
    favourite, changes = None, 0
    for row in np.vstack([chances, won]):
        order = np.sort(row)
        if order[-1] - order[-2] >= CLEARLY:
            leader = int(row.argmax())
            changes += favourite is not None and leader != favourite
            favourite = leader
    if own is None:
        return _Course(decided, changes, comeback=False, behind=0.0, swing=0.0)
    behind = float(np.maximum(0.0, chances.max(axis=1) - own[:-1]).mean())
    swing = float(np.abs(np.diff(own)).max())
    return _Course(decided, changes, bool(own.min() < 0.5 / len(won)), behind, swing)


def _decided(chances: Numbers, game: GameOutlook) -> float:
    """The part of the game from which on the victory was sure; 1 at its end."""
    victors = np.flatnonzero(game.won)
    if len(victors) > 1:
        return 1.0  # nothing says in advance that a victory will be shared
    won = chances[:, victors[0]] if len(victors) else 1.0 - chances.sum(axis=1)
    sure = won >= SURE
    unsure = np.flatnonzero(~sure)
    if not len(unsure):
        return 0.0
    last = int(unsure[-1]) + 1
    return game.outlooks[last].part if last < len(game.outlooks) else 1.0


def _at(game: GameOutlook, part: float) -> int:
    """The index of the last position before a part of the game."""
    before = [at for at, each in enumerate(game.outlooks) if each.part <= part + 1e-9]
    return before[-1] if before else 0


def _moments(found: Sequence[Numbers], games: Sequence[GameOutlook]) -> tuple[Moment, ...]:
    decided = [_decided(*each) for each in zip(found, games, strict=True)]
    base = _base(games)
    moments = []
    for step in range(PARTS_OF_A_GAME):
        part = step / PARTS_OF_A_GAME
        rows = [each[_at(game, part)] for each, game in zip(found, games, strict=True)]
        favourites = [
            sum(game.won[side] for side in _best(row)) / len(_best(row))
            for row, game in zip(rows, games, strict=True)
        ]
        errors = [
            float(((row - game.won) ** 2).sum()) for row, game in zip(rows, games, strict=True)
        ]
        over = sum(each <= part for each in decided)
        moments.append(
            Moment(
                part,
                share(sum(favourites), len(games)),
                _over(errors, base),
                share(over, len(games)),
            )
        )
    return tuple(moments)


def _best(row: Numbers) -> list[int]:
    return [int(each) for each in np.flatnonzero(row >= row.max() - 1e-9)]


def _base(games: Sequence[GameOutlook]) -> list[float]:
    """By game, the error of predicting every side's share of all games, without this one."""
    won = np.array([each.won for each in games])
    others = (won.sum(axis=0) - won) / max(1, len(games) - 1)
    return [float(each) for each in ((others - won) ** 2).sum(axis=1)]


def _openness(found: Sequence[Numbers], games: Sequence[GameOutlook]) -> Estimate:
    """Mean error over each game, as a part of that of knowing nothing."""
    errors = [
        float(((chances - np.array(game.won)) ** 2).sum(axis=1).mean())
        for chances, game in zip(found, games, strict=True)
    ]
    return _over(errors, _base(games))


def _over(parts: Sequence[float], wholes: Sequence[float]) -> Estimate:
    """The ratio of two sums over games; it can be above 1, where chance misled."""
    one, other = (np.rint(PARTS * np.array(each)).astype(np.int64) for each in (parts, wholes))
    sums = ratio(one, other)
    if not sums.whole or not sums.left:
        return sums.estimate()
    half = student(len(parts) - 1) * (sums.left / (len(parts) * (len(parts) - 1))) ** 0.5
    return Estimate(sums.value, max(0.0, sums.value - half), sums.value + half)


def _count(values: Sequence[int]) -> Estimate:
    """The mean of a number that is at least 0."""
    found = times(mean(np.array(values)))
    return Estimate(found.value, max(0.0, found.low), found.high)


def _snowball(games: Sequence[GameOutlook]) -> Estimate | None:
    """The slope of later gains over earlier leads, within each side; None without points.

    Intervals are by game: the sides of one share its luck.
    """
    leads, gains = [], []
    for game in games:
        halfway = np.array(game.halfway, float)
        later = np.array(game.points, float) - halfway
        leads.append(halfway - halfway.mean())
        gains.append(later - later.mean())
    one, other = np.array(leads), np.array(gains)
    # What a seat has by its place says nothing about being ahead.
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    whole, count = float((one**2).sum()), len(games)
    if whole < 1e-6 * count or count <= FEWEST:
        return None
    slope = float((one * other).sum()) / whole
    left = ((one * (other - slope * one)).sum(axis=1) ** 2).sum() * count / (count - 2)
    half = student(count - 2) * float(left) ** 0.5 / whole
    return Estimate(slope, slope - half, slope + half)


def _exchanged(games: Sequence[GameOutlook]) -> Estimate | None:
    """The points that a lead is worth later, by point of lead, over exchanges; None if there are
    too few leads.
    """
    swaps = [game.exchange for game in games if game.exchange is not None]
    count = len(swaps)
    if count < FEWEST:
        return None
    lead = np.array([each.lead for each in swaps], float)
    worth = np.array([each.worth for each in swaps])
    whole = float((lead**2).sum())
    slope = float((lead * worth).sum()) / whole
    left = float(((lead * (worth - slope * lead)) ** 2).sum()) * count / (count - 1)
    half = student(count - 1) * left**0.5 / whole
    return Estimate(slope, slope - half, slope + half)


def _kings(games: Sequence[GameOutlook]) -> Estimate | None:
    """The share of games in which a hopeless side decided between others; None between two."""
    if len(games[0].won) < 3:
        return None
    made = sum(any(each.clear for each in game.kingmaking) for game in games)
    return share(made, len(games))


def _kingmakers(games: Sequence[GameOutlook]) -> tuple[Kingmaker, ...]:
    found = Counter(each.clause for game in games for each in game.kingmaking if each.clear)
    return tuple(Kingmaker(clause, times) for clause, times in found.most_common())
