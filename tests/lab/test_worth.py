"""What is worth much ranks first, what does harm last, and what does nothing in between."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from lawspeaker import ir
from lawspeaker.faces.cli import app
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.experiments.worth_by_intervention import worths
from lawspeaker.outside.loading import load
from lawspeaker.outside.rules import MatchSetup, Rules
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.interventions import interventions
from lawspeaker.study.lab.worth import Worth
from tests.players.test_progress import good
from tests.repo.checkout import ROOT

SCHEMA = json.loads((ROOT / "schema" / "study.schema.json").read_text(encoding="utf-8"))
CARDS = """\
lawspeaker: 1
game: cards
players: {from: 2, to: 3, called: [ann, ben, cat]}
pieces:
  card:
    has: {worth: number}
    starts in: box
    kinds:
      king: {count: 4, worth: 9}
      one: {count: 6, worth: 3}
      other: {count: 6, worth: 3}
      dead: {count: 4, worth: 0}
places:
  box: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
  played: {holds: card, seen by: everyone}
rules:
  game:
    says: Three rounds, and a bonus.
    rule: |
      shuffle box
      for each player:
        draw 5 cards from box to hand of player
      repeat 3 times:
        for each player:
          do turn(player)
      for each player:
        do bonus(player)
      do luck
  turn:
    says: A player plays a card, or rests.
    asks: What do you play?
    given: {player: player}
    rule: |
      player must choose one of
        play: card in hand of player
          then:
            move card to played
            player scores worth of card
        rest
          then: player scores 2
        stumble
          then: player loses 4
  bonus:
    says: Everyone has a bonus.
    given: {player: player}
    rule: |
      player scores 3
  luck:
    says: All have a point.
    rule: |
      all players score 1
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    file = tmp_path / "cards.yaml"
    file.write_text(CARDS, encoding="utf-8")
    return Rules.of_game(load(file), str(file))


def measured(rules: Rules, games: int, *bots: str, players: int = 2) -> dict[str, Worth]:
    tables = [MatchSetup((bot,) * players, 1) for bot in bots]
    found = finished(worths(rules, tables, [games] * len(tables), 0, Crew(1)))
    return {each.name: each for each in found}


def test_everything_can_be_taken_away_from_a_seat(rules: Rules) -> None:
    program = load(rules.name).program
    found = {(each.sort, each.name): each.program for each in interventions(program, 2, 1)}
    assert len([sort for sort, _ in found if sort == "card"]) == 4
    assert [name for sort, name in found if sort == "option"] == [
        "turn: play card",
        "turn: rest",
        "turn: stumble",
    ]
    assert [name for sort, name in found if sort == "rule"] == ["turn", "bonus", "luck"]
    without = found["option", "turn: play card"]
    assert play_games(program, 2, 1, range(40), ["random"] * 2).uses[:, 0].any(axis=0).all()
    played = play_games(without, 2, 1, range(40), ["random"] * 2)
    assert played.uses[:, 0].any(axis=0).tolist() == [True, False], "ben never plays a card"
    idle = play_games(found["rule", "luck"], 2, 1, range(20), ["random"] * 2)
    at_all = play_games(program, 2, 1, range(20), ["random"] * 2)
    assert (at_all.scores - idle.scores).tolist() == [[0, 1]] * 20


def test_what_a_rule_gives_is_what_it_is_worth(rules: Rules) -> None:
    found = measured(rules, 60, "random")
    assert found["bonus"].points.value == 3
    assert found["bonus"].points.clear
    assert found["luck"].points.value == 1
    assert found["bonus"].broken == 0


@pytest.mark.full
def test_cards_rank_by_what_they_are_worth(rules: Rules) -> None:
    found = measured(rules, 1500, "random")
    cards = [each for each in found.values() if each.sort == "card"]
    names = [each.name.split()[-1] for each in cards]
    assert names[0] == "king"
    assert names[-1] == "dead"
    king, *between, dead = cards
    assert king.victories.clear
    assert king.victories.low > 0
    assert dead.points.value < king.points.value
    assert all(2 * each.victories.value < king.victories.value for each in between)
    assert king.control is not None
    assert king.beyond is not None


@pytest.mark.full
def test_a_bot_that_plans_needs_no_more_than_the_best(rules: Rules) -> None:
    found = measured(rules, 12, "greedy")
    assert found["turn: stumble"].points.value == 0, "nobody who plans stumbles"
    assert all(each.control is None for each in found.values())


def test_the_command_tells_all_of_it(rules: Rules, tmp_path: Path) -> None:
    table = tmp_path / "worth.csv"
    words = ["worth", rules.name, "--games", "20", "--players", "2", "--workers", "1"]
    done = CliRunner().invoke(app, [*words, "--seat", "ben", "--json", "--csv", str(table)])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    jsonschema.validate(found, SCHEMA)
    assert found["seat"] == "ben"
    assert found["compared"] == 2 * len(found["worths"])
    assert len(table.read_text().splitlines()) == 1 + len(found["worths"])
    told = CliRunner().invoke(app, words)
    assert "What ann loses without it" in told.output
    wrong = CliRunner().invoke(app, [*words, "--seat", "bem"])
    assert wrong.exit_code == 2
    assert "ben" in wrong.output


def test_each_intervention_is_another_game() -> None:
    """Its modules are kept apart from those of the game, and all of them can be played."""
    program = good("cost_in_gems").program
    changed = list(interventions(program, 2, 0))
    assert {each.sort for each in changed} == {"card", "option", "rule"}
    assert all(isinstance(each.program, ir.Program) for each in changed)
    assert all(each.program != program for each in changed)
