"""Sequential stopping: games are played until an interval is narrow enough, and it stays valid.

The figures are looked at after some games, and if they are not precise enough, more games are
played. Each look may err, so the looks together spend the 5 % of a 95 % interval (alpha spending):
a look that may spend the part `share` of it has the interval of 1 / `share` comparisons. By
Bonferroni's inequality the intervals of all looks hold together with 95 %, however it is decided
when to stop: they are a confidence sequence over the looks.

Few looks are enough. After a pilot the variance is known well enough to plan the one look at
which the interval will be narrow enough. It gets most of what there is to spend, so its interval
is hardly wider (6 %) than that of as many games without other looks. Estimates from few games can
be far off, so a pilot grows fourfold until it can be planned from it. Plans rest on the widths of
intervals, never on the values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from lawspeaker.study.lab.statistics import deviations

PILOT = 100
"""Games before the first look."""
GROWTH = 4
"""Growth from one pilot to the next."""
SPARE = 1.08
"""Games that are planned, as a multiple of the estimate: a further look would cost more."""
PILOTS, PLANNED, FURTHER = 0.05, 0.75, 0.20
"""The parts that pilots, the planned look, and all looks after it may spend."""


@dataclass(frozen=True, slots=True)
class Look:
    """A look after so many games, with the part of the error that it may spend.

    `pilots` and `planned` count the looks so far by kind, this one included.
    """

    games: int
    share: float = 1.0
    pilots: int = 0
    planned: int = 0

    @property
    def among(self) -> float:
        """Number of comparisons that the intervals of this look are corrected for."""
        return 1 / self.share

    @property
    def number(self) -> int:
        """Number of looks so far."""
        return self.pilots + self.planned

    @property
    def spent(self) -> float:
        """The part that this look and those before it may spend, if none was the last one."""
        further = FURTHER * (1 - 2 ** (1 - self.planned)) if self.planned else 0.0
        planned = PLANNED if self.planned else 0.0
        return PILOTS * (1 - 0.5**self.pilots) + planned + further


def first_look(most: int, wanted: float | None) -> Look:
    """The first look of at most so many games; the only one if no precision is `wanted`."""
    if wanted is None or most <= PILOT:
        return Look(most, planned=1)
    return _pilot(Look(0), PILOT)


def next_look(now: Look, half: float, wanted: float | None, most: int, among: float = 1) -> Look:
    """The look after this one, at which half of the widest interval was `half`; the same one if
    no more games are to be played.

    `among` is the number of comparisons that intervals are corrected for besides.
    """
    if wanted is None or half <= wanted or now.games >= most:
        return now
    planned, z = _planned(now), deviations(among * now.among)
    ratio = deviations(among * planned.among) / z
    # The interval of a share is that of z^2 games more (Wilson).
    needed = (now.games + z**2) * (ratio * half / wanted) ** 2
    if needed > GROWTH * now.games and most > GROWTH * now.games:
        return _pilot(now, GROWTH * now.games)
    games = max(now.games + 1.0, needed) * SPARE
    if games >= most:
        # The last look spends what is left.
        return replace(planned, games=most, share=1 - now.spent)
    return replace(planned, games=math.ceil(games))


def expected(now: Look, half: float, wanted: float | None, most: int) -> int:
    """Estimated number of games in the end."""
    if wanted is not None and half <= wanted:
        return now.games
    if wanted is None or math.isinf(half):
        return most
    return min(most, math.ceil(SPARE * now.games * (half / wanted) ** 2))


def _pilot(now: Look, games: int) -> Look:
    return Look(games, PILOTS / 2 ** (now.pilots + 1), now.pilots + 1, now.planned)


def _planned(now: Look) -> Look:
    share = FURTHER / 2**now.planned if now.planned else PLANNED
    return Look(now.games, share, now.pilots, now.planned + 1)
