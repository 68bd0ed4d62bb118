"""One bot against another: who wins more often, with the same processor time for each choice.

    python -m benchmarks.duels connect_four tree:5ms mc:5ms --games 80
    python -m benchmarks.duels walhalla tree:200 mc:200 --players 4 --games 80
    python -m benchmarks.duels walhalla learned mc:200 --players 4 --games 80

The first bot takes one seat and the second all others. Each deal is played once from every seat of
the first, so that neither seats nor luck favour anybody. Milliseconds are those the process itself
gets, so other work on the machine does not count. `--workers` spreads the games over processes, and
changes nothing else.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time

import lawspeaker
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.purpose import Purpose
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.crew import Crew
from lawspeaker.players.bots import bot, known, reply, seat_seed
from lawspeaker.players.bots.names import is_learned, parts_of
from lawspeaker.players.bots.policies import policy_for
from lawspeaker.position.rng import combine
from lawspeaker.study.lab.statistics import Estimate, share


@dataclass
class Clock:
    """How long a bot thought, where there was something to choose."""

    seconds: float = 0.0
    choices: int = 0

    @property
    def milliseconds(self) -> float:
        return 1000 * self.seconds / max(1, self.choices)


def duel(
    name: str, names: Sequence[str], players: int, games: int, seed: int, crew: Crew
) -> tuple[Estimate, tuple[Clock, Clock]]:
    """The share of victories of the first bot, and how long both thought for a choice."""
    victories, clocks = 0.0, (Clock(), Clock())
    jobs = [(name, names, players, seed, number) for number in range(games)]
    for victory, both in crew.spread(play, jobs):
        victories += victory
        for clock, each in zip(clocks, both, strict=True):
            clock.seconds += each.seconds
            clock.choices += each.choices
    return share(victories, games), clocks


def play(
    name: str, names: Sequence[str], players: int, seed: int, number: int
) -> tuple[float, tuple[Clock, Clock]]:
    """One game: the share of the victory that the first bot has."""
    equip()
    game = lawspeaker.load(name)
    for each in names:  # what is compiled and read now is no thinking later
        playing_instance(game.program, players, Purpose(guided=is_learned(each)))
        if is_learned(each):
            policy_for(game.program, players, parts_of(each)[0])
    clocks = (Clock(), Clock())
    deal, own = divmod(number, players)
    match = game.start(players=players, seed=combine(seed, deal) >> 1)
    sides = [int(seat != own) for seat in range(players)]
    bots = [
        bot(names[side], seat_seed(combine(seed, number), seat), process_time)
        for seat, side in enumerate(sides)
    ]
    while decision := match.decision:
        seat = decision.seat
        assert seat is not None
        began = process_time()
        option = reply(bots[seat], match, seat)
        if len(decision.options) > 1:
            clocks[sides[seat]].seconds += process_time() - began
            clocks[sides[seat]].choices += 1
        match.choose(option, seat=seat)
    # Where nobody has won, all have their part.
    won = match.winners or tuple(range(players))
    return (own in won) / len(won), clocks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    for name in (given.first, given.second):
        if wrong := known(name, timed=True):
            parser.error(wrong)
    players = given.players or lawspeaker.load(given.game).program.fewest
    names, crew = (given.first, given.second), Crew(given.workers)
    found, clocks = duel(given.game, names, players, given.games, given.seed, crew)
    print(
        f"{given.game}, {players} players: {given.first} wins {found.value:.0%} of {given.games} "
        f"games ({found.low:.0%} to {found.high:.0%}; fair: {1 / players:.0%}); a choice took "
        f"{clocks[0].milliseconds:.1f} and {clocks[1].milliseconds:.1f} ms"
    )


if __name__ == "__main__":
    main()
