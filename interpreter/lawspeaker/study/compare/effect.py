"""Measures the effect of a difference, and how much of it is chance: paired games.

Game number i is played twice with the same seed and bots, by the first ruleset with and without
the difference. Up to the point where the difference shows, the two games are equal. Measures over
the pairs:

    winner    the share of pairs with different winners
    apart     total variation distance between the distributions of winners: half the sum of the
              absolute changes of all seats' shares of victories
    score     the change of the mean score of a player
    length    the change of the number of decisions
    differs   the share of pairs in which anything asked, offered or scored differs
    outcome   the share of pairs with different final scores
    control   the share of pairs with different winners if the game without the difference
              continues with a fresh seed from the divergence (see `control`)
    beyond    excess of changed winners over the controls: only a significantly positive value is
              an effect of the difference on who wins
    came_up   the share of pairs that execute a rule which can exercise the difference (see
              `triggers`), with it or without
    seats     for each seat, the change of its score and of its share of victories

After a divergence, chance events may differ for no other reason, and the winner may change as in
a replay of the same rules. So every pair is compared with one of independent seeds: the game with
the difference, and a game by the first ruleset of another seed. `anew` is the share of these with
different winners. If the games of a pair had no randomness in common in the end, the pairs would
have the same share. Randomness is `in_step` (synchronised) if games that share it are at most
half as far apart as games that do not, in all events, in winners or in scores: then most of what
differs in a pair is due to the difference. Otherwise only changes of means are meaningful, which
are valid in any case.

Shares have Wilson's 95 % interval, changes Student's for paired differences. Changes of victories
have two pseudo-observations, one gain and one loss (Agresti and Min), since Student's is too
narrow where few pairs differ. Each interval is for itself: of twenty, one is expected to miss. A
change is `clear` only if 0 lies outside of the simultaneous interval for all changes that are
looked at together, and if enough pairs differ at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lawspeaker.study.lab.exact_sums import Numbers, Sums, mean
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.paired_changes import MeasuredChange, change
from lawspeaker.study.lab.sequential import Look
from lawspeaker.study.lab.statistics import Estimate, Mean, share

Rules = tuple[tuple[int, ...], tuple[int, ...]]
"""Clause indices without a difference and with it."""
NO_PAIRS = Mean()
SURELY = 100
"""Number of comparisons that the test for synchronised randomness is corrected for."""


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """Effect of a difference on one seat."""

    name: str
    score: MeasuredChange
    wins: MeasuredChange


@dataclass(frozen=True, slots=True)
class Effect:
    """Estimated effect; `broken` games, which abort on a fault, count only as differing.

    `holes` are the faults with the number of games, the most frequent first.
    """

    players: int
    games: int
    broken: int
    holes: tuple[tuple[str, int], ...]
    in_step: bool
    differs: Estimate
    outcome: Estimate
    winner: Estimate
    anew: Estimate
    apart: MeasuredChange
    score: MeasuredChange
    length: MeasuredChange
    seats: tuple[SeatEffect, ...]
    came_up: Estimate | None = None
    control: Estimate | None = None
    beyond: MeasuredChange | None = None
    looks: int = 1

    @property
    def precision(self) -> float:
        """Half of the widest interval of a change of victories."""
        return max(seat.wins.half for seat in self.seats)

    @property
    def detected(self) -> bool:
        """Whether any pair differs."""
        return self.differs.value > 0

    @property
    def clear(self) -> tuple[str, ...]:
        """The measures with a significant change."""
        measures = (("apart", self.apart), ("score", self.score), ("length", self.length))
        found = [name for name, change in measures if change.clear]
        found += ["beyond"] if self.beyond is not None and self.beyond.clear else []
        return (*found, *(seat.name for seat in self.seats if seat.wins.clear))

    @property
    def matters(self) -> bool:
        """Whether winners or scores have changed significantly; length alone does not count."""
        return any(name != "length" for name in self.clear)

    @property
    def weight(self) -> tuple[float, float, float]:
        """Sort key: effect on winners, on points, and frequency.

        For winners only a significant excess over the control or change of shares counts.
        """
        beyond = self.beyond.value if self.beyond is not None and self.beyond.clear else 0.0
        wins = max(beyond, self.apart.value * self.apart.clear)
        points = abs(self.score.value) * self.score.clear
        return wins, points, self.differs.value * self.matters


@dataclass(frozen=True, slots=True)
class Pairs(Sums):
    """Sums over pairs of games; fields are as in `Effect`.

    `closer` has, for all events, for winners and for scores, twice the distance of games with the
    same randomness, minus that of games with independent randomness. `came_up` has one entry, or
    none if not measured.
    """

    games: int
    broken: int
    holes: Counter[str]
    differs: int
    outcome: int
    winner: int
    anew: int
    luck: int
    closer: tuple[Mean, ...]
    score: Mean
    length: Mean
    scores: tuple[Mean, ...]
    wins: tuple[Mean, ...]
    nobody: Mean
    came_up: tuple[int, ...] = ()
    control: Mean = NO_PAIRS
    beyond: Mean = NO_PAIRS

    def effect(self, names: Sequence[str], among: float = 1, look: Look | None = None) -> Effect:
        """Estimates; `names` are those of the seats, `among` the number of effects looked at.

        All intervals allow for the looks before `look`.
        """
        whole = self.games - self.broken
        looks = 1.0 if look is None else look.among
        # Hypotheses per effect: points, length, excess over the control, each seat's victories.
        looked_at = among * (3 + len(names))

        def part(count: int, of: int) -> Estimate:
            return share(count, of, looks)

        def moved(found: Mean, differing: int, within: int | None = None) -> MeasuredChange:
            return change(found, looked_at, differing, within, looks)

        outcomes = self.wins if not self.nobody.squares else (*self.wins, self.nobody)
        seats = zip(names, self.scores, self.wins, strict=True)
        return Effect(
            len(names),
            self.games,
            self.broken,
            tuple(sorted(self.holes.items(), key=lambda hole: (-hole[1], hole[0]))),
            self.in_step,
            part(self.differs, self.games),
            part(self.outcome, whole),
            part(self.winner, whole),
            part(self.anew, self.luck),
            _apart(outcomes, among, looks),
            moved(self.score, self.outcome),
            moved(self.length, self.differs),
            tuple(
                SeatEffect(
                    name,
                    moved(score, self.outcome),
                    moved(wins, self.winner, within=1),
                )
                for name, score, wins in seats
            ),
            next((part(each, self.games) for each in self.came_up), None),
            part(self.control.total, self.control.count) if self.control.count else None,
            self._beyond(looked_at, looks),
            1 if look is None else look.number,
        )

    def _beyond(self, looked_at: float, looks: float) -> MeasuredChange | None:
        """Excess over the control; a negative one is not significant."""
        if not self.beyond.count:
            return None
        found = change(self.beyond, looked_at, self.winner, 1, looks)
        return replace(found, clear=found.clear and found.value > 0)

    @property
    def in_step(self) -> bool:
        """Whether games with shared randomness are at most half as far apart as independent
        ones.
        """
        if not self.differs:
            return True
        return any(each.count > 1 and each.estimate(SURELY).high < 0 for each in self.closer)


def _apart(wins: Sequence[Mean], among: float, looks: float) -> MeasuredChange:
    """Total variation, with an interval from the simultaneous intervals of all seats."""

    def between(others: float) -> tuple[float, float]:
        found = [each.estimate(len(wins) * others * looks, within=1) for each in wins]
        least = sum(max(0.0, each.low, -each.high) for each in found) / 2
        return least, min(1.0, sum(max(-each.low, each.high) for each in found) / 2)

    value = sum(abs(each.value) for each in wins) / 2
    return MeasuredChange(value, *between(1), clear=between(among)[0] > 0)


def pairs(
    without: Games,
    with_it: Games,
    anew: Games,
    about: Rules | None = None,
    controls: tuple[Mean, Mean] = (NO_PAIRS, NO_PAIRS),
) -> Pairs:
    """Sums over paired games, by number.

    `anew` are as many games without the difference by other seeds. `about` are the clauses that
    can exercise the difference.
    """
    assert np.array_equal(without.numbers, with_it.numbers)
    assert len(without) == len(anew)
    ended = without.ended & with_it.ended
    one, other = without[ended], with_it[ended]
    scores = other.scores - one.scores
    wins = other.victories() - one.victories()
    all_three = ended & anew.ended
    first, second, third = without[all_three], with_it[all_three], anew[all_three]
    return Pairs(
        len(without),
        len(without) - len(one),
        _holes(without, with_it),
        int(np.count_nonzero(without.trail != with_it.trail)),
        int(np.count_nonzero((one.scores != other.scores).any(axis=1))),
        int(np.count_nonzero(_other_winners(one, other))),
        int(np.count_nonzero(_other_winners(third, second))),
        len(third),
        tuple(
            mean(2 * near - far)
            for near, far in zip(_distances(first, second), _distances(third, second), strict=True)
        ),
        mean(scores.sum(axis=1), one.players),
        mean(other.decisions - one.decisions),
        tuple(mean(scores[:, keeper]) for keeper in one.keepers),
        tuple(mean(seat, victory(one.players)) for seat in wins.T),
        mean(-wins.sum(axis=1), victory(one.players)),
        () if about is None else (_came_up(without, with_it, about),),
        *controls,
    )


def _came_up(without: Games, with_it: Games, about: Rules) -> int:
    """Number of pairs that execute one of these clauses."""
    done = [
        games.clauses[:, list(numbers)].any(axis=1)
        for games, numbers in zip((without, with_it), about, strict=True)
    ]
    return int(np.count_nonzero(done[0] | done[1]))


def _other_winners(one: Games, other: Games) -> Numbers:
    found: Numbers = (one.winners != other.winners).any(axis=1)
    return found


def _distances(one: Games, other: Games) -> tuple[Numbers, ...]:
    """Distances between games: in all events, in winners, in scores."""
    yes_or_no = (one.trail != other.trail, _other_winners(one, other))
    points = np.abs(one.scores - other.scores).sum(axis=1)
    return (*(each.astype(np.int64) for each in yes_or_no), points)


def _holes(without: Games, with_it: Games) -> Counter[str]:
    """Number of pairs by fault, counting the same fault in both games once."""
    found = {*without.faults, *with_it.faults}
    return Counter(fault for _, fault in found)
