"""Estimates whether a game is small enough to solve.

The number of leaves is estimated from random games: the product of the branching factors is an
unbiased estimate (Knuth). With open information many paths lead to the same position, so the
limit is higher.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.match.determinization import unseen
from lawspeaker.match.match import Match
from lawspeaker.match.perft import opening
from lawspeaker.position.rng import RngFactory

SAMPLES = 20
MOST_WAYS, MOST_WAYS_OPEN = 200_000, 100_000_000
"""Maximum leaves of a small game, with hidden and with open information."""


class NotSmall(Exception):
    """A game is too large to be solved."""


def looks_small(program: ir.Program, players: int) -> bool:
    """Whether solving is worth an attempt."""
    luck = RngFactory(1).stream("size")
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
    """Whether the seats to move have perfect information and answer one at a time."""
    decisions = match.decisions
    if len(decisions) > 1 or any(each.kind == "together" for each in decisions):
        return False
    return all(each.seat is None or not unseen(match.view(each.seat)).open for each in decisions)
