"""Many games, until there are enough."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from lawspeaker.outside.experiments.steps import Experiment, Step
from lawspeaker.outside.experiments.wishes import Setting
from lawspeaker.outside.machines import tallies
from lawspeaker.outside.rules import Rules, module_folder, program_of
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.lab.games import Games, games_of
from lawspeaker.study.lab.rows import Rows, rows
from lawspeaker.study.lab.tally import Summary, Tally, tally

Sum = Callable[[Sequence[Games]], tuple[Tally, Rows]]

FIRST_ROUND = 100
"""With a wanted precision, so many games are played before they are first looked at."""
STEP = 50
"""And then a 50th more at least, before they are looked at again."""
NO_ROWS = Rows({})


@dataclass(frozen=True, slots=True)
class Simulated:
    """Many games summed up, and one by one; without any columns, if that was not wanted."""

    tally: Tally
    rows: Rows


def simulate(
    setting: Setting, precision: float | None = None, *, each_game: bool = False
) -> Experiment[Simulated]:
    """Plays so many games; with a precision only until every share of victories is known to so many
    percent."""
    program = program_of(setting.rules)
    sum_up = partial(summed, rules=setting.rules if each_game else None, seed=setting.seed)
    found = Simulated(tally(games_of(program, setting.players, ())), NO_ROWS)
    most, enough = setting.games, setting.games
    numbers = range(most if precision is None else min(FIRST_ROUND, most))
    while numbers:
        for some in _played(setting, numbers, sum_up, each_game=each_game):
            each = found.rows + some[1] if found.rows.columns else some[1]
            found = Simulated(found.tally + some[0], each)
            yield Step(played_in(found.tally), enough, found)
        wanted = 1.0 if precision is None else precision / 100
        reached = found.tally.summary(program, setting.bots).precision
        numbers, enough = following(played_in(found.tally), most, reached, wanted)
    return found


def _played(
    setting: Setting, numbers: range, sum_up: Sum, *, each_game: bool
) -> Iterable[tuple[Tally, Rows]]:
    """Games by the handful. Those between random players are added up where they are played, unless
    somebody asks for each of them."""
    program, players, machine = program_of(setting.rules), setting.players, setting.machine
    added = None
    if not each_game and not setting.crew.cluster and set(setting.bots) == {RANDOM}:
        hands, folder = setting.crew.hands, module_folder()
        added = tallies(machine, program, players, setting.seed, numbers, hands, folder)
    if added is not None:
        return ((each, NO_ROWS) for each in added)
    # Here and not above: it takes long to import.
    from lawspeaker.outside.workers import sums

    return sums([setting.rules], setting.table, numbers, sum_up, setting.crew)


def played_in(tally: Tally) -> int:
    """How many games are counted in it."""
    return tally.games + tally.broke.games


def summed(games: Sequence[Games], rules: Rules | None, seed: int) -> tuple[Tally, Rows]:
    """The tally of some games, and with their rules a row for each of them."""
    (played,) = games
    each = NO_ROWS if rules is None else rows(played, program_of(rules), seed)
    return tally(played), each


def needed(summary: Summary, wanted: float) -> int:
    """How many games it would take, about, by what is known."""
    played = summary.games + summary.broken.games
    return math.ceil(played * (summary.precision / wanted) ** 2)


def following(done: int, most: int, known: float, wanted: float) -> tuple[range, int]:
    """The games to play next, none if all is known as well as wanted, and how many it takes in all.

    Intervals narrow with the root of the number of games. A guess from few games may be far off,
    so the number grows in steps; it never depends on the workers.
    """
    if known <= wanted:
        return range(0), done
    guess = min(most, math.ceil(done * (known / wanted) ** 2))
    until = min(most, max(min(guess, 4 * done), done + done // STEP + 1))
    return range(done, until), max(guess, until)
