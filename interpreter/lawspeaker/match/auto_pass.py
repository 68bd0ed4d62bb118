"""Automatic passing in windows where anybody may interrupt.

A seat sets how long it passes (`Until`): until it is asked anything else, or while the
interrupted stretch of play continues. The stretch is identified by the control stack: the frames
below the interrupted clause do not change until it is done. None of this depends on what a seat
holds, so it does not reveal who could have interrupted.
"""

from __future__ import annotations

import hashlib
from enum import Enum

from lawspeaker.match.match import Match


class Until(Enum):
    """Duration of automatic passing."""

    ASKED = "asked"
    """Until the seat is asked anything but whether it interrupts."""
    STRETCH = "stretch"
    """While the interrupted play continues."""


def window_hash(match: Match) -> str:
    """Hash that identifies the interruptible stretch of play; empty outside of such windows.

    It is for comparison only and must not be shown: it depends on the whole stack.
    """
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
