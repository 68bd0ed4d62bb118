"""Runs the garbage collector when the server is idle.

Nearly all garbage is freed at once by reference counting. Only reference cycles need the collector,
such as those that closed connections leave. A full collection over a thousand tables takes so long
that players would notice. So only the young generation is collected as usual, in milliseconds; the
full collection runs when the process is idle, or after very long without an idle moment.
"""

from __future__ import annotations

import asyncio
import gc
import time

NEW, LONG, OLD = 500, 4_000, 10
"""Collection thresholds of the three generations: a young collection takes a few milliseconds, a
full one comes very late."""
MUCH = 1_000
"""Number of young collections after which a full one is worthwhile while idle."""
MOMENT = 1.0
QUIET = 0.02
"""The process counts as idle if it used at most `QUIET` seconds of processor time in `MOMENT`
seconds."""


def collect_new_things() -> None:
    gc.set_threshold(NEW, LONG, OLD)


def collect_no_more() -> None:
    """Freezes all objects at exit, so that Python does not collect them.

    That would take most of the time to exit.
    """
    gc.freeze()


async def collect_when_quiet() -> None:
    """Runs a full collection in an idle moment, if enough objects have accumulated."""
    worked = time.process_time()
    while True:
        await asyncio.sleep(MOMENT)
        before, worked = worked, time.process_time()
        if worked - before < QUIET and gc.get_count()[1] >= MUCH:
            gc.collect()
