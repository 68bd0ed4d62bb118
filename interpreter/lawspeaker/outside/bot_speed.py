"""Measures what a choice costs in each manner of thinking, relative to `mc`.

So manners can be given equal time without a clock. The cost of a choice is a fixed start-up time
plus a time per playout; in short games the start-up may dominate. Both are measured with a small
and a large effort, at choices from a whole game, since playouts get shorter towards its end. Time
is process time, and all manners take turns at each choice, so that other load affects all alike.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.purpose import Purpose
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.training import Learned, TrainingTask
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from lawspeaker.players.bots.policies import (
    FASTEST,
    MANNERS,
    PLAIN,
    SLOWEST,
    Policy,
    lent,
    unpacked,
)
from lawspeaker.players.bots.simple import RandomBot
from lawspeaker.position.fault import OutOfMemory, RuleFault
from lawspeaker.position.rng import combine, word_of

LIGHTLY = 20
"""Playouts per choice in the game that the sampled choices come from."""
FEWEST_CHOICES, MOST_CHOICES = 6, 32
"""Choices to measure at: the large effort is set so that there should be time for the fewest."""
LEAST, MOST = 24, 200
"""Bounds of the large effort, in playouts; the small one is a quarter of it."""
DEAREST = 40
"""Upper estimate of the cost of all manners together, in large efforts of `mc`."""
AGAIN = 2
"""Repetitions of each measurement; the minimum counts, as disturbances only add time."""
TRYING = 0.1
"""Minimum part of the time of a large effort that is attributed to playouts.

Otherwise a manner whose playouts seem free would get any number of them.
"""
INSTANT = 1e-9


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds before the first playout of a choice, and seconds per playout."""

    start: float
    each: float


@dataclass(frozen=True, slots=True)
class Paces:
    """Cost of a choice in each manner, and the number of choices of a game."""

    costs: Mapping[str, Cost]
    choices: int

    def with_manner(self, learned: Learned, manner: str) -> Learned:
        """Sets the manner of a policy, with as many playouts as take the time of `mc`."""
        if manner == PLAIN:
            return replace(learned, manner=PLAIN, pace=1.0, start=0.0)
        return replace(learned, manner=manner, pace=self.pace(manner), start=self.start(manner))

    def pace(self, manner: str) -> float:
        """Number of playouts in the time of one playout of `mc`."""
        return min(FASTEST, max(1 / FASTEST, self._plain.each / self.costs[manner].each))

    def start(self, manner: str) -> float:
        """Extra start-up time, in playouts of `mc`."""
        longer = (self.costs[manner].start - self._plain.start) / self._plain.each
        return min(SLOWEST, max(-SLOWEST, longer))

    def game(self, playouts: int) -> float:
        """Seconds of thinking in a game, with this many playouts of `mc` per choice."""
        return self.choices * (self._plain.start + self._plain.each * playouts)

    @property
    def _plain(self) -> Cost:
        return self.costs[PLAIN]


@dataclass(slots=True)
class _Sums:
    """Totals over choices with the same effort: number, playouts and seconds."""

    choices: int = 0
    tries: int = 0
    seconds: float = 0.0

    def measure(self, view: View, effort: int, file: str) -> None:
        took = []
        for _ in range(AGAIN):
            bot = MonteCarloBot("mc", self.choices, Effort(effort), file)
            began = time.process_time()
            bot.choose(view)
            took.append(time.process_time() - began)
        self.seconds += min(took)
        self.tries += bot.tries
        self.choices += 1


def measured(learned: Learned, seconds: float) -> Paces:
    """Measures the cost of each manner within about so many seconds.

    A first pass uses equal playouts for all; the second uses playouts that should take equal
    time, which reduces noise where playouts are very fast.
    """
    equip()
    course, began = learned.course, time.monotonic()
    for guided in (False, True):  # compile before measuring
        playing_instance(course.program, course.players, Purpose(guided=guided))
    views, playout = _choices(course, seconds / 4)
    most = int(seconds / 4 / max(INSTANT, FEWEST_CHOICES * DEAREST * playout))
    effort = min(MOST, max(LEAST, most))
    policy = unpacked(learned.content, "it")
    first = _costs(policy, views, dict.fromkeys(MANNERS, effort), began + seconds / 2)
    paces = Paces(first, len(views))
    efforts = {
        manner: max(effort // 4, paces.with_manner(learned, manner).about.tries(effort))
        for manner in MANNERS
    }
    return Paces(_costs(policy, views, efforts, began + seconds), len(views))


def _costs(
    policy: Policy, views: Sequence[View], efforts: Mapping[str, int], until: float
) -> dict[str, Cost]:
    """Cost of each manner, from its effort and a quarter of it."""
    sums = {manner: [_Sums(), _Sums()] for manner in efforts}
    for number, view in enumerate(_spread(views, MOST_CHOICES)):
        if number and time.monotonic() > until:
            break
        for manner, effort in efforts.items():
            about = replace(policy.about, manner=manner, pace=1.0, start=0.0)
            with lent(replace(policy, about=about)) as file:
                for each, part in zip(sums[manner], (1, 4), strict=True):
                    each.measure(view, effort // part, file)
    return {manner: _cost(*both) for manner, both in sums.items()}


def _cost(many: _Sums, few: _Sums) -> Cost:
    """Fits a line through the times of two efforts."""
    each = (many.seconds - few.seconds) / max(1, many.tries - few.tries)
    each = max(INSTANT, each, TRYING * many.seconds / max(1, many.tries))
    return Cost(max(0.0, few.seconds - each * few.tries) / max(1, few.choices), each)


def _choices(course: TrainingTask, seconds: float) -> tuple[list[View], float]:
    """Samples the choices of a game and the time of a playout; plays randomly after so many
    seconds.
    """
    match = Match(course.program, course.players, combine(course.seed, word_of("pacing")) >> 1)
    thinking, views, spent = MonteCarloBot("mc", 1, Effort(LIGHTLY)), list[View](), 0.0
    careless, until = RandomBot(1), time.monotonic() + seconds
    with suppress(RuleFault, OutOfMemory):
        while decision := match.decision:
            assert decision.seat is not None
            view, began = match.view(decision.seat), time.process_time()
            if time.monotonic() < until:
                option = thinking.choose(view)
                spent += time.process_time() - began
            else:
                option = careless.choose(view)
            if len(decision.options) > 1:
                views.append(view)
            match.choose(option, seat=decision.seat)
    return views, spent / max(1, thinking.tries)


def _spread(views: Sequence[View], count: int) -> list[View]:
    """Samples so many views across the game in shuffled order, so that any prefix covers it.

    Views of a short game repeat.
    """
    order = sorted(range(count), key=lambda at: combine(word_of("pacing"), at))
    return [views[at * len(views) // count] for at in order] if views else []
