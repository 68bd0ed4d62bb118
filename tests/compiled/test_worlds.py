"""Worlds that a module deals itself: the same ones as are imagined outside, seed by seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled import Instance
from lawspeaker.machines.compiled.host import images
from lawspeaker.machines.compiled.host.images import CannotHold
from lawspeaker.match.determinization import dealt, unseen
from lawspeaker.match.match import Match, imagine
from lawspeaker.match.view import View
from lawspeaker.players.bots import bot
from lawspeaker.position.rng import RngFactory, combine, word_of
from lawspeaker.position.unseen import Unseen
from tests.properties.hidden import rearranged
from tests.properties.tables import WHOLE, Table, every_table, play, start, table_id, tables
from tests.tiers import sample

MASKS = Path("tests/properties/games/masks.yaml")
TRICKS = Path("tests/properties/games/tricks.yaml")

SEALED = """
lawspeaker: 1
game: sealed
players: {from: 2, to: 2}
words:
  colour: [red, green]
pieces:
  letter:
    starts in: bag
    changes:
      colour: {is: colour, starts as: red, seen by: holder}
      postage: {is: number, starts as: 2, seen by: holder}
      stamped: {is: truth, starts as: false, seen by: everyone}
    kinds: {short: 40, long: 40}
places:
  bag: {holds: letter, seen by: nobody}
  stack: {holds: letter, arranged: pile, seen by: nobody}
  desk: {of each: player, holds: letter, seen by: owner}
  bin: {holds: letter, arranged: row, seen by: everyone}
markers:
  wish: {of each: player, shows: colour, seen by: owner}
  purse: {of each: player, shows: number, starts as: 5, seen by: owner}
rules:
  game:
    says: Letters that nobody has seen are spoken of before they are moved.
    rule: |
      for each player:
        pick a random colour
        wish of player becomes colour
        draw 3 letters from bag to desk of player
        draw 3 letters from bag to stack
      shuffle stack
      draw letter as first_letter from stack to bottom of stack
      repeat 4 times:
        for each player:
          do post(player)
  post:
    says: A letter is drawn, then a player says what becomes of it.
    asks: What becomes of the letter?
    given: {player: player}
    rule: |
      draw letter from bag to stack
      stamped of letter becomes yes
      let others be all letters in stack
      player must choose one of
        keep
          then: move letter to desk of player
        burn: letter as old_letter in desk of player
          then:
            move old_letter to bin
            move letter to bin
            for each letter as other in others:
              move other to bin
        leave
"""

BELLS = """
lawspeaker: 1
game: bells
players: {from: 3, to: 3}
pieces:
  card: {starts in: deck, kinds: {plain: 5, bell: 3}}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
rules:
  game:
    says: Whoever is asked has a bell. The first player has a point for a bell of the second.
    rule: |
      shuffle deck
      for each player:
        draw 1 cards from deck to hand of player
      do ringing
      if there is a card in hand of player_2 where card is bell:
        player_1 scores 1
  ringing:
    says: Who has a bell may ring.
    asks: Do you ring?
    guards:
      rings: Only a bell rings.
    rule: |
      each player secretly may ring: card in hand of player
        where rings: card is bell
"""

Written = Callable[[str], lawspeaker.Game]


@pytest.fixture
def load_text(tmp_path: Path) -> Written:
    def load(rules: str) -> lawspeaker.Game:
        file = tmp_path / "rules.yaml"
        file.write_text(rules, encoding="utf-8")
        return lawspeaker.load(str(file))

    return load


def kept_memory(instance: Instance) -> tuple[bytes, bytes]:
    """The situation and the frames from which playouts start; the seed is left out."""
    plan = instance.plan
    end = int.from_bytes(instance._read(plan.sums, plan.sums + 4), "little")
    memory = instance._read(plan.snapshot, plan.snapshot + end - plan.state)
    size = plan.state_end - plan.state
    return memory[8:size], memory[size:]


def check_worlds(view: View, gaps: Unseen, number: int) -> None:
    """The module's world lies in memory as the one that is imagined outside would."""
    instance = playing_instance(view.program, view.layout.players)
    for seed in (3, 4):
        instance.lay_out(gaps, view.asked)
        instance.imagine(seed, number)
        luck = RngFactory(combine(seed, word_of("world"), number)).stream("imagine")
        state = dealt(view, gaps, luck)
        expected = images.written(instance.plan, state)[8:]
        assert kept_memory(instance) == (expected, instance._frames.written(state.stack))


def check_match(match: Match, every: int) -> dict[str, int]:
    """Plays a match and looks at worlds now and then; tells what there was to fill."""
    found = {"worlds": 0, "states": 0, "markers": 0, "spoken": 0, "settled": 0}
    for number, _ in enumerate(play(match, 31)):
        for decision in match.decisions if number % every == 0 else ():
            view = match.view(decision.seat)
            gaps = unseen(view)
            check_worlds(view, gaps, number)
            found["worlds"] += gaps.open
            found["states"] += len(gaps.states)
            found["markers"] += len(gaps.markers)
            found["spoken"] += gaps.spoken
            found["settled"] += any(pool.settled for pool in gaps.pools)
    return found


# What lies in places that nobody counts is imagined outside: see below.
COUNTED = [table for table in tables() if Path(table[0]) != MASKS.resolve()]


@pytest.mark.parametrize("table", sample(COUNTED, test=4, full=2), ids=table_id)
def test_a_module_deals_the_worlds_that_are_imagined(table: Table) -> None:
    check_match(start(table, 31), 9)


@pytest.mark.full
@pytest.mark.parametrize("name", sample(["voluspa+drakkar", "walhalla+random_peninsulas"], test=2))
def test_variants_have_their_worlds_too(name: str) -> None:
    assert check_match(lawspeaker.load(name).start(seed=8), 6)["worlds"]


@pytest.mark.full
def test_all_sorts_of_gaps_are_filled(load_text: Written) -> None:
    """Hidden states and markers, pieces that are spoken of, and piles in part in order."""
    found = check_match(load_text(SEALED).start(seed=2), 1)
    assert all(found[each] for each in ("worlds", "states", "markers", "spoken"))
    counted = MASKS.read_text(encoding="utf-8").replace(", count seen by: owner", "")
    found = check_match(load_text(counted).start(seed=2, players=3), 1)
    assert found["states"]
    assert found["markers"]
    assert check_match(lawspeaker.load("walhalla").start(seed=4), 20)["settled"]


@pytest.mark.parametrize(
    "name, several", [("tic_tac_toe", False), ("othello", False), ("kuhn_poker", True)]
)
def test_where_all_is_seen_there_is_one_world(name: str, several: bool) -> None:
    view = lawspeaker.load(name).start(seed=1).view(0)
    assert unseen(view).open == several


def test_what_nobody_counts_is_imagined_outside() -> None:
    match = lawspeaker.load(str(MASKS)).start(seed=1)
    view = match.view(0)
    with pytest.raises(CannotHold, match="nobody says where"):
        playing_instance(match.program, match.players).lay_out(unseen(view), view.asked)
    assert bot("mc:40", 1).choose(view).text in {each.text for each in match.asked(0).options}


def bells(game: lawspeaker.Game, asked: tuple[int, ...]) -> Match:
    """A match in which only these are asked."""
    for seed in range(300):
        match = game.start(seed=seed)
        if match.state.pending is not None and match.state.pending[1] == asked:
            return match
    raise AssertionError("no deal is like that")


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("asked, points", [((0, 1, 2), 1), ((0, 1), 1), ((0, 2), 0), ((0,), 0)])
def test_who_is_asked_tells_something(
    load_text: Written, asked: tuple[int, ...], points: int, deep: bool
) -> None:
    """Worlds in which others would be asked are dealt again."""
    match = bells(load_text(BELLS), asked)
    view = match.view(0)
    instance = playing_instance(match.program, match.players)
    instance.lay_out(unseen(view), view.asked)
    instance.forget()
    for each in instance.explore([0, 1], 0, 6, 40, deep=deep, deals=1000):
        assert (each.playouts, each.own) == (40, 40 * points)
    hasty = instance.explore([0, 1], 0, 6, 40, deep=deep, deals=1)
    assert any(each.own not in (0, 40) for each in hasty), "no world was looked at"
    assert imagine(view, 5).state.pending == match.state.pending


@pytest.mark.parametrize("discretion", ["quick", "discreet"])
@pytest.mark.parametrize("table", [("walhalla", 4), (str(TRICKS), 4)], ids=["walhalla", "tricks"])
def test_a_world_that_agrees_is_taken_at_once(table: Table, discretion: str) -> None:
    """In these games each does: else the second time others would have been dealt."""
    match = start(table, 88, discretion=discretion)
    instance = playing_instance(match.program, match.players)
    together = 0
    for number, _ in enumerate(play(match, 88, most=WHOLE)):
        for decision in match.decisions if number % 7 == 0 else ():
            view = match.view(decision.seat)
            assert view.seat is not None
            together += len(view.asked) > 1
            instance.lay_out(unseen(view), view.asked)
            once, again = (
                instance.explore(
                    range(len(decision.options)),
                    view.seat,
                    number,
                    3,
                    deep=False,
                    deals=deals,
                    discreet=view.discreet,
                )
                for deals in (1, 1000)
            )
            assert once == again
    assert together


def test_each_round_has_a_world_of_its_own_and_all_options_the_same() -> None:
    """As if every world had been imagined outside, and its options tried there."""
    match = lawspeaker.load("little_whist").start(seed=5)
    assert match.decision is not None
    seat = match.decision.seat
    assert seat is not None
    view, options = match.view(seat), range(len(match.decision.options))
    instance = playing_instance(match.program, match.players)
    instance.lay_out(unseen(view), view.asked)
    found = instance.explore(options, seat, 12, 10, deep=False, deals=9)
    sums = [[0, 0.0] for _ in options]
    for number in range(10):
        world = imagine(view, combine(12, word_of("world"), number))
        instance.load(world.state)
        instance.keep()
        for option, total in zip(world.asked(seat).options, sums, strict=True):
            instance.write_reply(world.state, option.reply)
            played = instance.playouts(12, number, 1, answered=True)
            total[0] += played.scores[seat]
            total[1] += played.wins[seat]
    assert [[each.own, each.wins] for each in found] == [pytest.approx(each) for each in sums]


@every_table
@pytest.mark.parametrize("name", ["mc:12", "tree:12"])
def test_a_choice_does_not_depend_on_what_is_hidden(table: Table, name: str) -> None:
    luck = RngFactory(61).stream("rearranging")
    match = start(table, 61)
    for number, _ in enumerate(play(match, 61)):
        decision = match.decision
        assert decision is not None
        if number % 25 or decision.seat is None:
            continue
        other = Match.from_state(match.program, rearranged(match, decision.seat, luck))
        mine = bot(name, number).choose(match.view(decision.seat))
        assert bot(name, number).choose(other.view(decision.seat)).text == mine.text
