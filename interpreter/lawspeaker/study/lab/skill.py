"""Skill: how much better those do who think than those who take any option.

One who thinks is seated against random players, and each deal is played once from every side, so
that neither seats nor luck favour anybody. What he wins is told as a part of what could be won at
all: 0 is what a random player would win, a fair share, and 1 is every game. A game in which
thinking is worth much leaves less to luck: it can decide at most what is left to 1. At most, since
somebody who thinks better may win still more.

The unit is a deal, not a game: the games of one deal have their luck in common.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lawspeaker import ir
from lawspeaker.position.layout import sides_of
from lawspeaker.position.luck import combine, word_of
from lawspeaker.study.lab.exact_sums import Numbers, mean
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.measures import SKILL, Means, Measure
from lawspeaker.study.lab.sweep import Swept


def skill_of(bot: str) -> Measure:
    """The measure, which names who thinks."""
    return Measure(f"{SKILL}:{bot}", SKILL, share=True)


def won_by_thinking(
    program: ir.Program, bot: str, players: int, seed: int, deals: range
) -> tuple[Numbers, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """By deal, what one who thinks wins beyond his fair share, from all sides together, in parts of
    `unit`; and which deals were played to their end from every side."""
    sides, whole = sides_of(program, players), victory(players)
    won = np.full(len(deals), -whole, np.int64)
    nobodys = whole // len(sides) if len(sides) > 1 else 0
    ended = np.ones(len(deals), bool)
    own_luck = combine(seed, word_of(SKILL))
    for side in sides:
        names = [bot if seat in side else "random" for seat in range(players)]
        games = play_games(program, players, own_luck, deals, names)
        # What nobody wins, all have their part of, unless there was nobody to win against.
        won += np.where(games.victors == 0, nobodys, games.victories()[:, side[0]])
        ended &= games.ended
    return won, ended


def unit(program: ir.Program, players: int) -> int:
    """How many parts all that can be won beyond a fair share has."""
    return victory(players) * max(1, len(sides_of(program, players)) - 1)


def skills(
    programs: Sequence[ir.Program],
    bots: Sequence[str],
    players: int,
    seed: int,
    deals: range,
    reference: int,
) -> Swept:
    """Sums over these deals: the skill of each bot by each of the rules, and by how much it is
    another one than by those of reference, deal by deal."""
    found = [
        [won_by_thinking(program, bot, players, seed, deals) for bot in bots]
        for program in programs
    ]
    units = [unit(program, players) for program in programs]

    def level(at: int) -> Means:
        return tuple(mean(won[ended], units[at]) for won, ended in found[at])

    def change(at: int) -> Means:
        pairs = zip(found[reference], found[at], strict=True)
        return tuple(
            mean((now - was)[before & after], units[at]) for (was, before), (now, after) in pairs
        )

    every = range(len(programs))
    return Swept(0, tuple(map(level, every)), tuple(map(change, every)), ())


def beside(found: Swept, skill: Swept) -> Swept:
    """The measures of games, and behind them those of skill."""
    return Swept(
        found.games,
        tuple(one + other for one, other in zip(found.measures, skill.measures, strict=True)),
        tuple(one + other for one, other in zip(found.changes, skill.changes, strict=True)),
        found.broke,
    )
