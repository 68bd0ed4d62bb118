"""A small network learns a game by playing against itself, thousands of games in one step.

    python -m benchmarks.training connect_four --seconds 600 --out learned.npz
    python -m benchmarks.training connect_four --measure learned.npz --against mc:100 --games 400

An example of `lawspeaker.vector_env`. Nothing in it knows the game: it sees rows of numbers, and
options in words. Where a card plays, the network lives there, too: all arrays are then those of
CuPy, and the same lines of code work on them.

The network has two hidden layers. It says how good the position is for who is asked, and how much
it likes each option, of all those that were ever offered in some games at random. It is an
actor-critic: what came of a game, less what was expected, says by how much everything that was
chosen in it is to become more probable. `--measure` lets it take the option it likes most, against
a bot at the other seats, at each seat in turn.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import matmul
from pathlib import Path
from typing import Any

import numpy as np

HIDDEN, STEPS, CLIP = 192, 96, 10
RATE, CALM, ENTROPY, VALUE = 1e-3, 0.9, 0.01, 0.5
KNOWN = 64
"""Rows of options that are told apart at the most."""


class Features:
    """What the network is given of a position: who is asked, the first words of the row, each as
    one of a few values, and where pieces lie."""

    def __init__(self, env: Any) -> None:
        self.env, self.xp = env, env.xp
        made = env.loaded.made
        self.words = made.pieces_at
        self.size = env.players + (CLIP + 2) * self.words + len(made.like[0]) * made.places + 1

    def of(self, seen: Any) -> Any:
        xp, env = self.xp, self.env
        games = len(seen.seats)
        rows = xp.arange(games)
        head = xp.zeros((games, env.players), xp.float32)
        head[rows, seen.seats] = 1.0
        told = xp.clip(seen.observations[:, : self.words], -1, CLIP) + 1
        words = xp.zeros((games, self.words, CLIP + 2), xp.float32)
        words[rows[:, None], xp.arange(self.words)[None, :], told] = 1.0
        planes = env.planes(seen).reshape(games, -1)
        one = xp.ones((games, 1), xp.float32)
        return xp.concatenate([head, words.reshape(games, -1), planes, one], axis=1)


class Choices:
    """The options that are told apart, each with a number."""

    def __init__(self, env: Any, rows: Any) -> None:
        self.xp = env.xp
        self.factors = env.xp.asarray(
            (2 * np.random.default_rng(0).integers(1, 1 << 30, env.width) + 1).astype(np.int64)
        )
        self.keys = env.xp.asarray(rows) if rows is not None else self._looked_for(env)

    def _looked_for(self, env: Any) -> Any:
        xp, luck = self.xp, np.random.default_rng(0)
        seen = env.reset(seed=0)
        found = xp.zeros(0, xp.int64)
        for _ in range(60):
            there = xp.arange(env.most)[None, :] < seen.offered[:, None]
            found = xp.unique(xp.concatenate([found, self._key(seen)[there]]))
            seen = env.step(any_of(xp, luck, seen))
        return found[:KNOWN]

    def _key(self, seen: Any) -> Any:
        return (seen.options.astype(self.xp.int64) * self.factors).sum(axis=2)

    def numbers(self, seen: Any) -> tuple[Any, Any]:
        """By option its number, and which options there are."""
        xp, env_most = self.xp, seen.options.shape[1]
        there = xp.arange(env_most)[None, :] < seen.offered[:, None]
        at = xp.searchsorted(self.keys, self._key(seen))
        return xp.clip(at, 0, len(self.keys) - 1), there


def any_of(xp: Any, luck: Any, seen: Any) -> Any:
    """Any option of each game."""
    part = xp.asarray(luck.random(len(seen.seats)))
    return xp.minimum((part * seen.offered).astype(xp.int64), xp.maximum(seen.offered - 1, 0))


def product_of(xp: Any) -> Callable[[Any, Any], Any]:
    """How matrices are multiplied: by NumPy or CuPy; where CuPy lacks what it needs, by PyTorch,
    which takes the arrays over as they are."""
    try:
        small = xp.ones((2, 2), xp.float32)
        float((small @ small).sum())
    except Exception:
        import torch  # type: ignore[import-not-found]

        def by_torch(one: Any, other: Any) -> Any:
            return xp.from_dlpack(torch.from_dlpack(one) @ torch.from_dlpack(other))

        return by_torch
    return matmul


@dataclass
class Network:
    """Weights, and what the way they are changed remembers of them."""

    xp: Any
    weights: list[Any]
    first: list[Any] = field(default_factory=list)
    second: list[Any] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        self.times = product_of(self.xp)

    @classmethod
    def new(cls, xp: Any, inputs: int, choices: int) -> Network:
        luck = np.random.default_rng(1)
        shapes = [(inputs, HIDDEN), (HIDDEN + 1, HIDDEN), (HIDDEN + 1, choices + 1)]
        drawn = [
            luck.standard_normal(shape) * np.sqrt(2 / shape[0]) * (0.1 if at == 2 else 1.0)
            for at, shape in enumerate(shapes)
        ]
        return cls(xp, [xp.asarray(each.astype(np.float32)) for each in drawn])

    def forward(self, inputs: Any) -> tuple[Any, Any, Any]:
        one, two = self._layers(inputs)
        out = self.times(two, self.weights[2])
        return out[:, :-1], self.xp.tanh(out[:, -1]), (inputs, one, two)

    def _layers(self, inputs: Any) -> tuple[Any, Any]:
        one = self._with_1(self.xp.maximum(self.times(inputs, self.weights[0]), 0))
        return one, self._with_1(self.xp.maximum(self.times(one, self.weights[1]), 0))

    def _with_1(self, layer: Any) -> Any:
        return self.xp.concatenate([layer, self.xp.ones((len(layer), 1), self.xp.float32)], axis=1)

    def learn(self, layers: Any, wrong: Any) -> None:
        """Changes the weights by what was wrong about what came out (Adam)."""
        inputs, one, two = layers
        slopes = [None, None, self.times(two.T, wrong)]
        back = self.times(wrong, self.weights[2].T)[:, :-1] * (two[:, :-1] > 0)
        slopes[1] = self.times(one.T, back)
        back = self.times(back, self.weights[1].T)[:, :-1] * (one[:, :-1] > 0)
        slopes[0] = self.times(inputs.T, back)
        if not self.first:
            self.first = [self.xp.zeros_like(each) for each in self.weights]
            self.second = [self.xp.zeros_like(each) for each in self.weights]
        self.steps += 1
        for at, slope in enumerate(slopes):
            self.first[at] = CALM * self.first[at] + (1 - CALM) * slope
            self.second[at] = 0.999 * self.second[at] + 0.001 * slope * slope
            mean = self.first[at] / (1 - CALM**self.steps)
            square = self.second[at] / (1 - 0.999**self.steps)
            self.weights[at] -= RATE * mean / (self.xp.sqrt(square) + 1e-6)


def probable(xp: Any, liking: Any, numbers: Any, there: Any) -> Any:
    """How probable each option is."""
    told = xp.take_along_axis(liking, numbers, axis=1)
    told = xp.where(there, told, -1e9)
    raised = xp.exp(told - told.max(axis=1, keepdims=True)) * there
    return raised / xp.maximum(raised.sum(axis=1, keepdims=True), 1e-30)


class Learner:
    """Plays and learns, so many steps of all games at a time."""

    def __init__(self, env: Any, saved: Any = None) -> None:
        self.env, self.xp = env, env.xp
        self.features = Features(env)
        self.choices = Choices(env, None if saved is None else saved["keys"])
        if saved is None:
            self.network = Network.new(env.xp, self.features.size, len(self.choices.keys))
        else:
            weights = [env.xp.asarray(saved[f"weights{at}"]) for at in range(3)]
            self.network = Network(env.xp, weights)
        self.luck = np.random.default_rng(2)
        self.decisions = 0
        self.seen = env.reset(seed=1)

    def save(self, file: Path) -> None:
        host = [each if isinstance(each, np.ndarray) else each.get() for each in self._all()]
        keys, first, second, third = host
        np.savez_compressed(file, keys=keys, weights0=first, weights1=second, weights2=third)

    def _all(self) -> list[Any]:
        return [self.choices.keys, *self.network.weights]

    def round(self) -> None:
        """Some steps of all games, and what is learned from those that came to their end."""
        xp, env = self.xp, self.env
        told: list[tuple[Any, ...]] = []
        for _ in range(STEPS):
            inputs = self.features.of(self.seen)
            numbers, there = self.choices.numbers(self.seen)
            liking, _, _ = self.network.forward(inputs)
            odds = probable(xp, liking, numbers, there)
            part = xp.asarray(self.luck.random(env.games).astype(np.float32))[:, None]
            chosen = (odds.cumsum(axis=1) < part).sum(axis=1)
            chosen = xp.minimum(chosen, xp.maximum(self.seen.offered - 1, 0))
            before, self.seen = self.seen, env.step(chosen)
            told.append((inputs, numbers, there, chosen, before.seats, self.seen))
            self.decisions += env.games
        worth = xp.zeros((env.games, env.players), xp.float32)
        known = xp.zeros(env.games, bool)
        for inputs, numbers, there, chosen, seats, after in reversed(told):
            worth = xp.where(after.ended[:, None], after.rewards, worth)
            known = (known | after.ended) & ~after.cut
            self._learn(inputs, numbers, there, chosen, worth[xp.arange(env.games), seats], known)

    def _learn(
        self, inputs: Any, numbers: Any, there: Any, chosen: Any, worth: Any, known: Any
    ) -> None:
        """Rewards lie between -1 and 1: twice what is won above what lots would give."""
        xp = self.xp
        counted = known & (there.sum(axis=1) > 0)
        if not bool(counted.any()):
            return
        liking, value, layers = self.network.forward(inputs)
        odds = probable(xp, liking, numbers, there)
        rows = xp.arange(len(worth))
        gain = xp.clip(2 * worth, -1, 1)
        ahead = (gain - value) * counted
        slope = odds.copy()
        slope[rows, chosen] -= 1.0
        slope *= ahead[:, None]
        logs = xp.log(xp.maximum(odds, 1e-8))
        mean = (odds * logs).sum(axis=1, keepdims=True)
        slope += ENTROPY * odds * (logs - mean) * counted[:, None]
        wrong = xp.zeros((len(worth), liking.shape[1] + 1), xp.float32)
        for at in range(slope.shape[1]):  # an option is told once, so nothing is added twice
            wrong[rows, numbers[:, at]] += slope[:, at] * there[:, at]
        wrong[:, -1] = -VALUE * ahead * (1 - value * value)
        self.network.learn(layers, wrong / max(1, int(counted.sum())))

    def best(self, seen: Any) -> Any:
        """The option that it likes most, of each game."""
        numbers, there = self.choices.numbers(seen)
        liking, _, _ = self.network.forward(self.features.of(seen))
        return probable(self.xp, liking, numbers, there).argmax(axis=1)


def against_random(env: Any, learner: Learner, steps: int = 120) -> tuple[float, int]:
    """The share of victories against players who take any option, at each seat in turn, and over
    how many games; a draw counts half."""
    xp, luck = env.xp, np.random.default_rng(3)
    own = xp.arange(env.games) % env.players
    seen, won, games = env.reset(seed=99), 0.0, 0
    for _ in range(steps):
        mine = seen.seats == own
        answers = xp.where(mine, learner.best(seen), any_of(xp, luck, seen))
        seen = env.step(answers)
        lots = 1 / env.players
        share = xp.where(seen.won.any(axis=1), seen.rewards[xp.arange(env.games), own] + lots, lots)
        won += float((share * seen.ended).sum())
        games += int(seen.ended.sum())
    return won / max(1, games), games


def train(env: Any, measured: Any, seconds: float, reports: int = 10) -> tuple[Learner, list[Any]]:
    """Learns for so long, and tells from time to time how well it plays."""
    learner = Learner(env)
    spent, curve = 0.0, []
    for report in range(reports + 1):
        while spent < seconds * report / reports:
            began = time.monotonic()
            learner.round()
            spent += time.monotonic() - began
        share, games = against_random(measured, learner)
        row = (round(spent, 1), learner.decisions, round(share, 4), games)
        curve.append(row)
        told = "{:8.1f} s {:13,} decisions {:8.4f} of victories over random players ({:,} games)"
        print(told.format(*row), flush=True)
    return learner, curve


def measure(name: str, players: int, file: Path, against: str, games: int) -> tuple[float, float]:
    """The share of victories against a bot, and how far it may be off: 95 of 100 times no more.
    Matches with the same luck are played beside the environment, so that the bot has its view."""
    import lawspeaker
    from lawspeaker.players.bots import bot
    from lawspeaker.study.lab.record import game_seed

    env = lawspeaker.vector_env(name, players, games=games, machine="native")
    learner = Learner(env, np.load(file))
    game, seed = lawspeaker.load(name), 5
    seen = env.reset(seed=seed)
    matches = [game.start(players, game_seed(seed, at)) for at in range(games)]
    bots = [bot(against, at) for at in range(games)]
    won = np.full(games, np.nan)
    while np.isnan(won).any():
        answers = learner.best(seen)
        for at, match in enumerate(matches):
            decision = match.decision
            if not np.isnan(won[at]) or decision is None or decision.seat is None:
                continue
            seat = decision.seat
            options = match.shown(seat).options
            if seat != at % players:
                answers[at] = options.index(bots[at].choose(match.view(seat)))
            match.choose(options[int(answers[at])], seat=seat)
            if match.finished:
                winners = match.winners
                won[at] = (at % players in winners) / len(winners) if winners else 1 / players
        seen = env.step(answers)
    return float(won.mean()), float(1.96 * won.std(ddof=1) / np.sqrt(games))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tables", type=int, default=1024, help="games at once")
    parser.add_argument("--machine", default="auto")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--measure", type=Path, help="weights to be measured instead")
    parser.add_argument("--against", default="mc:100")
    parser.add_argument("--games", type=int, default=200)
    given = parser.parse_args()
    if given.measure is not None:
        share, off = measure(given.game, given.players, given.measure, given.against, given.games)
        print(f"{share:.3f} ± {off:.3f} of victories over {given.against}, {given.games} games")
        return
    import lawspeaker

    env, measured = (
        lawspeaker.vector_env(given.game, given.players, games=games, machine=given.machine)
        for games in (given.tables, 1000)
    )
    learner, _ = train(env, measured, given.seconds)
    if given.out is not None:
        learner.save(given.out)


if __name__ == "__main__":
    main()
