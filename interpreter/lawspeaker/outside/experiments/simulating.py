"""Simulates many games, optionally until a precision is reached."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from lawspeaker.outside.experiments.requests import Setting
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.machines import on_card, tallies
from lawspeaker.outside.rules import Rules, module_folder, program_of
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.lab.games import Games, games_of
from lawspeaker.study.lab.rows import Rows, rows
from lawspeaker.study.lab.sequential import PILOT, Look, expected, first_look, next_look
from lawspeaker.study.lab.tally import Summary, Tally, tally

Sum = Callable[[Sequence[Games]], tuple[Tally, Rows]]

NO_ROWS = Rows({})


@dataclass(frozen=True, slots=True)
class Simulated:
    """Summed results, and optionally a row per game; `look` says what intervals to take."""

    tally: Tally
    rows: Rows
    look: Look


def simulate(
    setting: Setting, precision: float | None = None, *, each_game: bool = False
) -> Experiment[Simulated]:
    """Plays so many games, or until every share of victories has the wanted precision in
    percent.
    """
    program = program_of(setting.rules)
    sum_up = partial(summed, rules=setting.rules if each_game else None, seed=setting.seed)
    most, wanted = setting.games, None if precision is None else precision / 100
    look = first_look(most, wanted)
    found = Simulated(tally(games_of(program, setting.players, ())), NO_ROWS, look)
    numbers, enough = range(look.games), most
    while numbers:
        for part in _parts(numbers, setting.machine):
            for some in _played(setting, part, sum_up, each_game=each_game):
                each = found.rows + some[1] if found.rows.columns else some[1]
                found = Simulated(found.tally + some[0], each, look)
                yield Progress(played_in(found.tally), enough, found)
        reached = found.tally.summary(program, setting.bots, look.among).precision
        enough = max(expected(look, reached, wanted, most), look.games)
        following = next_look(look, reached, wanted, most)
        numbers, look = range(look.games, following.games), following
    return found


def _parts(numbers: range, machine: str) -> Iterable[range]:
    """The first games apart: with them everything is loaded, the others say how fast it goes."""
    first = 0 if numbers.start or on_card(machine) else min(PILOT, len(numbers))
    return (each for each in (numbers[:first], numbers[first:]) if each)


def _played(
    setting: Setting, numbers: range, sum_up: Sum, *, each_game: bool
) -> Iterable[tuple[Tally, Rows]]:
    """Plays games in batches. Random games are summed where they are played, unless rows are
    wanted.
    """
    program, players, machine = program_of(setting.rules), setting.players, setting.machine
    added = None
    if not each_game and not setting.crew.cluster and set(setting.bots) == {RANDOM}:
        hands, folder = setting.crew.hands, module_folder()
        added = tallies(machine, program, players, setting.seed, numbers, hands, folder)
    if added is not None:
        return ((each, NO_ROWS) for each in added)
    # Imported lazily, since the import is slow.
    from lawspeaker.outside.workers import sums

    return sums([setting.rules], setting.table, numbers, sum_up, setting.crew)


def played_in(tally: Tally) -> int:
    """Number of games in a tally, including broken ones."""
    return tally.games + tally.broke.games


def summed(games: Sequence[Games], rules: Rules | None, seed: int) -> tuple[Tally, Rows]:
    """The tally of some games, and with their rules a row for each."""
    (played,) = games
    each = NO_ROWS if rules is None else rows(played, program_of(rules), seed)
    return tally(played), each


def needed(summary: Summary, wanted: float) -> int:
    """Estimated number of games for a precision."""
    played = summary.games + summary.broken.games
    return math.ceil(played * (summary.precision / wanted) ** 2)
