"""How much a difference matters, in paired games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lawspeaker.compare.effect import effect
from lawspeaker.crew import Crew
from lawspeaker.lab.record import Record, play_game
from lawspeaker.workers import Rules, all_records
from tests.compare.stall import tellings


def games(folder: Path, change: str, count: int = 40) -> tuple[list[Record], list[Record]]:
    first, other = tellings(folder, {"other": f"changes: [{change}]\n"})
    found = [
        [play_game(each.program, 3, 1, number, ["random"] * 3) for number in range(count)]
        for each in (first, other)
    ]
    return found[0], found[1]


def made_up(number: int) -> Record:
    return Record(number, (1, 2), (1,), 0, 3, 6, 0, (), (), (), trail=4)


NAMES = ("ann", "ben", "cy")


def test_no_difference_is_detected_where_there_is_none(tmp_path: Path) -> None:
    one, other = games(tmp_path, "{set: names.plum.de, to: Zwetschge}")
    found = effect(one, other, NAMES)
    assert not found.detected
    assert found.clear == ()
    assert found.differs.value == 0
    assert 0 < found.differs.high < 0.1, "how often it can be at most is still said"


def test_a_point_for_everyone_is_just_that(tmp_path: Path) -> None:
    one, other = games(tmp_path, "{set: thanks, to: {2 players: 0, 3 players: 3}}")
    found = effect(one, other, NAMES)
    assert found.differs.value == found.outcome.value == 1
    assert found.winner.value == 0
    assert (found.score.value, found.score.low, found.score.high) == (2, 2, 2)
    assert found.length.value == 0
    assert "score" in found.clear
    assert [seat.score.value for seat in found.seats] == [2, 2, 2]


def test_who_loses_points_wins_less_often(tmp_path: Path) -> None:
    one, other = games(tmp_path, "{remove: parting}", 60)
    found = effect(one, other, NAMES)
    ann, ben, cy = found.seats
    assert ann.score.value == -1
    assert ann.wins.value < 0 < ben.wins.value + cy.wins.value
    assert abs(sum(seat.wins.value for seat in found.seats)) < 1e-9


def test_a_longer_game_has_more_decisions(tmp_path: Path) -> None:
    one, other = games(tmp_path, "{set: rounds, to: 3}")
    found = effect(one, other, NAMES)
    assert found.length.low > 0


def test_only_pairs_are_compared() -> None:
    one, other = made_up(0), made_up(1)
    with pytest.raises(AssertionError):
        effect([one], [other], ("a", "b"))


def test_the_number_of_workers_does_not_matter() -> None:
    patch = """\
lawspeaker: 1
variant: alone
of: nim
layer: house rule
title: Larger
changes: [{set: heap.sizes, to: [3, 4, 4]}]
"""
    nim = Rules.of("nim")
    rules = [nim, replace(nim, patch=patch)]
    found = [list(all_records(rules, 2, 1, ["random"] * 2, 5, Crew(workers))) for workers in (1, 2)]
    assert found[0] == found[1]
    assert [at for at, _ in found[0]] == [0] * 5 + [1] * 5


def test_games_that_break_only_count_as_other_games() -> None:
    whole = [made_up(0), made_up(1)]
    broken = [whole[0], replace(whole[1], scores=(0, 0), winners=(), trail=9, fault="a hole")]
    found = effect(whole, broken, ("a", "b"))
    assert (found.games, found.broken) == (2, 1)
    assert found.differs.value == 0.5
    assert found.outcome.value == 0
    assert found.score.value == 0
