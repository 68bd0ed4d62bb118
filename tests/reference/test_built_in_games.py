"""The laws of the machine, held on the built-in games: one random game each, checked at every turn.

A state saved and loaded goes on the same; a view does not depend on what its seat cannot see; an
imagined match agrees with the view; options have texts of their own and are found by them; the
machine without short cuts (`TracingMachine`) plays the same game.
"""

from __future__ import annotations

import json
from functools import cache

import pytest

import lawspeaker
from lawspeaker import ir
from lawspeaker.machines.reference.tracing import TracingMachine
from lawspeaker.match.match import Match, imagine
from lawspeaker.position.rng import RngFactory
from lawspeaker.position.state import State
from tests.library import names
from tests.reference.test_views import permuted
from tests.tiers import SLOW, sample

LONGEST = 200
"""So many decisions of a game are looked at."""
FEW = 15
"""So many, where a question takes long; such a game is not played to its end."""


@cache
def program(name: str) -> ir.Program:
    return lawspeaker.load(name).program


@pytest.mark.parametrize("name", sample(names(), test=5, full=2))
def test_states_views_and_texts(name: str) -> None:
    game = program(name)
    players = game.most
    luck = RngFactory(1).stream("test")
    match = Match(game, players, 1)
    step = 0
    while decision := match.decision:
        texts = [option.text for option in decision.options]
        assert len(set(texts)) == len(texts), texts
        looked_at = step % 5 == 0 and step < LONGEST
        if looked_at:
            loaded = State.from_json(json.loads(match.state.canonical()))
            assert loaded.canonical() == match.state.canonical()
            plain = Match.from_state(game, loaded)
            for seat in (*range(players), None):
                view = plain.view(seat)
                assert permuted(plain, seat, luck).view(seat) == view
                if seat is not None:
                    world = imagine(match.view(seat), step)
                    assert world.view(seat).contents == view.contents
                    assert world.view(seat).pending == view.pending
            again = Match.from_state(game, loaded)
        option = luck.choose(decision.options)
        if looked_at:
            again.choose(option.text, seat=decision.seat)
        match.choose(option)
        if looked_at:
            assert again.state == match.state
        step += 1
        if name in SLOW and step == FEW:
            return
    assert match.finished
    assert match.winners or game.goal is ir.Goal.NAMED
    for seat in range(players):
        assert sum(row.total for row in match.why_points(seat)) == match.scores[seat]


@pytest.mark.parametrize("name", sample(names(), test=5, full=3))
def test_the_machine_without_short_cuts_plays_the_same(name: str) -> None:
    game = program(name)
    for players in game.counts:
        usual = Match(game, players, 3)
        slow = TracingMachine(game, players)
        state = slow.start(3)
        luck = RngFactory(4).stream("test")
        longest = FEW if name in SLOW else LONGEST
        while (decision := usual.decision) and len(usual.replies) < longest:
            assert decision.seat is not None
            wanted = slow.offers(state)[decision.seat]
            given = [option.reply for option in decision.options if option.reply[0] >= 0]
            assert given == wanted
            option = luck.choose(decision.options)
            usual.choose(option)
            slow.answer(state, decision.seat, option.reply)
            assert state.contents == usual.state.contents
            assert state.scores == usual.state.scores
            assert state.pending == usual.state.pending
