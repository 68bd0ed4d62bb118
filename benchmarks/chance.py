"""How many games does a correction of chance save, where bots that think play?

    python -m benchmarks.chance
    python -m benchmarks.chance --games 200 pig pedlars

The question is how often the first seat wins. Two corrections with mean zero are subtracted from
each game, as much of them as a regression says:

    steps   along the game, the estimated value of what chance did, minus that of what it does if
            it is drawn again from the same position (after AIVAT and MIVAT); values are shares of
            random playouts, with the same luck for both
    course  the share that random players win by the very shuffles, draws and dice of this game,
            whose mean over many games is soon known; events have keys, so they hold for any course

Printed are, for each, the part of the variance that is left, the seconds of processor time that a
game with the correction takes as a multiple of one without, and their product: the time for an
interval of the same width. Less than 100 % is a gain.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import lawspeaker
from lawspeaker import ir
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.host.instance import Instance
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.match import Match
from lawspeaker.position.rng import combine, word_of
from lawspeaker.position.state import State
from lawspeaker.study.lab.record import Watcher, game_seed, play_game

Values = NDArray[np.float64]
QUESTIONS = {"pig": 2, "pedlars": 2, "scopa": 2, "crazy_eights": 2, "walhalla": 3}
"""Games, and by how many they are played."""
COURSES = 100
"""Random games by the chance of one game."""


class Kept(Watcher):
    """Keeps the positions of a game and the replies given there."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.replies: list[tuple[int, Option]] = []

    def asked(self, match: Match, decision: Decision, option: Option) -> None:
        assert decision.seat is not None
        self.states.append(match.state.copy())
        self.replies.append((decision.seat, option))


class Corrections:
    """Estimates of what chance did, by random playouts."""

    def __init__(self, program: ir.Program, players: int, playouts: int) -> None:
        self.program, self.players, self.playouts = program, players, playouts
        self.instance: Instance = playing_instance(program, players)

    def value(self, state: State, seed: int, *, reseed: bool = True, count: int = 0) -> float:
        """The first seat's share of victories in random playouts."""
        if state.ended:
            won = state.winners
            return 1 / len(won) if 0 in won else 0.0
        self.instance.load(state)
        self.instance.keep()
        many = count or self.playouts
        return self.instance.playouts(seed, 0, many, reseed=reseed).wins[0] / many

    def steps(self, kept: Kept, won: float, own: int) -> float:
        """What chance did for the first seat after each reply, by values of playouts."""
        total = 0.0
        for at, (seat, option) in enumerate(kept.replies):
            before, seed = kept.states[at], combine(own, at)
            other = self.again(before, seat, option, seed >> 1)
            if at + 1 < len(kept.states):
                after = kept.states[at + 1]
                if not same(after, other):
                    total += self.value(after, seed) - self.value(other, seed)
            else:
                total += won - self.value(other, seed)
        return total

    def again(self, before: State, seat: int, option: Option, seed: int) -> State:
        """The position after a reply, if chance is drawn again."""
        state = before.copy()
        state.seed = seed
        match = Match.from_state(self.program, state)
        match.choose(option.text, seat=seat)
        return match.state

    def courses(self, seed: int, numbers: range) -> Values:
        """By game, the share that random players win by the chance of this game."""
        return np.array(
            [
                self.value(self.start(game_seed(seed, each)), each, reseed=False, count=COURSES)
                for each in numbers
            ]
        )

    def start(self, seed: int) -> State:
        return Match(self.program, self.players, seed).state


def same(one: State, other: State) -> bool:
    """Whether positions differ at most in the luck to come."""
    twin = other.copy()
    twin.seed = one.seed
    return twin == one


@dataclass(frozen=True)
class Found:
    """Of each game: whether the first seat won, and the corrections; with the seconds it took."""

    won: Values
    corrections: dict[str, Values]
    playing: float
    correcting: dict[str, float]


def found(name: str, players: int, bot: str, games: int, playouts: int) -> Found:
    program = lawspeaker.load(name).program
    corrections = Corrections(program, players, playouts)
    kept, records, playing = [], [], 0.0
    play_game(program, players, 0, 0, [bot] * players)  # everything is compiled
    for number in range(games):
        watcher = Kept()
        began = time.process_time()
        record = play_game(program, players, 1, number, [bot] * players, watcher)
        playing += time.process_time() - began
        kept.append(watcher)
        records.append(record)
    won = np.array([each.winners.count(0) / max(1, len(each.winners)) for each in records])
    began = time.process_time()
    steps = []
    for number, (each, outcome) in enumerate(zip(kept, won, strict=True)):
        own = combine(game_seed(1, number), word_of("chance"))
        first = corrections.start(own >> 1)
        seed = combine(own, word_of("start"))
        dealt = corrections.value(each.states[0], seed) - corrections.value(first, seed)
        steps.append(dealt + corrections.steps(each, float(outcome), own))
    stepped = time.process_time() - began
    began = time.process_time()
    course = corrections.courses(1, range(games))
    shared = time.process_time() - began
    values = {"steps": np.array(steps), "course": course}
    return Found(won, values, playing, {"steps": stepped, "course": shared})


def left(values: Values, by: Values) -> float:
    """The part of a variance that a regression leaves, one degree of freedom taken off."""
    if not values.var() or not by.var():
        return 1.0
    correlation = float(np.corrcoef(values, by)[0, 1])
    return (1 - correlation**2) * (len(values) - 1) / (len(values) - 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(QUESTIONS))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=20)
    parser.add_argument("--bot", default="mc:50")
    given = parser.parse_args()
    for name in given.names:
        each = found(name, QUESTIONS[name], given.bot, given.games, given.playouts)
        told = [f"{each.playing / given.games:.2f} s a game"]
        for what, values in each.corrections.items():
            rest = left(each.won, values)
            cost = 1 + each.correcting[what] / each.playing
            told.append(f"{what}: {100 * rest:.0f} % x {cost:.2f} = {100 * rest * cost:.0f} %")
        print(f"{name}, {given.bot}: {', '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
