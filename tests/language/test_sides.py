"""Sides: values that rules speak of, with one score and one end for all who are on them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.play import answers
from lawspeaker.faces.web import scene
from lawspeaker.faces.web.drawing.whole_table import draw
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import compile_name, load, schema
from lawspeaker.position.rng import RngFactory
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.tally import tally
from lawspeaker.study.scenario import run_all
from lawspeaker.telling.story import Story
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide
from tests.language.games import GOOD

FORMS = {
    "in turn": "[red, blue]",
    "by name": "{red: [ann, cy], blue: [ben, di]}",
    "unnamed": "[[ann, cy], [ben, di]]",
}
SMALL = """\
lawspeaker: 1
game: small
players: {{from: {players}, to: 4, called: [ann, ben, cy, di], sides: {sides}}}
{wins}
rules:
  game:
    says: Points for everybody.
    rule: |
{rule}
"""


@cache
def game(name: str) -> Game:
    return load(str(GOOD / f"{name}.yaml"))


def start_small(folder: Path, sides: str, *rule: str, players: int = 4, wins: str = "") -> Match:
    text = "\n".join(f"      {line}" for line in rule)
    path = folder / "small.yaml"
    path.write_text(
        SMALL.format(sides=sides, rule=text, players=players, wins=wins), encoding="utf-8"
    )
    return lawspeaker.load(str(path)).start(players, 1)


def story(match: Match, language: str = "en") -> list[str]:
    told = Story(match.machine, None, language).lines(match.events)
    return [line.said(match.machine.layout, language) for line in told]


@pytest.mark.parametrize("name, players", [("sides", 4), ("bulbs", 3)])
def test_both_machines_agree(name: str, players: int) -> None:
    both = SideBySide(game(name).program, players)
    for seed in range(4):
        assert both.play(seed) > 0
    check_records(game(name).program, players, 20, different=2)


@pytest.mark.parametrize("sides", FORMS.values(), ids=FORMS)
def test_a_side_has_one_score(tmp_path: Path, sides: str) -> None:
    match = start_small(
        tmp_path,
        sides,
        "players score 1",
        "ann scores 3",
        "side of di scores 10",
        "partner of cy scores 100 * score of partner of ann",
        "partners of ben lose count of players of side of ben",
        "cy loses score of side of di - score of di",
    )
    assert match.scores == [505, 10, 505, 10]
    assert match.state.scores == [505, 10, 0, 0]
    assert match.winners == (0, 2)
    assert [sum(row.total for row in match.why_points(seat)) for seat in range(4)] == match.scores
    assert match.view(3).to_json()["scores"] == {"ann": 505, "ben": 10, "cy": 505, "di": 10}
    assert match.log()["result"]["scores"] == [505, 10, 505, 10]


def test_it_is_told_who_has_the_points(tmp_path: Path) -> None:
    rule = ("ann scores 3", "di loses 2", "ann wins")
    named = start_small(tmp_path, FORMS["by name"], *rule)
    assert story(named) == ["red scores 3 points", "blue loses 2 points", ENDED + "red wins."]
    assert answers.result(named, "en").text == "Winner: red"
    unnamed = start_small(tmp_path, FORMS["unnamed"], *rule)
    assert story(unnamed) == [
        "ann and cy score 3 points together",
        "ben and di lose 2 points together",
        ENDED + "ann and cy win.",
    ]
    assert story(unnamed, "fr")[0] == "ann et cy marquent ensemble 3 points"
    alone = start_small(tmp_path, "[[ann, cy, di]]", *rule)
    assert story(alone)[0] == "ann, cy and di score 1 point together"
    assert alone.winners == (0, 2, 3)


ENDED = "The game is over. "


@pytest.mark.parametrize(
    "last, ending, german",
    [
        ("crew wins", "All have won together.", "Alle haben zusammen gewonnen."),
        ("nobody wins", "All have lost together.", "Alle haben zusammen verloren."),
    ],
)
def test_all_win_or_lose_together(tmp_path: Path, last: str, ending: str, german: str) -> None:
    rule = ("crew scores 7", "if score of ann < 0: ben wins", last)
    match = start_small(tmp_path, "[crew]", *rule, players=3, wins="wins: as the rules say")
    assert match.winners == ((0, 1, 2) if last == "crew wins" else ())
    assert story(match) == ["crew scores 7 points", ENDED + ending]
    found = answers.result(match, "en")
    assert [(holder.name, holder.seats, total) for holder, total, _ in found.scores] == [
        ("crew", (0, 1, 2), 7)
    ]
    assert found.text == ending
    assert answers.result(match, "de").text == german
    shown = scene.result(match, "en", match.machine.layout)
    assert [(each["name"], each["seats"]) for each in shown["holders"]] == [("crew", [0, 1, 2])]
    assert shown["course"][-1]["scores"] == [7]


def test_where_points_alone_count_nobody_is_said_to_win(tmp_path: Path) -> None:
    match = start_small(tmp_path, "[crew]", "crew scores 7", players=2)
    assert answers.result(match, "en").text == ""
    assert story(match) == ["crew scores 7 points", "The game is over."]


def test_sides_take_turns_round_the_table(tmp_path: Path) -> None:
    rule = ("for each player:", "  player scores number of side of player")
    match = start_small(tmp_path, "[red, blue, green]", *rule, players=4)
    assert match.scores == [2, 2, 3, 2]
    sole = start_small(tmp_path, "[red, blue]", "pick a random side", "side wins", players=3)
    assert sole.winners in {(0, 2), (1,)}


def test_figures_and_pictures_speak_of_sides() -> None:
    program = game("sides").program
    summary = tally(play_games(program, 4, 5, range(12), ["random"] * 4)).summary(
        program, ["random"] * 4
    )
    first, second, third, fourth = summary.seats
    assert first.scores == third.scores != second.scores == fourth.scores
    match, luck = game("sides").start(4, 3), RngFactory(3).stream("sides")
    while decision := match.decision:
        match.choose(luck.choose(decision.options))
    drawn = draw(match.view(0), "en")
    assert drawn.count(">red, you<") == 1


SCENARIO = """\
scenario: Points of a side
game: {game}
players: 4
situation:
  active: cy
  scores: {{red: 4, di: 1, ann: {red}}}
do: turn
steps:
  - answer: {{cy: take}}
then:
  scores: {{ann: 6, red: 6, blue: {blue}}}
points:
  red: {{turn: 2}}
"""


@pytest.mark.parametrize("red, blue, passed", [(4, 1, True), (4, 2, False), (3, 1, False)])
def test_scenarios_name_sides(red: int, blue: int, passed: bool) -> None:
    text = SCENARIO.format(game=GOOD / "sides.yaml", red=red, blue=blue)
    (outcome,) = run_all(
        [SourceFile("sides.yaml", text)], compile_name, schema("scenario")
    ).outcomes
    assert outcome.passed == passed, [str(each) for each in outcome.diagnostics]
