"""Who is out of the game is told, and shown at the table: in the browser and in the terminal."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import lawspeaker
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.faces.web.drawing.svg import text_width
from lawspeaker.faces.web.scene import scene
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema

GAME = """\
lawspeaker: 1
game: peas
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  pea: {count: 2, starts in: heap, changes: {ripe: {is: truth, seen by: holder}}}
places:
  heap: {holds: pea, seen by: everyone}
  pod: {of each: player, holds: pea, seen by: owner}
rules:
  game:
    says: Nothing happens.
    rule: end the game
  fed:
    says: Who has peas is in.
    define: player is fed
    as: pod of player is not empty
  lucky:
    says: Who has a ripe pea is lucky.
    define: player is lucky
    as: there is a pea in pod of player where ripe of pea
table:
  players:
    - {place: pod}
  only: CONDITION
"""


@cache
def match_with_loser() -> Match:
    """A game of which somebody is just out: who begins bids too much, again and again."""
    match = lawspeaker.load("liars_dice").start(3, 2)
    while not any(out_texts(scene(match, 0, "en"))):
        assert match.decision is not None
        offered = [option.text for option in match.decision.options]
        match.choose("doubt" if "doubt" in offered else offered[-1])
    return match


def out_texts(told: dict[str, Any]) -> list[str | None]:
    return [player["out"] for player in told["players"]]


def test_it_is_told_and_shown_in_the_browser() -> None:
    match = match_with_loser()
    told = scene(match, 0, "en", len(match.replies) - 1, in_stages=True)
    assert sorted(map(str, out_texts(told))) == ["None", "None", "out of the game"]
    (gone,) = [each["name"] for each in told["players"] if each["out"]]
    (entry,) = told["log"]
    lines = [f"{told['players'][line['seat']]['name']} {line['text']}"
             for line in entry["lines"] if line["seat"] is not None]  # fmt: skip
    assert f"{gone} is out of the game" in lines
    assert lines.index(f"{gone} is out of the game") == lines.index(f"{gone} loses a die") + 1
    shown = re.findall(r'class="strip[^"]*\bout"[^>]*aria-label="([^"]*)"', told["svg"])
    assert shown == [f"{gone}, out of the game"]
    rooms = [int(room) for room in re.findall(r'data-room="(\d+)"', told["svg"])]
    assert min(rooms[-3:]) >= text_width("you, out of the game", 9.5), "it covers nothing beside it"
    assert not re.search(r'class="strip[^"]*\bout"', told["stages"][0]["svg"]), "not yet"
    assert set(out_texts(scene(match, 0, "de"))) == {None, "ausgeschieden"}


def test_it_is_shown_in_the_terminal() -> None:
    view = match_with_loser().view(0)
    for width in (80, 24):
        lines = [line.plain for line in table_block(view, "en", width).lines]
        assert sum("out of the game" in line for line in lines) == 1, width


def test_the_condition_is_one_of_players_and_known_to_all() -> None:
    def codes(condition: str) -> list[str]:
        found = Diagnostics()
        file = SourceFile("peas.yaml", GAME.replace("CONDITION", condition))
        compile_game(file, lambda name, span: None, schema("game"), found)
        return [each.code for each in found if each.code != "unreachable"]

    assert codes("fed") == []
    assert codes("fedd") == ["unknown-name"]
    assert codes("lucky") == ["hidden-label"]
