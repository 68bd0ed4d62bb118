"""Games spread over the cores of this machine: an edge, since it starts processes.

Each worker loads the game once and plays blocks of numbers. Records come back in the order of
their numbers, however many workers there are. For comparisons a worker lays a patch over the game
by itself, so that only texts and numbers travel between processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context

from lawspeaker import ir
from lawspeaker.compare.effect import Played, play
from lawspeaker.compare.witness import Rulebooks, Search, search
from lawspeaker.diagnostics import Diagnostics, RulesError
from lawspeaker.loading import load, telling
from lawspeaker.simulate import Record, play_game


@dataclass(frozen=True, slots=True)
class Rules:
    """A game by its name, and the text of a variant to lay over it, if any."""

    name: str
    patch: str = ""


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


def paired(
    rules: Sequence[Rules],
    programs: Sequence[ir.Program],
    players: int,
    seed: int,
    bots: Sequence[str],
    games: int,
    workers: int,
) -> Iterator[tuple[int, Played]]:
    """The same games by several rules: all games of the first rules, then of the second, and so on.

    Each comes with the number of its rules. A worker makes the rules itself, from a name and the
    text of a variant to lay over; `programs` are the same rules for this process.
    """
    if workers <= 1:
        for at, program in enumerate(programs):
            for number in range(games):
                yield at, play(program, players, seed, number, bots)
        return
    block = max(1, min(LARGEST_BLOCK, games // (workers * 2) or 1))
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        tasks = [
            (
                at,
                pool.submit(
                    _paired, each, players, seed, tuple(bots), start, min(start + block, games)
                ),
            )
            for at, each in enumerate(rules)
            for start in range(0, games, block)
        ]
        for at, task in tasks:
            for found in task.result():
                yield at, found
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Sought:
    """A difference to be witnessed: the first rules, those with the difference, the others."""

    one: Rules
    alone: Rules
    other: Rules
    clauses: tuple[str, ...]


def witnesses(
    sought: Sequence[Sought],
    books: Sequence[Rulebooks],
    seed: int,
    positions: int,
    workers: int,
) -> Iterator[Search]:
    """A search for each difference, in order; `books` are the same rules for this process."""
    if workers <= 1:
        for each, rules in zip(sought, books, strict=True):
            yield search(rules, each.clauses, seed, positions)
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        tasks = [pool.submit(_search, each, seed, positions) for each in sought]
        for task in tasks:
            yield task.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _search(sought: Sought, seed: int, positions: int) -> Search:
    programs = [_patched(each) for each in (sought.one, sought.alone, sought.other)]
    return search(Rulebooks(*programs), sought.clauses, seed, positions)


def _paired(
    rules: Rules, players: int, seed: int, bots: tuple[str, ...], start: int, end: int
) -> list[Played]:
    program = _patched(rules)
    return [play(program, players, seed, number, bots) for number in range(start, end)]


@lru_cache(maxsize=8)
def _patched(rules: Rules) -> ir.Program:
    diagnostics = Diagnostics()
    told = telling(rules.name, diagnostics)
    if told is not None and rules.patch:
        told = told.with_patch(rules.patch, "alone", diagnostics)
    if told is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return told.program


@lru_cache(maxsize=1)
def _program(name: str) -> ir.Program:
    """A worker loads the game once."""
    return load(name).program


def _block(
    name: str, players: int, seed: int, bots: tuple[str, ...], start: int, end: int
) -> list[Record]:
    program = _program(name)
    return [play_game(program, players, seed, number, bots) for number in range(start, end)]
