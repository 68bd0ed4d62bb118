"""Habits that players of imagined matches can begin with: got in very many of them. An edge.

Whoever thinks as `mc` does finds out for each choice anew which replies do well, in as many
playouts as there are (see `compiled/playouts/habits`). Here whole games are played, deal after
deal, in which everyone goes on with the habits of those before. What was seen long ago fades: it
was seen among players who knew less.

A reply is known by numbers that its rules give to pieces and places, so habits are of use for the
very same rules and players only.
"""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np

from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.runtime.tree import HABITS
from lawspeaker.machines.purpose import GUIDED
from lawspeaker.match.match import Match
from lawspeaker.outside.equipment import equip
from lawspeaker.outside.training import Course, Learned, Weights
from lawspeaker.players.bots.policies import Policy, habits_in_memory, habits_of, unpacked
from lawspeaker.players.bots.trials import Trial, Worlds
from lawspeaker.position.fault import OutOfRoom, RuleFault
from lawspeaker.position.luck import Luck, combine, word_of

DEALS = 40
"""From so many deals, each with the same part of the playouts or of the time."""
FADING = 0.9
"""So much of what was seen before a deal counts after it."""
FIRST = 100
"""So many playouts of the first deal, before it is known how long they take."""


def practised(learned: Learned, playouts: int | None, seconds: float) -> Weights:
    """Of each habit how often it was followed and how much better that did than is usual, in all:
    after so many playouts, or after so long. Nobody goes by the policy."""
    equip()
    policy, course = unpacked(learned.content, "it"), learned.course
    seed, habits = combine(course.seed, word_of("practising")), np.zeros((HABITS, 2))
    began, done = time.monotonic(), 0
    for deal in range(DEALS):
        each = FIRST if playouts is None else playouts // DEALS
        if playouts is None and done:
            spent = time.monotonic() - began
            each = int((seconds - spent) / (DEALS - deal) * done / spent)
        with suppress(RuleFault, OutOfRoom):
            habits, played = _gone_on(course, policy, combine(seed, deal), FADING * habits, each)
            done += played
    return habits


def _gone_on(
    course: Course, policy: Policy, seed: int, habits: Weights, playouts: int
) -> tuple[Weights, int]:
    """The habits after about so many playouts from one deal, and how many there were: each option
    of the first question is tried as often."""
    match = Match(course.program, course.players, seed >> 1)
    decision = match.decision
    if decision is None or decision.seat is None:
        return habits, 0
    practice = habits_in_memory(habits)
    view = match.view(decision.seat)
    worlds = Worlds(view, habits=True, practice=practice, policy=policy, guided=False)
    instance = playing_instance(course.program, course.players, GUIDED)
    trials, luck, played = (
        [Trial(at) for at in range(len(decision.options))],
        Luck(seed).stream("practising"),
        0,
    )
    while not played or played < playouts:
        rounds = max(1, (playouts - played) // len(trials))
        played += worlds.play(trials, luck.word(), rounds) * len(trials)
    return habits_of(instance.habits()), played
