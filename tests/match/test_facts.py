"""A match as plain data: the whole table, questions with their parts, and events."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lawspeaker
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.position.rng import Stream
from tests.match.playing import play_on
from tests.tiers import sample


@cache
def game(name: str) -> Game:
    return lawspeaker.load(name)


def events(match: Match, kind: str, viewer: int | str | None = "all") -> list[dict[str, Any]]:
    return [match.facts(event, viewer) for event in match.events if event.kind == kind]


def options(match: Match) -> dict[str, dict[str, Any]]:
    assert match.decision is not None
    return {option.text: match.facts(option) for option in match.decision.options}


@pytest.mark.parametrize("name", ["walhalla", "liars_dice", "little_whist", "voluspa+drakkar"])
def test_the_table_has_what_any_view_has_and_hides_nothing(name: str) -> None:
    match = game(name).start(players=4, seed=3)
    hidden = 0
    for _ in range(4):
        play_on(match, Stream(5), 10)
        table = match.table()
        assert json.loads(json.dumps(table)) == table
        assert all(None not in entry["pieces"] for entry in table["places"].values())
        for seat in (*range(4), None):
            view = match.view(seat).to_json()
            assert view["scores"] == table["scores"]
            assert view["markers"].items() <= table["markers"].items()
            for place, entry in view["places"].items():
                assert entry["count"] == table["places"][place]["count"]
                hidden += entry["pieces"].count(None)
                if None not in entry["pieces"]:
                    assert entry == table["places"][place]
    assert hidden, "there was something to hide"


@pytest.mark.parametrize(
    "name", sample(["walhalla", "nim", "othello", "pig", "voluspa+drakkar+freya"], test=5)
)
@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_questions_and_events_are_plain_data(name: str, machine: str) -> None:
    program = game(name).program
    match = Match(program, program.fewest + 1 if name == "walhalla" else 2, 1, machine=machine)
    luck = Stream(8)
    for _ in range(40):
        decision = match.decision
        if decision is None:
            break
        facts = match.facts(decision)
        assert json.loads(json.dumps(facts)) == facts
        assert facts["seat"] == program.player_names[decision.seat or 0]
        assert facts["clause"] == decision.clause.id
        for option, told in zip(decision.options, facts["options"], strict=True):
            assert told["text"] == option.text
            assert told["label"] == option.label
            assert len(told["parts"]) == len(option.values)
        match.choose(luck.choose(decision.options))
    for event in match.events:
        facts = match.facts(event)
        assert json.loads(json.dumps(facts)) == facts


@pytest.mark.full
def test_every_member_of_a_set_is_told() -> None:
    places = {"hand red": ["2 odin"], "berth red 1": ["drakkar"], "cell 0 0": ["thor"]}
    setup = {"places": places, "markers": {"active": "red"}}
    match = Match.at(game("voluspa+drakkar").program, 2, "playing", setup=setup)
    found = options(match)
    assert found["play odin"]["parts"] == {"tile": {"piece": "odin"}}
    two = {"mooring": 1, "tiles": [{"piece": "odin"}, {"piece": "odin"}]}
    assert found["load 1, 2 odin"] == {"text": "load 1, 2 odin", "label": "load", "parts": two}
    match.choose("load 1, 2 odin")
    (chosen,) = events(match, "choose")
    assert (chosen["player"], chosen["label"], chosen["parts"]) == ("red", "load", two)
    assert [each["to"] for each in events(match, "move")] == ["cargo red 1", "cargo red 1"]


@pytest.mark.full
def test_passing_has_no_parts() -> None:
    places = {"hand red": ["freya", "odin"], "cell 0 0": ["thor"]}
    setup = {"places": places, "markers": {"active": "red"}}
    match = Match.at(game("voluspa+freya").program, 2, "freya.asked", setup=setup)
    assert options(match)["pass"] == {"text": "pass", "label": "pass", "parts": {}}
    match.choose("pass")
    assert events(match, "choose")[0]["label"] == "pass"


@pytest.mark.full
def test_luck_has_outcomes_with_their_weights_and_where_they_come_from() -> None:
    match = game("voluspa").start(players=2, seed=1, chance="ask")
    assert match.decision is not None
    facts = match.facts(match.decision)
    assert (facts["kind"], facts["seat"]) == ("chance", None)
    odin = {"text": "odin", "outcome": {"piece": "odin", "place": "pile"}, "weight": 6}
    assert odin in facts["options"]
    match.choose("odin")
    (move,) = events(match, "move")
    assert (move["piece"], move["from"]) == ({"piece": "odin"}, "pile")
    assert move["to"].startswith("hand ")
    assert (move["clause"], move["drawn"]) == ("setup", True)


def test_what_a_viewer_does_not_know_is_left_out() -> None:
    match = game("kuhn_poker").start(players=2, seed=4)
    dealt = events(match, "move")
    assert all("piece" in each for each in dealt)
    assert ["piece" in each for each in events(match, "move", 0)] == [True, False]
    assert ["piece" in each for each in events(match, "move", 1)] == [False, True]
    assert ["piece" in each for each in events(match, "move", None)] == [False, False]
    match.choose("check")
    match.choose("check")
    paid = {each["player"]: each["points"] for each in events(match, "score")}
    assert sorted(paid.values()) == [-1, 1]
    (end,) = events(match, "end")
    assert [paid[winner] for winner in end["winners"]] == [1]


def test_changes_of_a_piece_are_values() -> None:
    match = game("liars_dice").start(players=2, seed=2)
    shown = [each for each in events(match, "state") if each["state"] == "face"]
    assert shown
    assert all(isinstance(each["value"], int) for each in shown)
    assert all("value" not in each for each in events(match, "state", None))


THEFT = """
lawspeaker: 1
game: theft
title: Theft
about: Ann draws coins, and Ben steals one.
players: {from: 2, to: 2, called: [ann, ben]}
language: en
pieces:
  coin:
    starts in: mint
    kinds: {penny: {count: 3, worth: 1}, crown: {count: 1, worth: 5}}
    has: {worth: number}
places:
  mint: {holds: coin, seen by: nobody}
  purse: {of each: player, holds: coin, seen by: owner}
rules:
  game:
    says: Ann draws three coins; one of them goes to Ben, who scores it.
    rule: |
      draw 3 coins from mint to purse of ann
      do stealing(ben)
  stealing:
    says: A thief takes a coin by luck, and scores it.
    given: {thief: player}
    rule: |
      pick a random coin in purse of ann
      move coin to purse of thief
      thief scores (worth of coin) + count of coins as others in purse of ann
"""


@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_luck_and_points_are_told_in_full_to_who_knows_all(tmp_path: Path, machine: str) -> None:
    file = tmp_path / "theft.yaml"
    file.write_text(THEFT, encoding="utf-8")
    match = lawspeaker.load(str(file)).start(players=2, seed=1, machine=machine)
    *drawn, stolen = events(match, "move")
    assert [(each["drawn"], each["from"], each["to"]) for each in drawn] == [
        (True, "mint", "purse ann")
    ] * 3
    assert (stolen["drawn"], stolen["from"]) == (False, "purse ann")
    (picked,) = events(match, "chance")
    assert picked["clause"] == "stealing"
    assert picked["outcome"] == {**stolen["piece"], "place": "purse ann"}
    (scored,) = events(match, "score")
    taken = {**stolen["piece"], "place": "purse ben"}
    assert (scored["clause"], scored["for"]) == ("stealing", {"thief": "ben", "coin": taken})
    for seat in (0, 1, None):
        (known,) = events(match, "score", seat)
        assert known["points"] == scored["points"]
        assert "for" not in known


SHELVES = """
lawspeaker: 1
game: shelves
title: Shelves
about: Dice on two shelves, of which one is taken.
players: {from: 2, to: 2, called: [ann, ben]}
language: en
pieces:
  die:
    starts in: bag
    kinds: {die: 3}
    changes: {face: 1..6}
words:
  height: [high, low]
places:
  bag: {holds: die, seen by: everyone}
  shelf: {at: height, holds: die, arranged: ROW, seen by: everyone}
  gone: {holds: die, seen by: everyone}
rules:
  game:
    says: A die is taken.
    rule: |
      move 2 dies in bag to shelf(high)
      move 1 dies in bag to shelf(low)
      for each die in shelf(low):
        face of die becomes 4
      do taking
  taking:
    says: A die is taken from any shelf.
    asks: Which die do you take?
    rule: |
      ann must take: die
        otherwise: cannot happen
      move die to gone
"""


@pytest.mark.parametrize("row", [True, False])
def test_a_piece_is_told_with_what_tells_it_from_others(tmp_path: Path, row: bool) -> None:
    file = tmp_path / "shelves.yaml"
    file.write_text(SHELVES.replace("ROW", "row" if row else "heap"), encoding="utf-8")
    match = lawspeaker.load(str(file)).start(players=2, seed=1)
    high = {"piece": "die", "place": "shelf high", "states": {"face": 1}}
    low = {"piece": "die", "place": "shelf low", "states": {"face": 4}}
    dice = [{**high, "at": 1}, {**high, "at": 2}, {**low, "at": 1}] if row else [high, low]
    assert [each["parts"] for each in options(match).values()] == [{"die": die} for die in dice]
