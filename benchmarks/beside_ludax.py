"""The same games on the same GPU, by Ludax and by Lawspeaker, taking turns.

    pip install ludax 'jax[cuda12]' 'lawspeaker[gpu]'
    python -m benchmarks.beside_ludax connect_four othello hex

Ludax compiles board games for JAX; it plays the games that come with it. Between random players a
batch of games goes on move by move, and a game that is over begins anew, so that nobody waits for
longer ones. What it does is the best of several sizes of a batch. Moves a second, since games of
random players come out equally long by the same rules; how long they are on both sides is told.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

import lawspeaker
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.outside.gpu_games import card_games

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the GPU is shared

THEIRS = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "othello": "reversi",
    "hex": "hex",
    "draughts": "english_draughts",
}
"""What each game is called there."""
SIZES = (4096, 16_384, 65_536, 262_144)
STEPS = 128
SAMPLE = 1000

Side = Callable[[int], tuple[float, float]]
"""Plays for a while with a seed: moves a second, and moves in a game."""


def theirs(name: str, size: int) -> Side:
    import jax
    import jax.numpy as jnp
    import ludax.games
    from ludax import LudaxEnvironment

    env = LudaxEnvironment(game_str=getattr(ludax.games, THEIRS[name]))
    begin, move = jax.vmap(env.init), jax.vmap(env.step)

    def played(carried: Any, _: Any) -> tuple[Any, Any]:
        state, key = carried
        key, own, fresh = jax.random.split(key, 3)
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        state = move(state, jax.random.categorical(own, chances, axis=1).astype(jnp.int16))
        over = state.terminated | state.truncated
        new = begin(jax.random.split(fresh, size))

        def anew(other: Any, now: Any) -> Any:
            return jnp.where(over.reshape((size,) + (1,) * (now.ndim - 1)), other, now)

        return (jax.tree.map(anew, new, state), key), over.sum()

    run = jax.jit(lambda state, key: jax.lax.scan(played, (state, key), None, length=STEPS))
    (state, _key), _ = run(begin(jax.random.split(jax.random.key(1), size)), jax.random.key(2))

    def side(seed: int) -> tuple[float, float]:
        nonlocal state
        jax.block_until_ready(state)
        began, ended = perf_counter(), []
        for number in range(3):
            (state, _), over = run(state, jax.random.key(seed * 10 + number))
            ended.append(over)
        jax.block_until_ready(state)
        took, moves = perf_counter() - began, 3 * STEPS * size
        games = sum(int(each.sum()) for each in ended)
        return moves / took, moves / max(1, games)

    return side


def ours(name: str) -> Side:
    program = lawspeaker.load(name).program
    games = card_games(program, 2)
    sample = playing_instance(program, 2).games(1, 0, SAMPLE)
    length = sum(each.decisions for each in sample) / SAMPLE
    for seed in range(3):  # it finds its pace
        games.play(seed)

    def side(seed: int) -> tuple[float, float]:
        began = perf_counter()
        played = sum(games.play(seed * 10 + number) for number in range(3))
        return length * played / (perf_counter() - began), length

    return side


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(THEIRS), choices=[*THEIRS, []])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="games at once there")
    given = parser.parse_args()
    for name in given.games:
        own = ours(name)
        best: tuple[float, int, float] = (0.0, 0, 0.0)
        mine: list[float] = []
        for size in given.sizes:
            try:
                other = theirs(name, size)
                found = [other(seed) for seed in range(given.rounds)]
            except Exception as error:
                print(f"  {name}: Ludax with {size:,} games: {type(error).__name__}", flush=True)
                break
            rate = statistics.median(moves for moves, _ in found)
            best = max(best, (rate, size, found[-1][1]))
            mine += [own(seed)[0] for seed in range(given.rounds)]
        rate = statistics.median(mine)
        print(
            f"{name}: Ludax {best[0] / 1e6:,.1f} million moves/s ({best[1]:,} games at once, "
            f"{best[2]:.1f} moves a game), Lawspeaker {rate / 1e6:,.1f} ({own(99)[1]:.1f} moves a "
            f"game): {rate / max(best[0], 1):.1f} times as many",
            flush=True,
        )


if __name__ == "__main__":
    main()
