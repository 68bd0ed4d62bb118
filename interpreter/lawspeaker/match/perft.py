"""Counting the tree of a game: how many ways there are to play so many decisions.

Luck is asked like any other decision: each outcome that can be told apart is a branch. Secret
choices of several players are taken one after the other, so every combination is counted. A game
that is over before the depth is reached counts as no way of that depth; `games` counts the ends.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.match.match import Match


def perft(program: ir.Program, players: int, depth: int) -> int:
    """How many sequences of exactly `depth` decisions the game allows."""
    return _below(Match(program, players, 0, "ask"), depth)


def divide(program: ir.Program, players: int, depth: int) -> dict[str, int]:
    """The same, for each first decision."""
    match = Match(program, players, 0, "ask")
    found: dict[str, int] = {}
    decision = match.decision
    for option in decision.options if decision is not None else ():
        after = match.copy()
        after.choose(option)
        found[option.text] = _below(after, depth - 1)
    return found


def _below(match: Match, depth: int) -> int:
    if depth <= 0:
        return 1
    decision = match.decision
    if decision is None:
        return 0
    if depth == 1:
        return len(decision.options)
    total = 0
    for option in decision.options:
        after = match.copy()
        after.choose(option)
        total += _below(after, depth - 1)
    return total


def games(program: ir.Program, players: int) -> int:
    """How many whole games there are. Positions met again are counted once and remembered."""
    known: dict[str, int] = {}

    def ends(match: Match) -> int:
        decision = match.decision
        if decision is None:
            return 1
        key = match.situation
        if key not in known:
            total = 0
            for option in decision.options:
                after = match.copy()
                after.choose(option)
                total += ends(after)
            known[key] = total
        return known[key]

    return ends(Match(program, players, 0, "ask"))
