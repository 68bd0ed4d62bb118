"""The work budget: a deterministic bound on compile-time work, counted in units instead of time.

A unit is one visit of a tree node by a pass. All passes over typed programs walk with `base.trees`,
which charges each node; a pass that does other work proportional to the rules charges for it
itself. So a pass that visits the same nodes again and again, or copies of them, terminates whatever
the rules are, after the same amount of work on every machine.

    with work_budget(CHECKING):     # raises TooMuchWork inside
        on(clause.span)        # the clause to blame
        charge()               # called by the code that does the work

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
"""The budget for checking rules: once for names and types, once for costs and secrets."""
PREPARING = 400_000
"""The budget for lowering rules for a machine, or for compiling them."""


class TooMuchWork(Exception):
    """The budget is exhausted; `span` is the clause that was being processed."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(slots=True)
class Work:
    """The rest of a budget, and the clause it is being spent on."""

    left: int
    span: Span = NOWHERE


_current: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def work_budget(most: int) -> Iterator[Work]:
    """Runs its body under a budget of its own."""
    work = Work(most)
    before = _current.set(work)
    try:
        yield work
    finally:
        _current.reset(before)


def charge(units: int = 1) -> None:
    """Charges the current budget, if there is one; raises TooMuchWork when it is exhausted."""
    work = _current.get()
    if work is not None:
        work.left -= units
        if work.left < 0:
            raise TooMuchWork(work.span)


def on(span: Span) -> None:
    """Attributes the following work to the clause at this span."""
    work = _current.get()
    if work is not None:
        work.span = span
