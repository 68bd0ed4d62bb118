"""How long one thinks in a manner, held against `mc`: so that both can be given the same time
without a clock. An edge.

A choice takes a while before anything is tried, and then so long for each try: in a short game most
of the time may be gone before the first one. Both are measured, with a small and a large effort, at
choices from all of a game, since playouts get shorter towards its end. It is the time that the
process itself gets, and at each choice all manners take turns: whatever slows the machine down
slows all of them.
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
from lawspeaker.outside.equipment import equip
from lawspeaker.outside.training import Course, Learned
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
from lawspeaker.position.fault import OutOfRoom, RuleFault
from lawspeaker.position.luck import combine, word_of

LIGHTLY = 20
"""With so many playouts the game is played from which the choices are."""
FEWEST_CHOICES, MOST_CHOICES = 6, 32
"""At so many choices it is measured: the large effort is such that there should be time for the
fewest."""
LEAST, MOST = 24, 200
"""The large effort, in playouts; the small one is a quarter of it."""
DEAREST = 40
"""As long as so many times the large effort of `mc` all manners take together, at worst."""
AGAIN = 2
"""So often the same is measured, and the shorter time counts: what disturbs only takes longer."""
TRYING = 0.1
"""At least this part of the time of a large effort is taken to be for tries, whatever is measured:
else one who seems to need none would get any number of them."""
INSTANT = 1e-9


@dataclass(frozen=True, slots=True)
class Cost:
    """The seconds that a choice takes before the first try, and those for each."""

    start: float
    each: float


@dataclass(frozen=True, slots=True)
class Paces:
    """What a choice costs in each manner, and how many choices a game has."""

    costs: Mapping[str, Cost]
    choices: int

    def with_manner(self, learned: Learned, manner: str) -> Learned:
        """One who thinks in this manner for as long as `mc`."""
        if manner == PLAIN:
            return replace(learned, manner=PLAIN, pace=1.0, start=0.0)
        return replace(learned, manner=manner, pace=self.pace(manner), start=self.start(manner))

    def pace(self, manner: str) -> float:
        """How many tries take as long as a playout of `mc`."""
        return min(FASTEST, max(1 / FASTEST, self._plain.each / self.costs[manner].each))

    def start(self, manner: str) -> float:
        """How many playouts of `mc` take as long as it takes longer before the first try."""
        longer = (self.costs[manner].start - self._plain.start) / self._plain.each
        return min(SLOWEST, max(-SLOWEST, longer))

    def game(self, playouts: int) -> float:
        """How many seconds all think in a game, with so many playouts of `mc` for a choice."""
        return self.choices * (self._plain.start + self._plain.each * playouts)

    @property
    def _plain(self) -> Cost:
        return self.costs[PLAIN]


@dataclass(slots=True)
class _Sums:
    """How many tries there were at choices with the same effort, and how long they took."""

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
    """What each manner costs, found out in about so long: at first with as many tries for all, and
    then with as many as should take the same time. So little is left to luck where tries take next
    to no time."""
    equip()
    course, began = learned.course, time.monotonic()
    for guided in (False, True):  # to compile is no thinking
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
    """What each manner costs, by its effort and a quarter of it."""
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
    """By a straight line through what two efforts took."""
    each = (many.seconds - few.seconds) / max(1, many.tries - few.tries)
    each = max(INSTANT, each, TRYING * many.seconds / max(1, many.tries))
    return Cost(max(0.0, few.seconds - each * few.tries) / max(1, few.choices), each)


def _choices(course: Course, seconds: float) -> tuple[list[View], float]:
    """The choices of a game, and how long a playout took. It is played on without thinking after
    so long."""
    match = Match(course.program, course.players, combine(course.seed, word_of("pacing")) >> 1)
    thinking, views, spent = MonteCarloBot("mc", 1, Effort(LIGHTLY)), list[View](), 0.0
    careless, until = RandomBot(1), time.monotonic() + seconds
    with suppress(RuleFault, OutOfRoom):
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
    """So many, from all of the game, and in any order: wherever one stops, what came before is from
    all of the game, too. Of a short game each comes several times."""
    order = sorted(range(count), key=lambda at: combine(word_of("pacing"), at))
    return [views[at * len(views) // count] for at in order] if views else []
