"""Closures for runs of occupied places: the commonest walk over a grid, specialised.

Lines are "as far as there are pieces", and questions about where a piece may be laid use lines all
the time. Such a walk needs no slot for the current place, so that a definition which is just such a
walk can be inlined.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from lawspeaker.ir.dependence import OccupiedRun, plain_local
from lawspeaker.machines.reference.boards import Grid
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State


def taken_run(ev: Evaluator, expr: OccupiedRun) -> Eval:
    """Compiles a run of occupied places."""
    across_by, down_by = ev.table(expr.across), ev.table(expr.down)
    if across_by is not None and down_by is not None:
        (rights, word), (belows, other) = across_by, down_by
        if plain_local(expr.start) and plain_local(word) and word == other:
            steps = list(zip(rights, belows, strict=True))
            return _by_word(ev.grid(expr.family), expr.start.slot, word.slot, steps)
    ray = ev.grid(expr.family).ray
    start, across, down = ev.present(expr.start), ev.present(expr.across), ev.present(expr.down)
    return lambda s, f: _taken(s, ray(start(s, f), across(s, f), down(s, f)))


def _by_word(grid: Grid, start: int, word: int, steps: Sequence[tuple[int, int]]) -> Eval:
    """Specialises the run for a direction given by a word in a slot: one lookup finds the places
    ahead."""
    known: dict[tuple[int, int], Sequence[int]] = {}

    def taken(s: State, f: Slots) -> Value:
        key = f[start], f[word]
        ahead = known.get(key)
        if ahead is None:
            ahead = known[key] = grid.ray(f[start], *steps[f[word]])
        # Most runs are empty: the question is where a piece could be laid.
        return _taken(s, ahead) if ahead and ahead[0] in s.contents else ()

    return taken


def _taken(s: State, ahead: Sequence[int]) -> tuple[int, ...]:
    return tuple(takewhile(s.contents.__contains__, ahead))
