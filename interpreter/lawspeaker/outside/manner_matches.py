"""Selects the manner of search for a learned policy, by matches against `mc` at equal time.

Whether to follow the policy in playouts, or to cut them off at the value estimate, depends on the
game. Each manner takes a seat against `mc` in all others, with as many playouts as take the same
time (see `bot_speed`); those that win less are dropped by successive halving. If there is too
little time for all, only the manners with the most playouts take part. The winner of a selection
is biased upwards, so it plays fresh games for at least as long again, and is used only if it wins
significantly more than a fair share of these: else the manner is `plain`, which equals `mc`. That
is also the result where games take too long to show anything: then none is played. Their duration
is known for `mc` against itself only; games that take too long are aborted and count for nobody.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from lawspeaker.match.match import Match
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.bot_speed import MOST, Paces, measured
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.training import Learned, TrainingTask
from lawspeaker.players.bots import seat_seed
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from lawspeaker.players.bots.policies import MANNERS, PLAIN, lent, unpacked
from lawspeaker.position.fault import OutOfMemory, RuleFault
from lawspeaker.position.layout import layout_for
from lawspeaker.position.rng import combine, word_of
from lawspeaker.position.standing import share_of_victory
from lawspeaker.study.lab.statistics import Estimate, share

PACING, PROVING = 0.1, 0.5
"""Maximum part of the time for measuring speeds, and minimum part for the final proof."""
DEALS = 2
"""Minimum deals per manner for which there must be time."""
WANTED = ((300, 50), (40, 12))
"""Targets of games and minimum playouts of `mc` per choice, in order of preference."""
FEWEST_GAMES = 8
"""Minimum games of the final proof, whatever time they take."""
SOONER = 10
"""Games that would take this many times longer than the time left are not tried."""


@dataclass(slots=True)
class MannerTally:
    """Results of one manner: games and victories, playouts in the time of one of `mc` (`pace`),
    and the serialised policy (`content`).
    """

    manner: str
    pace: float
    content: bytes
    games: int = 0
    victories: float = 0.0

    @property
    def share(self) -> float:
        return self.victories / max(1, self.games)


@dataclass(frozen=True, slots=True)
class BestManner:
    """The policy with its best manner, and the share it won of its final games, if any were
    played.
    """

    learned: Learned
    games: int = 0
    playouts: int = 0
    won: Estimate | None = None


def best_manner(learned: Learned, crew: Crew, seconds: float) -> BestManner:
    """Selects a manner within about so many seconds."""
    return _Trying(learned, crew).found(seconds)


class _Trying:
    def __init__(self, learned: Learned, crew: Crew) -> None:
        self.learned = learned
        self.crew = crew
        self.number = 0
        self.playouts = MOST
        self.patience = 0.0
        self.deals = -(-crew.hands // learned.course.players)
        """Number of deals in parallel, to keep all workers busy."""

    def found(self, seconds: float) -> BestManner:
        began = time.monotonic()
        paces = measured(self.learned, seconds * PACING)
        for games, fewest in WANTED:
            room = seconds * self.crew.hands / games
            while self.playouts > fewest and paces.game(self.playouts) > room:
                self.playouts //= 2
        dropping = seconds * (1 - PACING - PROVING)
        deal = self.learned.course.players * paces.game(self.playouts) / self.crew.hands
        rivals = [
            MannerTally(manner, paces.pace(manner), paces.with_manner(self.learned, manner).content)
            for manner in _by_pace(paces)[: max(1, int(dropping / (DEALS * deal)))]
        ]
        proving = seconds * PROVING if len(rivals) > 1 else seconds * (1 - PACING)
        self.patience = proving * min(self.crew.hands, FEWEST_GAMES) / FEWEST_GAMES
        if paces.game(self.playouts) > self.patience * SOONER:
            return BestManner(paces.with_manner(self.learned, PLAIN))
        best = self._best_of(rivals, time.monotonic(), began + seconds * (1 - PROVING))
        last = replace(best, games=0, victories=0.0)
        while last.games < FEWEST_GAMES or time.monotonic() < began + seconds:
            self._play([last] * self.deals)
        won = share(last.victories, last.games)
        fair = 1 / len(self.learned.course.sides)
        if fair == 1:  # cooperative: compare with a team of `mc`
            plain = MannerTally(PLAIN, 1.0, paces.with_manner(self.learned, PLAIN).content)
            while plain.games < last.games:
                self._play([plain] * self.deals)
            fair = plain.share
        better = won.low > fair
        manner = last.manner if better else PLAIN
        return BestManner(paces.with_manner(self.learned, manner), last.games, self.playouts, won)

    def _best_of(self, rivals: list[MannerTally], start: float, end: float) -> MannerTally:
        """Successive halving over time; ties go to the manner with more playouts."""
        alive = rivals
        while len(alive) > 1:
            for at in range(0, len(alive), self.deals):
                self._play(alive[at : at + self.deals])
                if time.monotonic() >= end:
                    break
            left = min(1.0, max(0.0, (end - time.monotonic()) / max(1e-9, end - start)))
            # Manners without a game come after those that lost.
            alive.sort(key=lambda each: (each.games > 0, each.share, each.pace), reverse=True)
            alive = alive[: max(1, int(len(rivals) ** left))]
        return alive[0]

    def _play(self, some: Sequence[MannerTally]) -> None:
        """Plays the next deals, one for each tally, from every seat."""
        course = self.learned.course
        jobs, whose = [], []
        for each in some:
            for number in range(self.number, self.number + course.players):
                jobs.append((course, each.content, number, self.playouts, self.patience))
                whose.append(each)
            self.number += course.players
        for tally, victory in zip(whose, self.crew.spread(duel, jobs), strict=True):
            tally.games += 1
            tally.victories += victory


def _by_pace(paces: Paces) -> list[str]:
    """All manners but the plain one, those with the most playouts in the same time first."""
    return sorted(MANNERS.keys() - {PLAIN}, key=lambda each: (-paces.pace(each), each))


def duel(
    course: TrainingTask, content: bytes, number: int, playouts: int, patience: float = inf
) -> float:
    """Plays a game with the policy in one seat against `mc`; returns its share of victory.

    Playouts are scaled to equal time. In cooperative games all seats use the policy. Faults and
    games that exceed `patience` CPU seconds count as won by nobody.
    """
    equip()
    policy, players = unpacked(content, "it"), course.players
    deal, own = divmod(number, players)
    layout = layout_for(course.program, players)
    together = len(layout.sides) == 1
    seed, until = combine(course.seed, word_of("trying")), time.process_time() + patience
    with lent(policy) as file:
        bots = [
            MonteCarloBot("mc", seat_seed(combine(seed, number), seat), Effort(playouts), theirs)
            for seat, theirs in enumerate(
                file if together or at == own else None for at in range(players)
            )
        ]
        try:
            match = Match(course.program, players, combine(seed, deal) >> 1)
            while (decision := match.decision) and time.process_time() < until:
                assert decision.seat is not None
                option = bots[decision.seat].choose(match.view(decision.seat))
                match.choose(option, seat=decision.seat)
            won = match.winners
        except (RuleFault, OutOfMemory):
            won = ()
    return share_of_victory(layout, won, own)
