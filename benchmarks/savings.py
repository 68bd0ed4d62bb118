"""How many games do paired games and control variates save, for the same interval?

    python -m benchmarks.savings
    python -m benchmarks.savings --games 4000

Each question asks for the change of a measure between two versions of rules, with random players.
The variance of its estimate is compared with that of as many games by each version, played with
seeds of their own (100 %): smaller is better, and 50 % means half of the games.

    paired       the same seeds by both versions, as `sweep`, `worth` and `compare --effect` play
    long         paired, and the games by the first version go on: their mean is known, and what the
                 pairs of this sample are off it is subtracted by regression (a control variate); it
                 pays where many versions share one first version
    starter      paired, by the seat that began (a stratum of its own each)
    long+starter both
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import lawspeaker
from lawspeaker import ir
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import Games, play_games
from lawspeaker.study.lab.interventions import interventions

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """The change of a measure from one program to another."""

    name: str
    one: ir.Program
    other: ir.Program
    players: int
    measure: Callable[[Games], Values]


def wins(games: Games) -> Values:
    return np.asarray(games.victories()[:, 0] / victory(games.players), np.float64)


def points(games: Games) -> Values:
    return np.asarray(games.scores[:, 0], np.float64)


def length(games: Games) -> Values:
    return np.asarray(games.decisions, np.float64)


def questions() -> list[Question]:
    """Five questions that designers ask."""

    def edition(name: str) -> ir.Program:
        return lawspeaker.load(name).program

    def without(name: str, what: str, players: int) -> ir.Program:
        found = interventions(edition(name), players, 0)
        return next(each.program for each in found if each.name == what)

    return [
        Question(
            "walhalla: points of red under the Italian rules",
            edition("walhalla"),
            edition("walhalla+italian"),
            4,
            points,
        ),
        Question(
            "walhalla: wins of red without the card hunt",
            edition("walhalla"),
            without("walhalla", "hunt", 3),
            3,
            wins,
        ),
        Question(
            "pedlars: wins of alba without the card fox",
            edition("pedlars"),
            without("pedlars", "fox", 2),
            2,
            wins,
        ),
        Question(
            "kalah: wins of the first with three seeds",
            edition("kalah"),
            edition("kalah+three_seeds"),
            2,
            wins,
        ),
        Question(
            "breakthrough: length on the small board",
            edition("breakthrough"),
            edition("breakthrough+small_board"),
            2,
            length,
        ),
    ]


def saved(asked: Question, games: int) -> dict[str, float]:
    """The variance of each estimator, as a part of that of independent games."""
    bots = ["random"] * asked.players
    first, second = (
        play_games(program, asked.players, 1, range(games), bots)
        for program in (asked.one, asked.other)
    )
    both = first.ended & second.ended
    first, second = first[both], second[both]
    one, other = asked.measure(first), asked.measure(second)
    alone = one.var() + other.var()
    if not alone:
        return {}
    starter = first.starter
    groups = [starter == seat for seat in np.unique(starter)]

    def left(values: Values) -> float:
        return float(values.var() / alone)

    def within(values: Values) -> Values:
        found = values.copy()
        for group in groups:
            found[group] -= values[group].mean()
        return found

    def explained(values: Values, by: Values) -> Values:
        slope = float((by * values).mean() / max((by * by).mean(), 1e-12))
        rest: Values = values - slope * by
        return rest

    return {
        "paired": left(other - one),
        "long": left(explained(other - other.mean(), one - one.mean())),
        "starter": left(within(other - one)),
        "long+starter": left(explained(within(other), within(one))),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000)
    given = parser.parse_args()
    for asked in questions():
        found = saved(asked, given.games)
        told = ", ".join(f"{name} {100 * value:.0f} %" for name, value in found.items())
        print(f"{asked.name}: {told or 'no variance'}")


if __name__ == "__main__":
    main()
