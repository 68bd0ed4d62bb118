"""Slow tasks of the workers: very many games, comparisons, the lab.

Each is a generator, as all `jobs` are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker.faces.web import comparing
from lawspeaker.faces.web.workshop.differing import (
    agreed,
    side_by_side,
    singled,
    weighed,
    witnessed,
)
from lawspeaker.faces.web.workshop.laboratory import (
    dramatic,
    laddered,
    reviewed,
    simulated,
    swept,
    tuned,
    varied,
    worthy,
)
from lawspeaker.faces.web.workshop.mixing import balanced, picked
from lawspeaker.faces.web.workshop.paired import paired
from lawspeaker.faces.web.workshop.reading_desk import aligned_here, at_desk, taken_home

__all__ = [
    "agreed",
    "aligned_here",
    "at_desk",
    "balanced",
    "dramatic",
    "held_against",
    "laddered",
    "paired",
    "picked",
    "reviewed",
    "side_by_side",
    "simulated",
    "singled",
    "swept",
    "taken_home",
    "tuned",
    "varied",
    "weighed",
    "witnessed",
    "worthy",
]


def held_against(*against: Any) -> Iterator[dict[str, Any]]:
    """Yields where a game would first have diverged under other rules."""
    yield comparing.held_against(*against)
