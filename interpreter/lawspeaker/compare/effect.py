"""How much a difference matters: paired games with it and without.

Game number i is played twice with the same seed and bots of the same luck, once by the first
telling and once with the difference. Up to the point where the difference shows, the two games
are the same, so what differs in the end is due to it. All measures are taken from the pairs:

    differs   the share of games in which anything asked, offered or scored is not the same
    outcome   the share of games that end with other scores
    winner    the share of games in which not the same players win
    score     the change of the mean score of a player
    length    the change of the number of decisions
    seats     for each seat, the change of its score and of its share of victories

Shares have Wilson's 95 % interval, changes the normal one of paired differences. Each interval
stands for itself: among twenty of them, one is expected to miss.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lawspeaker.lab.record import Record
from lawspeaker.lab.statistics import Estimate, Mean, share


@dataclass(frozen=True, slots=True)
class SeatEffect:
    name: str
    score: Estimate
    wins: Estimate


@dataclass(frozen=True, slots=True)
class Effect:
    """`broken` games, in which the rules have a hole, count only as differing."""

    games: int
    broken: int
    differs: Estimate
    outcome: Estimate
    winner: Estimate
    score: Estimate
    length: Estimate
    seats: tuple[SeatEffect, ...]

    @property
    def detected(self) -> bool:
        """Whether any game came out otherwise at all."""
        return self.differs.value > 0

    @property
    def clear(self) -> tuple[str, ...]:
        """The measures whose intervals leave no room for `no change`."""
        found = [
            name
            for name, estimate in (("score", self.score), ("length", self.length))
            if is_clear(estimate)
        ]
        return (*found, *(seat.name for seat in self.seats if is_clear(seat.wins)))


def is_clear(estimate: Estimate) -> bool:
    """Whether 0 lies outside the interval."""
    return estimate.low > 0 or estimate.high < 0


def effect(without: Iterable[Record], with_it: Iterable[Record], names: Sequence[str]) -> Effect:
    """What pairs of games say; `names` are those of the seats."""
    pairs = list(zip(without, with_it, strict=True))
    score, length = Mean(), Mean()
    scores, wins = [Mean() for _ in names], [Mean() for _ in names]
    differs = outcome = winner = broken = 0
    for one, other in pairs:
        assert one.number == other.number
        differs += one.trail != other.trail
        if one.fault or other.fault:
            broken += 1
            continue
        outcome += one.scores != other.scores
        winner += sorted(one.winners) != sorted(other.winners)
        score.add((sum(other.scores) - sum(one.scores)) / len(names))
        length.add(other.decisions - one.decisions)
        for seat in range(len(names)):
            scores[seat].add(other.scores[seat] - one.scores[seat])
            wins[seat].add(_won(other, seat) - _won(one, seat))
    whole = len(pairs) - broken
    return Effect(
        len(pairs),
        broken,
        share(differs, len(pairs)),
        share(outcome, whole),
        share(winner, whole),
        score.estimate(),
        length.estimate(),
        tuple(
            SeatEffect(name, scores[seat].estimate(), wins[seat].estimate())
            for seat, name in enumerate(names)
        ),
    )


def _won(game: Record, seat: int) -> float:
    """A victory, or the share in one."""
    return 1 / len(game.winners) if seat in game.winners else 0.0
