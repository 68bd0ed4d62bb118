"""Trains a policy by self-play with parallel workers.

In each round every worker starts from the same weights, plays games and updates its copy; then
the weights are averaged. So seed, number of games and number of workers determine the policy. The
result is a weighted average over all rounds in which later ones count more, which has less
variance than the last round.

Depending on the game, the effect of a choice shows soon, as points, or only at the end. So two
sets of hyperparameters are compared first in a part of the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lawspeaker import ir
from lawspeaker.base.diagnostics import Failure
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.host.instance import EVERYONE, Learning, Played
from lawspeaker.machines.compiled.runtime.policy_layout import WEIGHTS
from lawspeaker.machines.compiled.runtime.search_layout import HABITS
from lawspeaker.machines.purpose import GUIDED
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.rules import Rules, program_of
from lawspeaker.players.bots.policies import About, packed
from lawspeaker.position.layout import sides_of
from lawspeaker.position.rng import combine, word_of
from lawspeaker.position.standing import share_of_victory
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.statistics import Estimate, share

Weights = np.ndarray[Any, np.dtype[np.float64]]
Seats = Callable[[int], tuple[int, int]]

PULL = 0.05
"""Strength of regularisation towards the uniform policy in the first round; it decays in later
ones.
"""
FIRST_ROUND = 100
"""Games per worker in the first round, before their speed is known."""
ROUND_SECONDS = 3.0
ROUNDS = 60
"""Number of rounds if games are counted instead of time."""
TESTS = 400
"""Number of games that evaluate a policy."""
TRYING, TRIES = 0.06, 100
"""Part of the time for each set of hyperparameters, and number of games that compare them."""


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """Hyperparameters: initial step size, trace decay (lambda) over a seat's later choices, and
    the number of choices per game that are learned from.
    """

    rate: float
    lasting: float
    choices: int


SOON, LATE = Hyperparameters(3.0, 0.8, 150), Hyperparameters(1.0, 0.97, 40)
"""For games with early feedback, and for games decided at the end.

In the latter all choices of a game share its result, so more games tell more.
"""


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """A training task: rules, number of players, seed, objective (points or victory),
    hyperparameters.
    """

    rules: Rules
    players: int
    seed: int
    points: bool = False
    way: Hyperparameters = SOON

    @property
    def program(self) -> ir.Program:
        return program_of(self.rules)

    @property
    def aim(self) -> str:
        return "points" if self.points else "victory"

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return sides_of(self.program, self.players)

    def how(self, number: int) -> Learning:
        pull = PULL / (1 + number) ** 0.5
        victory = 0.0 if self.points else 1.0
        way = self.way
        return Learning(way.rate, pull, victory, 1.0, way.lasting, way.choices)


@dataclass(frozen=True, slots=True)
class Learned:
    """State of training: rounds, games and the averaged policy."""

    course: TrainingTask
    rounds: int
    games: int
    average: Weights
    habits: Weights = field(default_factory=lambda: np.zeros((HABITS, 2)))
    best: bool = False
    manner: str = "guided"
    pace: float = 1.0
    start: float = 0.0
    before: int = 0
    """Number of games of the policy that training started from."""
    aborted: Broken = field(default_factory=Broken)
    """Games that ended in a fault of the rules: nothing was learned from them."""

    @property
    def about(self) -> About:
        course, program = self.course, self.course.program
        told = program.name, program.digest, course.players, self.games, self.best, course.aim
        return About(
            *told, manner=self.manner, pace=self.pace, start=self.start, before=self.before
        )

    @property
    def content(self) -> bytes:
        return packed(self.about, self.average, self.habits)


class NoGameFinished(Failure):
    """All games of a round ended in a fault of the rules, so there is nothing to learn from."""

    def __init__(self, aborted: Broken) -> None:
        fault = aborted.holes[0].fault
        super().__init__(f"all {aborted.games:,} games aborted, the first with: {fault}")
        self.aborted = aborted

    def __reduce__(self) -> tuple[type[NoGameFinished], tuple[Broken]]:
        return NoGameFinished, (self.aborted,)


def blank(course: TrainingTask, start: Weights | None = None, before: int = 0) -> Learned:
    """Initial state: zero weights, or those of an earlier policy for a variant to start from."""
    return Learned(course, 0, 0, np.zeros(WEIGHTS) if start is None else start, before=before)


def weights_of(memory: bytes) -> Weights:
    """Extracts the weights from memory layout."""
    return np.frombuffer(memory, "<f8").reshape(WEIGHTS, 2)[:, 0].copy()


def tune_and_train(
    begun: Learned,
    crew: Crew,
    games: int | None,
    seconds: float,
    tell: Callable[[Learned], object] = lambda learned: None,
) -> Learned:
    """Trains briefly with each set of hyperparameters and continues with the better one.

    If only points count, victories cannot compare them, so the smaller steps are used. `tell` is
    called after each round, so that callers can stop.
    """
    if begun.course.points:
        return replace(begun, course=replace(begun.course, way=LATE))
    some = None if games is None else max(1, int(games * TRYING))
    found: list[tuple[float, Learned]] = []
    for way in (SOON, LATE):
        start = replace(begun, course=replace(begun.course, way=way))
        for learned in training(start, crew, some, seconds * TRYING):
            tell(learned)
        manners = (replace(learned, best=best) for best in (False, True))
        found.append((max(_worth(each, TRIES) for each in manners), learned))
    return max(found, key=lambda each: each[0])[1]


def training(begun: Learned, crew: Crew, games: int | None, seconds: float) -> Iterator[Learned]:
    """Yields the state after each round, until so many games are played or so much time is
    spent.
    """
    course, learned = begun.course, begun
    current = np.stack([begun.average, np.zeros(WEIGHTS)], axis=1)
    began, each = time.monotonic(), FIRST_ROUND
    if games is not None:
        each = max(1, -(-games // (ROUNDS * crew.hands)))
    while games is None or learned.games < games:
        round_began = time.monotonic()
        how, memory = course.how(learned.rounds), current.tobytes()
        first = learned.games
        jobs = [(course, how, memory, first + at * each, each) for at in range(crew.hands)]
        done = list(crew.spread(_learn, jobs))
        found = [np.frombuffer(weights, "<f8") for weights, _ in done]
        current = np.mean(found, axis=0).reshape(WEIGHTS, 2)
        part = 2 / (learned.rounds + 2)
        average = learned.average + part * (current[:, 0] - learned.average)
        learned = replace(
            learned,
            rounds=learned.rounds + 1,
            games=first + each * crew.hands,
            average=average,
            aborted=sum((aborted for _, aborted in done), learned.aborted),
        )
        enough = FIRST_ROUND if games is None else min(FIRST_ROUND, games)
        if learned.aborted.games == learned.games >= enough:
            raise NoGameFinished(learned.aborted)
        yield learned
        now = time.monotonic()
        if games is None:
            if now - began >= seconds:
                return
            took = (now - round_began) / each
            left = max(0.1, began + seconds - now)
            each = max(1, min(int(min(ROUND_SECONDS, left) / took), 8 * each))


def _learn(
    course: TrainingTask, how: Learning, memory: bytes, first: int, count: int
) -> tuple[bytes, Broken]:
    equip()
    instance = playing_instance(course.program, course.players, GUIDED)
    instance.guide(memory)
    weights, aborted = instance.learn(how, course.seed, first, count)
    return weights, Broken.of(aborted)


@dataclass(frozen=True, slots=True)
class Matched(Estimate):
    """Share of victories over finished games; `fair` is that of an untrained player."""

    games: int
    fair: float


def against_random(learned: Learned, games: int = TESTS) -> Matched:
    """Evaluates a policy against random players, from each seat in turn.

    In cooperative games all seats follow the policy; `fair` is then the share of random players
    in the same deals.
    """
    found = _matched(learned, games, lambda own: (own, own if learned.best else 0))
    if len(learned.course.sides) > 1:
        return found
    return replace(found, fair=_matched(learned, games, lambda own: (0, 0)).value)


def prefers_best(learned: Learned, games: int = TESTS) -> bool:
    """Whether the policy plays better greedily than by sampling, tested against sampling
    players.

    With hidden information a deterministic player can be exploited, so the result must be
    significant.
    """
    found = _matched(learned, games, lambda own: (EVERYONE, own))
    if len(learned.course.sides) == 1:
        return found.low > _matched(learned, games, lambda own: (EVERYONE, 0)).value
    return found.low > found.fair


def _worth(learned: Learned, games: int) -> float:
    """Result against random players: victories plus the lead, as a part of the points made.

    Victories alone saturate quickly.
    """
    course, worth = learned.course, 0.0
    others = max(1, len(course.sides) - 1)
    for seat, victory, played in _played(learned, games, lambda own: (own, own * learned.best)):
        side = next(each for each in course.sides if seat in each)
        own, every = sum(played.scores[each] for each in side), sum(played.scores)
        size = sum(map(abs, played.scores)) / course.players
        ahead = (own - (every - own) / others) / (1 + size)
        worth += victory + course.program.goal.worth * ahead
    return worth


def _matched(learned: Learned, games: int, seats: Seats) -> Matched:
    """Share of victories of one seat, or of a team."""
    won = [victory for _, victory, _ in _played(learned, games, seats)]
    found = share(sum(won), len(won))
    return Matched(found.value, found.low, found.high, len(won), 1 / len(learned.course.sides))


def _played(learned: Learned, games: int, seats: Seats) -> Iterator[tuple[int, float, Played]]:
    """Yields about so many games, seat by seat, with the seat's share of victory.

    In cooperative games all seats are one. `seats` maps the bits of a seat, or of all, to the
    seats that follow the policy and those that do so greedily.
    """
    course = learned.course
    players = course.players
    instance = playing_instance(course.program, players, GUIDED)
    memory = np.stack([learned.average, np.zeros(WEIGHTS)], axis=1).tobytes()
    together = len(course.sides) == 1
    whose = {0: (1 << players) - 1} if together else {each: 1 << each for each in range(players)}
    for seat, bits in whose.items():
        instance.guide(memory, *seats(bits))
        luck = combine(course.seed, word_of("test"))
        for played in instance.finished_games(luck, 0, -(-games // len(whose))):
            yield seat, share_of_victory(instance.layout, played.winners, seat), played
