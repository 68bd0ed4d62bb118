"""Playing the examples of a page, and what their remarks claim about the game."""

from __future__ import annotations

import random

from lawspeaker.match.match import Match
from tests.docs.examples import Example

MOST_REPLIES = 5000


def play(match: Match, luck: random.Random) -> None:
    """To the end with any replies, in any order where several are asked."""
    for _ in range(MOST_REPLIES):
        if not match.decisions:
            break
        decision = luck.choice(match.decisions)
        match.choose(luck.choice(decision.options), seat=decision.seat)
    assert match.finished


def check_first_question(match: Match, example: Example) -> None:
    claim = example.claims.get("first question")
    if claim is not None:
        decision = match.decision
        assert decision is not None
        assert decision.seat is not None
        name = match.program.player_names[decision.seat]
        assert f"{name}: {' | '.join(o.text for o in decision.options)}" == claim


def check_end(match: Match, example: Example) -> None:
    names = match.program.player_names
    claim = example.claims.get("ends with")
    if claim is not None:
        scores = (f"{name} {score}" for name, score in zip(names, match.scores, strict=False))
        assert ", ".join(scores) == claim
    claim = example.claims.get("won by")
    if claim is not None:
        assert ", ".join(names[seat] for seat in match.winners) == claim
