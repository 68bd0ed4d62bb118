"""Plays a ladder of bots: each against the one below it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.requests import NotPossible
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.rules import Rules, program_of
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.proving import Bout, Won
from lawspeaker.study.lab.skill_ladder import Ladder, step


def laddered(
    rules: Rules, players: int, rungs: Sequence[str], seed: int, deals: int, crew: Crew
) -> Experiment[Ladder]:
    """The steps of a ladder, in so many deals each."""
    if len(set(rungs)) != len(rungs) or len(rungs) < 2:
        raise NotPossible("a ladder has two different bots at least, and each of them once")
    from lawspeaker.outside.workers import bouts_won

    sides = len(sides_of(program_of(rules), players))
    bouts = [Bout(bot, rival, players) for rival, bot in pairwise(rungs)]
    found: dict[Bout, list[Won]] = {each: [] for each in bouts}

    def known() -> Ladder:
        steps = (
            step(each.bot, each.rival, found[each], players, sides, len(bouts)) for each in bouts
        )
        return Ladder(players, sides, tuple(steps))

    played = bouts_won(rules, bouts, seed, [deals] * len(bouts), crew)
    for done, (bout, won) in enumerate(played, 1):
        found[bout].append(won)
        yield Progress(done, deals * len(bouts), known())
    return known()
