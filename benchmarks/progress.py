"""A bot that goes by progress against the same bot without (`lawspeaker.ir.progress`).

    python -m benchmarks.progress nine_mens_morris greedy --games 40

Both play one game by the same rules, each in modules of its own: the first takes one seat, the
second all others, and each deal is played from every seat.
"""

from __future__ import annotations

import argparse

import lawspeaker
from lawspeaker.ir.progress import Progress, Sides, progress
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.runtime import plan
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.game import Game
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.position.rng import combine
from lawspeaker.position.standing import share_of_victory
from lawspeaker.study.lab.statistics import share


def without(program: object, sides: Sides) -> tuple[Progress, ...]:
    """None at all."""
    return ()


def played(games: tuple[Game, Game], name: str, players: int, seed: int, number: int) -> float:
    """One game in step by both: the share of the victory that the first bot has."""
    deal, own = divmod(number, players)
    with_it, other = (each.start(players=players, seed=combine(seed, deal) >> 1) for each in games)
    bots = [bot(name, seat_seed(combine(seed, number), seat)) for seat in range(players)]
    while decision := with_it.decision:
        seat = decision.seat
        assert seat is not None
        option = reply(bots[seat], with_it if seat == own else other, seat)
        for match in (with_it, other):
            match.choose(option.text, seat=seat)
    return share_of_victory(with_it.machine.layout, with_it.winners, own)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("bot")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    games = lawspeaker.load(given.game), lawspeaker.load(given.game)
    players = given.players or games[0].program.fewest
    for game, derived in zip(games, (progress, without), strict=True):
        plan.progress = derived  # type: ignore[attr-defined]
        playing_instance(game.program, players, PLAYING)
    numbers = range(given.games)
    won = sum(played(games, given.bot, players, given.seed, number) for number in numbers)
    found = share(won, given.games)
    print(
        f"{given.game}, {players} players: {given.bot} with progress wins {found.value:.0%} of "
        f"{given.games} games ({found.low:.0%} to {found.high:.0%}; fair: {1 / players:.0%})"
    )


if __name__ == "__main__":
    main()
