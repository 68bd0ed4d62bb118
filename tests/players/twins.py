"""Two positions that a seat cannot tell apart."""

from __future__ import annotations

import lawspeaker
from lawspeaker.match.game import Game
from lawspeaker.match.view import View


def views_that_are_equal(game: Game, seed: int) -> tuple[View, View]:
    """What the seat that is asked sees in a game of four, and in another one that it may be."""
    match = game.start(players=4, seed=seed)
    for _ in range(25):
        decision = match.decision
        assert decision is not None
        assert decision.seat is not None
        match.choose(decision.options[-1], seat=decision.seat)
    decision = match.decision
    assert decision is not None
    assert decision.seat is not None
    view = match.view(decision.seat)
    other = lawspeaker.imagine(view, seed + 1000)
    assert other.state != match.state
    return view, other.view(decision.seat)
