"""Whole games take ways of their own: options that are counted and not written down, rankings that
are not sorted, heaps that are moved at once, piles whose order is worked out once.

Each small game here leads into one of them, with everything that may be said about it, and must
come to the same end as on the reference machine, with the same choices on the way.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from lawspeaker.machines.adapter import module_for
from lawspeaker.machines.compiled import Instance, compile_module
from lawspeaker.machines.compiled.host.instance import Tried
from lawspeaker.machines.planned.questions import Questions, Written
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.games import games_of, play_games
from lawspeaker.study.lab.record import play_game
from tests.tiers import sample

FRAME = """\
lawspeaker: 1
game: small
players: {from: 3, to: 3, called: [ann, ben, cy]}
words:
  colour: [red, green, blue]
  side: [left, right]
numbers:
  step: 1..2
  spot: 1..16
pieces:
  card:
    has: {worth: number}
    starts in: pile
    kinds:
      ace: {count: 5, worth: 3}
      king: {count: 4, worth: -2}
      jack: {count: 3, worth: 5}
      ten: {count: 3, worth: 1}
  coin: {of each: player, count: 9, starts in: purse}
places:
  pile: {holds: card, arranged: pile, seen by: nobody}
  thrown: {holds: card, arranged: pile, seen by: everyone}
  hand: {of each: player, holds: card, seen by: owner}
  shown: {of each: player, holds: card, seen by: everyone}
  purse: {of each: player, holds: coin, seen by: everyone}
  bank: {of each: player, holds: coin, seen by: everyone}
  shop: {at: side, holds: coin, room: 20, seen by: everyone}
  box: {at: colour, holds: coin, room: 1, seen by: everyone}
markers:
  last: {shows: number, starts as: 0}
rules:
"""

BEFOREHAND = """\
  game:
    says: Everyone chooses among what is known beforehand.
    rule: |
      repeat 4 times:
        for each player:
          do choosing(player)
          do wishing(player)
          do skipping(player)
      end the game
  choosing:
    says: A side and a step.
    asks: Which way?
    guards:
      not_again: Not the last step.
      left_open: Left only while there are coins.
      broke: Without coins only.
    given: {player: player}
    rule: |
      player must choose one of
        go: side, step
          where not_again: step is not last or side is right
          where left_open: side is right or purse of player is not empty
          then: do going(player, side, step)
        wait
          where broke: purse of player is empty
          then: player scores 7
        stay
          then: player loses 1
  going:
    says: Coins go to a shop.
    given: {player: player, side: side, step: number}
    rule: |
      last becomes step
      player scores 3 * step + number of side
      move up to step coins in purse of player to bank of player
  wishing:
    says: A colour may be wished for.
    asks: Which colour?
    guards:
      free: The box is free.
    given: {player: player}
    rule: |
      player may wish: colour
        where free: box(colour) is empty
        then: do boxing(player, colour)
        otherwise: player scores 2
  boxing:
    says: A coin goes into a box, which is emptied when all are full.
    given: {player: player, colour: colour}
    rule: |
      player scores 10 * number of colour
      if purse of player is not empty:
        move a coin in purse of player to box(colour)
      if box(red) is not empty and box(green) is not empty and box(blue) is not empty:
        do emptying
  emptying:
    says: The boxes are emptied.
    rule: |
      for each colour:
        let coin be the coin in box(colour)
        move coin to bank of owner of coin
  skipping:
    says: Who has coins may pay.
    asks: Pay?
    guards:
      has_coins: There must be a coin.
    given: {player: player}
    rule: |
      player may pay
        where has_coins: purse of player is not empty
        then: move a coin in purse of player to bank of player
"""

FEW_SETS = """\
  game:
    says: Everyone chooses some colours.
    rule: |
      repeat 5 times:
        for each player:
          do painting(player)
          do pairing(player)
          do tripling(player)
      end the game
  painting:
    says: As many colours as there are coins.
    asks: Which colours?
    guards:
      not_last: Not the last colour.
      enough: A coin for each.
    given: {player: player}
    rule: |
      player must paint: any number of colours
        where not_last: not (colour is red and last = 2)
        where enough: count of colours <= count of coins in purse of player - 4
        otherwise:
          player loses 3
          finish
      do paying(player, colours)
      for each colour in colours:
        player scores number of colour * number of colour
  paying:
    says: A coin goes to the bank for each.
    given: {player: player, colours: colours}
    rule: |
      for each colour in colours:
        move a coin in purse of player to bank of player
        last becomes number of colour
  pairing:
    says: At least one colour, and it is counted.
    asks: Which?
    guards:
      odd: Two colours must differ from the last.
    given: {player: player}
    rule: |
      player may pair: at least 1 colours
        where odd: count of colours is not 2
          or there is no colour as other in colours where number of other = last
        then: do counting(player, colours)
  counting:
    says: They are counted.
    given: {player: player, colours: colours}
    rule: |
      player scores 100 * count of colours
      last becomes 0
      move up to 1 coins in bank of player to purse of player
  tripling:
    says: Up to two sides.
    asks: Which sides?
    given: {player: player}
    rule: |
      player must turn: up to 2 sides
      for each side in sides:
        player loses number of side
"""

EQUALS = """\
  game:
    says: Cards are dealt and shown, some of them equal.
    rule: |
      shuffle pile
      for each player:
        draw 3 cards from pile to hand of player
      repeat 3 times:
        do showing
        do giving
        for each player:
          draw 2 cards from pile to hand of player
            otherwise: skip
      for each player:
        player scores sum of worth of card for each card in shown of player
        player loses count of cards in hand of player
      end the game
  showing:
    says: All show cards at once.
    asks: Which?
    guards:
      no_king: No kings.
      two_at_most: Two at most, or all.
    rule: |
      each player secretly must show: any number of cards in hand of player
        where no_king: card is not king
        where two_at_most: count of cards <= 2 or count of cards = count of cards in hand of player
        then: move cards to shown of player
  giving:
    says: Ann gives cards away.
    asks: Which do you give?
    rule: |
      ann may give: at least 2 cards in hand of ann, player where player is not ann
        then: do handing(player, cards)
  handing:
    says: They change hands.
    given: {player: player, cards: cards}
    rule: |
      player scores 10 * count of cards
      move cards to hand of player
"""

RANKS = """\
  game:
    says: Players are ranked by all sorts of things.
    rule: |
      shuffle pile
      repeat 5 times:
        for each player:
          draw card from pile to hand of player
        do best
        do worst
        do some
        do paid
      end the game
  best:
    says: The best score by their place.
    rule: |
      rank players by worths of player, highest first:
        tied scores 100 * place + 10 * tier + count of tied
  worths:
    says: What a hand is worth.
    define: worths of player
    as: sum of worth of card for each card in hand of player
  worst:
    says: The lowest first.
    rule: |
      rank players by wealth of player - score of player, lowest first:
        if place <= 2:
          for each player in tied:
            player scores tier
            tell everyone place
            move up to place coins in purse of player to bank of player
  some:
    says: Only who has coins, or more than one point.
    rule: |
      rank players where wealth of player > 4 by wealth of player, highest first:
        if ann is in tied:
          ben scores place
        tied loses 5
  wealth:
    says: How many coins are in a purse.
    define: wealth of player
    as: count of coins in purse of player
  paid:
    says: Each of a group is asked.
    rule: |
      rank players by count of coins in bank of player, highest first:
        for each player in tied:
          do asked(player, place)
  asked:
    says: A coin may be paid.
    asks: Pay a coin?
    guards:
      has_coins: There must be a coin.
    given: {player: player, rank: number}
    rule: |
      player may pay
        where has_coins: purse of player is not empty
        then: do payment(player, rank)
  payment:
    says: It is paid.
    given: {player: player, rank: number}
    rule: |
      move a coin in purse of player to bank of player
      player scores rank
"""

MOVES = """\
  game:
    says: Coins go to and fro.
    rule: |
      repeat 6 times:
        for each player:
          do moving(player)
        for each player:
          player scores count of coins in purse of player + 20 * count of coins in bank of player
          player scores 400 * count of coins in shop(left) + 9000 * count of coins in shop(right)
          player scores count of coins where coin is in bank of player and owner of coin is player
      end the game
  moving:
    says: In many ways.
    asks: How many?
    guards:
      in_purse: As many as there are in the purse.
      in_bank: As many as there are in the bank.
    given: {player: player}
    rule: |
      player must choose one of
        save: step
          where in_purse: count of coins in purse of player >= step
          then: move step coins in purse of player to bank of player
        spend: side, step
          where in_bank: count of coins in bank of player >= step
          then: move step coins in bank of player to shop(side)
        fetch
          then: move all coins in bank of player to purse of player
        keep
          then: move all coins in purse of player to purse of player
        swap
          then: move up to 3 coins in shop(left) to shop(right)
"""

PILES = """\
  game:
    says: A pile is drawn from, added to, and made anew.
    rule: |
      shuffle pile
      repeat 9 times:
        for each player:
          do drawing(player)
      for each player:
        player scores sum of worth of card for each card in hand of player
      end the game
  drawing:
    says: Cards are drawn, put on the pile, or under it.
    asks: What with it?
    given: {player: player}
    rule: |
      draw 2 cards from pile to hand of player
        otherwise: do anew
      player must choose one of
        return: card in hand of player
          then: move card to pile
        bury: card in hand of player
          then: move card to bottom of pile
        throw: card in hand of player
          then: move card to thrown
        score: card in hand of player
          then: do weighing(player, card)
        pass
  weighing:
    says: It counts, and the pile is shuffled.
    given: {player: player, card: card}
    rule: |
      player scores worth of card * 10 + count of cards in pile
      move card to thrown
      shuffle pile
  anew:
    says: What was thrown is shuffled again.
    rule: |
      move all cards in thrown to pile
      shuffle pile
"""

MANY_SETS = """\
  game:
    says: Three cards out of many are named again and again.
    rule: |
      draw 15 cards from pile to hand of ann
      repeat 4 times:
        pick a random spot
        ann scores spot * spot
        if naming is possible:
          do naming
      end the game
  naming:
    says: Which of several equal cards they are makes no difference.
    asks: Which three?
    rule: |
      ann must call_out: 3 cards in hand of ann
        otherwise: finish
      ann scores sum of worth of other for each card as other in cards
"""

GAMES = {
    "options known beforehand": BEFOREHAND,
    "subsets of few": FEW_SETS,
    "subsets of many": MANY_SETS,
    "subsets with equals": EQUALS,
    "rankings": RANKS,
    "moves": MOVES,
    "piles": PILES,
}


@pytest.mark.parametrize("name", sample(GAMES, test=2))
def test_both_machines_come_to_the_same_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(FRAME + GAMES[name])
    program = load(str(path)).program
    wanted = [play_game(program, 3, 3, at, ["random"] * 3) for at in range(40)]
    fast = module_for(Layout(program, 3), PLAYING)
    for found, record in zip(fast.games(3, 0, 40), wanted, strict=True):
        assert (found.decisions, found.options) == (record.decisions, record.options)
        assert found.scores == record.scores
    assert len({record.scores for record in wanted}) > 30
    # The lab looks at games more closely, in a module that is written for it.
    watched, told = (
        play_games(program, 3, 3, range(40), ["random"] * 3),
        games_of(program, 3, wanted),
    )
    for field in fields(told):
        assert np.array_equal(getattr(watched, field.name), getattr(told, field.name)), field.name


@pytest.mark.parametrize("name", sample(GAMES, test=3))
def test_a_tree_grows_as_if_all_options_were_written_down(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search does need the options: it remembers what came of each."""
    path = tmp_path / "small.yaml"
    path.write_text(FRAME + GAMES[name])
    match = load(str(path)).start(seed=4)
    found = explored(match)
    monkeypatch.setattr(Questions, "offered", lambda *_, **__: Written())
    assert explored(match) == found


def explored(match: Match) -> list[Tried]:
    """What comes of the options of whoever is asked first, in a module of its own."""
    instance = Instance(compile_module(Layout(match.program, 3), PLAYING))
    instance.load(match.state)
    instance.keep()
    instance.forget()
    seat = match.decisions[0].seat
    assert seat is not None
    return instance.explore(range(len(match.asked(seat).options)), seat, 5, 40, deep=True)
