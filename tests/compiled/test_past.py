"""Positions that are remembered: both machines know the same past, and keep it through everything
that can be done with a game."""

from __future__ import annotations

import json
from functools import cache

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.ir import Program
from lawspeaker.machines.adapter import CompiledMachine
from lawspeaker.machines.compiled.host import images
from lawspeaker.machines.compiled.runtime import hashes
from lawspeaker.machines.compiled.runtime.past_rows import PastRows
from lawspeaker.machines.middle.forms import I64
from lawspeaker.match.determinization import dealt, unseen
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from lawspeaker.players.bots import bot
from lawspeaker.position.position_rows import NOTHING, Recorded
from lawspeaker.position.rng import RngFactory
from lawspeaker.position.state import PASS, State
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide, eager
from tests.language.games import GOOD

FEW = """\
lawspeaker: 1
game: few
players: {from: 2, to: 2}
words:
  side: [heads, tails]
pieces:
  coin: {count: 2, starts in: tray, changes: {face: side}}
places:
  tray: {holds: coin, seen by: everyone}
  cell: {grid: 2 by 1, holds: coin, room: 1, seen by: everyone}
markers:
  turn: {shows: number, starts as: 0}
  position: {remembers: [cell, turn], last: 3}
rules:
  game:
    says: Coins are laid, turned and taken. Only three positions are remembered.
    asks: Which coin?
    rule: |
      repeat 24 times:
        for each player:
          player must choose one of
            lay: coin, cell where cell is empty
              then: move coin to cell
            flip: coin
              then: face of coin becomes if face of coin is heads then tails else heads
          turn becomes remainder(turn + 1, 2)
          player scores appearances of position
          remember position
"""


UNSURE = """\
lawspeaker: 1
game: unsure
players: {from: 2, to: 2}
words:
  side: [heads, tails]
pieces:
  coin: {count: 3, starts in: tray, changes: {face: {is: side, starts as: nothing}}}
  bead: {count: 3, starts in: bag, changes: {weight: {is: number, starts as: 0}}}
places:
  tray: {holds: coin, seen by: everyone}
  cell: {grid: 2 by 1, holds: coin, room: 1, seen by: everyone}
  bag:  {holds: bead, seen by: everyone}
markers:
  where_to: {shows: cell, starts as: nothing}
  coins: {remembers: [cell, tray, where_to], last: 6}
  beads: {remembers: [bag, cell], last: 6}
rules:
  game:
    says: Coins have no face at first. Beads have weights beyond a byte.
    asks: What next?
    rule: |
      repeat 24 times:
        for each player:
          player must choose one of
            lay: coin, cell where cell is empty
              then:
                move coin to cell
                where_to becomes cell
            flip: coin
              then: face of coin becomes if face of coin is heads then tails else heads
            forget: coin
              then:
                face of coin becomes nothing
                where_to becomes nothing
            weigh: bead
              then: weight of bead becomes remainder(weight of bead + 70000, 140000)
          player scores appearances of coins + appearances of beads
          remember coins
          remember beads
"""


@cache
def game() -> Game:
    return load(str(GOOD / "positions.yaml"))


def test_both_machines_agree_question_by_question() -> None:
    both = SideBySide(game().program, 2)
    for seed in range(4):
        assert both.play(seed) > 0
        assert both.play(seed, eager) > 0


@pytest.mark.full
def test_whole_games_have_equal_records() -> None:
    check_records(game().program, 2, 20, different=11)


def play_options(*options: str) -> Match:
    match = game().start(players=2, seed=1)
    for option in options:
        match.choose(option)
    return match


KO = ("point 1 1", "point 1 2", "point 3 1", None, "point 2 2", "point 2 1")
"""White has just taken the stone in the corner, and could be taken from there at once."""


def after_capture() -> Match:
    return play_options(*("pass" if point is None else f"place {point}" for point in KO))


def test_a_stone_is_not_taken_back_at_once() -> None:
    match = after_capture()
    assert match.scores == [0, 1]
    refusal = match.why_not("place point 1 1", 0)
    assert refusal.guard is not None
    assert refusal.guard.name == "no_repetition"
    for option in ("place point 3 3", "pass"):
        match.choose(option)
    match.choose("place point 1 1")
    assert match.scores == [1, 1]


def test_the_same_for_the_third_time_ends_the_game() -> None:
    assert play_options(*["pass"] * 4).state.ended == ""
    match = play_options(*["pass"] * 5)
    assert match.state.ended == "over"
    assert match.state.winners == ()
    assert play_options(*["pass"] * 2, "flip coin", *["pass"] * 3).state.ended == ""


def test_pieces_that_look_alike_are_one_in_a_position() -> None:
    match = game().start(players=2, seed=1)
    layout, state = match.machine.layout, match.state
    recorded, coins = Recorded(layout, 1), layout.pieces_of[1]
    (at,) = layout.state_at[1]
    rows = set()
    for coin in coins:
        twin = state.copy()
        twin.states[at + coin] = 1
        rows.add(recorded.row(twin))
    assert len(rows) == 1
    assert rows != {recorded.row(state)}
    assert len(recorded.row(state)) == recorded.size


def test_no_more_are_remembered_than_the_rules_say() -> None:
    match = game().start(players=2, seed=3)
    choose, most = RngFactory(3).stream("choices"), 0
    while decision := match.decision:
        match.choose(choose.choose(decision.options))
        most = max(most, len(match.state.past[1]))
        assert len(match.state.past[2]) <= 2
    assert 3 <= most <= 6


def test_a_game_with_a_past_is_saved_taken_back_imagined_and_gone_on_with() -> None:
    match = game().start(players=2, seed=5)
    choose = RngFactory(5).stream("choices")
    while decision := match.decision:
        option = choose.choose(decision.options)
        before = match.state.canonical()
        assert State.from_json(json.loads(before)).canonical() == before
        assert decision.seat is not None
        view = match.view(decision.seat)
        world = dealt(view, unseen(view), RngFactory(1).stream("world"))
        assert world.past == match.state.past
        match.choose(option)
        after = match.state.canonical()
        match.rewind(len(match.replies) - 1)
        assert match.state.canonical() == before
        match.choose(option.text)
        assert match.state.canonical() == after
    assert game().replay(match.log()).state.canonical() == match.state.canonical()


def test_a_bot_knows_the_past() -> None:
    match = after_capture()
    assert match.decision is not None
    option = bot("mc:20", 1).choose(match.view(0))
    assert option.text in [each.text for each in match.decision.options]


@pytest.mark.parametrize("name", [str(GOOD / "positions.yaml"), "draughts"])
def test_the_hash_of_a_family_is_that_of_what_lies_there(name: str) -> None:
    """The module renews it with every piece that moves and every state that changes. The host works
    it out anew. Pieces are laid, taken and supposed to be laid, and men become kings."""
    machine = CompiledMachine(load(name).program, 2)
    plan, choose, seen = machine.instance.compiled.plan, RngFactory(3).stream("choices"), set()
    (at,) = (family.hash for family in plan.families if family.hash)
    state = machine.start(3)
    while state.pending is not None:
        content = images.Bytes(plan, bytearray(images.written(plan, state)))
        assert machine.instance.word(at) % 2**32 == content.get(at) % 2**32
        seen.add(content.get(at))
        ((seat, options),) = machine.offers(state).items()
        machine.answer(state, seat, choose.choose(options or [PASS]))
    assert len(seen) > 5


def test_the_oldest_position_is_forgotten_with_its_hash() -> None:
    program = compiled(FEW)
    check_records(program, 2, 5)
    SideBySide(program, 2).play(1)


def test_numbers_of_a_position_are_as_narrow_as_their_values() -> None:
    """A coin has a byte for its face, which may be nothing; a bead has a word for its weight."""
    program = compiled(UNSURE)
    check_records(program, 2, 8)
    both = SideBySide(program, 2)
    for seed in range(3):
        assert both.play(seed) > 0
    coins, beads = both.compiled.instance.compiled.plan.past_rows
    assert (coins.width, coins.size) == (1, 16)
    assert beads.width == 4


@pytest.mark.parametrize("width", [1, 2, 4])
def test_a_row_is_read_as_it_was_written(width: int) -> None:
    rows = PastRows(width, 5, 2, 3)
    most = (1 << 8 * width - 1) - 1
    row = (0, most, NOTHING, -1, 7, NOTHING, 123_456)
    content = bytearray(rows.size + 8)
    rows.write(content, 8, row)
    assert rows.read(content, 8) == row
    assert rows.size % 8 == 0


@pytest.mark.usefixtures("uncached")
def test_positions_with_equal_hashes_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here all positions have the same hash."""
    monkeypatch.setattr(hashes, "_key", lambda f, place, numbers: f.let("key", 0, I64))
    monkeypatch.setattr(hashes, "_add_markers", lambda f, found, shown: None)
    check_records(compiled(FEW), 2, 5)


def compiled(text: str) -> Program:
    out = Diagnostics()
    program = compile_game(SourceFile("few", text), lambda *_: None, schema("game"), out)
    assert program is not None, [(each.message, each.span.text) for each in out]
    return program
