"""Sums over games, added up where they are played: so that no record has to travel.

After each game a thread adds what the lab's tally is made of to words of 64 bits that all threads
share (`Layout`): whole numbers, so the order does not matter and nothing is lost. There are some
copies of them, so that not all threads wait for the same word. A game that does not fit, since it
is longer than there is room for or its numbers are larger, is not added, but noted: whoever adds up
the rest does that one elsewhere. With more players than `MOST_PLAYERS` the parts of a victory, and
the squares of what they come to, would be too large for these words.
"""

from __future__ import annotations

from itertools import accumulate
from math import lcm

from lawspeaker.machines.compiled import Compiled
from lawspeaker.machines.native.kernel import COPIES, ODD
from lawspeaker.machines.native.sources import text_of

__all__ = ["COPIES", "ODD", "can_sum", "layout", "text"]

MOST_PLAYERS = 6
LENGTHS = 2048
"""Games of fewer decisions have room."""
LOWEST, SCORES = -512, 2048
"""The lowest score that has room, and how many there are."""
LIMIT = 1 << 16
"""What is squared is no larger."""
MOST_GAMES = 1 << 30
"""So many games may be added up before the words are looked at: 30 bits and twice 16 have room."""


def whole(players: int) -> int:
    """A victory, in parts that any number of winners can share evenly."""
    return lcm(*range(1, players + 1))


def can_sum(compiled: Compiled) -> bool:
    return compiled.purpose.watching and compiled.layout.players <= MOST_PLAYERS


def layout(compiled: Compiled) -> dict[str, slice]:
    """Which words tell what. `points` and what is said of things that can be chosen have a word for
    each clause or thing."""
    players, clauses = compiled.layout.players, compiled.plan.clause_count
    things = compiled.plan.choosable.size
    sizes = {
        "games": 1,
        "wins": players,
        "starter": 1,
        "started": 1,
        "margin": 2,
        "ties": 1,
        "draws": 1,
        "leads": 2,
        "options": 1,
        "fired": clauses,
        "points": clauses,
        "points_squared": clauses,
        "points_given": clauses,
        "times": things,
        "choosers": things,
        "compared": things,
        "ahead": things,
        "ahead_squared": things,
        "more": things,
        "more_squared": things,
        "lengths": LENGTHS,
        "scores": SCORES * players,
    }
    ends = accumulate(sizes.values())
    return {
        name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)
    }


def text(compiled: Compiled) -> str:
    """The function that adds a game to the sums, or says that it does not fit."""
    if not can_sum(compiled):
        return "#define SUMS 0u\nDEVICE bool sum_up(GAME, u64 *sums) { return false; }\n"
    places, columns = layout(compiled), compiled.columns
    sides, worth = compiled.layout.sides, compiled.layout.program.goal.worth
    numbers = {
        "SUMS": max(each.stop for each in places.values()),
        "CLAUSES": compiled.plan.clause_count,
        "THINGS": compiled.plan.choosable.size,
        "PARTS": whole(compiled.layout.players),
        "SIDES": len(sides),
        "LENGTHS": LENGTHS,
        "SCORES": SCORES,
        **{f"R_{name.upper()}": each.start for name, each in columns.items()},
        **{f"S_{name.upper()}": each.start for name, each in places.items()},
    }
    victors = " + ".join(f"(won >> {side[0]} & 1)" for side in sides)
    worths = "".join(
        f"worths[{at}] = {worth} * ({' + '.join(f'scores[{seat}]' for seat in side)}); "
        for at, side in enumerate(sides)
    )
    return "\n".join(
        [
            *(f"#define {name} {value}" for name, value in numbers.items()),
            f"#define LOWEST ({LOWEST})",
            f"#define LARGE(value) ((value) > {LIMIT} || (value) < -{LIMIT})",
            f"#define VICTORS ({victors})",
            f"#define WORTHS {worths}",
            text_of("card/sum_up.cuh"),
        ]
    )
