"""Whether a game is small enough to be worked out.

How many ways there are to play a game is estimated from a few games in which everyone takes any
option: the product of how many options there were is, on average, that number (Knuth's estimate).
In games in which nothing is hidden many ways lead to the same position, so there may be more.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.match.determinization import unseen
from lawspeaker.match.match import Match
from lawspeaker.match.perft import opening
from lawspeaker.position.luck import Luck

SAMPLES = 20
MOST_WAYS, MOST_WAYS_OPEN = 200_000, 100_000_000
"""So many ways to play a small game has at most; where nothing is hidden, so many."""


class NotSmall(Exception):
    """A game is too large to be worked out."""


def looks_small(program: ir.Program, players: int) -> bool:
    """Whether it is worth while to begin."""
    luck = Luck(1).stream("size")
    ways, all_open = 0, True
    for _ in range(SAMPLES):
        match, product = opening(program, players), 1
        while (decision := match.decision) is not None and product <= MOST_WAYS_OPEN * SAMPLES:
            product *= len(decision.options)
            all_open = all_open and is_open(match)
            match.choose(luck.choose(decision.options))
        ways += product
    return ways <= SAMPLES * (MOST_WAYS_OPEN if all_open else MOST_WAYS)


def is_open(match: Match) -> bool:
    """Whether those who are asked now see everything there is, and answer one at a time."""
    decisions = match.decisions
    if len(decisions) > 1 or any(each.kind == "together" for each in decisions):
        return False
    return all(each.seat is None or not unseen(match.view(each.seat)).open for each in decisions)
