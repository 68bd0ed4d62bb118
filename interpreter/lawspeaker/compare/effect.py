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
from zlib import crc32

from lawspeaker import ir
from lawspeaker.bots import bot, reply, seat_seed
from lawspeaker.lab.record import game_seed
from lawspeaker.lab.statistics import Estimate, Mean, share
from lawspeaker.machine import RuleFault
from lawspeaker.match import Match


@dataclass(frozen=True, slots=True)
class Played:
    """One game, boiled down. `trail` stands for all that was asked, offered and scored.

    `broke`: the rules have a hole, and the game stopped there.
    """

    number: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    trail: int
    broke: bool = False


def play(program: ir.Program, players: int, seed: int, number: int, bots: Sequence[str]) -> Played:
    own = game_seed(seed, number)
    seats = [bot(name, seat_seed(own, seat)) for seat, name in enumerate(bots)]
    decisions = trail = 0
    try:
        match = Match(program, players, own)
        while decision := match.decision:
            assert decision.seat is not None
            decisions += 1
            step = f"{decision.seat} {decision.clause.id} {len(decision.options)} {match.scores}"
            trail = crc32(step.encode(), trail)
            match.choose(reply(seats[decision.seat], match, decision.seat), seat=decision.seat)
    except RuleFault as fault:
        trail = crc32(str(fault).encode(), trail)
        return Played(number, (0,) * players, (), decisions, trail, broke=True)
    trail = crc32(f"{match.scores} {match.winners}".encode(), trail)
    return Played(number, tuple(match.scores), tuple(match.winners), decisions, trail)


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


def effect(without: Iterable[Played], with_it: Iterable[Played], names: Sequence[str]) -> Effect:
    """What pairs of games say; `names` are those of the seats."""
    pairs = list(zip(without, with_it, strict=True))
    score, length = Mean(), Mean()
    scores, wins = [Mean() for _ in names], [Mean() for _ in names]
    differs = outcome = winner = broken = 0
    for one, other in pairs:
        assert one.number == other.number
        differs += one.trail != other.trail
        if one.broke or other.broke:
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


def _won(game: Played, seat: int) -> float:
    """A victory, or the share in one."""
    return 1 / len(game.winners) if seat in game.winners else 0.0
