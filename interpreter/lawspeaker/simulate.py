"""Many games, and what they say: shares, means and how sure one can be of them.

Game number i is played with a seed made of the simulation's seed and i, and by bots with seeds of
their own, so a result does not depend on how the games are spread over workers. `play_game` plays
one and boils it down to a `Record`; a `Tally` takes records in the order of their numbers and
gives a `Summary`.

Intervals are 95 %: for means the normal one, for shares Wilson's, which stays sensible near 0
and 1. A shared victory counts as a share for each winner.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.bots import bot, reply, seat_seed
from lawspeaker.luck import combine, word_of
from lawspeaker.machine.count import CountingMachine
from lawspeaker.match import Match

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Record:
    """One game, boiled down."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    options: int
    clauses: tuple[tuple[int, int], ...]


def game_seed(seed: int, number: int) -> int:
    """The seed of game `number` of a simulation."""
    return combine(seed, word_of("game"), number) >> 1


@lru_cache(maxsize=8)
def _machine(program: Held, players: int) -> CountingMachine:
    return CountingMachine(program.program, players)


class Held:
    """A program as a key: the same object, not an equal one."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.program is other.program

    def __hash__(self) -> int:
        return id(self.program)


def play_game(
    program: ir.Program, players: int, seed: int, number: int, bots: Sequence[str]
) -> Record:
    own = game_seed(seed, number)
    machine = _machine(Held(program), players)
    machine.taken()
    match = Match.from_state(program, machine.start(own), machine=machine)
    seats = [bot(name, seat_seed(own, seat)) for seat, name in enumerate(bots)]
    decisions = options = 0
    while decision := match.decision:
        assert decision.seat is not None
        decisions += 1
        options += len(decision.options)
        option = reply(seats[decision.seat], match, decision.seat)
        match.choose(option, seat=decision.seat)
    fired = enumerate(machine.taken())
    return Record(
        number,
        tuple(match.scores),
        tuple(match.winners),
        decisions,
        options,
        tuple((clause, times) for clause, times in fired if times),
    )


# ---------------------------------------------------------------- statistics


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(slots=True)
class Mean:
    """A running mean (Welford's way, so that large numbers do not swallow small ones)."""

    count: int = 0
    mean: float = 0.0
    spread: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self.spread += step * (value - self.mean)

    @property
    def deviation(self) -> float:
        return math.sqrt(self.spread / (self.count - 1)) if self.count > 1 else 0.0

    def estimate(self) -> Estimate:
        if self.count < 2:
            return Estimate(self.mean, -math.inf, math.inf)
        half = Z95 * self.deviation / math.sqrt(self.count)
        return Estimate(self.mean, self.mean - half, self.mean + half)


def share(successes: float, count: int) -> Estimate:
    """Wilson's interval for a share."""
    if count == 0:
        return Estimate(0.0, 0.0, 1.0)
    part = successes / count
    square = Z95 * Z95
    middle = (part + square / (2 * count)) / (1 + square / count)
    half = Z95 / (1 + square / count)
    half *= math.sqrt(part * (1 - part) / count + square / (4 * count * count))
    return Estimate(part, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, slots=True)
class SeatSummary:
    name: str
    bot: str
    wins: Estimate
    score: Estimate
    deviation: float


@dataclass(frozen=True, slots=True)
class Summary:
    games: int
    seats: tuple[SeatSummary, ...]
    margin: Estimate
    ties: Estimate
    decisions: Estimate
    branching: float
    fired: tuple[tuple[str, float], ...]
    never: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """Takes records in order, and can be asked for what is known so far at any time."""

    program: ir.Program
    players: int
    bots: Sequence[str]
    games: int = 0
    scores: list[Mean] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    margin: Mean = field(default_factory=Mean)
    decisions: Mean = field(default_factory=Mean)
    ties: int = 0
    options: int = 0
    asked: int = 0
    fired: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.scores = [Mean() for _ in range(self.players)]
        self.wins = [0.0] * self.players

    def add(self, record: Record) -> None:
        self.games += 1
        for seat, score in enumerate(record.scores):
            self.scores[seat].add(score)
        for seat in record.winners:
            self.wins[seat] += 1 / len(record.winners)
        best, *rest = sorted(record.scores, reverse=True)
        self.margin.add(best - rest[0] if rest else 0)
        self.ties += len(record.winners) > 1
        self.decisions.add(record.decisions)
        self.asked += record.decisions
        self.options += record.options
        for clause, times in record.clauses:
            self.fired[clause] += times

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
                )
                for seat in range(self.players)
            ),
            self.margin.estimate(),
            share(self.ties, self.games),
            self.decisions.estimate(),
            self.options / max(self.asked, 1),
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
        )
