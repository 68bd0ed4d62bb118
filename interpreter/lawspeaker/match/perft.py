"""Counting the tree of a game: how many ways there are to play so many decisions.

Luck is asked like any other decision: each outcome that can be told apart is a branch. Secret
choices of several players are taken one after the other, so every combination is counted. A game
that is over before the depth is reached counts as no way of that depth; `games` counts the ends.

What could only be answered in one way asks nobody, and is no decision. With `forced` it is one, as
tables of such counts have it for games in which every move is a move.

Deep trees are counted by the compiled machine, thousands of situations a second, where one player
at a time decides; the reference machine counts all others, and gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker import ir
from lawspeaker.match.match import Match
from lawspeaker.position.fault import NoCompiledMachine

DEEP = 3
"""To make a module takes longer than to count a tree that is less deep."""


def opening(program: ir.Program, players: int) -> Match:
    """The beginning of a game in which luck is asked."""
    return Match(program, players, 0, "ask")


def perft(start: Match, depth: int, forced: bool = False, machine: str = "reference") -> int:
    """How many sequences of exactly `depth` decisions there are from a situation on. `machine` is
    reference or wasm; the latter counts what it can."""
    return _counted(start, depth - _forced(start, None, forced), forced, machine)


def divide(
    start: Match, depth: int, forced: bool = False, machine: str = "reference"
) -> dict[str, int]:
    """The same, for each first decision."""
    depth -= _forced(start, None, forced)
    return {
        text: _counted(after, left, forced, machine)
        for text, after, left in _steps(start, depth, forced)
    }


def _counted(match: Match, depth: int, forced: bool, machine: str) -> int:
    waits = match.decision is not None
    if machine == "wasm" and depth >= DEEP and waits and not match.program.always:
        try:
            from lawspeaker.machines.adapter import compiled_for

            instance = compiled_for(match.program, match.players).instance
            return instance.ways(match.state, depth, forced)
        except NoCompiledMachine:
            pass
    return _below(match, depth, forced)


def _below(match: Match, depth: int, forced: bool) -> int:
    if depth <= 0:
        return 1
    decision = match.decision
    if decision is None:
        return 0
    if depth == 1:
        return len(decision.options)
    return sum(_below(after, left, forced) for _, after, left in _steps(match, depth, forced))


def _steps(match: Match, depth: int, forced: bool) -> Iterator[tuple[str, Match, int]]:
    """Each decision that can be made, what comes after it, and how deep to go from there."""
    decision = match.decision
    for option in decision.options if decision is not None else ():
        after = match.copy()
        after.choose(option)
        yield option.text, after, depth - 1 - _forced(after, len(match.replies), forced)


def _forced(match: Match, reply: int | None, counted: bool) -> int:
    """How many answers were given by themselves after a reply, or before the first."""
    if not counted or (reply is None and match.replies):
        return 0
    return sum(event.kind == "forced" for event in match.events_of(reply))


def games(start: Match) -> int:
    """How many whole games there are. Positions met again are counted once and remembered."""
    known: dict[str, int] = {}

    def ends(match: Match) -> int:
        if match.decision is None:
            return 1
        key = match.situation
        if key not in known:
            known[key] = sum(ends(after) for _, after, _ in _steps(match, 1, False))
        return known[key]

    return ends(start)
