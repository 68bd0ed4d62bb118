"""What is worth much ranks first, what does harm last, and what does nothing in between."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import count
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from lawspeaker import ir, study
from lawspeaker.faces.cli import app
from lawspeaker.faces.web.workshop.laboratory import ExperimentRequest, worthy
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.experiments.worth_by_intervention import worths
from lawspeaker.outside.loading import load
from lawspeaker.outside.rules import MatchSetup, Rules
from lawspeaker.study.lab.choice_names import things
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.interventions import PLACE, costs_of, interventions
from lawspeaker.study.lab.paired_changes import MeasuredChange
from lawspeaker.study.lab.worth import Worth, by_cost
from tests.players.test_progress import load_good_game
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


@pytest.mark.full
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


@pytest.mark.full
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


def test_only_what_is_named_is_measured(rules: Rules) -> None:
    """With the figures that it has among all, but for intervals, which fewer comparisons narrow."""
    every = measured(rules, 60, "random")
    table = MatchSetup(("random",) * 2, 1)
    words = ["worth", rules.name, "--games", "60", "--players", "2", "--workers", "1", "--json"]
    named = ["--of", "card king", "--of", "luck", "--of", "option"]
    done = CliRunner().invoke(app, [*words, *named])
    assert done.exit_code == 0, done.output
    told = {each["name"]: each for each in json.loads(done.stdout)["worths"]}
    assert set(told) == {"king", "luck", *(each for each in every if every[each].sort == "option")}
    assert all(told[name]["games"] == every[name].games for name in told)
    few = finished(worths(rules, [table], [60], 0, Crew(1), of=["luck"]))
    assert [each.points.value for each in few] == [every["luck"].points.value]
    assert few[0].victories.half < every["luck"].victories.half
    wrong = CliRunner().invoke(app, [*words, "--of", "knig"])
    assert wrong.exit_code == 2
    assert "nothing that can be taken away is called `knig`; did you mean 'king'?" in wrong.output


def test_the_pace_leaves_out_what_is_done_once(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a further pair takes time again, so each block of 200 takes one tick of this clock."""
    ticks = count()
    monkeypatch.setattr("time.perf_counter", lambda: float(next(ticks)))
    table = MatchSetup(("random",) * 2, 1)
    steps = list(worths(rules, [table], [200], 0, Crew(1), of=["card"]))
    assert [each.a_second for each in steps] == [None, 200, 200, 200, 200]


def of_cost(name: str, cost: int, worth: float, half: float = 0.5) -> Worth:
    """A card whose worth in points was measured to so much."""
    points = MeasuredChange(worth, worth - half, worth + half, abs(worth) > half)
    nothing = MeasuredChange(0.0, -0.1, 0.1, clear=False)
    return Worth("card", name, ("random",) * 2, 100, 0, 0.5, nothing, points, cost=cost)


def test_a_card_that_is_too_good_for_its_cost_is_named() -> None:
    fair = [of_cost(f"card {cost}", cost, 2.0 * cost) for cost in range(1, 7)]
    assert not any(each.clear for each in by_cost(fair, points=True))
    dear = by_cost([*fair, of_cost("bargain", 3, 12.0)], points=True)
    assert dear[0].name == "bargain"
    assert [each.name for each in dear if each.clear] == ["bargain"]
    assert dear[0].expected == pytest.approx(6)
    assert dear[0].apart.low > 0
    unsure = by_cost([*fair, of_cost("perhaps", 3, 12.0, half=20.0)], points=True)
    assert not any(each.clear for each in unsure)
    assert by_cost(fair[:3], points=True) == (), "three cards have no line"
    assert by_cost([replace(each, cost=2) for each in fair], points=True) == ()


def test_cards_with_scattered_worths_hide_nothing_and_show_nothing() -> None:
    """Noise beyond the errors widens all intervals: of many such games few name a card."""
    luck = random.Random(1)
    named = 0
    for _ in range(60):
        some = [of_cost(f"card {at}", 1 + at % 5, luck.gauss(5, 3), 0.5) for at in range(10)]
        named += any(each.clear for each in by_cost(some, points=True))
    assert named <= 9


def test_costs_are_attributes_of_cards(rules: Rules) -> None:
    program = load(rules.name).program
    assert costs_of(program) == {}
    found = {each.name: each.cost for each in interventions(program, 2, 0, "worth")}
    assert found["king"] == 9
    assert found["dead"] == 0
    assert found["turn: rest"] is None
    words = ["worth", rules.name, "--cost", "wroth", "--games", "20"]
    wrong = CliRunner().invoke(app, words)
    assert wrong.exit_code == 2
    assert "no card has a number `wroth`; there are: worth" in wrong.output
    with pytest.raises(ValueError, match="there are: worth"):
        study.worth(rules.name, 20, cost="wroth")


def test_a_place_is_taken_away_everywhere() -> None:
    program = load("nim").program
    heaps = [each for each in interventions(program, 2, 0) if each.sort == PLACE]
    assert [each.name for each in heaps] == ["heap 1", "heap 2", "heap 3"]
    played = play_games(heaps[0].program, 2, 1, range(60), ["random"] * 2)
    assert played.ended.any()
    choosable = things(program, 2).things
    (own,) = [
        at
        for at, each in enumerate(choosable)
        if isinstance(each.of, ir.PlaceType) and each.value == choosable_value(program, "heap 1")
    ]
    assert played.uses[:, own, 0].sum() == 0
    assert played.uses[:, own, 1].sum() > 0


def choosable_value(program: ir.Program, name: str) -> object:
    """The place of a name among what can be chosen."""
    found = things(program, 2)
    return next(
        each.value
        for each in found.things
        if isinstance(each.of, ir.PlaceType) and found.layout.text(each.of, each.value) == name
    )


@pytest.mark.full
def test_the_browser_and_python_get_it(rules: Rules, tmp_path: Path) -> None:
    page = tmp_path / "worth.html"
    words = ["worth", rules.name, "--games", "20", "--players", "2", "--workers", "1"]
    done = CliRunner().invoke(app, [*words, "--cost", "worth", "--json", "--html", str(page)])
    assert done.exit_code == 0, done.output
    found = study.worth(rules.name, 20, players=2, cost="worth", workers=1)
    assert found["worths"].rows
    assert [each["name"] for each in found["by_cost"].rows] == [
        each["name"] for each in json.loads(done.stdout)["by_cost"]
    ]
    assert "<svg" in page.read_text(encoding="utf-8")
    last = list(worthy(ExperimentRequest(rules.files, "cards", 2, "random", 20, 1, "it")))[-1]
    assert last["over"], last
    titles = [each["title"] for each in last["sheet"]["panels"]]
    assert titles == ["Che cosa perde ann senza"]
    assert json.dumps(last["sheet"], allow_nan=False)


def test_each_intervention_is_another_game() -> None:
    """Its modules are kept apart from those of the game, and all of them can be played."""
    program = load_good_game("cost_in_gems").program
    changed = list(interventions(program, 2, 0))
    assert {each.sort for each in changed} == {"card", "option", "rule"}
    assert all(isinstance(each.program, ir.Program) for each in changed)
    assert all(each.program != program for each in changed)


@pytest.mark.full
def test_pairs_are_played_until_worths_are_known(rules: Rules) -> None:
    table = MatchSetup(("random", "random"), 1)
    found = finished(worths(rules, [table], [4000], 0, Crew(1), precision=10))
    assert all(each.victories.half <= 0.1 for each in found)
    assert len({each.games for each in found}) > 1, "what changes little is known sooner"
    assert max(each.games for each in found) < 4000
    few = finished(worths(rules, [table], [120], 0, Crew(1), precision=1))
    assert {each.games for each in few} == {120}


def test_games_as_they_are_sharpen_worths(rules: Rules) -> None:
    """The pairs are the same with and without them; what pairs say alone is the wider interval."""
    table = MatchSetup(("random", "random"), 1)
    plain = {
        each.name: each
        for each in finished(worths(rules, [table], [200], 0, Crew(1), precision=0.01))
    }
    sharp = {each.name: each for each in finished(worths(rules, [table], [200], 0, Crew(1)))}
    assert all(each.known_from > each.games for each in sharp.values())
    assert not any(each.known_from for each in plain.values())
    better = [
        each.points.half / plain[name].points.half
        for name, each in sharp.items()
        if plain[name].points.half
    ]
    assert max(better) < 1.02
    assert min(better) < 0.9
