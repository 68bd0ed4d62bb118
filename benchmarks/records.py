"""Every game and every variant on a GPU: are the records those of the compiled machine?

    python -m benchmarks.records                       a million games of each, all games
    python -m benchmarks.records --only chess go       of these alone
        --games 1000000  --seconds 20                  so many, or as many as there is time for

Of each thousand games one is drawn at random, with at least a hundred of each, played again by the
compiled machine and compared word by word. Programs are compiled side by side, and games are played
one after the other, each in a process of its own. Exit code 0: everything was equal.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from typing import Any

import numpy as np

SEED = 1
ONE_IN, AT_LEAST = 1000, 100
NEEDED = {"no_late_hel": "hel"}
"""Variants that go with another one."""

_turn: list[Any] = []
"""What is held by whoever plays on the GPU."""


def every_name() -> list[str]:
    """All games, and each with each of its variants."""
    from lawspeaker.outside.library import Library

    library = Library()
    found = []
    for game in library.games():
        found.append(game)
        for variant in library.variants(game):
            parts = (game, NEEDED.get(variant), variant)
            found.append("+".join(each for each in parts if each))
    return found


def compared(given: tuple[str, int, float]) -> tuple[bool, str]:
    """Plays a game on the GPU, and some of it again elsewhere."""
    name, games, seconds = given
    try:
        return _compared(name, games, seconds)
    except Exception as error:  # one that cannot be played is told, and costs the others nothing
        return False, f"{name}: {type(error).__name__}: {error}"


def _compared(name: str, games: int, seconds: float) -> tuple[bool, str]:
    from lawspeaker import load
    from lawspeaker.outside.gpu_games import CardGames, gpu

    rules = load(name)
    players = rules.players[-1]
    played = CardGames(rules.program, players, gpu())
    size = played.instance.compiled.record_size
    luck = np.random.default_rng(4)
    drawn: list[tuple[int, bytes]] = []
    first = 0
    with _turn[0]:
        began = time.monotonic()
        for content in played.records(SEED, 0, games):
            some = len(content) // size
            wanted = min(some, max(AT_LEAST if not first else 1, some // ONE_IN))
            for at in map(int, luck.choice(some, wanted, replace=False)):
                drawn.append((first + at, content[at * size : (at + 1) * size]))
            first += some
            if time.monotonic() - began > seconds:
                break
        took = time.monotonic() - began
    wrong = [
        number
        for number, record in drawn
        if b"".join(played.instance.records(SEED, number, 1)) != record
    ]
    told = f"{name}, {players} players: {first:,} games in {took:.1f} s, {len(drawn):,} drawn, "
    return not wrong, told + (f"DIFFERENT: {wrong[:5]}" if wrong else "all equal")


def _begin(turn: Any) -> None:
    _turn.append(turn)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=16)
    given = parser.parse_args()
    names = given.only or every_name()
    context = multiprocessing.get_context("spawn")
    right, count = True, 0
    work = [(name, given.games, given.seconds) for name in names]
    with context.Pool(given.jobs, _begin, (context.Lock(),), maxtasksperchild=1) as pool:
        for well, told in pool.imap_unordered(compared, work):
            right, count = right and well, count + well
            print("ok " if well else "NOT", told, flush=True)
    print(f"{count} of {len(names)} equal")
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
