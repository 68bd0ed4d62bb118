"""Duels of bots: both sides of every deal, teams against teams, and equal time as measured."""

from __future__ import annotations

import pytest

from benchmarks.duels import MOST_UNEVEN, Clock, Duel, Played, _evened, duel, told
from lawspeaker.outside.crew import Crew
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot

BOAT = "tests/language/good/leaky_boat.yaml"


def test_a_bot_against_itself_wins_its_share() -> None:
    found = duel(Duel("nim", ("random", "random"), 2), 8, Crew(1))
    assert found.games == 8
    assert 0 < found.victories < 8
    assert "fair: 50%" in told(Duel("nim", ("random", "random"), 2), found, 2)


def test_a_team_is_compared_with_a_team() -> None:
    """Where all play together, a lost game is no share of a victory."""
    found = duel(Duel(BOAT, ("mc:20", "random"), 2), 4, Crew(1))
    assert (found.victories, found.theirs) == (4, 0)
    lost = duel(Duel(BOAT, ("random", "mc:20"), 2), 4, Crew(1))
    assert (lost.victories, lost.theirs) == (0, 4)
    line = told(Duel(BOAT, ("random", "mc:20"), 2), lost, 1)
    assert "random wins 0% and mc:20 100% of the same 4 deals" in line


@pytest.mark.parametrize(
    "own, other, expected",
    [
        ((0.0, 0), (0.0, 0), 200),  # nobody has thought yet
        ((0.020, 2), (0.010, 2), 200 // MOST_UNEVEN),  # too long already
        ((0.010, 2), (0.020, 2), 800),  # 5 ms a choice, where the other takes 10
        ((0.010, 2), (0.010, 2), 200),
    ],
)
def test_effort_follows_the_time_that_was_measured(
    own: tuple[float, int], other: tuple[float, int], expected: int
) -> None:
    player = MonteCarloBot("mc", 1, Effort(200))
    clocks = Clock(*own, granted=200 * own[1]), Clock(*other, granted=50 * other[1])
    _evened(player, 200, clocks)
    assert player.effort.playouts == expected


def test_sums_are_added() -> None:
    found = Played(1, 0.5)
    found.add(Played(2, 1.0, (Clock(0.5, 1, 9), Clock())))
    assert (found.games, found.victories, found.clocks[0].granted) == (3, 1.5, 9)
