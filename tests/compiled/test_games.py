"""Whole games inside one call: the games that random bots play on the reference machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER, TRUTH
from lawspeaker.machines.adapter import module_for
from lawspeaker.machines.compiled import Instance
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.machines.reference import Machine
from lawspeaker.outside.loading import load
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout
from lawspeaker.position.rng import MASK, Stream, combine, word_of
from lawspeaker.position.state import PASS, State
from lawspeaker.study.lab.record import game_seed, play_game
from tests.library import names_in_turn
from tests.reference import games
from tests.reference.games import number
from tests.tiers import SLOW, sample

SHORT = {"chess": 276}
"""The numbers of games that are soon over."""

LONG = {"go", "hearts", "othello", "surveyors", "voluspa"}
"""Games of which two are enough."""


def instance(name: str, players: int) -> Instance:
    return module_for(Layout(load(name).program, players), PLAYING)


@pytest.mark.parametrize("name", sample(names_in_turn(0), test=6, full=3))
def test_random_games_are_those_of_the_reference_machine(name: str) -> None:
    game = load(name)
    players = game.players[-1]
    count = 1 if name in SLOW else 2 if name in LONG else 6
    first = SHORT.get(name, 3)
    played = instance(name, players).games(7, first, count)
    for at, found in enumerate(played, first):
        wanted = play_game(game.program, players, 7, at, ["random"] * players)
        assert found.scores == wanted.scores
        assert found.winners == wanted.winners
        assert (found.decisions, found.options) == (wanted.decisions, wanted.options)


def test_games_do_not_depend_on_how_they_are_asked_for() -> None:
    small = instance("tic_tac_toe", 2)
    whole = small.games(1, 0, 30)
    assert small.games(1, 0, 10) + small.games(1, 10, 20) == whole
    assert len({game.winners for game in whole}) > 1


def test_playouts_go_on_from_a_state_as_the_reference_machine_would() -> None:
    program = load("little_whist").program
    machine, fast = Machine(program, 4), instance("little_whist", 4)
    state = machine.start(game_seed(1, 0))
    for _ in range(7):
        (seat,) = state.pending[1] if state.pending else ()
        machine.answer(state, seat, machine.offers(state)[seat][0])
    wanted = [played_out(machine, state, 5, at) for at in range(20)]
    fast.load(state)
    fast.keep()
    sums = fast.playouts(5, 0, 20)
    assert sums.scores == tuple(sum(end.scores[seat] for end in wanted) for seat in range(4))
    shares = [sum((seat in end.winners) / len(end.winners) for end in wanted) for seat in range(4)]
    assert sums.wins == pytest.approx(shares)


def test_a_playout_can_begin_with_a_given_reply() -> None:
    program = load("nim").program
    machine, fast = Machine(program, 2), instance("nim", 2)
    state = machine.start(1)
    (seat,) = state.pending[1] if state.pending else ()
    for reply in machine.offers(state)[seat]:
        answered = state.copy()
        machine.answer(answered, seat, reply)
        wanted = [played_out(machine, answered, 9, at) for at in range(10)]
        fast.load(state)
        fast.write_reply(state, reply)
        fast.keep()
        sums = fast.playouts(9, 0, 10, answered=True)
        assert sums.wins == tuple(sum(each in end.winners for end in wanted) for each in range(2))


def runs_away() -> Iterator[ir.Statement]:
    once = (ir.SetMarker(0, (), number(1)),)
    never = ir.Compare(TRUTH, "=", number(1), number(2))
    yield ir.Repeat(number(2**31 - 1), once, 0)
    yield ir.RepeatUntil(never, number(2**31 - 1), once, 0)


@pytest.mark.parametrize("endless", [*runs_away()], ids=["repeat", "repeat until"])
def test_a_rule_that_runs_away_is_stopped_and_named(endless: ir.Statement) -> None:
    program = games.lots((endless,), (("left", NUMBER),))
    fast = module_for(Layout(program, 2), PLAYING)
    with pytest.raises(RuleFault, match="takes too many steps") as fault:
        fast.games(1, 0, 1)
    assert fault.value.clause == "game"
    with pytest.raises(RuleFault, match="takes too many steps"):
        Machine(program, 2, budget=10_000).start(0)


def played_out(machine: Machine, start: State, seed: int, at: int) -> State:
    """Everyone takes any option, by the luck of a playout."""
    state = start.copy()
    luck = combine(seed, word_of("playout"), at)
    state.seed = combine(luck, word_of("game")) & MASK
    stream = Stream(luck)
    while state.pending is not None:
        question = machine.question(state)
        assert question is not None
        for seat in state.pending[1]:
            more = [] if question.must else [PASS]
            machine.answer(state, seat, stream.choose(machine.offers(state)[seat] + more))
    return state
