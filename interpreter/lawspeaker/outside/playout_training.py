"""Trains initial playout-policy tables (habits) in self-play.

A bot that thinks as `mc` learns at each choice anew which replies do well in its playouts (see
`compiled/playouts/playout_policy`). Here whole games are played, deal after deal, starting from the
tables of the deals before. Older counts decay, as they were seen among weaker players.

A reply is keyed by numbers of pieces and places, so tables are valid only for exactly the same
rules and number of players.
"""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np

from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.runtime.search_layout import HABITS
from lawspeaker.machines.purpose import GUIDED
from lawspeaker.match.match import Match
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.training import Learned, TrainingTask, Weights
from lawspeaker.players.bots.policies import Policy, habits_in_memory, habits_of, unpacked
from lawspeaker.players.bots.trials import OptionTrial, Worlds
from lawspeaker.position.fault import OutOfMemory, RuleFault
from lawspeaker.position.rng import RngFactory, combine, word_of

DEALS = 40
"""Number of deals, each with an equal part of the playouts or of the time."""
FADING = 0.9
"""Decay factor of counts from one deal to the next."""
FIRST = 100
"""Playouts of the first deal, before their speed is known."""


def practised(learned: Learned, playouts: int | None, seconds: float) -> Weights:
    """Trains habit tables: how often each was followed, and its advantage over the average, in
    total.

    Stops after so many playouts, or after so many seconds. The policy is not used.
    """
    equip()
    policy, course = unpacked(learned.content, "it"), learned.course
    seed, habits = combine(course.seed, word_of("practising")), np.zeros((HABITS, 2))
    began, done = time.monotonic(), 0
    for deal in range(DEALS):
        each = FIRST if playouts is None else playouts // DEALS
        if playouts is None and done:
            spent = time.monotonic() - began
            each = int((seconds - spent) / (DEALS - deal) * done / spent)
        with suppress(RuleFault, OutOfMemory):
            habits, played = _gone_on(course, policy, combine(seed, deal), FADING * habits, each)
            done += played
    return habits


def _gone_on(
    course: TrainingTask, policy: Policy, seed: int, habits: Weights, playouts: int
) -> tuple[Weights, int]:
    """Continues the habit tables with playouts from one deal; returns also the number of
    playouts.

    Each option of the first question gets equally many.
    """
    match = Match(course.program, course.players, seed >> 1)
    decision = match.decision
    if decision is None or decision.seat is None:
        return habits, 0
    practice = habits_in_memory(habits)
    view = match.view(decision.seat)
    worlds = Worlds(view, habits=True, practice=practice, policy=policy, guided=False)
    instance = playing_instance(course.program, course.players, GUIDED)
    trials, luck, played = (
        [OptionTrial(at) for at in range(len(decision.options))],
        RngFactory(seed).stream("practising"),
        0,
    )
    while not played or played < playouts:
        rounds = max(1, (playouts - played) // len(trials))
        played += worlds.play(trials, luck.word(), rounds) * len(trials)
    return habits_of(instance.habits()), played
