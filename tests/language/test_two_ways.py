"""What can be said in two ways means the same: both make the same program."""

from __future__ import annotations

from textwrap import indent

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema

GAME = """\
lawspeaker: 1
game: two_ways
players: {from: 2, to: 3, called: [ann, ben, cy]}
words:
  suit: [clubs, hearts, spades]
  way: {has: {across: number, down: number}, are: {north: {down: -1}, east: {across: 1}}}
pieces:
  card:
    has: {suit: suit, value: number}
    starts in: deck
    kinds: {low: {suit: clubs}, high: {value: 9}}
  stone: {count: 9, starts in: box}
places:
  deck: {holds: card, arranged: pile, seen by: everyone}
  hand: {of each: player, holds: card, seen by: everyone}
  box: {holds: stone, seen by: everyone}
  field: {grid: 3 by 3, holds: stone, room: 1, seen by: everyone}
markers:
  active: {shows: player}
  trump: {shows: suit}
  die: {shows: 1..6}
  lit: {shows: truth}
rules:
  game:
    says: It is said in one of two ways.
    rule: |
"""
PAIRS = {
    "ann scores max(die, 2)": "ann scores larger(die, 2)",
    "ann scores min(die, 2, 4)": "ann scores smaller(smaller(die, 2), 4)",
    "ann scores larger(1, die, 3)": "ann scores larger(larger(1, die), 3)",
    "ann scores number of players": "ann scores count of (players)",
    "ann scores number of (all cards)": "ann scores count of (all cards)",
    "ann scores number of cards in deck + 1": "ann scores (count of cards in deck) + 1",
    "ann scores number of cards as one in deck where one is low": (
        "ann scores count of cards as one in deck where one is low"
    ),
    "ann scores 2 for each card in deck": "ann scores sum of 2 for each card in deck",
    "ann loses value of card for each card": "ann loses sum of value of card for each card",
    "die increases by 2": "die becomes die + 2",
    "die decreases by die - 1": "die becomes die - (die - 1)",
    "lit becomes 1 < die <= 4": "lit becomes 1 < die and die <= 4",
    "lit becomes 4 >= die > 1": "lit becomes 4 >= die and die > 1",
    "lit becomes no stone in box": "lit becomes there is no stone in box",
    "lit becomes no card in deck where card is low or no": (
        "lit becomes there is no card in deck where card is low or no"
    ),
    "lit becomes trump is clubs or hearts": "lit becomes trump is clubs or trump is hearts",
    "lit becomes die is 1 or 6": "lit becomes die is 1 or die is 6",
    "lit becomes die = 1 or 2 or 6": "lit becomes die = 1 or die = 2 or die = 6",
    "lit becomes active is ann or lit": "lit becomes active is ann or (lit)",
    "lit becomes active is ann or ben or trump is clubs or spades": (
        "lit becomes active is ann or active is ben or trump is clubs or trump is spades"
    ),
    "lit becomes top of deck is low or high": (
        "lit becomes top of deck is low or top of deck is high"
    ),
    "lit becomes the card is in [low, high]": "lit becomes kind of the card is in [low, high]",
    "let free be all fields\nfree becomes free - field(1, 1)": (
        "let free be all fields\nfree becomes free - [field(1, 1)]"
    ),
    "let warm be [hearts]\nwarm becomes warm + clubs": (
        "let warm be [hearts]\nwarm becomes warm + [clubs]"
    ),
    "tell ann hand of ben": "tell ann all cards in hand of ben",
    "tell everyone deck": "tell everyone all cards in deck",
    "move 2 cards in deck as this where this is low to hand of ann": (
        "move 2 cards as this in deck where this is low to hand of ann"
    ),
    "for each player starting with ben: player scores 1": (
        "for each player from ben: player scores 1"
    ),
    "for each player except active: player scores 1": (
        "for each player where player is not active: player scores 1"
    ),
    "for each player except [ann, ben]: player scores 1": (
        "for each player where player is not in [ann, ben]: player scores 1"
    ),
    "let rest be all cards in deck except low where value of card > 1": (
        "let rest be all cards in deck where card is not low and value of card > 1"
    ),
    "let rest be all cards as one except hand of ann": (
        "let rest be all cards as one where one is not in hand of ann"
    ),
    "for each player except left_neighbour of ann: player scores 1": (
        "for each player where player is not left_neighbour of ann: player scores 1"
    ),
    "ann scores count of players except active + 1": (
        "ann scores (count of players where player is not active) + 1"
    ),
    "for each field in neighbours of field(1, 1) + field(2, 2): ann scores 1": (
        "for each field in (neighbours of field(1, 1) + [field(2, 2)]): ann scores 1"
    ),
    "for each number in die + 1..die + 2: ann scores number": (
        "for each number in (die + 1)..die + 2: ann scores number"
    ),
    "for each number in collect different value of card for each card: ann scores number": (
        "for each number in (collect different value of card for each card): ann scores number"
    ),
    "ann scores sum of value of card for each card\n  where card is low": (
        "ann scores sum of value of card for each card where card is low"
    ),
    "for each card in deck\n    where card is low:\n  ann scores 1": (
        "for each card in deck where card is low:\n  ann scores 1"
    ),
}


@pytest.mark.parametrize("code", PAIRS)
def test_both_make_the_same_program(code: str) -> None:
    assert program(code).clauses == program(PAIRS[code]).clauses


def program(code: str) -> ir.Program:
    diagnostics = Diagnostics()
    text = SourceFile("game.yaml", GAME + indent(code, " " * 6) + "\n")
    found = compile_game(text, lambda name, span: None, schema("game"), diagnostics)
    assert [str(each) for each in diagnostics] == []
    assert found is not None
    return found
