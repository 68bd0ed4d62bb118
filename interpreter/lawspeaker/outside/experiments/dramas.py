"""Measures when games are decided, by playouts after every decision."""

from __future__ import annotations

from lawspeaker.outside.experiments.requests import NotPossible, Setting
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.rules import MatchSetup, Rules, make_ready, program_of
from lawspeaker.study.lab.drama import Drama, NothingOpen, drama
from lawspeaker.study.lab.outlook import GameOutlook, game_outlook

PLAYOUTS = 100
"""Playouts of a position."""
SHOWN_EVERY = 10
"""Games between partial results."""


def dramas(setting: Setting, playouts: int = PLAYOUTS) -> Experiment[Drama]:
    """The course of so many games. Raises NotPossible if they say nothing about it."""
    games: list[GameOutlook] = []
    jobs = [(setting.rules, setting.table, number, playouts) for number in setting.numbers]
    for each in setting.crew.spread(_played, jobs):
        games.append(each)
        known = _known(games, playouts) if len(games) % SHOWN_EVERY == 0 else None
        yield Progress(len(games), setting.games, known)
    try:
        return drama(games, playouts)
    except NothingOpen as error:
        raise NotPossible(str(error)) from None


def _known(games: list[GameOutlook], playouts: int) -> Drama | None:
    try:
        return drama(games, playouts)
    except NothingOpen:
        return None


def _played(rules: Rules, table: MatchSetup, number: int, playouts: int) -> GameOutlook:
    make_ready()
    program = program_of(rules)
    return game_outlook(program, len(table.bots), table.seed, number, table.bots, playouts)
