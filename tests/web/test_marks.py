"""The places by which a game was won, points were given or somebody is asked are marked."""

from __future__ import annotations

from random import Random

import pytest

import lawspeaker
from lawspeaker.faces.web.scene import scene
from lawspeaker.match.match import Match
from tests.terminal.games import load_text

WON = {
    "tic_tac_toe": (
        ["mark cell 1 1", "mark cell 3 1", "mark cell 2 2", "mark cell 3 2", "mark cell 3 3"],
        [{"cell 1 1", "cell 2 2", "cell 3 3"}],
    ),
    "connect_four": (
        [f"drop {slot}" for slot in (1, 1, 2, 2, 3, 3, 4)],
        [{f"cell {slot} 6" for slot in (1, 2, 3, 4)}],
    ),
    "nine_mens_morris": (
        [f"place point {spot}" for spot in ("a7", "b6", "d7", "d6", "g7")],
        [{"point a7", "point d7", "point g7"}],
    ),
}
"""What is played, and what is marked then: a line that has won, and a mill."""

HEX = (
    *[("5 1", None), ("5 2", "11 1"), ("5 3", "11 2"), ("5 4", "11 3"), ("5 5", "11 4")],
    *[("5 6", "11 5"), ("4 7", "11 6"), ("4 8", "11 7"), ("4 9", "11 8"), ("6 1", "11 9")],
    *[("6 3", "10 1"), ("4 11", "10 2"), ("5 10", "10 3"), ("4 10", "10 4")],
)
"""Cells that red and blue lay stones on."""


def play_replies(match: Match, replies: list[str]) -> Match:
    for each in replies:
        match.choose(each)
    return match


@pytest.mark.parametrize("name", WON)
def test_what_won_is_marked(name: str) -> None:
    replies, lines = WON[name]
    match = play_replies(lawspeaker.load(name).start(2, 1), replies)
    for seat in (0, 1, None):
        told = scene(match, seat, "en", len(replies) - 1, in_stages=True)
        assert [set(line) for line in told["marks"]] == lines
        assert [set(line) for line in told["stages"][-1]["marks"]] == lines
    before = play_replies(lawspeaker.load(name).start(2, 1), replies[:-1])
    assert scene(before, 0, "en")["marks"] == []


def test_two_lines_at_once_are_two() -> None:
    cells = ("1 1", "1 2", "3 1", "2 3", "1 3", "3 2", "3 3", "2 1")  # the last is no choice
    match = play_replies(
        lawspeaker.load("tic_tac_toe").start(2, 1), [f"mark cell {c}" for c in cells]
    )
    lines = [set(line) for line in scene(match, None, "en")["marks"]]
    assert lines == [
        {"cell 1 1", "cell 2 2", "cell 3 3"},
        {"cell 3 1", "cell 2 2", "cell 1 3"},
    ]


def test_of_a_chain_the_shortest_way_is_marked() -> None:
    """Stones that hang together with it, but lead nowhere, do not belong to it."""
    replies = [f"lay cell {HEX[0][0]}", "pass"]
    for red, blue in HEX[1:]:
        replies += [f"lay cell {blue}", f"lay cell {red}"]
    match = play_replies(lawspeaker.load("hex").start(2, 1), replies)
    assert list(match.winners) == [0]
    (line,) = scene(match, 1, "en")["marks"]
    rows = [f"cell 5 {row}" for row in range(1, 7)] + [f"cell 4 {row}" for row in range(7, 12)]
    assert line == rows


def test_lines_are_marked_where_hands_are_hidden() -> None:
    """Every line that scores is drawn, with as many tiles as it has points, for everyone."""
    match = lawspeaker.load("voluspa").start(3, 4)
    luck, scored = Random(3), 0
    while scored < 8:
        assert match.decision is not None
        match.choose(luck.choice(match.decision.options).text)
        given = [
            event.data[1]
            for event in match.events_of(len(match.replies) - 1)
            if event.kind == "score"
        ]
        for seat in (0, 1, 2, None) if given else ():
            told = scene(match, seat, "en", len(match.replies) - 1, in_stages=True)
            drawn = [line for stage in told["stages"] for line in stage["marks"]]
            assert [len(line) for line in drawn] == given
            assert all(in_one_line(line) for line in drawn)
        scored += len(given)


def in_one_line(line: list[str]) -> bool:
    columns, rows = zip(*(each.split()[1:] for each in line), strict=True)
    return min(len(set(columns)), len(set(rows))) == 1


PAIRS = """
lawspeaker: 1
game: pairs
title: Pairs
players: {{from: 2, to: 2, called: [ann, ben]}}
language: en
pieces:
  card: {{starts in: deck, kinds: {{ace: {{count: 6}}, ten: {{count: 6}}}}}}
places:
  deck: {{holds: card, seen by: nobody}}
  slot: {{of each: player, at: 1..2, holds: card, seen by: {seen_by}}}
rules:
  game:
    says: Whoever has two cards has a pair, and wins at once.
    asks: What do you do?
    rule: |
      for each slot:
        draw 1 card from deck to slot
      ann must choose one of
        look
        stop
        otherwise: cannot happen
      if (count of slots where slot is not empty and owner of slot is ann) >= 2:
        ann wins
"""


@pytest.mark.parametrize("seen_by, lines", [("everyone", 1), ("owner", 0)])
def test_only_what_everyone_sees_is_marked(seen_by: str, lines: int) -> None:
    match = load_text(PAIRS.format(seen_by=seen_by)).start(2, 1)
    match.choose("look")
    assert list(match.winners) == [0]
    for seat in (0, 1, None):
        assert len(scene(match, seat, "en")["marks"]) == lines


def test_what_scores_is_marked_while_it_does() -> None:
    text = PAIRS.format(seen_by="everyone").replace("ann wins", "ann scores 2")
    match = load_text(text).start(2, 1)
    match.choose("look")
    told = scene(match, 0, "en", 0, in_stages=True)
    marked = [stage for stage in told["stages"] if stage["marks"]]
    assert [len(stage["marks"][0]) for stage in marked] == [2]
    assert marked[0]["points"][0]["points"] == 2
    assert told["marks"] == []


SECRET = """
lawspeaker: 1
game: secret
title: Secret
players: {from: 4, to: 4, called: [ann, ben, cy, di]}
language: en
pieces:
  stone: {count: 4, starts in: bag}
places:
  bag: {holds: stone, seen by: everyone}
  cell: {of each: player, holds: stone, seen by: everyone}
markers:
  goal: {shows: player, seen by: nobody}
rules:
  game:
    says: A player is picked in secret; if it is not Ann, she wins, and only that is told.
    asks: What do you do?
    rule: |
      pick a random player
      goal becomes player
      ann must choose one of
        look
        stop
        otherwise: cannot happen
      let wanted be goal
      tell everyone whether (count of cells where found(cell, wanted)) >= 2
      if (count of cells where found(cell, wanted)) >= 2:
        ann wins
  found:
    says: Whether a cell is that of Ann, or of a given player.
    define: found(cell, player)
    as: owner of cell is player or owner of cell is ann
"""


def test_a_name_for_something_hidden_is_not_shown_by_what_it_was_found_with() -> None:
    """The rules tell whether it is so; which cells they were would tell who was picked."""
    won = 0
    for seed in range(1, 6):
        match = load_text(SECRET).start(4, seed)
        match.choose("look")
        won += list(match.winners) == [0]
        told = scene(match, 1, "en", 0, in_stages=True)
        assert not told["marks"]
        assert not any(stage["marks"] for stage in told["stages"])
    assert won
