"""Skill: the advantage of a searching bot over random players.

The bot plays against random players, each deal once from every side, to cancel seat and luck. Its
excess victories are scaled: 0 is a fair share, as of a random player, and 1 is every game. The
rest to 1 is an upper bound on the influence of luck, since a better bot may win still more. The
unit is a deal, not a game: the games of one deal share their luck.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lawspeaker import ir
from lawspeaker.position.layout import sides_of
from lawspeaker.position.rng import combine, word_of
from lawspeaker.study.lab.exact_sums import Numbers, mean
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.measures import SKILL, Means, Measure
from lawspeaker.study.lab.sweep import Swept


def skill_of(bot: str) -> Measure:
    """The skill measure of a bot."""
    return Measure(f"{SKILL}:{bot}", SKILL, share=True)


def won_by_thinking(
    program: ir.Program, bot: str, players: int, seed: int, deals: range
) -> tuple[Numbers, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """By deal, the bot's excess victories over all sides, in units of `unit`, and a mask of
    complete deals.
    """
    sides, whole = sides_of(program, players), victory(players)
    won = np.full(len(deals), -whole, np.int64)
    nobodys = whole // len(sides) if len(sides) > 1 else 0
    ended = np.ones(len(deals), bool)
    own_luck = combine(seed, word_of(SKILL))
    for side in sides:
        names = [bot if seat in side else "random" for seat in range(players)]
        games = play_games(program, players, own_luck, deals, names)
        # Draws are shared, unless there is only one side.
        won += np.where(games.victors == 0, nobodys, games.victories()[:, side[0]])
        ended &= games.ended
    return won, ended


def unit(program: ir.Program, players: int) -> int:
    """Number of units of the maximum excess."""
    return victory(players) * max(1, len(sides_of(program, players)) - 1)


def skills(
    programs: Sequence[ir.Program],
    bots: Sequence[str],
    players: int,
    seed: int,
    deals: range,
    reference: int,
) -> Swept:
    """Sums over deals: the skill of each bot by each of the rules, and its paired change from
    reference.
    """
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
    """Appends the sums of skill to those of other measures."""
    return Swept(
        found.games,
        tuple(one + other for one, other in zip(found.measures, skill.measures, strict=True)),
        tuple(one + other for one, other in zip(found.changes, skill.changes, strict=True)),
        found.broke,
    )
