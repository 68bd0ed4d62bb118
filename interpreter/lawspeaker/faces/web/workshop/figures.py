"""What games by a draft say, told while they are being played: the first figures of the lab.

Games are played in batches: a first small one, so that there is something to see at once, and then
such as take about as long as people wait between two looks.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

from lawspeaker.faces.web.workshop.trial_positions import Files, program_of
from lawspeaker.study.lab.figures import Figures
from lawspeaker.study.lab.statistics import Estimate, mean_of, share

PAUSE = 0.3
"""Seconds between two reports."""
FIRST = 32
"""Games of bots that do anything are played so many at once to begin with."""


def figured(
    files: Files, players: int, bot: str, games: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Who wins and with how many points, after more and more games."""
    program = program_of(files)
    players = min(max(players, program.fewest), program.most)
    found = Figures(program, (bot,) * players)
    for batch in batches(games, found.bots):
        found.play(seed, batch)
        yield {
            "done": batch.stop,
            "of": games,
            "players": players,
            "bot": bot,
            "broken": found.broke.games,
            "holes": [each.fault for each in found.broke.holes[:3]],
            "rows": _rows(found) if found.games else [],
        }


def batches(games: int, bots: Sequence[str]) -> Iterator[range]:
    """The numbers of games, in batches that are to take about as long as `PAUSE`. Bots that think
    play one game after the other, so that nobody waits for them in vain."""
    size, done = FIRST if set(bots) == {"random"} else 1, 0
    while done < games:
        began = time.monotonic()
        batch = range(done, min(done + size, games))
        yield batch
        took = max(time.monotonic() - began, 1e-6)
        # How long the first batch takes says little: it pays for what has to be made ready.
        fits = size * PAUSE / took if done else math.inf
        size = max(1, int(min(3 * size, fits)))
        done = batch.stop


def _rows(found: Figures) -> list[dict[str, Any]]:
    """Estimates, each with a measure of the lab and perhaps a seat."""
    seats = found.seats()
    scored = any(score for seat in seats for score, _ in seat.scores)
    return [
        *(_row("wins", seat, each.wins, found.fair) for seat, each in enumerate(seats)),
        *(_row("score", seat, each.score) for seat, each in enumerate(seats) if scored),
        _row("ties", None, share(found.ties, found.games)),
        *([_row("draws", None, share(found.draws, found.games))] if found.draws else ()),
        _row("decisions", None, mean_of(found.lengths).estimate()),
    ]


def _row(
    measure: str, seat: int | None, estimate: Estimate, mark: float | None = None
) -> dict[str, Any]:
    low, high = (None if math.isinf(each) else each for each in (estimate.low, estimate.high))
    found = {"value": estimate.value, "low": low, "high": high, "mark": mark}
    return {"measure": measure, "seat": seat, **found}
