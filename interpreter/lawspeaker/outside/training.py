"""Learning a game by playing it: rounds of games that a policy plays against itself. An edge.

In each round every worker goes on from the same weights, plays games of its own and learns from
them; then their weights are averaged. So the same seed, games and workers give the same policy,
wherever they work. What is kept in the end is an average over all rounds in which later ones count
more: it is steadier than the last one.

Whether a choice was good shows soon in one game, when points are made, and in another only at the
end. So it is tried first which way of learning gets further in a part of the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lawspeaker import ir
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.host.instance import EVERYONE, Learning, Played
from lawspeaker.machines.compiled.runtime.policy_room import WEIGHTS
from lawspeaker.machines.compiled.runtime.tree import HABITS
from lawspeaker.machines.purpose import GUIDED
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.equipment import equip
from lawspeaker.outside.rules import Rules, program_of
from lawspeaker.players.bots.policies import About, packed
from lawspeaker.position.layout import sides_of
from lawspeaker.position.luck import combine, word_of
from lawspeaker.position.standing import share_of_victory
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.statistics import Estimate, share

Weights = np.ndarray[Any, np.dtype[np.float64]]
Seats = Callable[[int], tuple[int, int]]

PULL = 0.05
"""How strongly a policy is drawn to taking any option, in the first round; less in later ones."""
FIRST_ROUND = 100
"""So many games a worker plays before it is known how long they take."""
ROUND_SECONDS = 3.0
ROUNDS = 60
"""Where games are counted and not minutes, they are played in so many rounds."""
TESTS = 400
"""So many games tell how well a policy plays."""
TRYING, TRIES = 0.06, 100
"""This part of the time each way of learning is tried, and so many games tell what came of it."""


@dataclass(frozen=True, slots=True)
class Way:
    """How large the first steps are, which become smaller by themselves; how much of what comes
    after a seat's next choice counts for a choice, and so on for later ones; and from about how
    many choices of a game it is learned."""

    rate: float
    lasting: float
    choices: int


SOON, LATE = Way(3.0, 0.8, 150), Way(1.0, 0.97, 40)
"""For games in which it shows soon what a choice was worth, and for those in which it does not:
there all choices of a game have its result in common, and other games tell more."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is to be learned: the rules, for how many players, with which seed, whether only points
    count, and not who wins, and which way."""

    rules: Rules
    players: int
    seed: int
    points: bool = False
    way: Way = SOON

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
    """How far it is: so many rounds and games, and the policy as it is now."""

    course: Course
    rounds: int
    games: int
    average: Weights
    habits: Weights = field(default_factory=lambda: np.zeros((HABITS, 2)))
    best: bool = False
    manner: str = "guided"
    pace: float = 1.0
    start: float = 0.0
    before: int = 0
    """From how many games that was learned from which it goes on."""
    aborted: Broken = field(default_factory=Broken)
    """Games of these that ended in a fault of the rules: nothing was learned from them."""

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


class NoGameFinished(Exception):
    """All games of a round ended in a fault of the rules, so there is nothing to learn from."""

    def __init__(self, aborted: Broken) -> None:
        fault = aborted.holes[0].fault
        super().__init__(f"all {aborted.games:,} games aborted, the first with: {fault}")
        self.aborted = aborted

    def __reduce__(self) -> tuple[type[NoGameFinished], tuple[Broken]]:
        return NoGameFinished, (self.aborted,)


def blank(course: Course, start: Weights | None = None, before: int = 0) -> Learned:
    """Nothing was learned yet; or what was learned before, from so many games, for a variant to
    start from."""
    return Learned(course, 0, 0, np.zeros(WEIGHTS) if start is None else start, before=before)


def weights_of(memory: bytes) -> Weights:
    """The weights alone, of weights as they lie in memory."""
    return np.frombuffer(memory, "<f8").reshape(WEIGHTS, 2)[:, 0].copy()


def tried(
    begun: Learned,
    crew: Crew,
    games: int | None,
    seconds: float,
    tell: Callable[[Learned], object] = lambda learned: None,
) -> Learned:
    """What comes of a part of the games or the time, the way that gets further. Where only points
    count it cannot be told by who wins: then small steps are safer. `tell` is told of each round,
    for whoever stops it."""
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
    """Round after round, until so many games are played or so much time is spent."""
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
    course: Course, how: Learning, memory: bytes, first: int, count: int
) -> tuple[bytes, Broken]:
    equip()
    instance = playing_instance(course.program, course.players, GUIDED)
    instance.guide(memory)
    weights, aborted = instance.learn(how, course.seed, first, count)
    return weights, Broken.of(aborted)


@dataclass(frozen=True, slots=True)
class Matched(Estimate):
    """The share of victories in so many games; those that aborted are not among them. `fair`: what
    it would be without having learned anything."""

    games: int
    fair: float


def against_random(learned: Learned, games: int = TESTS) -> Matched:
    """How often one who plays by the policy wins against random players, from each seat in turn.
    Where all play together, how often they win if all play by it; `fair` is then how often random
    players win the same deals."""
    found = _matched(learned, games, lambda own: (own, own if learned.best else 0))
    if len(learned.course.sides) > 1:
        return found
    return replace(found, fair=_matched(learned, games, lambda own: (0, 0)).value)


def prefers_best(learned: Learned, games: int = TESTS) -> bool:
    """Whether the policy plays better if it takes the best option than any by its probability: one
    who does so is put among others who do not. Where something is hidden, who always does the same
    can be seen through; so it must be clear."""
    found = _matched(learned, games, lambda own: (EVERYONE, own))
    if len(learned.course.sides) == 1:
        return found.low > _matched(learned, games, lambda own: (EVERYONE, 0)).value
    return found.low > found.fair


def _worth(learned: Learned, games: int) -> float:
    """What one who plays by the policy gets against random players: victories, and how far it is
    ahead, as a part of the points that are made. Soon nearly every game is won whichever way it was
    learned, but not by as much."""
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
    """The share of victories of one seat, or of all who play together."""
    won = [victory for _, victory, _ in _played(learned, games, seats)]
    found = share(sum(won), len(won))
    return Matched(found.value, found.low, found.high, len(won), 1 / len(learned.course.sides))


def _played(learned: Learned, games: int, seats: Seats) -> Iterator[tuple[int, float, Played]]:
    """About so many games, one seat after the other, with its share of the victory; where all play
    together, all are one. `seats` says for the bits of a seat, or of all, who plays by the policy,
    and who of them takes the best option."""
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
