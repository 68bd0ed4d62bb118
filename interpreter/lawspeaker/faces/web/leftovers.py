"""Looking for what is no longer reached, while nobody waits for an answer.

Nearly all that a reply no longer needs is freed at once, since references to it are counted. Only
things that refer to each other in a ring have to be looked for, such as what connections leave that
have ended. To look through all that a thousand tables hold takes so long that whoever replies just
then would notice. So only what is new is looked through as it comes, once, which takes
milliseconds; all of it is when nothing goes on here, or when that has not been so for very long.
"""

from __future__ import annotations

import asyncio
import gc
import time

NEW, LONG, OLD = 500, 4_000, 10
"""So many new things are looked through at a time, a few milliseconds; after so many times it has
been long."""
MUCH = 1_000
"""After so many times there is enough to make it worth while: somebody may come just then."""
MOMENT = 1.0
QUIET = 0.02
"""A moment is quiet if this process works for no longer than so many of its seconds."""


def collect_new_things() -> None:
    gc.set_threshold(NEW, LONG, OLD)


def collect_no_more() -> None:
    """The process ends: all memory goes with it, and need not be searched for what is unreachable.
    That is most of the time that Python takes to exit."""
    gc.freeze()


async def collect_when_quiet() -> None:
    """Looks through everything after a quiet moment, if much has come since the last time."""
    worked = time.process_time()
    while True:
        await asyncio.sleep(MOMENT)
        before, worked = worked, time.process_time()
        if worked - before < QUIET and gc.get_count()[1] >= MUCH:
            gc.collect()
