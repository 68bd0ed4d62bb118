"""Many records, summed up: what is known so far can be asked for at any time.

A shared victory counts as a share for each winner. `Use` says how those fare who choose to do
something with a piece of a kind, against those who do not in the same games; that one goes with
the other does not make it the cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.lab.record import Record
from lawspeaker.lab.statistics import Estimate, Mean, share


@dataclass(frozen=True, slots=True)
class SeatSummary:
    name: str
    bot: str
    wins: Estimate
    score: Estimate
    deviation: float
    scores: tuple[tuple[int, int], ...]
    """Every score it had, lowest first, and in how many games."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a clause gives: points a game and player, and its part of all points given."""

    clause: str
    points: Estimate
    part: float


@dataclass(frozen=True, slots=True)
class Use:
    """A kind of piece: times chosen a game, the share of players who chose it in a game, and how
    far these were ahead (in wins and in score) of those who did not."""

    piece: str
    kind: str
    times: float
    players: float
    wins: Estimate
    score: Estimate


@dataclass(frozen=True, slots=True)
class Summary:
    games: int
    seats: tuple[SeatSummary, ...]
    starter: Estimate
    """The share of victories of whoever was asked first; a fair one is 1 / players."""
    margin: Estimate
    ties: Estimate
    leads: Estimate
    decisions: Estimate
    lengths: tuple[tuple[int, int], ...]
    """Every number of decisions that a game had, lowest first, and how many games had it."""
    branching: float
    fired: tuple[tuple[str, float], ...]
    never: tuple[str, ...]
    sources: tuple[Source, ...]
    uses: tuple[Use, ...]

    @property
    def precision(self) -> float:
        """The widest half interval among the seats' shares of victories."""
        return max(seat.wins.half for seat in self.seats)


@dataclass(slots=True)
class _Goes:
    """How users of a kind do against those who leave it, over the games that have both."""

    times: int = 0
    players: int = 0
    wins: Mean = field(default_factory=Mean)
    score: Mean = field(default_factory=Mean)


@dataclass(slots=True)
class Tally:
    """Takes records in the order of their numbers."""

    program: ir.Program
    players: int
    bots: Sequence[str]
    games: int = 0
    scores: list[Mean] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    starter: float = 0.0
    margin: Mean = field(default_factory=Mean)
    leads: Mean = field(default_factory=Mean)
    decisions: Mean = field(default_factory=Mean)
    seen: list[Counter[int]] = field(default_factory=list)
    lengths: Counter[int] = field(default_factory=Counter)
    ties: int = 0
    options: int = 0
    fired: Counter[int] = field(default_factory=Counter)
    points: dict[int, Mean] = field(default_factory=dict)
    kinds: dict[tuple[int, int], _Goes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scores = [Mean() for _ in range(self.players)]
        self.wins = [0.0] * self.players
        self.seen = [Counter() for _ in range(self.players)]

    def add(self, record: Record) -> None:
        self.games += 1
        won = [0.0] * self.players
        for seat in record.winners:
            won[seat] = 1 / len(record.winners)
        for seat, score in enumerate(record.scores):
            self.scores[seat].add(score)
            self.seen[seat][score] += 1
            self.wins[seat] += won[seat]
        self.starter += won[record.starter]
        best, *rest = sorted(record.scores, reverse=True)
        self.margin.add(best - rest[0] if rest else 0)
        self.ties += len(record.winners) > 1
        self.leads.add(record.leads)
        self.decisions.add(record.decisions)
        self.lengths[record.decisions] += 1
        self.options += record.options
        for clause, times in record.clauses:
            self.fired[clause] += times
        self._add_points(record)
        self._add_uses(record, won)

    def _add_points(self, record: Record) -> None:
        given: Counter[int] = Counter()
        for clause, _, points in record.points:
            given[clause] += points
        for clause in given.keys() - self.points.keys():
            # It gave nothing in all the games before.
            self.points[clause] = Mean(self.games - 1)
        for clause, mean in self.points.items():
            mean.add(given[clause] / self.players)

    def _add_uses(self, record: Record, won: Sequence[float]) -> None:
        users: dict[tuple[int, int], set[int]] = {}
        for piece, kind, seat, times in record.uses:
            users.setdefault((piece, kind), set()).add(seat)
            self.kinds.setdefault((piece, kind), _Goes()).times += times
        for key, seats in users.items():
            goes = self.kinds[key]
            goes.players += len(seats)
            others = [seat for seat in range(self.players) if seat not in seats]
            if others:
                goes.wins.add(_ahead(won, seats, others))
                goes.score.add(_ahead(record.scores, seats, others))

    def summary(self) -> Summary:
        clauses = self.program.clauses
        acting = [each for each in clauses if each.role in ("rule", "window")]
        games = max(self.games, 1)
        return Summary(
            self.games,
            tuple(
                SeatSummary(
                    self.program.player_names[seat],
                    self.bots[seat],
                    share(self.wins[seat], self.games),
                    self.scores[seat].estimate(),
                    self.scores[seat].deviation,
                    tuple(sorted(self.seen[seat].items())),
                )
                for seat in range(self.players)
            ),
            share(self.starter, self.games),
            self.margin.estimate(),
            share(self.ties, self.games),
            self.leads.estimate(),
            self.decisions.estimate(),
            tuple(sorted(self.lengths.items())),
            self.options / max(self.decisions.mean * self.games, 1),
            tuple(
                (each.id, self.fired[each.index] / games)
                for each in acting
                if self.fired[each.index]
            ),
            tuple(
                each.id
                for each in acting
                if not self.fired[each.index] and each.index != self.program.main
            ),
            self._sources(),
            self._uses(games),
        )

    def _sources(self) -> tuple[Source, ...]:
        whole = sum(abs(mean.mean) for mean in self.points.values())
        return tuple(
            Source(self.program.clauses[clause].id, mean.estimate(), abs(mean.mean) / whole)
            for clause, mean in sorted(self.points.items())
            if mean.mean
        )

    def _uses(self, games: int) -> tuple[Use, ...]:
        found = []
        for (piece, kind), goes in sorted(self.kinds.items()):
            of = self.program.pieces[piece]
            found.append(
                Use(
                    of.name,
                    of.kinds[kind].name,
                    goes.times / games,
                    goes.players / (games * self.players),
                    goes.wins.estimate(),
                    goes.score.estimate(),
                )
            )
        return tuple(found)


def _ahead(values: Sequence[float], some: set[int], others: Sequence[int]) -> float:
    """By how much some are ahead of the others, on average."""
    return sum(values[seat] for seat in some) / len(some) - sum(
        values[seat] for seat in others
    ) / len(others)
