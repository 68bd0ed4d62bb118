"""Every clause and every guard of a game with scenarios is touched by one of them."""

from __future__ import annotations

import pytest

from lawspeaker.study.scenario import coverage_of
from lawspeaker.study.scenario.coverage import Coverage
from tests.scenarios.files import about, program, traced

GAMES = ["walhalla", "voluspa", "hex", "nine_mens_morris"]


def covered(game: str) -> Coverage:
    return coverage_of(game, program(game), [traced(name) for name in about(game)])


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_clause_and_guard_is_touched(game: str) -> None:
    assert covered(game).untouched == ()


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_what_is_watched_comes_out_the_same(game: str) -> None:
    assert [name for name in about(game) if not traced(name).passed] == []


def test_what_is_not_touched_is_told() -> None:
    name = "walhalla/attack_won.yaml"
    found = coverage_of("walhalla", program("walhalla"), [traced(name)])
    assert found.clauses["attack.won"] == (name,)
    assert "attack.shielded" in found.untouched
    assert "exodus" in found.untouched
    # Black has heroes, so this guard lets his win pass and refuses nothing.
    assert found.accepting["attack.defence.has_heroes"] == (name,)
    assert found.refusing["attack.defence.has_heroes"] == ()


@pytest.mark.full
def test_a_choice_counts_only_where_it_is_read() -> None:
    files = covered("walhalla").clauses["ties.second"]
    assert "walhalla/peninsula_ties.yaml" in files
    assert "walhalla/prizes_first.yaml" not in files
    assert "walhalla/example_supply.yaml" not in files
