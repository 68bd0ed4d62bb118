"""One bot against another: who wins more often, with the same processor time for each choice.

    python -m benchmarks.duels connect_four tree:5ms mc:5ms --games 80
    python -m benchmarks.duels walhalla tree:200 mc:200 --players 4 --games 80
    python -m benchmarks.duels walhalla learned mc:200 --players 4 --games 80

The first bot takes one side and the second all others. Each deal is played once from every side of
the first, so that neither seats nor luck favour anybody. Where all play together, each deal is
played by a team of either bot, and the victories and points of the teams are compared.
Milliseconds are those the process itself gets, so other work on the machine does not count.
`--workers` spreads the games over processes, and changes nothing else.

`--even` makes the time equal as measured: a playout of one bot may take longer than one of the
other, so the effort of the first is scaled before each of its choices, until both have thought
equally long for a choice of the game so far.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import process_time

import lawspeaker
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.purpose import Purpose
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.crew import Crew
from lawspeaker.players.bots import bot, name_error, reply, seat_seed
from lawspeaker.players.bots.montecarlo import MonteCarloBot
from lawspeaker.players.bots.names import is_learned, parts_of
from lawspeaker.players.bots.policies import policy_for
from lawspeaker.position.layout import sides_of
from lawspeaker.position.rng import combine
from lawspeaker.study.lab.statistics import Estimate, Mean, share

MOST_UNEVEN = 16
"""Bounds of the factor by which an effort is scaled."""


@dataclass
class Clock:
    """How long a bot thought, where there was something to choose."""

    seconds: float = 0.0
    choices: int = 0
    granted: int = 0
    """The playouts of these choices that its effort stands for."""

    @property
    def milliseconds(self) -> float:
        return 1000 * self.seconds / max(1, self.choices)


@dataclass
class Played:
    """Games of a duel: victories of the first bot, how long both thought, and where all play
    together, the first team's excess over the second in victories and points.
    """

    games: int = 0
    victories: float = 0.0
    clocks: tuple[Clock, Clock] = field(default_factory=lambda: (Clock(), Clock()))
    theirs: int = 0
    gain: Mean = field(default_factory=Mean)
    ahead: Mean = field(default_factory=Mean)

    def add(self, other: Played) -> None:
        self.games += other.games
        self.victories += other.victories
        self.theirs += other.theirs
        self.gain += other.gain
        self.ahead += other.ahead
        for clock, each in zip(self.clocks, other.clocks, strict=True):
            clock.seconds += each.seconds
            clock.choices += each.choices
            clock.granted += each.granted


@dataclass(frozen=True)
class Duel:
    """What is played: a game by two bots, at equal measured time if `even`."""

    game: str
    names: tuple[str, str]
    players: int
    seed: int = 1
    even: bool = False


def duel(asked: Duel, games: int, crew: Crew) -> Played:
    """The sums over so many games."""
    found = Played()
    for each in crew.spread(play, [(asked, number) for number in range(games)]):
        found.add(each)
    return found


def play(asked: Duel, number: int) -> Played:
    """Game `number` of a duel; where all play together, the deal by both teams."""
    equip()
    game = lawspeaker.load(asked.game)
    for each in asked.names:  # what is compiled and read now is no thinking later
        playing_instance(game.program, asked.players, Purpose(guided=is_learned(each)))
        if is_learned(each):
            policy_for(game.program, asked.players, parts_of(each)[0])
    sides, clocks = sides_of(game.program, asked.players), (Clock(), Clock())
    deal, own = divmod(number, len(sides))
    if len(sides) > 1:
        match = _match(game, asked, number, deal, sides[own], clocks)
        # Where nobody has won, all sides have their part.
        won = [side for side in sides if side[0] in match.winners] or list(sides)
        return Played(1, (sides[own] in won) / len(won), clocks)
    teams = [
        _match(game, asked, number, deal, sides[0] if first else (), clocks)
        for first in (True, False)
    ]
    ours, theirs = (int(bool(match.winners)) for match in teams)
    made, rivals = ((game.program.goal.worth or 1) * match.scores[0] for match in teams)
    gain, ahead = ours - theirs, made - rivals
    return Played(1, ours, clocks, theirs, Mean(1, gain, gain**2), Mean(1, ahead, ahead**2))


def _match(
    game: Game, asked: Duel, number: int, deal: int, own: Sequence[int], clocks: tuple[Clock, Clock]
) -> Match:
    """Plays a deal in which the first bot has these seats."""
    match = game.start(players=asked.players, seed=combine(asked.seed, deal) >> 1)
    sides = [int(seat not in own) for seat in range(asked.players)]
    bots = [
        bot(asked.names[side], seat_seed(combine(asked.seed, number), seat), process_time)
        for seat, side in enumerate(sides)
    ]
    first = bots[own[0]] if own else None
    base = first.effort.playouts if isinstance(first, MonteCarloBot) else 0
    while decision := match.decision:
        seat = decision.seat
        assert seat is not None
        player, side = bots[seat], sides[seat]
        if asked.even and side == 0 and isinstance(player, MonteCarloBot):
            _evened(player, base, clocks)
        began = process_time()
        option = reply(player, match, seat)
        if len(decision.options) > 1:
            clocks[side].seconds += process_time() - began
            clocks[side].choices += 1
            if isinstance(player, MonteCarloBot):
                clocks[side].granted += player.effort.playouts
        match.choose(option, seat=seat)
    return match


def _evened(player: MonteCarloBot, base: int, clocks: tuple[Clock, Clock]) -> None:
    """Scales the effort of the next choice, so that both have then thought equally long for one."""
    one, other = clocks
    playouts: float = base
    if one.seconds and other.seconds:
        room = other.milliseconds / 1000 * (one.choices + 1) - one.seconds
        playouts = room * one.granted / one.seconds
        playouts = min(MOST_UNEVEN * base, max(base / MOST_UNEVEN, playouts))
    player.effort = replace(player.effort, playouts=max(1, round(playouts)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--even", action="store_true", help="equal time, as measured")
    given = parser.parse_args()
    for name in (given.first, given.second):
        if wrong := name_error(name, timed=True):
            parser.error(wrong)
    if given.even and not isinstance(bot(given.first, 0, process_time), MonteCarloBot):
        parser.error(f"the effort of {given.first} cannot be scaled")
    program = lawspeaker.load(given.game).program
    players = given.players or program.fewest
    names = given.first, given.second
    asked = Duel(given.game, names, players, given.seed, given.even)
    found = duel(asked, given.games, Crew(given.workers))
    sides = len(sides_of(program, players))
    print(told(asked, found, sides))


def told(asked: Duel, found: Played, sides: int) -> str:
    """The result in a line."""
    one, other = found.clocks
    time = f"a choice took {one.milliseconds:.1f} and {other.milliseconds:.1f} ms"
    about = f"{asked.game}, {asked.players} players: {asked.names[0]} wins"
    wins = share(found.victories, found.games)
    if sides > 1:
        span = f"{_span(wins)}; fair: {1 / sides:.0%}"
        return f"{about} {wins.value:.0%} of {found.games} games ({span}); {time}"
    gain, ahead = found.gain.estimate(within=1), found.ahead.estimate()
    theirs = f"{asked.names[1]} {found.theirs / found.games:.0%}"
    return (
        f"{about} {wins.value:.0%} and {theirs} of the same {found.games} deals, a gain of "
        f"{gain.value:+.0%} ({_span(gain)}) and of {ahead.value:+.1f} points "
        f"({ahead.low:+.1f} to {ahead.high:+.1f}); {time}"
    )


def _span(found: Estimate) -> str:
    return f"{found.low:.0%} to {found.high:.0%}"


if __name__ == "__main__":
    main()
