"""Progress steps of experiments."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress(Generic[T]):
    """Progress: `done` of `of` games are over; `known` are partial results, if any.

    `doing` names the current activity, where that is not simply playing. `a_second` is how much is
    done in a second, where `done` does not tell, since each part takes a start of its own.
    """

    done: int
    of: int
    known: T | None = None
    doing: str = ""
    a_second: float | None = None


Experiment = Generator[Progress[T], None, T]


def finished(experiment: Generator[Any, None, T]) -> T:
    """Runs an experiment to its end and returns the result."""
    while True:
        try:
            next(experiment)
        except StopIteration as end:
            result: T = end.value
            return result
