"""When Python looks for what is no longer reached, in a process that answers and remembers.

What is remembered of rules stays, and there is much of it: looking through all of that takes longer
than an answer, and finds next to nothing. So it is done seldom, and what the last answer has left
is thrown away when nobody waits for the next.
"""

from __future__ import annotations

import gc

YOUNG, GROWN, OLD = 10_000, 10, 250


def collect_seldom() -> None:
    gc.set_threshold(YOUNG, GROWN, OLD)


def collect_now() -> None:
    """Throws away what was left since the last time; a matter of a few milliseconds."""
    gc.collect(1)
