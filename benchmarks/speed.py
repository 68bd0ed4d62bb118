"""How fast an engine by hand plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from timeit import repeat

ROUNDS = 10


def print_speed(play: Callable[[int, int], object], players: Iterable[int], games: int) -> None:
    """Prints games per second for each number of players: of so many, in the best of ten rounds."""
    for count in players:
        seconds = repeat(partial(_play_all, play, count, games), number=1, repeat=ROUNDS)
        print(f"{count} players: {games / min(seconds):,.0f} games per second")


def _play_all(play: Callable[[int, int], object], players: int, games: int) -> None:
    for seed in range(games):
        play(players, seed)
