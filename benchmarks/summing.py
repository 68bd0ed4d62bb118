"""What adding games up costs: CPU microseconds a game, on one core, taking turns.

    python -m benchmarks.summing [GAME:PLAYERS …] [--games 2000] [--rounds 5]

`playing` keeps no record, `watching` counts what the lab wants to know, `summing` counts and adds
it up inside the module, `records` copies records to Python and has NumPy add them up.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

from lawspeaker import load
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled import Instance
from lawspeaker.machines.purpose import PLAYING, SUMMING, WATCHING
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.tally import tally

AT_ONCE = 1000


def sides(name: str, players: int, games: int) -> dict[str, Callable[[], object]]:
    program, bots = load(name).program, ("random",) * players
    playing, watching, summing = (
        playing_instance(program, players, purpose) for purpose in (PLAYING, WATCHING, SUMMING)
    )
    parts = [range(at, min(at + AT_ONCE, games)) for at in range(0, games, AT_ONCE)]

    def only_played(inside: Instance) -> None:
        for each in parts:
            inside.play(1, each.start, len(each))

    def summed() -> object:
        for each in parts:
            summing.add_up(1, each.start, len(each))
        return summing.totals()

    return {
        "playing": partial(only_played, playing),
        "watching": partial(only_played, watching),
        "summing": summed,
        "records": lambda: [tally(play_games(program, players, 1, each, bots)) for each in parts],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games_named", nargs="*", default=["walhalla:4"], metavar="GAME:PLAYERS")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    for game in given.games_named:
        name, _, players = game.partition(":")
        all_sides = sides(name, int(players), given.games)
        least = dict.fromkeys(all_sides, float("inf"))
        for _ in range(given.rounds):
            for side, play in all_sides.items():
                began = time.process_time()
                play()
                least[side] = min(least[side], time.process_time() - began)
        told = (f"{side} {1e6 * took / given.games:.2f} µs" for side, took in least.items())
        print(f"{game}: {', '.join(told)}; pace {least['playing'] / least['summing']:.0%}")


if __name__ == "__main__":
    main()
