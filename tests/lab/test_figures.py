"""The first figures of many games, which Python adds up alone, are those of the lab."""

from __future__ import annotations

import pytest

import lawspeaker
from lawspeaker.study.lab.figures import Figures
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.statistics import share
from lawspeaker.study.lab.tally import tally


@pytest.mark.parametrize(
    "name, players, bot, games",
    [("pig", 3, "random", 40), ("tic_tac_toe", 2, "random", 40), ("nim", 2, "greedy", 6)],
    ids=["points", "draws", "one by one"],
)
def test_they_are_the_same_as_those_of_a_tally(
    name: str, players: int, bot: str, games: int
) -> None:
    program, bots = lawspeaker.load(name).program, (bot,) * players
    found = Figures(program, bots)
    found.play(7, range(games // 2))
    found.play(7, range(games // 2, games))
    known = tally(play_games(program, players, 7, range(games), bots))
    summary = known.summary(program, bots)
    assert found.games == games
    assert found.seats() == summary.seats
    assert found.fair == summary.fair
    assert share(found.ties, found.games) == summary.ties
    assert share(found.draws, found.games) == summary.draws
    assert found.lengths == known.lengths


def test_a_shared_victory_is_a_part_for_each() -> None:
    class Shared:
        scores, winners, decisions = (3, 3, 1), (0, 1), 5

    found = Figures(lawspeaker.load("pig").program, ("random",) * 3)
    found.add([Shared(), Shared()])
    assert [seat.wins.value for seat in found.seats()] == [0.5, 0.5, 0]
    assert (found.ties, found.draws) == (2, 0)
