"""Tunes Python's garbage collector for long-running processes with large caches.

Cached rules are long-lived and numerous: a full collection takes longer than a request and frees
almost nothing. So full collections are rare, and the garbage of the last request is collected when
the process is idle.
"""

from __future__ import annotations

import gc

YOUNG, GROWN, OLD = 10_000, 10, 250


def collect_seldom() -> None:
    """Raises the thresholds of the garbage collector, so that full collections are rare."""
    gc.set_threshold(YOUNG, GROWN, OLD)


def collect_now() -> None:
    """Collects the garbage of the young generations; takes a few milliseconds."""
    gc.collect(1)
