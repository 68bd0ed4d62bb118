"""What a screen is told: enough to choose everything by pointing, and nothing hidden."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lawspeaker.faces.web.drawing.palette import shades
from lawspeaker.faces.web.drawing.stencils import drawn_of
from lawspeaker.faces.web.game_in_play import titles_of
from lawspeaker.faces.web.scene import Teller, players, scene
from lawspeaker.faces.web.why_not import why_not
from lawspeaker.match.match import Match
from lawspeaker.position.layout import layout_for
from lawspeaker.position.rng import RngFactory
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import StoryLine
from tests.language.games import GOOD
from tests.library import game
from tests.properties.hidden import rearranged
from tests.properties.tables import Table, every_table, play, start
from tests.terminal.games import load_text
from tests.terminal.test_story import compiled
from tests.web.test_drawing import matches_in_play, thing_counts


def keys(option: dict[str, Any]) -> list[str]:
    return sorted([*option["things"], *option["words"]])


@every_table
def test_every_option_can_be_told_from_the_others(table: Table) -> None:
    """By what has to be pointed at, or by its name in the list. They are those of the match, though
    members of a set may stand in another order."""
    for match in matches_in_play(table):
        assert match.decision is not None
        seat = match.decision.seat
        asked = scene(match, seat, "en")["question"]
        options = match.decision.options
        texts = [own["text"] for own in asked["options"]]
        said = [[each.text == text or each.said_by(text) for each in options] for text in texts]
        assert [sum(row) for row in said] == [1 for _ in options]
        assert sorted(row.index(True) for row in said) == list(range(len(options)))
        told = [(keys(each), each["name"]) for each in asked["options"]]
        assert all(told.count(each) == 1 for each in told)


@every_table
def test_what_is_to_be_pointed_at_is_in_the_picture(table: Table) -> None:
    """Where the table shows the place at all."""
    for match in matches_in_play(table):
        assert match.decision is not None
        shown = scene(match, match.decision.seat, "en")
        drawn = thing_counts(shown["svg"])
        for option in shown["question"]["options"]:
            for thing in option["things"]:
                assert drawn[thing], thing


@every_table
def test_a_scene_tells_nothing_hidden(table: Table) -> None:
    luck = RngFactory(3).stream("hidden")
    for match in matches_in_play(table):
        for seat in (0, None):
            other = Match.from_state(match.program, rearranged(match, seat, luck))
            other._journal, other.from_start = match._journal, match.from_start
            other._marks, other._given = match._marks, match._given
            assert match.view(seat) == other.view(seat)
            told = scene(match, seat, "en")
            drawn_of.cache_clear()  # what was drawn for the one must not help the other
            assert told == scene(other, seat, "en")


def test_a_question_shows_what_it_is_about() -> None:
    """The tile that is to be laid, in the hand; for others it is no more than hidden."""
    match = start(("voluspa", 3), seed=1)
    assert match.decision is not None
    assert scene(match, match.decision.seat, "en")["question"]["about"] == []
    match.choose(0)
    assert match.decision.clause.id == "placing"
    shown = scene(match, match.decision.seat, "en")
    (about,) = shown["question"]["about"]
    assert about in thing_counts(shown["svg"])
    assert not about.startswith("hidden")


def test_a_spectator_is_asked_nothing() -> None:
    match = start(("walhalla", 4), seed=1)
    assert scene(match, None, "en")["question"] is None


def test_the_log_goes_on_where_it_was_left() -> None:
    match = start(("walhalla", 4), seed=2)
    for _, _ in zip(play(match, seed=2), range(12), strict=False):
        pass
    whole = scene(match, 0, "en")["log"]
    assert [entry["reply"] for entry in whole] == list(range(len(match.replies) + 1))
    for since in (1, 5, len(match.replies)):
        assert scene(match, 0, "en", since)["log"] == whole[since + 1 :]


def test_every_line_of_the_log_names_its_rule() -> None:
    match = start(("walhalla", 4), seed=2)
    for _, _ in zip(play(match, seed=2), range(12), strict=False):
        pass
    clauses = {clause.id for clause in match.program.clauses}
    for entry in scene(match, 0, "en")["log"]:
        for line in entry["lines"]:
            assert line["clause"] in clauses
            assert line["rule"]


def test_why_not_understands_what_is_pointed_at() -> None:
    """The coloured seat belongs to somebody else; the rule says so and names its source."""
    match = game("walhalla").start(4, seed=7)
    answer = why_not(match, match.decision.seat if match.decision else 0, "seat bow", "de")
    assert answer["offered"]
    for seed in range(40):
        match = game("walhalla").start(4, seed=seed)
        assert match.decision is not None
        offered = " ".join(option.text for option in match.decision.options)
        refused = [at for at in ("bow", "middle", "stern") if at not in offered]
        if refused:
            answer = why_not(match, match.decision.seat, f"seat {refused[0]}", "de")
            assert answer["clause"] == "boarding.active.his_to_use"
            assert answer["citations"]
            return
    pytest.fail("no seat is ever refused")


def test_why_not_reads_a_piece_with_its_place() -> None:
    match = game("little_whist").start(4, seed=3)
    for _ in range(40):
        decision = match.decision
        assert decision is not None
        view = match.view(decision.seat)
        held = [
            view.layout.text(decision.setting.ask.alternatives[0].parts[0].binder.type, piece)
            for place, pieces in view.contents.items()
            if view.layout.place_owner[place] == decision.seat
            for piece in pieces
            if piece >= 0 and decision.setting.ask is not None
        ]
        offered = {option.text.removeprefix("play ") for option in decision.options}
        refused = [card for card in held if card not in offered]
        if refused:
            name = match.program.player_names[decision.seat or 0]
            answer = why_not(match, decision.seat, f"{refused[0]} in hand {name}", "en")
            assert answer["clause"] == "playing.follows_suit"
            return
        match.choose(0)
    pytest.fail("suit is always followed")


def test_a_question_names_its_rule_and_source() -> None:
    match = start(("walhalla", 4), seed=1)
    assert match.decision is not None
    asked = scene(match, match.decision.seat, "fr")["question"]
    assert asked["clause"] == "boarding.active"
    assert asked["rule"]
    assert asked["citations"]


@every_table
def test_a_story_that_is_told_reply_by_reply_is_the_one_told_at_once(table: Table) -> None:
    for seat in (0, None):
        match = start(table, seed=5)
        labels, layout = Labels(match.view(seat)), match.machine.layout
        following = Teller(match, seat, "en", layout)
        told: list[tuple[int, list[StoryLine]]] = []
        for number, _ in enumerate(play(match, seed=5)):
            told += following.told(number - 1, labels) if number else []
            if number == 12:
                break
        else:
            told += following.told(len(match.replies) - 1, labels)
        assert told == Teller(match, seat, "en", layout).told(0, labels)


def test_what_everybody_has_one_of_is_answered_by_ones_own() -> None:
    """The question asks for a number, and a place of one's own stands for it: it is called by a
    name, glows and can be pointed at, while those of others are not offered."""
    match = game("voluspa+drakkar").start(3, seed=3)
    assert match.decision is not None
    seat = match.decision.seat
    assert seat is not None
    shown = scene(match, seat, "de")
    asked, names = shown["question"], match.program.player_names
    own = f"berth {names[seat]} 1"
    sails = next(each for each in asked["options"] if each["text"] == "sail 1")
    assert (sails["things"], sails["words"]) == ([own], [])
    assert asked["words"][own]["name"] == "Drakkar 1"
    assert thing_counts(shown["svg"])[own]
    for other in range(3):
        answer = why_not(match, seat, f"drakkar in berth {names[other]} 1", "de")
        assert not answer["offered"]
    answer = why_not(match, seat, own, "en")
    assert answer["offered"] == ("berth" not in answer["sentence"])


def test_a_figure_is_called_by_what_it_counts_where_something_else_could_be_chosen() -> None:
    match = Match(compiled(FIGURES), 2, seed=1)
    assert match.decision is not None
    asked = scene(match, match.decision.seat, "en")["question"]
    assert asked["words"]["shelf 2"]["name"] == "shelf 2"
    match = game("connect_four").start(2, seed=1)
    asked = scene(match, 0, "en")["question"]
    assert asked["words"]["slot 3"]["name"] == "3"


FIGURES = """
lawspeaker: 1
game: figures
language: en
players: {from: 2, to: 2}
numbers:
  shelf: 1..3
pieces:
  coin: {of each: player, count: 3, starts in: purse}
places:
  purse: {of each: player, holds: coin, seen by: everyone}
  bank: {holds: coin, seen by: everyone}
rules:
  game:
    says: Everyone pays a coin, or looks at a shelf.
    rule: |
      for each player:
        do turn(player)
      nobody wins
  turn:
    says: A coin is paid, or a shelf looked at.
    asks: What do you do?
    given: {player: player}
    rule: |
      player must choose one of
        pay: coin in purse of player
          then: move coin to bank
        look: shelf
"""


@pytest.mark.parametrize(
    "rules, title",
    [
        ("walhalla", "Walhalla"),
        ("walhalla+italian", "Walhalla – Italian rules"),
        ("draughts+brazilian", "Brazilian draughts"),
        ("draughts+russian+losing", "Russian draughts – Losing draughts"),
    ],
)
def test_the_heading_of_a_table_names_what_was_chosen(rules: str, title: str) -> None:
    assert titles_of(game(rules).program, rules)["en"] == title


def test_places_that_are_called_as_their_owners_can_be_called_as_these_want() -> None:
    shown = scene(game("hearts").start(players=4, seed=1), 0, "en", shape="tall")["svg"]
    named = re.findall(r'<text[^>]*data-player="(\d)"[^>]*>(\w+)', shown)
    in_the_trick, in_rows = named[:4], named[4:]
    assert in_the_trick == in_rows == [("0", "North"), ("1", "East"), ("2", "South"), ("3", "West")]


def test_players_who_are_called_by_colours_have_them() -> None:
    text = (GOOD / "growing_hexes.yaml").read_text(encoding="utf-8")
    plain = players(layout_for(load_text(text).program, 2), "en")
    named = text.replace("[ann, ben]", "[white, black]").replace("hand of ann", "hand of white")
    coloured = players(layout_for(load_text(named.replace("of ann", "of white")).program, 2), "en")
    assert [each["colour"] for each in plain] == [shades("blue").main, shades("red").main]
    assert [each["colour"] for each in coloured] == [shades("white").main, shades("black").main]
