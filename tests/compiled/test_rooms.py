"""Games with more going on than the memory of a module has room for: the machines still agree.

The language has no such bounds. Where a module is out of room, the reference machine goes on to the
next question; games that are played inside a module are played again outside.
"""

from __future__ import annotations

import pytest

from lawspeaker import ir
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.machines.reference import Machine
from lawspeaker.outside.loading import load
from lawspeaker.position.fault import OutOfMemory
from lawspeaker.study.lab.games import play_games
from tests.compiled.side_by_side import SideBySide
from tests.language import hostile
from tests.language.test_hostile_games import program_of
from tests.tiers import sample

pytestmark = pytest.mark.full

PLACES = """\
numbers: {p: 1..90000}
pieces:
  card: {count: 1, starts in: box}
places:
  box: {holds: card}
  x: {at: p, holds: card}
"""
KEPT = "players score count of number in list{i} where number > 5"


def lists_in_mind(count: int) -> str:
    """So many lists of all places at the same time."""
    lists = hostile.numbered_lines(count, "let list{i} be all x where {i} < 9")
    scored = hostile.numbered_lines(count, "players score count of x in list{i} where x is empty")
    return hostile.game((lists + scored).rstrip(), PLACES)


def lists_over_a_question(count: int) -> str:
    """So many long lists that are needed when the question is answered."""
    lists = hostile.numbered_lines(
        count, "let list{i} be collect number + m for each number in 1..4000"
    )
    asked = "player_1 must take: number as taken in 1..3\n"
    code = (lists + asked + hostile.numbered_lines(count, KEPT)).rstrip()
    return hostile.game(code, hostile.MARKER, asks=True)


LARGE = {"the arena": lists_in_mind(8), "the frames": lists_over_a_question(4)}
SMALL = {"the arena": lists_in_mind(2), "the frames": lists_over_a_question(1)}


def is_out_of_room(both: SideBySide, program: ir.Program) -> bool:
    try:
        both.compiled.instance.begin(both.compiled.blank(1), program.main, ())
    except OutOfMemory:
        return True
    return False


@pytest.mark.parametrize("room", sample(LARGE, test=2))
def test_both_machines_agree_where_one_is_out_of_room(room: str) -> None:
    small, large = program_of(SMALL[room]), program_of(LARGE[room])
    assert not is_out_of_room(SideBySide(small, 2), small)
    both = SideBySide(large, 2)
    assert is_out_of_room(both, large)
    assert both.play(1) == (1 if room == "the frames" else 0)


def test_a_state_for_which_there_is_no_room_goes_on() -> None:
    """Whoever answers in it, or only looks what is offered, finds the same."""
    program = program_of(LARGE["the frames"])
    both = SideBySide(program, 2)
    state = both.reference.blank(1)
    both.reference.begin(state, program.main, ())
    offered = both.reference.offers(state)
    with pytest.raises(OutOfMemory):
        both.compiled.instance.load(state)
    other = state.copy()
    other.offered = None
    assert both.compiled.offers(other) == offered
    for machine, each in ((both.reference, state), (both.compiled, other)):
        machine.answer(each, 0, offered[0][1])
    assert state.to_json() == other.to_json()
    assert state.ended


def test_games_are_played_outside_where_there_is_no_room_inside() -> None:
    program = program_of(LARGE["the arena"])
    with pytest.raises(OutOfMemory):
        playing_instance(program, 2).play(1, 0, 1)
    games = play_games(program, 2, 1, range(2), ("random", "random"))
    machine = Machine(program, 2)
    state = machine.blank(1)
    machine.begin(state, program.main, ())
    assert games.scores.tolist() == [state.scores] * 2


@pytest.mark.parametrize("name, players", [("walhalla", 4), ("voluspa", 2), ("liars_dice", 3)])
def test_nothing_is_written_before_the_first_room(name: str, players: int) -> None:
    """Whatever is kept for a moment has an address by then."""
    instance = playing_instance(load(name).program, players, WATCHING)
    for _ in instance.records(1, 0, 20):
        pass
    assert not instance.touched(0, instance.plan.arena)
