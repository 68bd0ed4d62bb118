"""As many players as a game may have: what is kept for each seat has room on both machines.

Who may know something is a bit for each seat and one for those who watch, and so is who is asked
in a search: words end at 32 and 64 bits, so the numbers of players around these are tried.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.match.determinization import unseen
from tests.compiled.side_by_side import SideBySide, any_option, eager
from tests.tiers import sample

CROWD = """
lawspeaker: 1
game: crowd
players: {from: 1, to: 64}
words:
  colour: [red, green, blue]
pieces:
  card:
    starts in: deck
    changes:
      mark: {is: colour, starts as: red, seen by: holder}
      holder: {is: player, starts as: player_1, seen by: everyone}
    kinds: {low: 70, high: 70}
  token: {of each: player, starts in: home, kinds: {coin: 1}}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
  home: {of each: player, holds: token}
  pot: {holds: token}
  shown: {holds: card}
markers:
  wish: {of each: player, shows: colour, seen by: owner}
  guess: {of each: player, shows: 0..64}
rules:
  game:
    says: Everyone draws, wishes, bids, passes a card on and is ranked.
    rule: |
      shuffle deck
      for each player:
        draw 2 cards from deck to hand of player
        for each card in hand of player:
          holder of card becomes player
        pick a random colour
        wish of player becomes colour
        tell left_neighbour of player colour
      tell all players wish of player_1
      tell all players where number of player > 30 wish of player_1
      tell everyone count of players
      do bidding
      do passing
      do voting
      rank players by score of player, then by guess of player, highest first:
        tied scores place
  bidding:
    says: Everyone bids in secret.
    asks: What do you bid?
    guards: {small: Not too much.}
    rule: |
      each player secretly must bid: number in 0..3, colour
        where small: number < 3 or colour is wish of player
        then:
          guess of player becomes number
          player scores number
        otherwise: cannot happen
  passing:
    says: Everyone passes a card on, in secret, or shows one.
    asks: Which card?
    rule: |
      each player secretly may choose one of
        pass_on: card in hand of player
          then:
            mark of card becomes blue
            move card to hand of left_neighbour of player
        show: card in hand of player
          then:
            move card to shown
  voting:
    says: One after the other, everyone takes from whom he wants.
    asks: Whose token?
    guards: {still_there: Only what is still there.}
    rule: |
      for each player:
        player may take: up to 2 players as victim
          where still_there: there is a token in home of victim
          then:
            for each player as victim in victims:
              move all tokens in home of victim to pot
              victim loses 1
"""

BELLS = """
lawspeaker: 1
game: bells
players: {from: 64, to: 64}
pieces:
  card: {starts in: deck, kinds: {plain: 1, bell: 1}}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
rules:
  game:
    says: Who has the bell may ring, and so may the first player.
    asks: Do you ring?
    guards: {rings: Only the first player and who has the bell may ring.}
    rule: |
      shuffle deck
      for each player in [player_32, player_64]:
        draw 1 cards from deck to hand of player
      each player secretly may ring
        where rings: player is player_1 or there is a card in hand of player where card is bell
      if there is a card in hand of player_64 where card is bell:
        player_1 scores 1
"""


def loaded(rules: str, folder: Path) -> lawspeaker.Game:
    file = folder / "rules.yaml"
    file.write_text(rules, encoding="utf-8")
    return lawspeaker.load(str(file))


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> lawspeaker.Game:
    return loaded(CROWD, tmp_path_factory.mktemp("crowd"))


@pytest.mark.parametrize("players", sample([1, 31, 32, 33, 63, 64], test=6, full=2))
def test_both_machines_play_with_so_many(crowd: lawspeaker.Game, players: int) -> None:
    both = SideBySide(crowd.program, players)
    assert both.play(1, any_option, discreet=True) > 0
    assert both.play(2, eager, ask_chance=True) > 0


@pytest.mark.parametrize("other, points", [(31, 0), (63, 1)])
def test_a_search_knows_which_of_so_many_are_asked(other: int, points: int, tmp_path: Path) -> None:
    """Worlds in which somebody else would be asked are dealt again."""
    game = loaded(BELLS, tmp_path)
    matches = (game.start(seed=seed) for seed in range(50))
    view = next(view for match in matches if (view := match.view(0)).asked == (0, other))
    instance = playing_instance(game.program, 64)
    instance.lay_out(unseen(view), view.asked)
    instance.forget()
    (found,) = instance.explore([0], 0, 6, 40, deep=True, deals=1000)
    assert (found.playouts, found.own) == (40, 40 * points)
    (hasty,) = instance.explore([0], 0, 6, 40, deep=True, deals=1)
    assert 0 < hasty.own < 40
