"""Passing by oneself where anybody may step in, so that nobody has to be asked all the time.

A seat says how long it will not step in (`Until`): until it is asked anything else, or as long as
the stretch of play goes on that is interrupted just now. Which stretch that is, is told from the
control stack: what lies below the clause that is interrupted stays as it is until that is done.
None of this depends on what a seat holds, so nobody learns from it who could have stepped in.
"""

from __future__ import annotations

import hashlib
from enum import Enum

from lawspeaker.match.match import Match


class Until(Enum):
    """How long a seat passes by itself."""

    ASKED = "asked"
    """Until it is asked anything but whether it steps in."""
    STRETCH = "stretch"
    """As long as what is interrupted goes on."""


def stretch(match: Match) -> str:
    """A name for the stretch of play that may be interrupted now; empty, where nobody is asked
    whether he steps in. It is for comparing alone, and must not be told: it depends on all that the
    game has in mind."""
    decision = match.decision
    ask = None if decision is None else decision.setting.ask
    if ask is None or not ask.first:
        return ""
    stack, clauses = match.state.stack, match.program.clauses
    inside = (at for at, frame in enumerate(stack) if clauses[frame.clause].interrupts)
    by = max(0, next(inside, len(stack) - 1) - 1)
    below = [[frame.clause, frame.pc, frame.slots] for frame in stack[:by]]
    told = repr((below, stack[by].clause))
    return hashlib.sha256(told.encode()).hexdigest()[:16]
