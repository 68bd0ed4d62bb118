"""Measures the effect of a change with paired games, reporting while they are played.

Game number i is played by the original and by the changed rules with the same seed; see
`compare.effect` for the measures. The games by the original rules do not change during editing, so
a process caches them, and may play them in advance.

With random players the first pairs have a control game each (`compare.control`). Control games take
much longer than others, so they are played between the batches, for about as long as those take.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.base.counts import in_both, nearest_count
from lawspeaker.faces.web.workshop.figures import batches
from lawspeaker.faces.web.workshop.trial_positions import Files, program_of
from lawspeaker.study.compare.control import CONTROLLED, RANDOM, control_effect, independent_seed
from lawspeaker.study.compare.effect import NO_PAIRS, Effect, Pairs, pairs
from lawspeaker.study.lab.games import Games, games_of, play_games
from lawspeaker.study.lab.paired_changes import MeasuredChange
from lawspeaker.study.lab.statistics import Estimate, Mean

MOST_RUNS = 8
CONTROL_SECONDS = 3.0
"""CPU time for control games, in addition to the time that the games themselves took."""

_known: OrderedDict[tuple[str, int, int, tuple[str, ...]], Games] = OrderedDict()


def paired(
    before: Files, after: Files, players: int, bot: str, games: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Yields the effect of a change after each batch of games; nothing if no player count fits
    both.

    Without a change, it plays the games by the original rules in advance.
    """
    one, other = program_of(before), program_of(after)
    counts = in_both(one.counts, other.counts)
    if not counts:
        return
    players = nearest_count(counts, players)
    bots = (bot,) * players
    names = one.player_names[:players]
    found: Pairs | None = None
    waiting: list[tuple[Games, Games, Games]] = []
    controlled = before != after and bot == RANDOM
    left = CONTROL_SECONDS
    for batch in batches(games, bots):
        began = time.process_time()
        base = with_it = _known_games(one, players, bots, seed, batch)
        if before != after:
            with_it = play_games(other, players, seed, batch, bots)
        anew = _known_games(one, players, bots, independent_seed(seed), batch)
        left += time.process_time() - began
        if controlled and batch.start < CONTROLLED:
            waiting += _one_by_one((base, with_it, anew), min(len(batch), CONTROLLED - batch.start))
        controls, left = _controls(one, other, seed, waiting, left, batch.stop == games)
        some = pairs(base, with_it, anew, controls=controls)
        found = some if found is None else found + some
        seen = {"seen": found.differs}
        yield {"done": batch.stop, "of": games, **seen, **shown(found.effect(names))}


def _one_by_one(
    games: tuple[Games, Games, Games], count: int
) -> Iterator[tuple[Games, Games, Games]]:
    one, two, three = games
    for at in range(count):
        yield one[at : at + 1], two[at : at + 1], three[at : at + 1]


def _controls(
    one: ir.Program,
    other: ir.Program,
    seed: int,
    waiting: list[tuple[Games, Games, Games]],
    left: float,
    last: bool,
) -> tuple[tuple[Mean, Mean], float]:
    """Plays control games for waiting pairs, and returns their sums and the remaining time.

    Before the last batch, `CONTROL_SECONDS` are kept back.
    """
    control = more = NO_PAIRS
    while waiting and left > (0 if last else CONTROL_SECONDS):
        began = time.process_time()
        first, second = control_effect(one, other, seed, waiting.pop(0))
        control, more = control + first, more + second
        left -= time.process_time() - began
    return (control, more), left


def _known_games(
    program: ir.Program, players: int, bots: Sequence[str], seed: int, batch: range
) -> Games:
    """Returns games by these rules, cached."""
    key = (program.digest, players, seed, tuple(bots))
    found = _known.pop(key, None) or games_of(program, players, ())
    if len(found) < batch.stop:
        found += play_games(program, players, seed, range(len(found), batch.stop), bots)
    _known[key] = found
    while len(_known) > MOST_RUNS:
        _known.popitem(last=False)
    return found[batch.start : batch.stop]


def shown(found: Effect) -> dict[str, Any]:
    """Converts an effect to JSON."""
    in_step = [("differs", None, found.differs, True), ("outcome", None, found.outcome, True)]
    rows: list[tuple[str, int | None, Estimate, bool]] = [
        *(in_step if found.in_step else ()),
        ("winner", None, found.winner, True),
        *([("control", None, found.control, True)] if found.control is not None else ()),
        ("anew", None, found.anew, True),
        *([("beyond", None, found.beyond, True)] if found.beyond is not None else ()),
        ("score", None, found.score, False),
        ("length", None, found.length, False),
        *(("seat_wins", seat, each.wins, True) for seat, each in enumerate(found.seats)),
        *(("seat_score", seat, each.score, False) for seat, each in enumerate(found.seats)),
    ]
    return {
        "games": found.games,
        "broken": found.broken,
        "in_step": found.in_step,
        "weight": found.weight,
        "rows": [_row(*each) for each in rows],
    }


def _row(measure: str, seat: int | None, estimate: Estimate, share: bool) -> dict[str, Any]:
    low, high = (None if math.isinf(each) else each for each in (estimate.low, estimate.high))
    return {
        "measure": measure,
        "seat": seat,
        "value": estimate.value,
        "low": low,
        "high": high,
        "share": share,
        "clear": isinstance(estimate, MeasuredChange) and estimate.clear,
    }
