"""Tally: exact sums over many games, which can be merged.

The result does not depend on who counted which games. A shared victory counts as a share for each
winning side and its members. `Use` compares players who choose something more often than average
in their game with those who do so less often; correlation, not causation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.position.layout import keepers_of, sides_of
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.choice_names import things, told
from lawspeaker.study.lab.exact_sums import Numbers, Sums, fitting, mean, means
from lawspeaker.study.lab.figures import SeatSummary, victory
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.measures import given, margin, own_measures
from lawspeaker.study.lab.statistics import Estimate, Mean, mean_of, share, times


@dataclass(frozen=True, slots=True)
class PointSource:
    """Points of a clause: per game and player, and its part of all points given."""

    clause: str
    points: Estimate
    part: float


@dataclass(frozen=True, slots=True)
class Use:
    """Statistics of a choosable thing.

    Uses per game, share of players who chose it in a game, and how far those who chose it more
    often are ahead in victories and points, over the `compared` games in which usage differs.
    """

    number: int
    """Index among choosable things, see `AllChoosable`."""
    question: str
    option: str
    times: float
    players: float
    compared: int
    wins: Estimate
    score: Estimate


@dataclass(frozen=True, slots=True)
class Own:
    """A measure that the rules define; `share`: it is boolean."""

    name: str
    found: Estimate
    share: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """Estimates over many games."""

    games: int
    seats: tuple[SeatSummary, ...]
    order: tuple[Estimate, ...]
    """Shares of victories of the seat first asked alone, and of those after it in turn; empty if
    none was.
    """
    margin: Estimate
    ties: Estimate
    draws: Estimate
    """Share of games that nobody wins."""
    leads: Estimate
    decisions: Estimate
    lengths: tuple[tuple[int, int], ...]
    """Histogram of decisions per game."""
    branching: float
    fired: tuple[tuple[str, float], ...]
    never: tuple[str, ...]
    sources: tuple[PointSource, ...]
    uses: tuple[Use, ...]
    goal: ir.Goal
    sides: int
    """Number of sides; a player without a team is a side alone."""
    broken: Broken
    """Aborted games; all else refers to the others."""
    measures: tuple[Own, ...] = ()
    """Measures that the rules define."""

    @property
    def fair(self) -> float:
        """Share of victories per side if all were equal."""
        return (1 - self.draws.value) / self.sides

    @property
    def starter(self) -> Estimate | None:
        """Share of victories of the seat first asked alone, if any."""
        return self.order[0] if self.order else None

    @property
    def together(self) -> Estimate | None:
        """Share of games won, in cooperative games."""
        if self.sides > 1:
            return None
        return Estimate(1 - self.draws.value, 1 - self.draws.high, 1 - self.draws.low)

    @property
    def scored(self) -> bool:
        """Whether points were ever scored."""
        return any(score for seat in self.seats for score, _ in seat.scores)

    @property
    def for_points(self) -> bool:
        """Whether points determine lead and victory."""
        return self.scored and self.goal is not ir.Goal.NAMED

    @property
    def precision(self) -> float:
        """Widest half interval among the seats' shares of victories."""
        return max(seat.wins.half for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Goes(Sums):
    """Sums of a choosable thing: uses, players, and leads of frequent over infrequent users."""

    times: int
    players: int
    wins: Mean
    score: Mean


@dataclass(frozen=True, slots=True)
class Tally(Sums):
    """Sums over finished games; `broke` has the others.

    By seat: `scores` as histograms, and `wins`, in units of a `victory`; likewise `order`, by
    position from the starter, over the games that somebody `started`. By clause: how often it
    `fired`, the `points` per player, and the absolute points `given`. By choosable thing: `uses`.
    """

    games: int
    scores: tuple[Counter[int], ...]
    wins: tuple[int, ...]
    order: tuple[int, ...]
    started: int
    margin: Mean
    ties: int
    draws: int
    leads: Mean
    lengths: Counter[int]
    options: int
    fired: tuple[int, ...]
    points: tuple[Mean, ...]
    given: tuple[int, ...]
    uses: tuple[Goes, ...]
    broke: Broken
    measures: tuple[Mean, ...] = ()
    """Measures that the rules define."""

    @property
    def starter(self) -> int:
        """Victories of the starter."""
        return self.order[0]

    def summary(self, program: ir.Program, bots: Sequence[str], among: float = 1) -> Summary:
        """Estimates for games between these bots, with the intervals of so many comparisons."""
        statements = (each for clause in program.clauses for each in everything(clause.body))
        asking = {each.clause for each in statements if isinstance(each, ir.Ask)}
        acting = [each for each in program.clauses if each.role == "rule" or each.index in asking]
        lengths, keepers = mean_of(self.lengths), keepers_of(program, len(bots))
        return Summary(
            self.games,
            tuple(
                self._seat(seat, program.player_names[seat], bot, keepers[seat], among)
                for seat, bot in enumerate(bots)
            ),
            tuple(share(each / victory(len(bots)), self.started, among) for each in self.order)
            if self.started
            else (),
            self.margin.estimate(among),
            share(self.ties, self.games, among),
            share(self.draws, self.games, among),
            times(self.leads, among),
            lengths.estimate(among),
            tuple(sorted(self.lengths.items())),
            self.options / max(lengths.total, 1),
            tuple(
                (each.id, self.fired[each.index] / self.games)
                for each in acting
                if self.fired[each.index]
            ),
            tuple(
                each.id
                for each in acting
                if not self.fired[each.index] and each.index != program.main
            ),
            self._sources(program, among),
            self._uses(program, len(bots), among),
            program.goal,
            len(sides_of(program, len(bots))),
            self.broke,
            tuple(
                Own(
                    each.name,
                    share(total.total, total.count, among) if each.share else total.estimate(among),
                    each.share,
                )
                for each, total in zip(own_measures(program), self.measures, strict=True)
            ),
        )

    def _seat(self, seat: int, name: str, bot: str, keeper: int, among: float) -> SeatSummary:
        wins = self.wins[seat] / victory(len(self.wins))
        return SeatSummary.of(name, bot, wins, self.games, self.scores[keeper], among)

    def _sources(self, program: ir.Program, among: float) -> tuple[PointSource, ...]:
        whole = sum(self.given)
        return tuple(
            PointSource(clause.id, points.estimate(among), given / whole)
            for clause, points, given in zip(program.clauses, self.points, self.given, strict=True)
            if given
        )

    def _uses(self, program: ir.Program, players: int, among: float) -> tuple[Use, ...]:
        found = []
        choosable = things(program, players)
        seen = [score for each in self.scores for score in each]
        apart = max(seen, default=0) - min(seen, default=0)
        pairs = list(zip(choosable.things, self.uses, strict=True))
        # An alternative that is always chosen with the same value is listed only with it.
        valued = {(each.clause, each.label, goes) for each, goes in pairs if each.part is not None}
        for number, (thing, goes) in enumerate(pairs):
            twice = thing.part is None and (thing.clause, thing.label, goes) in valued
            if goes.times and not twice:
                found.append(
                    Use(
                        number,
                        program.clauses[thing.clause].id,
                        told(choosable.layout, thing),
                        goes.times / self.games,
                        goes.players / (self.games * players),
                        goes.wins.count,
                        goes.wins.estimate(among, within=1),
                        goes.score.estimate(among, within=apart),
                    )
                )
        return tuple(found)


def tally(games: Games) -> Tally:
    """Sums over some games."""
    ended = games[games.ended]
    victories = ended.victories()
    victors = ended.victors
    started = ended.starter >= 0
    return Tally(
        len(ended),
        tuple(_counted(column) for column in ended.scores.T),
        tuple(int(each) for each in victories.sum(axis=0)),
        _in_order(victories[started], ended.starter[started]),
        int(np.count_nonzero(started)),
        mean(margin(ended)),
        int(np.count_nonzero(victors > 1)),
        int(np.count_nonzero(victors == 0)),
        mean(ended.leads),
        _counted(ended.decisions),
        int(ended.options.sum(dtype=np.int64)),
        tuple(int(each) for each in ended.clauses.sum(axis=0, dtype=np.int64)),
        _points(ended),
        tuple(int(each) for each in given(ended).sum(axis=0)),
        _goes(ended, victories),
        Broken.of(games.faults),
        tuple(mean(column) for column in ended.measures.T),
    )


def _in_order(victories: Numbers, starter: Numbers) -> tuple[int, ...]:
    """Victories of the starter, and of those after it in turn."""
    games, players = victories.shape
    rows = np.arange(games)
    return tuple(
        int(victories[rows, (starter + after) % players].sum()) for after in range(players)
    )


def _counted(values: Numbers) -> Counter[int]:
    found, times = np.unique(values, return_counts=True)
    return Counter(dict(zip(found.tolist(), times.tolist(), strict=True)))


def _points(games: Games) -> tuple[Mean, ...]:
    """Points by clause; clauses without any are skipped for speed."""
    found = [Mean(len(games), unit=games.players)] * games.points.shape[1]
    giving = np.flatnonzero(games.points.any(axis=(0, 2)))
    points = games.points[:, giving].sum(axis=2, dtype=np.int64)
    for clause, each in zip(
        giving, means(points, np.ones(points.shape, bool), games.players), strict=True
    ):
        found[clause] = each
    return tuple(found)


def _goes(games: Games, victories: Numbers) -> tuple[Goes, ...]:
    """Uses by choosable thing; unused ones are skipped for speed."""
    found = [Goes(0, 0, Mean(), Mean())] * games.uses.shape[1]
    chosen = np.flatnonzero(games.uses.any(axis=(0, 2)))
    uses = games.uses[:, chosen].astype(np.int64)
    total = uses.sum(axis=2)
    usual = total[:, :, None]
    more, less = games.players * uses > usual, games.players * uses < usual
    sums = (
        total.sum(axis=0).tolist(),
        np.count_nonzero(uses, axis=(0, 2)).tolist(),
        _ahead(more, less, victories, victory(games.players)),
        _ahead(more, less, games.scores, 1),
    )
    for thing, *each in zip(chosen, *sums, strict=True):
        found[thing] = Goes(*each)
    return tuple(found)


def _ahead(
    more: NDArray[np.bool_], less: NDArray[np.bool_], values: Numbers, unit: int
) -> list[Mean]:
    """For each thing, the mean lead of some players of a game over others.

    The mean of m players with sum J, minus that of n with sum K, is J / m - K / n; in a unit
    divisible by m and n, these are integers.
    """
    players = values.shape[1]
    whole = victory(players)

    def average(who: NDArray[np.bool_]) -> Numbers:
        theirs = sum(who[:, :, seat] * values[:, seat, None] for seat in range(players))
        parts = whole // np.maximum(who.sum(axis=2), 1).astype(fitting(whole))
        return np.asarray(theirs * parts)

    return means(average(more) - average(less), np.asarray(more.any(axis=2)), whole * unit)
