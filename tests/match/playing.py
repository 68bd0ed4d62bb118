"""Plays on with random options, for tests that need a game in progress."""

from __future__ import annotations

from lawspeaker.match.match import Match
from lawspeaker.position.rng import Stream


def play_on(match: Match, luck: Stream, replies: int) -> None:
    """Lets everyone take any option, for so many replies or to the end."""
    for _ in range(replies):
        decision = match.decision
        if decision is None:
            return
        match.choose(luck.choose(decision.options), seat=decision.seat)
