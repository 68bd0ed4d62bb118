"""Games in which it is known when they are decided, and by whom."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from lawspeaker.match.game import Game
from lawspeaker.outside.loading import load
from tests.lab import faulty_games

HEAD = """\
lawspeaker: 1
game: known
players: {{from: {least}, to: 3, called: [ann, ben, cat]}}
rules:
  game:
    says: Eight rounds of a question, and somebody wins.
    rule: |
{rule}
  turn:
    says: A player says left or right.
    asks: Left or right?
    given: {{player: player}}
    rule: |
      player must choose one of
        left
          then: player scores {left}
        right
          then: player scores {right}
  round:
    says: Everybody answers.
    rule: |
      for each player:
        do turn(player)
"""


def game_text(rule: str, *, left: str = "0", right: str = "0", least: int = 2) -> str:
    lines = "".join(f"      {line}\n" for line in rule.strip().splitlines()).rstrip("\n")
    return HEAD.format(rule=lines, left=left, right=right, least=least)


DIE_FIRST = game_text("""
repeat 1 times:
  pick a random player
  player scores 1
repeat 8 times:
  do round
""")
"""The first die decides; what players say does nothing."""

TOSS_AT_THE_END = game_text("""
repeat 8 times:
  do round
pick a random player
player scores 1
""")
"""Nothing decides but a toss at the end."""

SELDOM_STOPS = game_text("""
repeat 8 times:
  do round
  pick a random number as sign in 1..100
  if sign = 1:
    repeat until sign = 2, at most 3 times:
      skip
pick a random player
player scores 1
""")
"""The same, but one game of thirteen has no end."""

SKILL = game_text("repeat 8 times:\n  do round", left="1")
"""Who says left more often wins: who thinks always does."""

RICH_GET_RICHER = game_text("""
repeat 8 times:
  do round
  let most be highest of score of player for each player
  for each player:
    if score of player = most: player scores 1
""").replace("left\n          then: player scores 0", "left\n          then: player scores 1")
"""Whoever leads scores more each round."""

ODD_ROUNDS = faulty_games.game_text(faulty_games.Faults(), "odd", 5)
"""Five rounds of cards, begun by anyone."""

ENGINE = game_text("""
pick a random player
repeat 8 times:
  do round
  player scores 1
""")
"""Who is lucky at first scores each round, whatever the points: to lead is no cause of it."""

STEADY = SKILL
"""What is scored later hangs on nothing before."""

KING = """\
lawspeaker: 1
game: king
players: {from: 3, to: 3, called: [ann, ben, cat]}
rules:
  game:
    says: Cat cannot win, and says who does.
    rule: |
      ann scores 5
      ben scores 5
      do warm_up
      do crown
  warm_up:
    says: Ann says something that does nothing.
    asks: Left or right?
    rule: |
      ann must choose one of
        left
        right
  crown:
    says: Cat gives a point to another.
    asks: Who wins?
    rule: |
      cat must choose one of
        give: player
          where not_own: player is not cat
          then: player scores 1
        otherwise: cannot happen
    guards:
      not_own: Cat cannot win.
"""
"""The last player chooses the winner."""


@cache
def loaded(text: str) -> Game:
    with TemporaryDirectory() as folder:
        file = Path(folder, "known.yaml")
        file.write_text(text, encoding="utf-8")
        return load(file)
