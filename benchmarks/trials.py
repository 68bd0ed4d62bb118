"""Options tried out on a GPU: do they come to the same, and how many playouts are made?

    python -m benchmarks.trials walhalla:4 connect_four:2 --playouts 1000000

At some moments of a game that goes by luck all options are tried out, on the GPU and on one core
of the processor (fewer times there: `--share`), and the sums of the first playouts are compared.
Exit code 0: everything was equal.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from time import perf_counter

import lawspeaker
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.runtime.unit import NEVER
from lawspeaker.match.determinization import DEALS, unseen
from lawspeaker.match.view import View
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.gpu_playouts import CardTrials, card_trials
from lawspeaker.position.rng import RngFactory

SEED = 5


def moments(game: lawspeaker.Game, players: int, wanted: int) -> list[View]:
    """What seats see who have a choice, spread over a game that goes by luck."""
    match, luck = game.start(players=players, seed=SEED), RngFactory(SEED).stream("moments")
    found: list[View] = []
    while decision := match.decision:
        if len(decision.options) > 1:
            found.append(match.view(decision.seat))
        match.choose(luck.choose(decision.options), decision.seat)
    return found[:: max(1, len(found) // wanted)][:wanted]


def compared(trials: CardTrials, view: View, playouts: int, share: int) -> tuple[float, float, int]:
    """Playouts a second on the GPU and on the processor, and how many were compared; none if they
    differ."""
    seat, gaps = view.seat, unseen(view)
    assert seat is not None
    assert view.decision is not None
    options = range(len(view.decision.options))
    instance = playing_instance(view.program, view.layout.players)
    instance.lay_out(gaps, view.asked)
    if not gaps.open:
        instance.imagine(0, 0)
    trials.lay_out(gaps, view.asked)
    deals, discreet = DEALS if gaps.open else 0, view.discreet
    rounds = max(1, playouts // len(options))
    few = max(1, rounds // share)
    began = perf_counter()
    inside = instance.explore(options, seat, 1, few, deals=deals, discreet=discreet)
    taken = perf_counter() - began
    explore = partial(trials.explore, reach=NEVER, deals=deals, discreet=discreet)
    there = explore(instance, options, seat, 1, few)
    began = perf_counter()
    explore(instance, options, seat, 2, rounds)
    there_taken = perf_counter() - began
    count = few * len(options)
    return rounds * len(options) / there_taken, count / taken, count if there == inside else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", help="NAME:PLAYERS")
    parser.add_argument("--playouts", type=int, default=1_000_000)
    parser.add_argument("--share", type=int, default=100)
    parser.add_argument("--moments", type=int, default=3)
    given = parser.parse_args()
    equip()
    equal = True
    for name, _, players in (each.partition(":") for each in given.games):
        game = lawspeaker.load(name)
        count = int(players or game.players[-1])
        began = perf_counter()
        trials = card_trials(game.program, count)
        print(f"{name}, {count} players; got ready in {perf_counter() - began:.1f} s", flush=True)
        for at, view in enumerate(moments(game, count, given.moments)):
            there, inside, same = compared(trials, view, given.playouts, given.share)
            equal &= same > 0
            told = f"{same:,} equal" if same else "DIFFERENT"
            print(
                f"  moment {at + 1}: GPU {there:,.0f} playouts/s, CPU {inside:,.0f}; {told}",
                flush=True,
            )
    sys.exit(not equal)


if __name__ == "__main__":
    main()
