"""Perft: counts the paths of the game tree to a given depth.

Chance is a decision like any other: each distinguishable outcome is a branch. Simultaneous
choices are taken in turn, so every combination is counted. A game that ends early has no path of
that depth; `games` counts complete games.

Forced answers ask nobody, and are no decision. With `forced` they count, as in published tables
for games in which every move counts.

The compiled machine counts deep trees, thousands of positions a second, where one player at a
time decides; the reference machine counts all others, with equal results.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker import ir
from lawspeaker.match.match import Match
from lawspeaker.position.fault import NoCompiledMachine

DEEP = 3
"""Minimum depth at which compiling a module pays off."""


def opening(program: ir.Program, players: int) -> Match:
    """The initial position of a game, with chance asked."""
    return Match(program, players, 0, "ask")


def perft(start: Match, depth: int, forced: bool = False, machine: str = "reference") -> int:
    """Number of paths of exactly `depth` decisions from a position.

    `machine` is reference or wasm; the latter is used where possible.
    """
    return _counted(start, depth - _forced(start, None, forced), forced, machine)


def divide(
    start: Match, depth: int, forced: bool = False, machine: str = "reference"
) -> dict[str, int]:
    """Perft for each first decision."""
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
    """Yields each decision with the match after it and the remaining depth."""
    decision = match.decision
    for option in decision.options if decision is not None else ():
        after = match.copy()
        after.choose(option)
        yield option.text, after, depth - 1 - _forced(after, len(match.replies), forced)


def _forced(match: Match, reply: int | None, counted: bool) -> int:
    """Number of forced answers after a reply, or before the first."""
    if not counted or (reply is None and match.replies):
        return 0
    return sum(event.kind == "forced" for event in match.events_of(reply))


def games(start: Match) -> int:
    """Number of complete games, with a transposition table."""
    known: dict[str, int] = {}

    def ends(match: Match) -> int:
        if match.decision is None:
            return 1
        key = match.situation
        if key not in known:
            known[key] = sum(ends(after) for _, after, _ in _steps(match, 1, False))
        return known[key]

    return ends(start)
