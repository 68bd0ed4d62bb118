"""A scenario does a clause with all that variants hang on it, as a game does."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.match.match import Match
from lawspeaker.outside.loading import load, run_scenarios

GAME = """
lawspeaker: 1
game: pay
players: {from: 2, to: 2, called: [ann, ben]}
rules:
  game:
    says: Everyone is paid.
    rule: |
      for each player:
        do paid(player, 3)
  paid:
    says: Who gets more than three is paid; who gets seven is not.
    given: {player: player, amount: number}
    rule: |
      if amount = 7: finish
      player scores amount
"""
VARIANT = """
lawspeaker: 1
variant: tips
of: pay
layer: house rule
title: Tips
changes:
  - add: greeting
    says: A point before.
    before: paid
    given: {player: player}
    rule: |
      player scores 10
  - add: tip
    says: Points after.
    after: paid
    given: {amount: number, player: player}
    rule: |
      player scores 100 * amount
  - add: theft
    says: Who should get more than eight gets nothing.
    instead of: paid
    when: amount > 8
    given: {player: player}
    rule: |
      player loses 1
"""
SCENARIO = """
scenario: Ben is paid {amount}
game: ./game.yaml+./tips.yaml
players: 2
do: paid(ben, {amount})
points: {{ben: {points}}}
"""
PAID = {
    3: "{greeting: 10, paid: 3, tip: 300}",
    7: "{greeting: 10, tip: 700}",
    9: "{greeting: 10, theft: -1, tip: 900}",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "tips.yaml").write_text(VARIANT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("amount", PAID)
def test_a_scenario_does_what_is_hung_on_its_clause(folder: Path, amount: int) -> None:
    file = folder / "scenario.yaml"
    file.write_text(SCENARIO.format(amount=amount, points=PAID[amount]))
    report = run_scenarios([file])
    assert report.passed, [str(each) for one in report.outcomes for each in one.diagnostics]


def test_a_match_that_begins_with_a_clause_does_it_too(folder: Path) -> None:
    program = load("./game.yaml+./tips.yaml").program
    match = Match.at(program, 2, "paid", {"player": "ben", "amount": 3})
    assert list(match.scores) == [0, 313]
