"""What paired games say about a change, told while they are being played.

Game number i is played by the rules as they were and as they are now, with the same luck; see
`compare.effect` for what is measured. The games by the rules as they were do not change while
somebody edits, so a process keeps them.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.compare.effect import Effect, effect, is_clear
from lawspeaker.lab.record import Record, play_game
from lawspeaker.lab.statistics import Estimate
from lawspeaker.web.workshop.places import Files, program_of

PAUSE = 0.35
"""Seconds between two reports."""
MOST_RUNS = 6

_known: OrderedDict[tuple[str, int, int, tuple[str, ...]], list[Record]] = OrderedDict()


def paired(
    before: Files, after: Files, players: int, bot: str, games: int, seed: int
) -> Iterator[dict[str, Any]]:
    """The effect of a change, after more and more games."""
    one, other = program_of(before), program_of(after)
    players = min(max(players, one.fewest, other.fewest), one.most, other.most)
    bots = (bot,) * players
    names = one.player_names[:players]
    without, with_it = _run(one, players, bots, seed), []
    told = time.monotonic()
    for number in range(games):
        if number == len(without):
            without.append(play_game(one, players, seed, number, bots))
        with_it.append(play_game(other, players, seed, number, bots))
        now = time.monotonic()
        if now - told >= PAUSE or number + 1 == games:
            told = now
            found = effect(without[: number + 1], with_it, names)
            yield {"done": number + 1, "of": games, **shown(found)}


def _run(program: ir.Program, players: int, bots: Sequence[str], seed: int) -> list[Record]:
    """The games that were already played by these rules."""
    key = (program.digest, players, seed, tuple(bots))
    found = _known.pop(key, [])
    _known[key] = found
    while len(_known) > MOST_RUNS:
        _known.popitem(last=False)
    return found


def shown(found: Effect) -> dict[str, Any]:
    """An effect as plain data."""
    rows = [
        ("differs", None, found.differs, True),
        ("outcome", None, found.outcome, True),
        ("winner", None, found.winner, True),
        ("score", None, found.score, False),
        ("length", None, found.length, False),
        *(("seat_wins", seat, each.wins, True) for seat, each in enumerate(found.seats)),
        *(("seat_score", seat, each.score, False) for seat, each in enumerate(found.seats)),
    ]
    return {
        "games": found.games,
        "broken": found.broken,
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
        "clear": is_clear(estimate),
    }
