"""Where a scenario begins, and what it need not say: after the setup, whoever is asked, sets in any
order, the values of choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.faces.render.scenario import text
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import run_scenarios

GAME = """\
lawspeaker: 1
game: throwing
players: {from: 2, to: 2, called: [ann, ben]}
words:
  way: {has: {length: 1..5}, are: {short: {length: 1}, long: {length: reach}}}
pieces:
  card: {starts in: deck, kinds: {king: 3, jack: 3, ace: {count: 2}}}
places:
  deck: {holds: card, arranged: pile}
  row: {holds: card, arranged: row, seen by: everyone}
  hand: {of each: player, holds: card, seen by: everyone}
markers:
  active: {shows: player}
choices:
  reach: {says: How long the long way is., is: 3}
rules:
  game:
    says: Cards are laid out, and one player throws some.
    rule: |
      do setup
      do turn
  setup:
    says: Two cards are laid out, and Ben begins.
    rule: |
      shuffle deck
      draw 2 cards from deck to row
      active becomes ben
  turn:
    says: Cards of the hand are thrown, for as many points and the length of the long way.
    asks: Which cards do you throw?
    rule: |
      active must throw: any number of cards in hand of active
      move cards to row
      active scores count of cards + length of long
  held:
    says: What a player holds.
    define: held of player
    as: all cards in hand of player
always:
  few: {says: Hands are small., holds: count of held of ann < 9}
"""
AFTER = """\
scenario: After the setup
game: throwing
players: 2
seed: 1
after: setup
situation:
  hand ben: [king, 2 jack]
do: turn
steps:
  - then: {active: ben, deck: 3 cards, row: 2 cards, shuffle: deck}
    values: {held(ben): [jack, king, jack]}
  - offers among others: [throw jack + king, throw king + 2 jack]
    refuses: {throw ace: not there}
    answer: throw jack + king
points:
  ben: {turn: 5}
then:
  hand ben: jack
"""


def scenario_output(folder: Path, *scenarios: str, game: str = GAME) -> str:
    folder = folder / "throwing"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    for number, each in enumerate(scenarios):
        (folder / "scenarios" / f"{number}.yaml").write_text(each, encoding="utf-8")
    return text(run_scenarios([folder], Library(here=folder.parent)))


def test_a_situation_can_be_laid_out_after_a_clause(tmp_path: Path) -> None:
    choosing = AFTER.replace("seed: 1", "seed: 1\nchoices: {reach: 4}").replace(
        "turn: 5", "turn: 6"
    )
    assert "2 scenarios: 2 passed, 0 failed" in scenario_output(tmp_path, AFTER, choosing)


@pytest.mark.parametrize(
    "written, instead, message",
    [
        ("seed: 1\n", "", "in setup luck decides, and the scenario does not say how"),
        ("after: setup", "after: held(ann)", "held is a value, not a rule that can be done"),
        ("deck: 3 cards", "deck: 4 cards", "0.yaml:10:31: error[scenario-failed]"),
        ("[jack, king, jack]", "[jack, king]", "expected held(ben) to be jack, king, found king"),
        ("throw king + 2 jack]", "throw jack + 2 king]", "expected 'throw jack + 2 king'"),
        ("answer: throw", "answer: ben, throw", "ben cannot answer 'ben, throw jack + king'"),
        ("seed: 1", "seed: 1\nchoices: {reach: 9}", "'reach' goes from 1 to 5"),
    ],
)
def test_what_does_not_hold_is_told(
    tmp_path: Path, written: str, instead: str, message: str
) -> None:
    assert written in AFTER
    assert message in scenario_output(tmp_path, AFTER.replace(written, instead))


def test_what_comes_before_a_situation_asks_nobody(tmp_path: Path) -> None:
    asking = GAME.replace("cards in hand of active", "cards in row + hand of active")
    found = scenario_output(tmp_path, AFTER.replace("after: setup", "after: game"), game=asking)
    assert "in game ben is asked by turn" in found


def test_an_answer_where_nobody_is_asked(tmp_path: Path) -> None:
    found = scenario_output(tmp_path, AFTER.replace("points:", "  - answer: pass\npoints:"))
    assert "expected a question; nobody is asked" in found


def test_a_fault_of_the_rules_is_told_once(tmp_path: Path) -> None:
    found = scenario_output(
        tmp_path, AFTER, AFTER, game=GAME.replace("count of cards +", "cownt of cards +")
    )
    assert found.count("nothing here is called `cownt`") == 1
    assert "2 scenarios: 0 passed, 2 failed" in found
