"""The kernel for cards plays the same games: here one thread after the other, on the processor.

The text that a card is given is compiled by a C++ compiler, which knows all but what only cards can
do. So layouts of memory, checks, faults and the handing out of games are tested without a card.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest

from lawspeaker import ir
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.ir.types import NUMBER
from lawspeaker.machines.compiled import Instance, compile_module, formed
from lawspeaker.machines.compiled.runtime import sums
from lawspeaker.machines.native import cuda
from lawspeaker.machines.native.kernel import NONE, SHARED, SLICES, WHOLE, Kernel
from lawspeaker.machines.purpose import PLAYING, WATCHING, Purpose
from lawspeaker.outside import gpu_driver, gpu_games, native
from lawspeaker.outside.gpu_driver import DeviceGames, Loaded, NoGpu, program
from lawspeaker.outside.gpu_games import CardGames, needed_in_turns
from lawspeaker.outside.loading import load
from lawspeaker.outside.native import Processor
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.tally import tally
from tests.compiled.test_games import runs_away
from tests.native.common import module, needs_compiler, wanted
from tests.reference import games
from tests.tiers import sample

CHECKED = "-DCHECKED"
BUDGET = MOST_STEPS


QUICKLY = tuple("-O0" if each == "-O2" else each for each in Processor.FLAGS)
FREE = tuple(each for each in QUICKLY if each != CHECKED)


class Emulated:
    """A card of a few threads."""

    shared = SHARED

    def __init__(self, threads: int = 40, flags: tuple[str, ...] = QUICKLY) -> None:
        self.threads, self.flags = threads, flags
        self.loaded: list[Kernel] = []

    def load(self, made: Kernel) -> Loaded:
        needs_compiler()
        self.loaded.append(made)
        return Processor(self.threads, self.flags, KEPT).load(made)


class Kept(dict[str, bytes]):
    def put(self, name: str, content: bytes) -> None:
        self[name] = content


KEPT = Kept()


def run(made: Kernel, threads: int = 40, flags: tuple[str, ...] = QUICKLY) -> DeviceGames:
    return program(Emulated(threads, flags).load(made))


def made_for(name: str, players: int) -> Kernel:
    layout = Layout(load(name).program, players)
    instance = Instance(module(name, players))
    for _ in instance.records(9, 0, 100):
        pass
    sizes = cuda.needed(instance)
    return cuda.kernel(*formed(layout, WATCHING, sizes))


@pytest.mark.parametrize("flags", [QUICKLY, FREE], ids=["checked", "free"])
@pytest.mark.parametrize("name, players", sample([("kuhn_poker", 2), ("tic_tac_toe", 2)], test=2))
def test_records_are_equal_in_every_layout(name: str, players: int, flags: tuple[str, ...]) -> None:
    done = run(made_for(name, players), flags=flags).launch(5, 17, 60, BUDGET)
    assert done.begun == 60
    assert not done.stopped
    assert done.records.tobytes() == wanted(name, players, 5, 17, 60)


@pytest.mark.full
@pytest.mark.parametrize(
    "name, players", sample([("othello", 2), ("walhalla+french", 3), ("voluspa", 3)], full=2)
)
def test_records_of_large_games_are_equal(name: str, players: int) -> None:
    done = run(made_for(name, players)).launch(5, 17, 30, BUDGET)
    assert done.records.tobytes() == wanted(name, players, 5, 17, 30)


@pytest.mark.full
def test_a_sum_stands_for_all_records() -> None:
    made = run(made_for("tic_tac_toe", 2))
    one = made.launch(5, 0, 50, BUDGET, printed=True).print
    assert made.launch(5, 0, 50, BUDGET, printed=True).print == one != 0
    assert made.launch(6, 0, 50, BUDGET, printed=True).print != one
    assert made.launch(5, 0, 50, BUDGET).print == 0


@pytest.mark.full
@pytest.mark.parametrize("name, players", sample([("kuhn_poker", 2), ("little_whist", 4)], test=2))
def test_what_is_added_up_on_a_card_is_what_the_lab_adds_up(name: str, players: int) -> None:
    rules = load(name).program
    played = CardGames(rules, players, Emulated())
    found = reduce(add, played.tallies(5, 17, 300))
    assert found == tally(play_games(rules, players, 5, range(17, 317), ("random",) * players))


@pytest.mark.full
@pytest.mark.usefixtures("uncached")
def test_a_game_that_does_not_fit_is_added_up_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "LENGTHS", 8)  # of tic-tac-toe, games with a full board do not fit
    rules = load("tic_tac_toe").program
    played = CardGames(rules, 2, Emulated())
    done = played._program.launch(5, 0, 100, BUDGET, summed=True)
    assert 20 < len(done.odd) < 100
    (found,) = played.tallies(5, 0, 100)
    assert found == tally(play_games(rules, 2, 5, range(100), ("random", "random")))


@pytest.mark.full
def test_what_a_game_writes_lies_before_what_it_reads() -> None:
    made = made_for("little_whist", 4)
    assert made.own < 1 << 14
    layout = Layout(load("little_whist").program, 4)
    sizes = cuda.small(64, 64, 64, 480)
    plan = formed(layout, WATCHING, sizes)[0].plan
    assert plan.arena < plan.records < plan.sets < plan.state < plan.frames < plan.options
    assert plan.options_end <= plan.image


@pytest.mark.full
@pytest.mark.parametrize("ahead", [False, True])
def test_luck_is_the_same_whether_it_is_worked_out_ahead_or_not(ahead: bool) -> None:
    layout = Layout(load("little_whist").program, 4)
    sizes = replace(cuda.needed(Instance(module("little_whist", 4))), ahead=ahead)
    form = formed(layout, WATCHING, sizes)
    done = run(cuda.kernel(*form)).launch(5, 17, 40, BUDGET)
    assert not done.stopped
    assert done.records.tobytes() == wanted("little_whist", 4, 5, 17, 40)


class Timed:
    """A card that is slow at first, and takes another time for each way that threads may go."""

    def __init__(self, *seconds: float) -> None:
        made = replace(made_for("kuhn_poker", 2), sync_modes=tuple(range(len(seconds))))
        self.made, self.threads, self.xp = made, 10, np
        self.seconds = seconds
        self.modes: list[int] = []

    def call(self, threads: int, *given: Any) -> float:
        count, way, following, playing = given[2], int(given[4]), given[5], given[6]
        following[0], playing[:] = count, NONE
        self.modes.append(way)
        return self.seconds[way] * (5 if len(self.modes) == 1 else 1)

    def tell(self, at: int, content: bytes) -> None:
        raise AssertionError


@pytest.mark.parametrize(
    "seconds, best", [((1.0, 2.0), 0), ((2.0, 1.0), 1), ((3.0, 2.0, 1.0), 2), ((3.0, 1.0, 2.0), 1)]
)
def test_the_first_launches_find_out_how_threads_go_best(
    seconds: tuple[float, ...], best: int
) -> None:
    card_of_own, ways = Timed(*seconds), range(len(seconds))
    played = gpu_driver.Whole(card_of_own)
    for _ in range(3):
        played.launch(1, 0, 5, BUDGET)  # too few to tell
    for _ in range(3 * len(ways) + 3):
        played.launch(1, 0, 100, BUDGET)
    assert card_of_own.modes == [0, 0, 0, *(3 * [*ways]), best, best, best]


# ---------------------------------------------------------------- slices


def sliced(name: str, players: int) -> Kernel:
    layout = Layout(load(name).program, players)
    made = formed(layout, Purpose(watching=True, in_turns=True), needed_in_turns(layout))
    return cuda.kernel(*made, SLICES)


@pytest.mark.full
@pytest.mark.parametrize("name, players", [("kuhn_poker", 2), ("rock_paper_scissors", 2)])
def test_games_that_are_put_aside_and_taken_up_again_have_the_same_records(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_driver, "_CHOICES", 2)
    looks = 1  # so often a thread looks at the clock before its time is over
    program = gpu_driver.Sliced(Emulated(16).load(sliced(name, players)), looks * 1e-9)
    done = program.launch(5, 17, 60, BUDGET, printed=True)
    assert not done.stopped
    assert done.launches > 1
    assert done.records.tobytes() == wanted(name, players, 5, 17, 60)
    whole = run(made_for(name, players)).launch(5, 17, 60, BUDGET, printed=True)
    assert done.print == whole.print != 0


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name, players", [("walhalla+italian", 4), ("voluspa", 3), ("chess", 2), ("go", 2)]
)
def test_long_games_in_slices_have_the_same_records(name: str, players: int) -> None:
    program = gpu_driver.Sliced(Emulated().load(sliced(name, players)), 10e-9)
    done = program.launch(5, 17, 30, BUDGET)
    assert not done.stopped
    assert done.records.tobytes() == wanted(name, players, 5, 17, 30)


@pytest.mark.full
def test_a_game_that_stops_in_a_slice_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout(load("connect_four").program, 2)
    sizes = replace(needed_in_turns(layout), frames=16)
    made = formed(layout, Purpose(watching=True, in_turns=True), sizes)
    program = gpu_driver.Sliced(Emulated(8).load(cuda.kernel(*made, SLICES)), 1e-9)
    monkeypatch.setattr(gpu_driver, "_CHOICES", 20)
    done = program.launch(5, 0, 20, BUDGET)
    # No frame can be put aside: only those have come to their end that did so in one slice.
    assert 0 < len(done.stopped) < 20
    whole = np.frombuffer(wanted("connect_four", 2, 5, 0, 20), np.uint32).reshape(20, -1)
    ended = [at for at in range(20) if at not in done.stopped]
    assert (done.records[ended] == whole[ended]).all()


# ---------------------------------------------------------------- many games


@pytest.mark.full
def test_games_that_take_long_are_played_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CardGames(load("tic_tac_toe").program, 2, Emulated()).use == WHOLE
    monkeypatch.setattr(gpu_games, "LONG", 0.0)
    played = CardGames(load("kuhn_poker").program, 2, Emulated())
    assert played.use == SLICES
    assert b"".join(played.records(5, 17, 60)) == wanted("kuhn_poker", 2, 5, 17, 60)


@pytest.mark.full
def test_games_of_a_card_are_those_of_the_compiled_machine() -> None:
    played = CardGames(load("tic_tac_toe").program, 2, Emulated())
    found = b"".join(played.records(3, 100, 9000))
    assert found == wanted("tic_tac_toe", 2, 3, 100, 9000)
    assert played.columns == module("tic_tac_toe", 2).columns


@pytest.mark.full
def test_a_game_that_stops_for_lack_of_room_is_played_elsewhere_and_rooms_grow() -> None:
    device = Emulated(threads=64)
    played = CardGames(load("tic_tac_toe").program, 2, device)
    played._sizes = replace(played._sizes, options=16)
    played._load()
    found = b"".join(played.records(3, 0, 300))
    assert found == wanted("tic_tac_toe", 2, 3, 0, 300)
    assert len(device.loaded) > 2
    assert device.loaded[-1].own > device.loaded[1].own


@pytest.mark.parametrize("endless", [*runs_away()], ids=["repeat", "repeat until"])
def test_a_fault_of_the_rules_is_told_as_on_the_other_machines(endless: ir.Statement) -> None:
    program = games.lots((endless,), (("left", NUMBER),))
    small = Instance(compile_module(Layout(program, 2), WATCHING))
    with pytest.raises(RuleFault) as expected:
        [*small.records(1, 0, 1)]
    made = formed(
        Layout(program, 2),
        WATCHING,
        sizes=cuda.small(0, 0, 0, small.compiled.record_size),
    )
    done = run(cuda.kernel(*made), threads=3).launch(1, 0, 10, 20_000)
    assert done.begun == 3  # each ended its thread
    assert [*done.stopped] == [0, 1, 2]
    assert "too many steps" in str(expected.value)


def test_without_a_card_it_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_games, "_device", [])
    with pytest.raises(NoGpu, match="graphics card"):
        gpu_games.gpu()


def test_a_game_that_needs_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_games, "LARGEST", 1000)
    with pytest.raises(NoGpu, match="too many for a card"):
        CardGames(load("tic_tac_toe").program, 2, Emulated())


def test_a_card_is_told_nothing_that_only_other_compilers_know() -> None:
    """NVRTC has few built-in functions and no headers of the system."""
    instance = Instance(module("tic_tac_toe", 2))
    made = formed(instance.layout, PLAYING, cuda.needed(instance))
    command = [*native.cxx_compiler(), "-x", "c++", "-E", "-P", "-DCHECKED", "-"]
    source = cuda.kernel(*made).source
    told = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"__builtin_\w+", told)) == {"__builtin_unreachable"}
    assert "memcpy" not in told
