"""Vectorised environment: steps thousands of games at once, as arrays.

    env = lawspeaker.vector_env("NAME", players=2, games=4096)
    seen = env.reset(seed=1)
    while …:
        seen = env.step(answers)      # a number for each game, below seen.offered

Every game waits for one seat at a time; seats that are asked at once answer in turn, and nobody
sees a reply before all are in. A finished game is replaced in the same step: the observation is
the beginning of the next game, and `ended`, `rewards`, `scores` and `won` describe the finished
one. Game number n equals the game with this number in simulations with the same seed.

Every step returns new arrays, owned by the caller; PyTorch and JAX can import them by DLPack
without copying (`torch.from_dlpack`). Observations are described in
`compiled/playouts/observing`; they contain nothing that the seat may not see. On a GPU they are
CuPy arrays, and never leave it; on the CPU, with the same kernel compiled by the C++ compiler,
NumPy arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lawspeaker.machines.native.kernel import IS_OVER, STOPPED
from lawspeaker.outside.gpu_driver import Loaded, NoGpu

SEAT, OFFERED, ENDED, SCORES = 0, 1, 2, 3
LARGEST_SEED = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """Observations of all games.

    `seats`: the seat to move. `observations`: a row of words for each game. `offered`: the number
    of options. `options`: encodings of the first of them, a row of words each, the rest 0.
    `ended`: games that finished with the last answer; `cut`: those that could not continue. Of
    these `scores`, `won` and `rewards` tell, by seat; of all others they are 0.
    """

    seats: Any
    observations: Any
    offered: Any
    options: Any
    ended: Any
    cut: Any
    scores: Any
    won: Any
    rewards: Any


class VectorEnv:
    """A number of games of one kernel, stepped in parallel.

    `sides`: teams of seats. `most`: maximum number of options that are encoded. `budget`: step
    limit of the rules between two questions.
    """

    def __init__(
        self,
        loaded: Loaded,
        games: int,
        sides: tuple[tuple[int, ...], ...],
        most: int,
        budget: int,
    ) -> None:
        if games < 1:
            raise ValueError("there has to be a game at least")
        made = loaded.made
        self.loaded, self.xp = loaded, loaded.xp
        self.games, self.most, self.budget = games, most, budget
        self.players, self.length, self.width = made.players, made.seen, made.width
        self.sides = sides
        xp = self.xp
        self._firsts = xp.asarray([side[0] for side in sides])
        try:
            self._aside = xp.zeros((made.slot // 8, games), xp.uint64)
        except Exception as error:
            raise NoGpu(f"there is no memory for {games:,} games: {error}") from None
        self._numbers = xp.zeros(games, xp.uint32)
        self._said = xp.zeros((games, made.said), xp.uint32)
        self._seed = -1

    def reset(self, seed: int = 1) -> Observations:
        """Restarts all games."""
        xp = self.xp
        if not 0 <= seed < LARGEST_SEED:
            raise ValueError(f"a seed is a number from 0 up to {LARGEST_SEED - 1}, not {seed}")
        self._seed = seed
        self._numbers[:] = xp.arange(self.games, dtype=xp.uint32) - np.uint32(self.games)
        self._said[:] = 0
        self._said[:, ENDED] = STOPPED
        return self._turn(xp.zeros(self.games, xp.uint32), first=True)

    def step(self, answers: Any) -> Observations:
        """Answers the question of each game with the index of an option."""
        xp = self.xp
        if self._seed < 0:
            raise RuntimeError("reset the environment before you use it")
        given = xp.asarray(answers)
        if given.shape != (self.games,):
            raise ValueError(f"{self.games} answers are wanted, one for each game")
        waiting = self._said[:, ENDED] != STOPPED
        wrong = waiting & ((given < 0) | (given >= self._said[:, OFFERED]))
        if bool(wrong.any()):
            game = int(xp.argmax(wrong))
            most = int(self._said[game, OFFERED])
            raise ValueError(
                f"game {game} has {most} options; there is none with number {int(given[game])}"
            )
        return self._turn(given.astype(xp.uint32), first=False)

    def planes(self, seen: Observations) -> Any:
        """One-hot planes by game, kind of piece and place: 1 where a piece is seen.

        Of kinds that every player has, those of the seat to move come first.
        """
        xp, made = self.xp, self.loaded.made
        kinds, end = len(made.like[0]), made.pieces_at + len(made.looks)
        like, looks = xp.asarray(made.like), xp.asarray(made.looks)
        places = seen.observations[:, made.pieces_at : end]
        kind = like[seen.seats][:, looks]
        games = len(seen.seats)
        found = xp.zeros((games, kinds * (made.places + 1)), xp.float32)
        found[xp.arange(games)[:, None], kind * (made.places + 1) + places] = 1.0
        return found.reshape(games, kinds, made.places + 1)[:, :, 1:]

    def _turn(self, answers: Any, *, first: bool) -> Observations:
        xp, games, made = self.xp, self.games, self.loaded.made
        rows = xp.zeros((games, made.seen), xp.uint32)
        options = xp.zeros((games, self.most, made.width), xp.uint32)
        given = xp.ascontiguousarray(answers)
        assert self._seed is not None
        self.loaded.call(
            games,
            *(np.uint64(self._seed), np.uint32(games), np.uint32(self.budget), self._aside, given),
            *(self._numbers, self._said, rows, options, np.uint32(self.most)),
        )
        said = self._said.view(xp.int32)
        ended, cut = said[:, ENDED] == IS_OVER, said[:, ENDED] == STOPPED
        over = ended[:, None]
        scores = xp.where(over, said[:, SCORES : SCORES + self.players], 0)
        won = over & (said[:, SCORES + self.players :] != 0)
        return Observations(
            said[:, SEAT].copy(),
            rows.view(xp.int32),
            xp.where(cut, 0, said[:, OFFERED]),
            options.view(xp.int32),
            ended,
            cut,
            scores,
            won,
            self._rewards(won, ended),
        )

    def _rewards(self, won: Any, ended: Any) -> Any:
        """An equal share of 1 for each winning side, minus the fair share; with one side, 1 for
        winning.
        """
        xp = self.xp
        victors = won[:, self._firsts].sum(axis=1)
        share = 1.0 / xp.maximum(victors, 1)
        lots = 1.0 / len(self.sides) if len(self.sides) > 1 else 0.0
        anybody = (ended & (victors > 0))[:, None]
        return xp.where(anybody, won * share[:, None] - lots, 0.0).astype(xp.float32)
