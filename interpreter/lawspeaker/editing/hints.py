"""Inlay hints: the types of names bound with `let`."""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.base.source import Span
from lawspeaker.editing.analysis import Analysis
from lawspeaker.ir.types import BrokenType


def let_types(analysis: Analysis, file: str) -> Iterator[tuple[Span, str]]:
    """Yields the span and type of each name bound with `let`."""
    world = analysis.world
    for span, type in () if world is None else world.meanings.lets:
        if span.file.name == file and not isinstance(type, BrokenType):
            assert world is not None
            yield span, world.a(type)
