"""Does the hard bot of each game beat random players, and the next weaker bots?

    python -m benchmarks.levels                      all games of the library
    python -m benchmarks.levels chess hearts --games 20 --seconds 60 --workers 2

The hard bot is that of the browser (docs/bots.md). It takes one side, its rival all others, and
each deal is played from every side; where all play together, teams are compared on the same deals.
A duel ends after `--games` games, or with the deal in which `--seconds` of processor time are over.
The rows are Markdown, as in docs/bots.md; a duel that the interval leaves open has a question mark.
"""

from __future__ import annotations

import argparse
import math
from time import process_time

import lawspeaker
from benchmarks.duels import Duel, Played, play
from lawspeaker.faces.web.strengths import ladder
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.library import Library
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.statistics import Estimate, share

HEADINGS = ("game", "players", "hard", "against", "wins", "fair", "games", "ms for a choice")


def levels(name: str, games: int, seconds: float, seed: int) -> list[str]:
    """The rows of a game, at its smallest table of two or more."""
    game = lawspeaker.load(name)
    players = next((count for count in game.players if count > 1), game.players[0])
    steps = ladder(name, Library())
    hard = steps["hard"]
    rivals = ("random", "greedy" if hard != "greedy" else steps["medium"])
    duels = [Duel(name, (hard, rival), players, seed) for rival in rivals]
    return [row(asked, *capped(asked, games, seconds)) for asked in duels]


def capped(asked: Duel, games: int, seconds: float) -> tuple[Played, int]:
    """Plays whole deals, until there are enough games or the time is over; with the sides."""
    sides = len(sides_of(lawspeaker.load(asked.game).program, asked.players))
    found, began = Played(), process_time()
    while found.games < games and (not found.games or process_time() - began < seconds):
        for number in range(found.games, found.games + sides):
            found.add(play(asked, number))
    return found, sides


def row(asked: Duel, found: Played, sides: int) -> str:
    """A line of the table; of teams, what the first wins more of the same deals."""
    if sides > 1:
        wins, fair = share(found.victories, found.games), 1 / sides
        told, still_open = spelt(wins), wins.low <= fair <= wins.high
    else:
        fair, wins, ahead = 0.0, found.gain.estimate(within=1), found.ahead.estimate()
        told = f"{spelt(wins)}, {ahead.value:+.1f} points"
        still_open = wins.low <= 0 <= wins.high and ahead.low <= 0 <= ahead.high
    hard, rival = asked.names
    cells = (
        f"`{asked.game}`",
        f"{asked.players}",
        f"`{hard}`",
        f"`{rival}`",
        told + " ?" * still_open,
        f"{100 * fair:.0f} %",
        f"{found.games}",
        f"{found.clocks[0].milliseconds:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def spelt(found: Estimate) -> str:
    value, low, high = (100 * each for each in (found.value, found.low, found.high))
    return f"{value:.0f} % ({low:.0f} to {high:.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(Library().games()))
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    print(f"| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
    jobs = [(name, given.games, given.seconds, given.seed) for name in given.names]
    for rows in Crew(given.workers).spread(levels, jobs):
        print(*rows, sep="\n", flush=True)


if __name__ == "__main__":
    main()
