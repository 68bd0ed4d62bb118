"""Tiles with something on their sides: as they lie, in letters and painted."""

from __future__ import annotations

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render.signs import Signs
from lawspeaker.faces.web.drawing.appearance import Looks
from lawspeaker.faces.web.drawing.shapes import drawn
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema

MAP = """\
lawspeaker: 1
game: map
players: {from: 2, to: 2, called: [ann, ben]}
words:
  direction:
    has: {across: number, down: number}
    are:
      east: {across: 1}
      north: {down: -1}
      west: {across: -1}
      south: {down: 1}
  land: [road, town]
  turn: [upright, right, around]
pieces:
  tile:
    has: {side: {at each: direction, is: land}}
    changes: {turned: turn, claimed: land, claimed_by: player}
    starts in: heap
    kinds: {gate: {count: 1, side: {north: town, east: road}}, blank: 1}
places:
  heap: {holds: tile, seen by: everyone}
rules:
  game:
    says: A gate is turned, and somebody claims its town.
    rule: |
      if there is a tile in heap where tile is gate:
        turned of tile becomes TURN
        claimed of tile becomes CLAIMED
        claimed_by of tile becomes ben
      do waiting
  waiting:
    says: Ann waits.
    asks: Do you wait?
    rule: |
      ann may wait
symbols:
  road: {sign: "=", colour: white, shape: stick}
  town: {sign: "#", colour: orange}
  right: {turn: 90}
  around: {turn: 180}
"""


def match_with(turn: str, claimed: str = "town") -> Match:
    text = MAP.replace("TURN", turn).replace("CLAIMED", claimed)
    diagnostics = Diagnostics()
    program = compile_game(
        SourceFile("map.yaml", text), lambda *_: None, schema("game"), diagnostics
    )
    assert program is not None, [each.message for each in diagnostics]
    return Match(program, 2, 1)


def piece_lines(match: Match, piece: int) -> list[str]:
    view = match.view(0)
    return [line.plain for line in Signs(view.layout, "en").piece(piece, view.states[piece])]


@pytest.mark.parametrize(
    "turn, claimed, shown",
    [
        ("upright", "town", ["  #B ", "    =", "     "]),
        ("right", "town", ["     ", "   B#", "  =  "]),
        ("right", "road", ["     ", "    #", "  =B "]),
        ("around", "town", ["     ", "=    ", "  #B "]),
        ("around", "nothing", ["     ", "= B  ", "  #  "]),
    ],
)
def test_a_tile_shows_its_sides_as_it_lies(turn: str, claimed: str, shown: list[str]) -> None:
    match = match_with(turn, claimed)
    assert piece_lines(match, 0) == shown


def test_what_has_nothing_on_its_sides_is_drawn_all_the_same() -> None:
    assert piece_lines(match_with("right"), 1) == ["     "] * 3


def test_sides_are_painted_where_they_are_and_who_is_there_stands_upright() -> None:
    view = match_with("right").view(0)
    look = Looks(view.layout, "en", view.states).piece(0)
    top, right, bottom, left = look.sides
    assert top is None
    assert left is None
    assert right is not None
    assert bottom is not None
    assert not right.strip
    assert bottom.strip
    assert (look.mark_letter, look.mark_at) == ("B", 1)
    assert look.turn == 0
    picture = drawn(look, 60, 60)
    assert picture.count("rotate(90 30.0 30.0)") == 1
    assert picture.count("rotate(180 30.0 30.0)") == 1
    assert ">B<" in picture


def test_who_is_on_no_side_stands_in_the_middle() -> None:
    view = match_with("right", "nothing").view(0)
    look = Looks(view.layout, "en", view.states).piece(0)
    assert (look.mark_letter, look.mark_at) == ("B", None)
    assert ">B<" in drawn(look, 60, 60)
