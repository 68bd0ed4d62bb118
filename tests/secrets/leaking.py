"""Small games that each leak something through one channel, compiled whatever the checker says.

Each player holds two cards that nobody else sees, and in turn a rule does something it should not;
then somebody is asked, so that there is something to look at.
"""

from __future__ import annotations

import re

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema

GAME = """\
lawspeaker: 1
game: leaking
players: {from: 2, to: 3, called: [ann, ben, cy]}
words:
  suit: [red, black]
numbers:
  few: 0..9
pieces:
  card:
    has: {worth: number}
    starts in: deck
    changes:
      marked: {is: truth, starts as: false, seen by: everyone}
    kinds:
      ace: {count: 5, worth: 3}
      ten: {count: 4, worth: 2}
      two: {count: 5, worth: 1}
  coin: {count: 9, starts in: bank}
places:
  deck:  {holds: card, arranged: pile, seen by: nobody}
  hand:  {of each: player, holds: card, seen by: owner}
  away:  {of each: player, holds: card, arranged: pile, seen by: nobody}
  shown: {holds: card, arranged: pile, seen by: everyone}
  bank:  {holds: coin, seen by: everyone}
  purse: {of each: player, holds: coin, seen by: everyone}
  stall: {of each: player, holds: card, seen by: everyone}
markers:
  active: {shows: player}
  tally:  {shows: few}
  mind:   {shows: few, seen by: nobody}
rules:
  game:
    says: Everyone gets two cards, and then takes turns.
    rule: |
      shuffle deck
      for each player:
        draw 2 cards from deck to hand of player
      repeat 4 times:
        for each player:
          do turn(player)
  turn:
    says: A player does something that is no secret, after something that may be one.
    given: {player: player}
    rule: |
      active becomes player
      do deed(player)
      do waiting(player)
  waiting:
    says: A player waits, and may change a card.
    asks: What do you do?
    given: {player: player}
    rule: |
      player must choose one of
        wait
        change: card as old in hand of player
          then:
            move old to away of player
            draw card from deck to hand of player
              otherwise: skip
  aces:
    says: How many aces a player holds.
    define: aces of player
    as: count of cards in hand of player where card is ace
  whoever:
    says: Ann if Ben holds an ace, otherwise the given player.
    define: whoever(player)
    as: if aces of ben > 0 then ann else player
  dancing:
    says: A player dances, whether he likes it or not.
    asks: How do you dance?
    given: {player: player}
    rule: |
      player must choose one of
        slowly
        quickly
  deed:
    says: What should not be done like this.
    given: {player: player}
"""

DEED = "    rule: |\n"


def leaking(deed: str, asks: str = "What?") -> ir.Program:
    """The game with this deed, its errors overheard; `asks` is the text of its question, if any."""
    lines = "".join(f"      {line}\n" for line in deed.strip("\n").split("\n"))
    question = f'    asks: "{asks}"\n' if "must" in deed or "may" in deed else ""
    guards = "".join(f"      {name}: No.\n" for name in re.findall(r"where (\w+):", deed))
    return overheard(GAME + question + (guards and "    guards:\n" + guards) + DEED + lines)


def overheard(text: str) -> ir.Program:
    """The program of a text, whatever is said against it."""
    diagnostics = Diagnostics()
    main = SourceFile("game.yaml", text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Diagnostics, "has_errors", False)
        program = compile_game(main, lambda name, span: None, schema("game"), diagnostics)
    assert program is not None, [each.message for each in diagnostics]
    return program
