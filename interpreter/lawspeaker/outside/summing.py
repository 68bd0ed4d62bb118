"""Sums up random games inside the compiled module, in threads with a module instance each.

A running module does not need Python, so threads run in parallel and no process has to start. The
calling thread schedules blocks of games, adds up their sums, and plays the games that a module
left out through `play_games`. Blocks grow until each takes long enough.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.machines.sum_host import AddsUp
from lawspeaker.machines.sum_layout import LOWEST
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.module_sums import tally_of
from lawspeaker.study.lab.tally import Tally, tally

FIRST_BLOCK, GROWTH = 8, 8
"""Games in the first block, and the maximum growth factor."""
SECONDS = 0.25
"""Target seconds per block, which bounds the latency of interruption."""
WORTH_A_THREAD = 0.02
"""Seconds of work that justify another thread."""
STACK = 16 << 20
"""Stack bytes per thread, which hold the module's stack."""


@dataclass(frozen=True, slots=True)
class _Block:
    numbers: range
    tally: Tally
    left_out: Sequence[int]
    seconds: float


def added_up(
    program: ir.Program, first: AddsUp, seed: int, numbers: range, threads: int
) -> Iterator[Tally]:
    """Yields the tallies of games of these numbers (contiguous), block by block, in any order.

    `first` runs the module; it is cloned for further threads.
    """
    bots = ("random",) * first.sum_places.players
    for block in _blocks(first, seed, numbers, threads):
        found = block.tally
        for some in _in_a_row(block.left_out):
            found += tally(play_games(program, len(bots), seed, some, bots))
        yield found


def _blocks(first: AddsUp, seed: int, numbers: range, threads: int) -> Iterator[_Block]:
    """Plays serially until the speed is known, then in threads."""
    size = FIRST_BLOCK
    while numbers:
        block = _played(first, seed, numbers[:size])
        yield block
        numbers = numbers[len(block.numbers) :]
        pace = len(block.numbers) / max(block.seconds, 1e-6)
        threads = min(threads, int(len(numbers) / pace / WORTH_A_THREAD))
        size = max(1, min(GROWTH * size, int(pace * SECONDS)))
        if threads > 1 and block.seconds > WORTH_A_THREAD / 4:
            yield from _in_threads(first, seed, numbers, threads, size)
            return


def _in_threads(
    first: AddsUp, seed: int, numbers: range, threads: int, size: int
) -> Iterator[_Block]:
    free = [first, *(first.another() for _ in range(threads - 1))]
    running: dict[Future[_Block], AddsUp] = {}
    with _pool(threads) as pool:
        while numbers or running:
            while numbers and free:
                # The last blocks are small, so that all threads finish at about the same time.
                some = numbers[: max(1, min(size, len(numbers) // threads))]
                numbers = numbers[len(some) :]
                inside = free.pop()
                running[pool.submit(_played, inside, seed, some)] = inside
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                free.append(running.pop(done))
                block = done.result()
                pace = len(block.numbers) / max(block.seconds, 1e-6)
                size = max(1, min(GROWTH * size, int(pace * SECONDS)))
                yield block


@contextmanager
def _pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    before = threading.stack_size(STACK)
    pool = ThreadPoolExecutor(threads, "games")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
        threading.stack_size(before)


def _played(inside: AddsUp, seed: int, numbers: range) -> _Block:
    began = time.perf_counter()
    left_out = inside.add_up(seed, numbers.start, len(numbers))
    found = tally_of(inside.totals(), inside.sum_places.players, LOWEST)
    return _Block(numbers, found, left_out, time.perf_counter() - began)


def _in_a_row(numbers: Sequence[int]) -> Iterator[range]:
    """Groups numbers into contiguous ranges."""
    found: list[range] = []
    for each in sorted(numbers):
        if found and found[-1].stop == each:
            found[-1] = range(found[-1].start, each + 1)
        else:
            found.append(range(each, each + 1))
    yield from found
