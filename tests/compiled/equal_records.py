"""Whole games between random players have the same records, whoever plays and counts them."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from lawspeaker import ir
from lawspeaker.machines.adapter import module_for
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.games import games_of, play_games
from lawspeaker.study.lab.record import play_game

SEED = 3


def check_records(program: ir.Program, players: int, games: int, different: int = 1) -> None:
    """Holds the records of the compiled machine, and those counted inside the module, against the
    reference machine's. At least so many of the games must differ, or little was tried."""
    bots = ["random"] * players
    wanted = [play_game(program, players, SEED, at, bots) for at in range(games)]
    fast = module_for(Layout(program, players), PLAYING)
    for found, record in zip(fast.games(SEED, 0, games), wanted, strict=True):
        assert (found.decisions, found.options) == (record.decisions, record.options)
        assert found.scores == record.scores
    assert len({(record.decisions, record.options) for record in wanted}) >= different
    watched = play_games(program, players, SEED, range(games), bots)
    told = games_of(program, players, wanted)
    for field in fields(told):
        assert np.array_equal(getattr(watched, field.name), getattr(told, field.name)), field.name
