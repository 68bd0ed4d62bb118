"""Bots: they see only a view, have luck of their own, and greedy is clearly better than random."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.match.match import Match
from lawspeaker.players.bots import BOTS, UnknownBot, bot, name_error, reply, seat_seed
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from tests import library
from tests.players.twins import views_that_are_equal

walhalla = partial(library.game, "walhalla")


def play(names: list[str], seed: int) -> Match:
    match = walhalla().start(players=len(names), seed=seed)
    seats = [bot(name, seat_seed(seed, seat)) for seat, name in enumerate(names)]
    while decision := match.decision:
        assert decision.seat is not None
        match.choose(reply(seats[decision.seat], match, decision.seat), seat=decision.seat)
    return match


@pytest.mark.full
def test_a_bot_plays_the_same_with_the_same_seed() -> None:
    names = ["tree:20", "greedy", "mc:20"]
    one, two = play(names, 5), play(names, 5)
    assert one.log()["replies"] == two.log()["replies"]
    assert one.state.digest() == two.state.digest()


def test_bots_do_not_use_the_luck_of_the_game() -> None:
    """Two bots that choose differently still meet the same shuffled piles."""
    match = walhalla().start(players=3, seed=9)
    twin = match.copy()
    seat = match.decision.seat if match.decision else None
    assert seat is not None
    bot("greedy", 1).choose(match.view(seat))
    assert match.state == twin.state


@pytest.mark.parametrize("name", ["greedy", "mc:60", "tree:60"])
def test_a_bot_chooses_by_its_view_alone(name: str) -> None:
    """With equal views and equal seeds the choice is equal, whatever is hidden."""
    for seed in range(6):
        view, twin = views_that_are_equal(walhalla(), seed)
        mine = bot(name, 3).choose(view)
        theirs = bot(name, 3).choose(twin)
        assert mine.text == theirs.text


def share(one: str, others: str, games: int) -> float:
    """The victories of one among three others; a fair share would be a quarter."""
    wins = 0.0
    for seed in range(games):
        names = [others] * 4
        names[seed % 4] = one
        match = play(names, seed)
        wins += (seed % 4 in match.winners) / len(match.winners)
    return wins / games


@pytest.mark.full
def test_greedy_beats_random_clearly() -> None:
    assert share("greedy", "random", 12) > 0.6


@pytest.mark.full
def test_playing_out_beats_random_nearly_always_and_greedy_mostly() -> None:
    assert share("mc:60", "random", 8) >= 0.8
    assert share("mc:60", "greedy", 3) > 0.5


def test_where_all_choose_at_once_playing_out_guesses_the_others() -> None:
    game = lawspeaker.load("rock_paper_scissors")
    match = game.start(seed=1)
    views = [match.view(seat) for seat in range(match.players)]
    chosen = {bot("mc:30", seed).choose(views[0]).text for seed in range(12)}
    assert len(chosen) == 3, "nobody can know what the others will show"


def test_nobody_bids_what_everyone_would_doubt() -> None:
    """Where players in imagined matches hardly ever doubted, the highest bids seemed to be safe."""
    game = library.game("liars_dice")
    for seed in range(12):
        match = game.start(players=3, seed=seed)
        assert match.decision is not None
        assert match.decision.seat is not None
        bid = bot("mc:1000", seed).choose(match.view(match.decision.seat)).text
        assert int(bid.removeprefix("say ").partition(",")[0]) <= 5, bid  # of nine dice


def test_a_clock_ends_the_thinking() -> None:
    now = iter(range(1000))
    match = walhalla().start(players=3, seed=4)
    assert match.decision is not None
    assert match.decision.seat is not None
    quick = bot("mc:3000ms", 1, lambda: float(next(now)))
    assert quick.choose(match.view(match.decision.seat)).text
    assert next(now) < 10


@pytest.mark.full
def test_an_effort_is_not_exceeded_where_there_are_more_options() -> None:
    """So many options are drawn by lot and tried once; with a clock, as many as there is time for.
    Where there are fewer options, all of them are tried."""
    view = library.game("go").start(players=2, seed=1).view(0)
    for playouts in (1, 20, 100):
        thinker = MonteCarloBot("mc", 1, Effort(playouts))
        assert thinker.choose(view).text
        assert playouts <= thinker.tries < 1.1 * playouts
    now = iter(range(1000))
    hurried = MonteCarloBot("mc", 1, Effort(10**9, 3.0, lambda: float(next(now))))
    assert hurried.choose(view).text
    assert hurried.tries < 82  # one of each


@pytest.mark.parametrize(
    "name, words",
    [
        ("gredy", "did you mean 'greedy'"),
        ("mc", "mc:200"),
        ("mc:0", "mc:200"),
        ("mc:many", "mc:200"),
        ("mc:50ms", "on another machine"),
        ("tree", "tree:200"),
        ("tree:50ms", "on another machine"),
    ],
)
def test_a_name_that_is_none_is_answered(name: str, words: str) -> None:
    assert words in name_error(name)
    with pytest.raises(UnknownBot):
        bot(name, 1)
    assert not name_error("mc:50ms", timed=True)


@pytest.mark.full
def test_every_bot_answers_every_question() -> None:
    for name in ("random", "greedy", "mc:10", "tree:10"):
        match = play([name] * 3, 2)
        assert match.finished
    assert not any(name_error(name) for name in BOTS)


SIGNAL = """
lawspeaker: 1
game: signal
players: {from: 2, to: 2}
pieces:
  card: {starts in: deck, kinds: {plain: 6, bell: 1}}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
  shown: {holds: card, seen by: everyone}
rules:
  game:
    says: The bell is never dealt, and ends the game when it is turned over.
    rule: |
      move all cards in deck where card is bell to shown
      shuffle deck
      for each player:
        draw 2 cards from deck to hand of player
      move all cards in shown to deck
      shuffle deck
      repeat until there is a card in shown where card is bell, at most 9 times:
        do turn
        draw 1 cards from deck to shown
  turn:
    says: The first player may guess that the bell comes next.
    asks: Does the bell come next?
    rule: |
      player_1 may guess
        then: player_1 scores 1
"""


@pytest.mark.parametrize("name", ["greedy", "mc:40", "tree:40"])
def test_a_bot_bears_a_world_the_rules_never_come_to(name: str, tmp_path: Path) -> None:
    """It may imagine the bell in the other's hand, where it is never dealt; then the deck runs out,
    and the rules have no answer."""
    file = tmp_path / "signal.yaml"
    file.write_text(SIGNAL, encoding="utf-8")
    game = lawspeaker.load(str(file))
    for seed in range(8):
        match = game.start(seed=seed)
        player = bot(name, seed)
        while match.decision is not None:
            match.choose(reply(player, match, 0))
        assert match.finished
