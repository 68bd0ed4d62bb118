"""Options tried out by the program for cards come to the same as in the compiled machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.host.instance import Tried
from lawspeaker.machines.compiled.runtime.unit import NEVER
from lawspeaker.match.determinization import DEALS, unseen
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.outside import gpu_games, gpu_playouts, machines
from lawspeaker.outside.gpu_driver import NoGpu
from lawspeaker.outside.gpu_playouts import CardTrials
from lawspeaker.outside.loading import load
from lawspeaker.outside.machines import WrongMachine, machine_for
from lawspeaker.players.bots import bot
from lawspeaker.players.bots.trials import Explorer, try_out_with
from lawspeaker.position.rng import RngFactory
from tests.library import game
from tests.native.test_cuda import Emulated

ROUNDS = 7


def positions(of: Game, players: int, *, every: int) -> Iterator[View]:
    """What seats see who have a choice, at some moments of a game that goes by luck."""
    match, luck, asked = of.start(players=players, seed=3), RngFactory(4).stream("test"), 0
    while not match.finished:
        for seat in match.seats_asked:
            options = match.asked(seat).options
            if len(options) > 1 and asked % every == 0:
                yield match.view(seat)
            asked += 1
            match.choose(luck.choose(options), seat)


def both_trials(
    trials: CardTrials, view: View, reach: int = NEVER
) -> tuple[list[Tried], list[Tried]]:
    """What comes of the first options on the card, and in the compiled machine."""
    gaps, seat = unseen(view), view.seat
    assert seat is not None
    instance = playing_instance(view.program, view.layout.players)
    instance.budget = trials.budget
    instance.lay_out(gaps, view.asked)
    if not gaps.open:
        instance.imagine(0, 0)
    trials.lay_out(gaps, view.asked)
    deals, discreet = DEALS if gaps.open else 0, view.discreet
    asked = ([0, 1], seat, 77, ROUNDS)
    found = trials.explore(instance, *asked, reach=reach, deals=deals, discreet=discreet)
    return found, instance.explore(*asked, reach=reach, deals=deals, discreet=discreet)


def agree(trials: CardTrials, of: Game, players: int, every: int = 2) -> int:
    compared = 0
    for view in positions(of, players, every=every):
        for reach in (NEVER, 2):
            found, expected = both_trials(trials, view, reach)
            assert found == expected
            assert all(each.playouts == ROUNDS for each in found)
        compared += 1
    return compared


@pytest.mark.full
@pytest.mark.parametrize(
    "name, players, least",
    [("kuhn_poker", 2, 1), ("tic_tac_toe", 2, 3), ("rock_paper_scissors", 2, 3)],
)
def test_options_come_to_the_same_on_a_card(
    name: str, players: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where something is hidden, where all is open, and where several are asked at once; also if it
    takes several launches."""
    monkeypatch.setattr(gpu_playouts, "_FIRST", 5)
    monkeypatch.setattr(gpu_playouts, "_FASTER", 1)
    trials = CardTrials(game(name).program, players, Emulated())
    assert agree(trials, game(name), players) >= least


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name, players",
    [("walhalla+italian", 4), ("voluspa", 3), ("liars_dice", 3), ("hearts", 4), ("pedlars", 3)],
)
def test_options_of_large_games_come_to_the_same(name: str, players: int) -> None:
    trials = CardTrials(game(name).program, players, Emulated())
    assert agree(trials, game(name), players, every=7) > 2


TRAP = """
lawspeaker: 1
game: trap
players: {from: 2, to: 2}
words:
  way: [one, two, three, four]
rules:
  game:
    says: The first player goes any way, and the second, too.
    asks: Which way?
    rule: |
      player_1 must take: way
      do answer
      player_1 scores 1
  answer:
    says: One way never ends.
    asks: Which way?
    rule: |
      player_2 must take: way
      if way is three:
        repeat 100000 times: player_2 scores 1
"""


@pytest.mark.full
def test_a_playout_that_breaks_counts_nowhere(tmp_path: Path) -> None:
    (tmp_path / "trap.yaml").write_text(TRAP, encoding="utf-8")
    rules = load(str(tmp_path / "trap.yaml"))
    trials = CardTrials(rules.program, 2, Emulated(), budget=20_000)
    view = rules.start(seed=1).view(0)
    found, expected = both_trials(trials, view)
    assert found == expected
    assert 0 < sum(each.playouts for each in found) < 2 * ROUNDS


@pytest.mark.full
def test_what_stops_for_lack_of_room_is_played_elsewhere_and_rooms_grow() -> None:
    device = Emulated(threads=16)
    trials = CardTrials(game("tic_tac_toe").program, 2, device)
    trials._load(replace(trials._sizes, options=16))
    view = game("tic_tac_toe").start(seed=1).view(0)
    found, expected = both_trials(trials, view)
    assert found == expected
    assert len(device.loaded) == 3
    assert device.loaded[2].own > device.loaded[1].own
    found, expected = both_trials(trials, view)
    assert found == expected


# ---------------------------------------------------------------- bots


@pytest.fixture
def elsewhere() -> Iterator[list[int]]:
    """Bots try out on an emulated card; how many playouts it was asked for."""
    asked: list[int] = []
    made: dict[int, CardTrials] = {}

    def explorers(program: ir.Program, players: int, playouts: int) -> Explorer:
        asked.append(playouts)
        if id(program) not in made:
            made[id(program)] = CardTrials(program, players, Emulated(), MOST_STEPS)
        return made[id(program)]

    try_out_with(explorers)
    yield asked
    try_out_with(None)


def _choices(name: str, match: Match, seat: int) -> list[str]:
    return [bot(name, seed).choose(match.view(seat)).text for seed in range(4)]


@pytest.mark.full
def test_a_bot_chooses_the_same_whoever_plays_out(elsewhere: list[int]) -> None:
    match = game("kuhn_poker").start(seed=2)
    (seat,) = match.seats_asked
    there = _choices("flat:60", match, seat)
    assert elsewhere
    try_out_with(None)
    assert _choices("flat:60", match, seat) == there


def test_who_remembers_playouts_stays_on_the_processor(elsewhere: list[int]) -> None:
    match = game("kuhn_poker").start(seed=2)
    (seat,) = match.seats_asked
    for name in ("mc:20", "tree:20"):
        _choices(name, match, seat)
    assert not elsewhere


class GivesUp:
    def lay_out(self, *given: object) -> None:
        raise NoGpu("it is busy")

    def explore(self, *given: object, **named: object) -> list[Tried]:
        raise AssertionError


def test_a_card_that_gives_up_costs_nothing() -> None:
    match = game("kuhn_poker").start(seed=2)
    (seat,) = match.seats_asked
    alone = _choices("flat:60", match, seat)
    try_out_with(lambda *_: GivesUp())
    try:
        assert _choices("flat:60", match, seat) == alone
    finally:
        try_out_with(None)


def test_a_card_is_asked_for_many_playouts_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "_given_up", [])
    monkeypatch.setattr(machines, "_slow", [])
    monkeypatch.setattr(gpu_games, "_device", [Emulated()])
    monkeypatch.setattr(gpu_playouts, "LONG", -1.0)
    rules = game("kuhn_poker").program
    assert machines.explorer(rules, 2, machines.MANY_TRIALS - 1) is None
    assert not machines._slow
    assert machines.explorer(rules, 2, machines.MANY_TRIALS) is None, "its games are too long"
    assert machines._slow == [rules]


def test_machine_gpu_is_for_bots_that_can_think_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_games, "_device", [])
    wanted = [(game("kuhn_poker").program, 2)]
    with pytest.raises(NoGpu, match="graphics card"):
        machine_for("gpu", 10, ("flat:50", "random"), wanted)
    with pytest.raises(WrongMachine, match="flat:N"):
        machine_for("gpu", 10, ("mc:50", "random"), wanted)
