"""Trying options out inside a module, and the tree of replies that guides it."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled import Instance
from lawspeaker.machines.compiled.compile.binary import Module
from lawspeaker.machines.compiled.host.instance import Tried
from lawspeaker.machines.compiled.runtime.search_layout import NODES
from lawspeaker.machines.middle.forms import F64, I32
from lawspeaker.match.match import Match
from lawspeaker.players.bots import bot
from tests.compiled.test_binary import run
from tests.tiers import SLOW, sample

ALL = sorted(path.name for path in Path("rules").iterdir() if path.is_dir())

TRAP = """
lawspeaker: 1
game: trap
players: {from: 2, to: 2}
words:
  way: [one, two, three, four, five, six, seven, eight]
rules:
  game:
    says: The first player dares it, or leaves it.
    asks: Do you dare it?
    rule: |
      player_1 must choose one of
        dare
          then: do answer
        leave
      end the game
  answer:
    says: One answer out of eight wins for the second player, all others for the first.
    asks: Which way?
    rule: |
      player_2 must take: way
      if way is five:
        player_2 scores 1
      else:
        player_1 scores 1
"""


def loaded(match: Match) -> tuple[Instance, int]:
    """A module that is to play on from a match, and the seat that is asked."""
    decision = match.decision
    assert decision is not None
    assert decision.seat is not None
    instance = playing_instance(match.program, match.players)
    instance.load(match.state)
    instance.keep()
    instance.forget()
    return instance, decision.seat


def search_results(match: Match, rounds: int, *, deep: bool) -> list[Tried]:
    instance, seat = loaded(match)
    options = range(len(match.asked(seat).options))
    return instance.explore(options, seat, 5, rounds, deep=deep)


def used_nodes(instance: Instance) -> int:
    at = instance.plan.tree.used.offset
    return int.from_bytes(instance._read(at, at + 4), "little")


@pytest.mark.full
def test_without_a_tree_options_are_played_out_as_ever() -> None:
    """As if each had been answered, and the rest left to luck."""
    match = lawspeaker.load("walhalla").start(players=4, seed=3)
    found = search_results(match, 20, deep=False)
    instance, seat = loaded(match)
    for option, each in zip(match.asked(seat).options, found, strict=True):
        instance.write_reply(match.state, option.reply)
        sums = instance.playouts(5, 0, 20, answered=True)
        assert each.playouts == 20
        assert (each.own, each.total) == (sums.scores[seat], sum(sums.scores))
        assert each.wins == pytest.approx(sums.wins[seat])


LONG = """
lawspeaker: 1
game: long
players: {from: 2, to: 2}
words:
  way: [left, right]
rules:
  game:
    says: There are many turns, and each is short.
    rule: |
      repeat 40 times:
        do turn
  turn:
    says: The first player goes one way or the other.
    asks: Which way?
    rule: |
      player_1 must take: way
      repeat 12 times: player_1 scores 1
"""


@pytest.mark.parametrize("deep", [False, True])
def test_steps_are_counted_from_one_choice_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deep: bool
) -> None:
    (tmp_path / "long.yaml").write_text(LONG, encoding="utf-8")
    instance, seat = loaded(lawspeaker.load(str(tmp_path / "long.yaml")).start(seed=1))
    monkeypatch.setattr(instance, "budget", 20_000)  # enough for a turn, not for the game
    found = instance.explore(range(2), seat, 5, 10, deep=deep)
    assert [each.playouts for each in found] == [10, 10]


def test_a_playout_can_break_off(tmp_path: Path) -> None:
    (tmp_path / "long.yaml").write_text(LONG, encoding="utf-8")
    instance, seat = loaded(lawspeaker.load(str(tmp_path / "long.yaml")).start(seed=1))
    for reach, turns, ended in ((1, 2, 0), (5, 6, 0), (38, 39, 0), (39, 40, 10), (99, 40, 10)):
        for each in instance.explore(range(2), seat, 5, 10, deep=False, reach=reach):
            assert (each.playouts, each.ended) == (10, ended)
            assert each.own == 10 * turns * 12
            assert each.wins == ended, "a game that broke off has no winner, and no draw"


@pytest.mark.parametrize("deep", [False, True])
def test_who_breaks_off_late_enough_sees_the_end(deep: bool) -> None:
    """Also where several are asked at once, and within clauses that others do."""
    for name in ("tic_tac_toe", "rock_paper_scissors", "walhalla"):
        instance, seat = loaded(lawspeaker.load(name).start(seed=2))
        whole = instance.explore([0, 1], seat, 5, 10, deep=deep)
        instance.forget()
        assert instance.explore([0, 1], seat, 5, 10, deep=deep, reach=10_000) == whole
        instance.forget()
        short = instance.explore([0, 1], seat, 5, 10, deep=deep, reach=1)
        assert deep or [each.ended for each in short] == [0, 0]


def test_what_did_well_becomes_a_habit(trap_game: lawspeaker.Game) -> None:
    """The one right answer comes to mind in every third playout, and is taken then."""
    instance, seat = loaded(trap_game.start(seed=1))
    plain, _ = instance.explore([0, 1], seat, 5, 400, deep=False)
    instance.forget()
    used_to_it, leave = instance.explore([0, 1], seat, 5, 400, deep=False, habits=True)
    assert used_to_it.wins < plain.wins - 40
    assert leave.wins == 200
    instance.forget()
    assert instance.explore([0, 1], seat, 5, 400, deep=False, habits=True)[0] == used_to_it


@pytest.fixture(scope="module")
def trap_game(tmp_path_factory: pytest.TempPathFactory) -> lawspeaker.Game:
    file = tmp_path_factory.mktemp("trap") / "trap.yaml"
    file.write_text(TRAP, encoding="utf-8")
    return lawspeaker.load(str(file))


def test_a_tree_sees_what_random_players_seldom_do(trap_game: lawspeaker.Game) -> None:
    match = trap_game.start(seed=1)
    dare, leave = search_results(match, 400, deep=False)
    assert dare.wins > 300 > leave.wins == 200
    dare, leave = search_results(match, 400, deep=True)
    assert dare.wins < 100 < leave.wins == 200
    view = match.view(0)
    assert bot("flat:400", 1).choose(view).text == "dare"
    assert bot("tree:400", 1).choose(view).text == "leave"


@pytest.mark.full
def test_a_tree_is_the_same_each_time() -> None:
    match = lawspeaker.load("walhalla").start(players=3, seed=8)
    once = search_results(match, 60, deep=True)
    assert once == search_results(match, 60, deep=True)
    assert once != search_results(match, 60, deep=False)


def test_who_searches_never_loses_a_game_that_can_be_seen_through() -> None:
    game = lawspeaker.load("tic_tac_toe")
    for seed in range(12):
        match = game.start(seed=seed)
        seats = [bot("mc:60", seed), bot("mc:60", seed)]
        seats[seed % 2] = bot("tree:2000", seed)
        while decision := match.decision:
            assert decision.seat is not None
            match.choose(seats[decision.seat].choose(match.view(decision.seat)))
        assert match.winners != (1 - seed % 2,)


@pytest.mark.full
def test_a_tree_takes_no_more_room_than_there_is() -> None:
    match = lawspeaker.load("connect_four").start(seed=1)
    instance, seat = loaded(match)
    instance.explore(range(7), seat, 1, 10, deep=True)
    assert used_nodes(instance) == 70, "one node for each playout"
    found = instance.explore(range(7), seat, 2, 25_000, deep=True)
    assert used_nodes(instance) == NODES
    assert all(each.playouts == 25_000 for each in found)
    instance.forget()
    assert used_nodes(instance) == 0


def test_who_answers_at_the_same_time_does_not_know_the_answer() -> None:
    """Else the other would win most games, whatever is shown."""
    match = lawspeaker.load("rock_paper_scissors").start(seed=1)
    for each in search_results(match, 400, deep=True):
        assert each.wins / each.playouts > 0.35


@pytest.mark.parametrize(
    "name", sample([name for name in ALL if name not in SLOW], test=24, full=3)
)
def test_every_game_can_be_searched(name: str) -> None:
    match = lawspeaker.load(name).start(seed=2)
    luck = bot("random", 1)
    for _ in range(9):
        if match.decision is None or match.decision.seat is None:
            break
        seat = match.decision.seat
        chosen = bot("tree:30", 4).choose(match.view(seat))
        again = bot("tree:30", 4).choose(match.view(seat))
        assert chosen.text == again.text
        match.choose(luck.choose(match.view(seat)), seat=seat)


def test_numbers_with_a_fraction() -> None:
    module = Module()
    b = module.function("root", [I32], [F64])
    b.get(0)
    b.op("f64.convert_i32_s", "f64.sqrt")
    b.real(0.5)
    b.op("f64.add")
    assert run(b, module, 16) == 4.5
