"""A small game with every kind of goal: coals are picked up, and each scores a point."""

from __future__ import annotations

from pathlib import Path

import lawspeaker
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory

MOST, FEWEST, NAMED = "most points", "fewest points", "as the rules say"
PARTNERS = ((0, 2), (1, 3))
_GAME = """\
lawspeaker: 1
game: coals
title: Coals
players: {{from: {fewest}, to: 4, called: [ann, ben, cy, di]{sides}}}
{goal}
numbers:
  amount: -1..3

rules:
  game:
    says: Four times round everyone picks up coals.
    rule: |
      repeat 4 times:
        for each player:
          do turn(player)

  turn:
    says: A player picks up some coals, or throws one away; each is a point.
    asks: How many coals do you pick up?
    given: {{player: player}}
    rule: |
      player must pick_up: amount
      player scores amount
      if score of player = {hot}:
        player wins
"""


def coals(folder: Path, goal: str = "", *, partners: bool = False, hot: int = 99) -> Game:
    """The game; whoever has just so many coals as are `hot` wins at once."""
    said = f"wins: {goal}\n" if goal else ""
    called = ", sides: [[ann, cy], [ben, di]]" if partners else ""
    path = folder / "coals.yaml"
    path.write_text(
        _GAME.format(fewest=2 if partners else 1, goal=said, sides=called, hot=hot),
        encoding="utf-8",
    )
    return lawspeaker.load(str(path))


def random_match(game: Game, players: int, seed: int) -> Match:
    """A game in which everyone takes any option."""
    match, luck = game.start(players, seed), RngFactory(seed).stream("coals")
    while decision := match.decision:
        match.choose(luck.choose(decision.options))
    return match
