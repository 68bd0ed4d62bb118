"""Many games in one step: what is seen is what a view shows, and nothing of it is somebody else's.

A match with the same luck is played beside each table. Rows must be those that are made of views,
and what those may not show is tested there (test_environment.py).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import lawspeaker
from lawspeaker.machines.native.kernel import WHOLE
from lawspeaker.outside import gpu_driver, gpu_games, native
from lawspeaker.outside.vectors import VectorEnv
from lawspeaker.players.rl.observing import Observer
from lawspeaker.position.layout import layout_for
from lawspeaker.study.lab.record import game_seed
from tests.native.common import needs_compiler
from tests.native.test_cuda import Emulated
from tests.tiers import NIGHTLY, sample

GAMES = [("kuhn_poker", 2), ("rock_paper_scissors", 2)]
MORE = [("liars_dice", 3), ("connect_four", 2), ("walhalla+italian", 4), ("voluspa", 3)]


def make_env(name: str, players: int, games: int) -> VectorEnv:
    needs_compiler()
    game = lawspeaker.load(name)
    return gpu_games.vector_env(game, players, games, "auto", None, Emulated())


@pytest.mark.full
@pytest.mark.parametrize("name, players", sample(GAMES + (MORE if NIGHTLY else []), test=2))
def test_tables_show_what_matches_beside_them_show(name: str, players: int) -> None:
    env, luck, seed = make_env(name, players, 12), np.random.default_rng(1), 7
    seen, game = env.reset(seed=seed), lawspeaker.load(name)
    matches = [game.start(players, game_seed(seed, number)) for number in range(env.games)]
    observer = Observer(env_layout := matches[0].machine.layout)
    assert env.length == observer.length
    going = set(range(env.games))
    while going:
        for at in going:
            match = matches[at]
            assert match.decision is not None
            seat = match.decision.seat
            assert seat is not None
            view = match.view(seat)
            assert view.decision is not None
            assert (seat, len(view.decision.options)) == (seen.seats[at], seen.offered[at])
            assert seen.observations[at].tolist() == observer.numbers(view).tolist()
            assert not seen.options[at, seen.offered[at] :].any()
        answers = (luck.random(env.games) * seen.offered).astype(int)
        for at in going:
            decision = matches[at].decision
            assert decision is not None
            assert decision.seat is not None
            option = matches[at].shown(decision.seat).options[int(answers[at])]
            matches[at].choose(option, seat=decision.seat)
        kept, before = seen.observations, seen.observations.copy()
        seen = env.step(answers)
        assert (kept == before).all()  # what was given away stays as it was
        assert not seen.cut.any()
        for at in sorted(going):
            assert seen.ended[at] == matches[at].finished
            if matches[at].finished:
                going.remove(at)
                assert seen.scores[at].tolist() == list(matches[at].scores)
                assert np.flatnonzero(seen.won[at]).tolist() == sorted(matches[at].winners)
                assert abs(seen.rewards[at].sum()) < 1e-6
    assert env_layout.players == players


@pytest.mark.full
def test_one_seed_gives_the_same_games_and_another_gives_others() -> None:
    env = make_env("kuhn_poker", 2, 64)
    first, again = env.reset(seed=3).observations, env.reset(seed=3).observations
    assert (first == again).all()
    assert (first != env.reset(seed=4).observations).any()


@pytest.mark.full
def test_planes_say_where_pieces_lie_ones_own_first() -> None:
    env = make_env("connect_four", 2, 3)
    seen = env.reset(seed=1)
    one = env.planes(env.step(np.zeros(3, int)))
    two = env.planes(env.step(np.zeros(3, int)))
    del seen
    # One disc lies there: it is the other's for who is asked; and then it is one's own again.
    first = lawspeaker.load("connect_four").start(2).machine.layout
    board = [at for at, of in enumerate(first.place_family) if first.program.families[of].grid]
    assert one[:, :, board].sum(axis=2).tolist() == [[0, 1]] * 3
    assert two[:, :, board].sum(axis=2).tolist() == [[1, 1]] * 3


@pytest.mark.full
def test_what_cannot_be_is_told() -> None:
    env = make_env("kuhn_poker", 2, 4)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros(4, int))
    seen = env.reset()
    with pytest.raises(ValueError, match="4 answers"):
        env.step(np.zeros(3, int))
    with pytest.raises(ValueError, match="game 2 has 2 options"):
        env.step(np.array([0, 0, 2, 0]))
    with pytest.raises(ValueError, match="there is none with number -1"):
        env.step(np.array([0, -1, 0, 0]))
    assert (env.step(np.zeros(4, int)).seats != seen.seats).all()  # nothing had happened
    with pytest.raises(ValueError, match="a seed is"):
        env.reset(seed=-1)
    game = lawspeaker.load("kuhn_poker")
    with pytest.raises(ValueError, match="for 2 players, not 3"):
        gpu_games.vector_env(game, 3, 4, "auto", None, Emulated())
    with pytest.raises(ValueError, match="machine is auto, native or gpu"):
        lawspeaker.vector_env("kuhn_poker", machine="abacus")


def test_without_a_compiler_or_a_card_it_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> tuple[str, ...]:
        raise native.NoCompiler("there is no C++ compiler here: c++ was not found")

    monkeypatch.setattr(native, "cxx_compiler", none)
    with pytest.raises(native.NoCompiler, match=r"no C\+\+ compiler"):
        lawspeaker.vector_env("kuhn_poker", machine="native")
    monkeypatch.setattr(gpu_games, "_device", [])
    with pytest.raises(gpu_driver.NoGpu, match="graphics card"):
        lawspeaker.vector_env("kuhn_poker", machine="gpu")


@pytest.mark.full
def test_tables_are_played_where_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_compiler()
    card, processor = Emulated(), Emulated()
    monkeypatch.setattr(gpu_games, "_device", [card])
    monkeypatch.setattr(gpu_games, "Processor", lambda kept: processor)
    for machine, place in (("gpu", card), ("auto", card), ("native", processor)):
        before = len(place.loaded)
        assert lawspeaker.vector_env("kuhn_poker", machine=machine).reset().seats.shape == (1024,)
        assert len(place.loaded) == before + 1


def test_an_assembler_for_cards_keeps_nothing_of_a_table_for_its_neighbours() -> None:
    """What it would keep, it would count on all being in step."""
    layout = layout_for(lawspeaker.load("kuhn_poker").program, 2)
    tables = gpu_games.turns_kernel(layout)
    assert "--ptxas-options=-O0" in gpu_driver.flags(tables)
    assert gpu_driver.flags(replace(tables, use=WHOLE)) == gpu_driver.FLAGS
