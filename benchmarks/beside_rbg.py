"""The same games by RBG and by Lawspeaker, taking turns on one core.

    python -m benchmarks.beside_rbg FOLDER chess go hex

RBG compiles descriptions of board games to C++ (rbg2cpp). FOLDER has a program for each game, by
the name it has here: what rbg2cpp makes of the game, compiled with its `test/simulation.cpp`. It is
told how many random games to play. A game without such a program is skipped, and it is said why.

Lawspeaker plays as machine code, where there is a C compiler, and in WebAssembly. All sides take
turns; what counts is the time of the processor, for RBG that of its process without its start. The
ratios are those of the medians. Rules differ in details, so the games may not be equally long.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from lawspeaker import load
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled import Instance
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.outside.native import NativeGames, NoCompiler, native_games

GAMES = (
    *("chess", "go", "draughts", "hex", "nine_mens_morris", "othello"),
    *("connect_four", "tic_tac_toe"),
)
ROUNDS = 5
SECONDS = 1.0

Side = Callable[[int], float]
"""Plays so many games; the seconds of processor time that took."""


def theirs(program: Path) -> Side:
    """A program of RBG. What it takes to start is measured with a single game."""

    def run(games: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([str(program), str(games)], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    start = min(run(1) for _ in range(3))
    return lambda games: max(1e-9, run(games) - start)


def ours(machine: NativeGames | Instance) -> Side:
    """One of our machines, which plays as many games in a call as it has room to record."""

    def run(games: int) -> float:
        began = time.process_time()
        for first in range(0, games, machine.most_games):
            machine.play(1, first, min(machine.most_games, games - first))
        return time.process_time() - began

    return run


def sides(name: str, folder: Path) -> dict[str, Side]:
    """All that can play a game; says which cannot, and why."""
    found: dict[str, Side] = {}
    program = folder / name
    if os.access(program, os.X_OK) and program.is_file():
        found["RBG"] = theirs(program)
    else:
        print(f"{name}: RBG is skipped: there is no program {name} in {folder}", flush=True)
    rules = load(name).program
    try:
        found["native"] = ours(native_games(rules, rules.most))
    except NoCompiler as why:
        print(f"{name}: native is skipped: {why}", flush=True)
    found["wasm"] = ours(playing_instance(rules, rules.most, WATCHING))
    return found


def paces(found: dict[str, Side], rounds: int, seconds: float) -> dict[str, float]:
    """Games a second of each side, each in as many games as take it so long."""
    counts = dict.fromkeys(found, 1)
    for name, side in found.items():
        while (took := side(counts[name])) < seconds / 4:
            counts[name] *= 4 if took < seconds / 40 else 2
        counts[name] = max(1, round(counts[name] * seconds / took))
    rates: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(rounds):
        for name, side in found.items():
            rates[name].append(counts[name] / side(counts[name]))
    return {name: statistics.median(rate) for name, rate in rates.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the programs of RBG are")
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a side in a round")
    given = parser.parse_args()
    for name in given.games:
        found = paces(sides(name, given.folder), given.rounds, given.seconds)
        told = [f"{side} {pace:,.0f}" for side, pace in found.items()]
        for side in ("native", "wasm"):
            if "RBG" in found and side in found:
                told.append(f"{side} / RBG {found[side] / found['RBG']:.2f}")
        print(f"{name}: games a second: {', '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
