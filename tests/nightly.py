"""What takes long is done in full by a nightly run, and in part by everybody else."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

NIGHTLY = bool(os.environ.get("LAWSPEAKER_NIGHTLY"))

LONG_QUESTIONS = frozenset({"backgammon", "chess", "go"})
"""Games whose questions take the reference machine long."""
SLOW: frozenset[str] = frozenset() if NIGHTLY else LONG_QUESTIONS
"""Games of which everybody else sees only the first moves."""

Each = TypeVar("Each")


def some(of: Iterable[Each], every: int = 3) -> list[Each]:
    """All of them in a nightly run; otherwise the first, and every so many after it."""
    return list(of)[:: 1 if NIGHTLY else every]
