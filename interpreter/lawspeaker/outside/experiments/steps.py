"""How far an experiment is."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """So many of so many games are over; `known` is what they say, if anything by now. `doing` says
    what is going on, where that is not simply playing."""

    done: int
    of: int
    known: T | None = None
    doing: str = ""


Experiment = Generator[Step[T], None, T]


def finished(experiment: Generator[Any, None, T]) -> T:
    """The result, when all is done."""
    while True:
        try:
            next(experiment)
        except StopIteration as end:
            result: T = end.value
            return result
