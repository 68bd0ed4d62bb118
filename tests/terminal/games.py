"""Games to be shown and played: a small one without a layout of its own, and a fixed situation."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import lawspeaker
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match

SMALL = """
lawspeaker: 1
game: stones
title: Stones
about: Two players lay stones on a board and show a card.
players: {from: 2, to: 2, called: [ann, bob]}
sources:
  book: {title: The Little Book, publisher: Us, year: 2020}
numbers:
  line: 1..3
  file: 1..3
pieces:
  stone: {of each: player, count: 4, starts in: bag}
  card: {starts in: deck, kinds: {king: 2, queen: 2, jack: 2}}
places:
  bag:   {of each: player, holds: stone, seen by: everyone}
  cell:  {at: [line, file], holds: stone, room: 1, seen by: everyone}
  deck:  {holds: card, arranged: pile, seen by: nobody}
  hand:  {of each: player, holds: card, seen by: owner}
  shown: {of each: player, holds: card, seen by: everyone}
markers:
  turn:  {shows: player}
  round: {shows: line}
rules:
  game:
    says: Three rounds, then the most stones win.
    rule: |
      shuffle deck
      for each player:
        draw 2 cards from deck to hand of player
      for each line:
        round becomes line
        for each player:
          turn becomes player
          do laying(player)
        do showing
      end the game
  laying:
    says: A player lays a stone on an empty cell of the line of this round, or none.
    cites: {book: {section: Laying, stance: states}}
    asks: {en: Where do you lay a stone?}
    guards:
      empty:
        says: A cell holds one stone only.
        cites: {book: {section: Laying, stance: states}}
      this_line:
        says: Stones are laid in the line of the round.
        cites: {book: {section: Lines, stance: our_ruling, note: Only a picture shows it.}}
    given: {player: player}
    rule: |
      player may lay: cell
        where empty: cell is empty
        where this_line: line of cell = round
        then:
          move a stone in bag of player to cell
          player scores file of cell
  showing:
    says: Everyone secretly shows a card or keeps all; a king counts two points.
    cites: {book: {section: Showing, stance: implies}}
    asks: {en: Which card do you show?}
    rule: |
      each player secretly must show: any number of cards in hand of player
        then:
          move cards to shown of player
          player scores 2 * count of cards in cards where card is king
"""


CUPS = """
lawspeaker: 1
game: cups
players: {from: 2, to: 2, called: [ann, bob]}
numbers:
  face: 1..6
pieces:
  die:
    plural: dice
    of each: player
    count: 2
    starts in: cup
    changes: {face: {is: face, seen by: holder}}
places:
  cup:    {of each: player, holds: die, seen by: owner}
  lifted: {of each: player, holds: die, seen by: everyone}
markers:
  bid: {shows: face}
rules:
  game:
    says: Cups are shaken, a bid is made, and the cups are lifted and shaken again.
    rule: |
      do shaking
      do bidding
      for each player:
        move all dice in cup of player to lifted of player
      for each player:
        move all dice in lifted of player to cup of player
      do shaking
      do keeping
  shaking:
    says: All dice show any face.
    rule: |
      for each die:
        pick a random face as rolled
        face of die becomes rolled
  bidding:
    says: A face is named.
    asks: Which face?
    rule: |
      ann must name: face
      bid becomes face
  keeping:
    says: A die is kept.
    asks: Which die?
    rule: |
      ann must keep: die in cup of ann
        otherwise: cannot happen
      move die to lifted of ann
"""


@cache
def load_text(text: str) -> Game:
    """A game from its text."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "stones.yaml"
        file.write_text(text, encoding="utf-8")
        return lawspeaker.load(str(file))


def cups() -> Game:
    return load_text(CUPS)


def small_game() -> Game:
    return load_text(SMALL)


@cache
def walhalla() -> Game:
    return lawspeaker.load("walhalla")


def fixed() -> Match:
    """A situation in which every part of the table shows something, whatever luck brings."""
    setup = {
        "places": {
            "peninsula 1": ["cult_forest_2", "cult_wheat", "village_1_wheat"],
            "peninsula 2": ["forest_3_village_2", "cult_village_2"],
            "peninsula 3": ["forest_2_wheat", "cult_forest_3", "village_2_wheat", "cult_wheat"],
            "inner 1": ["inner_5"],
            "inner 2": ["inner_3"],
            "inner 3": ["inner_4"],
            "outer 1": ["outer_6"],
            "outer 2": ["outer_8"],
            "outer 3": ["outer_7"],
            "fjord 1": ["red_bow"],
            "fjord 3": ["blue_stern", "black_bow"],
            "sea": ["yellow_stern"],
            "field 1 1": ["viking red"],
            "field 1 4": ["viking black"],
            "field 2 2": ["viking yellow"],
            "field 3 6": ["viking blue"],
            "midgard red": ["5 viking red"],
            "midgard black": ["7 viking black"],
            "midgard yellow": ["1 viking yellow"],
            "walhalla red": ["2 viking red"],
            "walhalla blue": ["3 viking blue"],
            "hand red": ["2 wheat", "hunt"],
            "hand black": ["shield"],
            "hand blue": ["attack", "forest"],
            "discards": ["cult", "cape_7"],
        },
        "markers": {"raid": 2, "starter": "blue", "active": "red"},
        "scores": {"red": 12, "black": 7, "yellow": 0, "blue": 103},
        "states": [["cult_wheat", "peninsula 1", "coast", "second_end"]],
    }
    arguments = {"dragon": "yellow_stern"}
    return Match.at(walhalla().program, 4, "boarding.active", arguments, setup)
