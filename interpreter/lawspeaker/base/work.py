"""The work budget: how much is done for rules before they are played, counted and not timed.

A unit is a node of a tree that a pass visits. All passes over typed programs walk by `base.trees`,
which charges for each node; a pass that does other work in proportion to the rules charges for it
itself. So a pass that visits the same nodes again and again, or copies of them, comes to an end
whatever the rules are, after the same work on every machine.

    with work_budget(CHECKING):     # raises TooMuchWork inside
        on(clause.span)        # where it is then said to be
        charge()               # by whoever does something

A unit takes 5 to 12 microseconds on a machine of 2026. The largest games here need a third of
`CHECKING`, and two thirds of `PREPARING` for the compiled machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from lawspeaker.base.source import NOWHERE, Span

CHECKING = 250_000
"""The units for checking rules: once for names and types, once for costs and secrets."""
PREPARING = 400_000
"""The units for making rules ready for a machine, or for compiling them."""


class TooMuchWork(Exception):
    """A budget is spent; `span` is the clause at which it was."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(slots=True)
class Work:
    """What is left of a budget, and what it is being spent on."""

    left: int
    span: Span = NOWHERE

    def charge(self, units: int) -> None:
        self.left -= units
        if self.left < 0:
            raise TooMuchWork(self.span)


_current: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def work_budget(most: int) -> Iterator[Work]:
    """Meanwhile work is charged to a budget of its own."""
    work = Work(most)
    before = _current.set(work)
    try:
        yield work
    finally:
        _current.reset(before)


def charge(units: int = 1) -> None:
    """Charges the budget, if there is one; raises TooMuchWork when it is spent."""
    work = _current.get()
    if work is not None:
        work.charge(units)


def on(span: Span) -> None:
    """From here on work is done for the clause at this place."""
    work = _current.get()
    if work is not None:
        work.span = span
