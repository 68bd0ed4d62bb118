"""Card games with faults that were put in on purpose, and the same without."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a game."""

    strong_card: bool = False
    weak_seat: int = 0
    """Points that one player loses."""
    dead_rule: bool = False
    endless: bool = False
    runaway: bool = False


def game_text(faults: Faults, name: str, rounds: int = 5) -> str:
    """Three players play cards of their hand, or pass a turn for a little."""
    head = f"""\
lawspeaker: 1
game: {name}
players: {{from: 3, to: 3, called: [ann, ben, cat]}}
markers:
  idle: {{shows: number}}
  starter: {{shows: player}}
pieces:
  card:
    has: {{worth: number, cost: number}}
    starts in: box
    kinds:
      oak: {{count: 6, worth: 3, cost: 3}}
      elm: {{count: 6, worth: 3, cost: 3}}
      ash: {{count: 6, worth: 2, cost: 2}}
      yew: {{count: 6, worth: {14 if faults.strong_card else 2}, cost: 2}}
      fir: {{count: 6, worth: 4, cost: 4}}
places:
  box: {{holds: card, arranged: pile, seen by: nobody}}
  hand: {{of each: player, holds: card, seen by: owner}}
  played: {{holds: card, seen by: everyone}}
rules:
  game:
    says: Some rounds of cards, and who has most points wins.
    rule: |
      shuffle box
      do beginning
      for each player:
        draw 6 cards from box to hand of player
      {f"cat loses {faults.weak_seat}" if faults.weak_seat else "all players score 0"}
      repeat {rounds} times:
        idle becomes 0
        for each player from starter:
          do turn(player)
"""
    if faults.endless:
        head += "        if idle = 3: do circle\n"
    if faults.runaway:
        head += "        do reward\n"
    if faults.dead_rule:
        head += "        for each player:\n          do famine(player)\n"
    head += """\
  beginning:
    says: Luck says who starts.
    rule: |
      pick a random player
      starter becomes player
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
          then:
            player scores 2
            idle becomes idle + 1
"""
    if faults.endless:
        head += """\
  circle:
    says: Where all rest, they rest for ever.
    rule: |
      repeat until idle = 4, at most 500 times:
        idle becomes 3
"""
    if faults.runaway:
        head += """\
  reward:
    says: Whoever leads scores more.
    rule: |
      let most be highest of score of player for each player
      for each player:
        if score of player = most: player scores 2
"""
    if faults.dead_rule:
        head += """\
  famine:
    says: Whoever has lost everything gets something.
    given: {player: player}
    rule: |
      if score of player < -50: player scores 5
"""
    return head
