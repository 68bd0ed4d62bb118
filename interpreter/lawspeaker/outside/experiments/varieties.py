"""Measures how different games are."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.outside.experiments.requests import NotPossible, Setting
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.rules import MatchSetup, Rules, make_ready, program_of
from lawspeaker.study.lab.variety import FEWEST, Course, TooFew, Variety, course, variety

SHOWN_EVERY = 10
"""Games between partial results."""


def varieties(setting: Setting, panel: Sequence[str]) -> Experiment[Variety]:
    """The variety of so many games. Raises NotPossible if they say nothing about it."""
    games: list[Course] = []
    jobs = [(setting.rules, setting.table, number, tuple(panel)) for number in setting.numbers]
    for each in setting.crew.spread(_played, jobs):
        games.append(each)
        enough = len(games) % SHOWN_EVERY == 0
        ended = sum(not game.fault and bool(game.replies) for game in games)
        known = variety(games, panel) if enough and ended >= FEWEST else None
        yield Progress(len(games), setting.games, known)
    try:
        return variety(games, panel)
    except TooFew as error:
        raise NotPossible(str(error)) from None


def _played(rules: Rules, table: MatchSetup, number: int, panel: tuple[str, ...]) -> Course:
    make_ready()
    program = program_of(rules)
    return course(program, len(table.bots), table.seed, number, table.bots, panel)
