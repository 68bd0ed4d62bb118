"""Games spread over the cores of this machine: an edge, since it starts processes.

Each worker loads the game once and plays blocks of numbers. Records come back in the order of
their numbers, however many workers there are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context

from lawspeaker import ir
from lawspeaker.loading import load
from lawspeaker.simulate import Record, play_game

LARGEST_BLOCK = 8
"""The most games a worker plays before it reports, so that progress can be seen."""


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system knows affinity
        return os.cpu_count() or 1


def records(
    name: str,
    program: ir.Program,
    players: int,
    seed: int,
    bots: Sequence[str],
    games: int,
    workers: int,
) -> Iterator[Record]:
    """The records of games 0, 1, 2 … in this order."""
    if workers <= 1:
        for number in range(games):
            yield play_game(program, players, seed, number, bots)
        return
    block = max(1, min(LARGEST_BLOCK, games // (workers * 4) or 1))
    starts = range(0, games, block)
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        tasks = [
            pool.submit(_block, name, players, seed, tuple(bots), start, min(start + block, games))
            for start in starts
        ]
        for task in tasks:
            yield from task.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@lru_cache(maxsize=1)
def _program(name: str) -> ir.Program:
    """A worker loads the game once."""
    return load(name).program


def _block(
    name: str, players: int, seed: int, bots: tuple[str, ...], start: int, end: int
) -> list[Record]:
    program = _program(name)
    return [play_game(program, players, seed, number, bots) for number in range(start, end)]
