"""Statistics of games by a draft, updated while they are played, beside those of the original
rules.

The games by the original rules have the same numbers, and so the same seeds. They do not change
during editing, so their results are cached.

Games are played in batches: a small one first, so that there is something to see at once, and then
batches that take about the interval between two reports.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from lawspeaker.base.counts import nearest_count
from lawspeaker.faces.web.workshop.trial_positions import Files, compiled, program_of
from lawspeaker.study.lab.figures import Figures
from lawspeaker.study.lab.statistics import Estimate, difference, mean_of, share

PAUSE = 0.3
"""Seconds between two reports."""
FIRST = 32
"""Size of the first batch for random bots."""
MOST_RUNS = 4

_known: OrderedDict[tuple[str, tuple[str, ...], int], Figures] = OrderedDict()


def figured(
    before: Files, after: Files, players: int, bot: str, games: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Yields the statistics after each batch of games: wins, points, length."""
    program = program_of(after)
    players = nearest_count(program.counts, players)
    found = Figures(program, (bot,) * players)
    base = None if before == after else _as_it_was(before, found.bots, seed)
    for batch in batches(games, found.bots):
        found.play(seed, batch)
        if base is not None and base.played < batch.stop:
            base.play(seed, range(base.played, batch.stop))
        yield {
            "done": batch.stop,
            "of": games,
            "players": players,
            "bot": bot,
            "broken": found.broke.games,
            "holes": [each.fault for each in found.broke.holes[:3]],
            "rows": _rows(found, base) if found.games else [],
        }


def _as_it_was(files: Files, bots: Sequence[str], seed: int) -> Figures | None:
    """Returns the cached statistics of the original rules; None if they cannot be played by as
    many."""
    program, _ = compiled(files)
    if program is None or len(bots) not in program.counts:
        return None
    key = (program.digest, tuple(bots), seed)
    found = _known.pop(key, None) or Figures(program, bots)
    _known[key] = found
    while len(_known) > MOST_RUNS:
        _known.popitem(last=False)
    return found


def batches(games: int, bots: Sequence[str]) -> Iterator[range]:
    """Yields ranges of game numbers, sized to take about `PAUSE` each.

    Slow bots start with a single game, so that a first result comes early.
    """
    size, done = FIRST if set(bots) == {"random"} else 1, 0
    while done < games:
        began = time.monotonic()
        batch = range(done, min(done + size, games))
        yield batch
        took = max(time.monotonic() - began, 1e-6)
        # The time of the first batch says little: it includes the warm-up.
        fits = size * PAUSE / took if done else math.inf
        size = max(1, int(min(3 * size, fits)))
        done = batch.stop


def _rows(found: Figures, base: Figures | None) -> list[dict[str, Any]]:
    """Returns a row for each estimate, with its former value and the difference.

    A difference is `clear` if it is significant after correction for the number of rows.
    """
    now = _estimates(found)
    then = {} if base is None or not base.games else _estimates(base)
    shown = [key for key in now if _matters(key[0], found) or (base and _matters(key[0], base))]
    rows: list[dict[str, Any]] = []
    for key in shown:
        measure, seat = key
        row: dict[str, Any] = {"measure": measure, "seat": seat, **_told(now[key])}
        row["mark"] = found.fair if measure == "wins" else None
        if key in then:
            surely = difference(now[key], then[key], len(shown))
            row["before"] = _told(then[key])
            row["change"] = _told(difference(now[key], then[key]))
            row["clear"] = surely.low > 0 or surely.high < 0
        rows.append(row)
    return rows


def _estimates(found: Figures) -> dict[tuple[str, int | None], Estimate]:
    seats = found.seats()
    return {
        **{("wins", seat): each.wins for seat, each in enumerate(seats)},
        **{("score", seat): each.score for seat, each in enumerate(seats)},
        ("ties", None): share(found.ties, found.games),
        ("draws", None): share(found.draws, found.games),
        ("decisions", None): mean_of(found.lengths).estimate(),
    }


def _matters(measure: str, found: Figures) -> bool:
    """Whether a measure is worth showing: no points where nobody has any, no draws where there were
    none."""
    if measure == "score":
        return any(points for scores in found.scores for points in scores)
    return measure != "draws" or found.draws > 0


def _told(estimate: Estimate) -> dict[str, float | None]:
    low, high = (None if math.isinf(each) else each for each in (estimate.low, estimate.high))
    return {"value": estimate.value, "low": low, "high": high}
