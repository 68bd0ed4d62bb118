"""Simulates many games, optionally until a precision is reached."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from lawspeaker.outside.experiments.requests import Setting
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.machines import tallies
from lawspeaker.outside.rules import Rules, module_folder, program_of
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.lab.games import Games, games_of
from lawspeaker.study.lab.rows import Rows, rows
from lawspeaker.study.lab.tally import Summary, Tally, tally

Sum = Callable[[Sequence[Games]], tuple[Tally, Rows]]

FIRST_ROUND = 100
"""Games before the first check of the precision."""
STEP = 50
"""Minimum growth between checks: one part in this many."""
NO_ROWS = Rows({})


@dataclass(frozen=True, slots=True)
class Simulated:
    """Summed results, and optionally a row per game."""

    tally: Tally
    rows: Rows


def simulate(
    setting: Setting, precision: float | None = None, *, each_game: bool = False
) -> Experiment[Simulated]:
    """Plays so many games, or until every share of victories has the wanted precision in
    percent.
    """
    program = program_of(setting.rules)
    sum_up = partial(summed, rules=setting.rules if each_game else None, seed=setting.seed)
    found = Simulated(tally(games_of(program, setting.players, ())), NO_ROWS)
    most, enough = setting.games, setting.games
    numbers = range(most if precision is None else min(FIRST_ROUND, most))
    while numbers:
        for some in _played(setting, numbers, sum_up, each_game=each_game):
            each = found.rows + some[1] if found.rows.columns else some[1]
            found = Simulated(found.tally + some[0], each)
            yield Progress(played_in(found.tally), enough, found)
        wanted = 1.0 if precision is None else precision / 100
        reached = found.tally.summary(program, setting.bots).precision
        numbers, enough = following(played_in(found.tally), most, reached, wanted)
    return found


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


def following(done: int, most: int, known: float, wanted: float) -> tuple[range, int]:
    """The numbers of games to play next, and the estimated total; an empty range if precise
    enough.

    Intervals narrow with the square root of the number of games. Estimates from few games may be
    far off, so the number grows in steps; it never depends on the workers.
    """
    if known <= wanted:
        return range(0), done
    guess = min(most, math.ceil(done * (known / wanted) ** 2))
    until = min(most, max(min(guess, 4 * done), done + done // STEP + 1))
    return range(done, until), max(guess, until)
