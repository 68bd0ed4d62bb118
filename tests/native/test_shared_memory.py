"""The most accessed arrays are moved to shared memory: chosen by a profile, with equal results."""

from __future__ import annotations

import pytest

from lawspeaker import load
from lawspeaker.machines.compiled import Instance, formed
from lawspeaker.machines.compiled.runtime.plan import Sizes
from lawspeaker.machines.middle.forms import Const, Copy
from lawspeaker.machines.middle.walk import statements
from lawspeaker.machines.native import cuda, shared_memory
from lawspeaker.machines.native.kernel import (
    FREE_RUNNING,
    LOCKSTEP,
    SHARED,
    SOFT_BARRIERS,
    WHOLE,
    Kernel,
)
from lawspeaker.machines.native.memory_profile import MemoryRegions, accesses_of, profiled
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.position.layout import Layout
from tests.native.common import module, wanted
from tests.native.test_cuda import BUDGET, run
from tests.tiers import sample

ALL = 1 << 22
"""So many bytes for a block leave room for everything."""


def sizes_for(name: str, players: int) -> tuple[Layout, Sizes]:
    instance = Instance(module(name, players))
    for _ in instance.records(9, 0, 100):
        pass
    return Layout(load(name).program, players), cuda.needed(instance)


def kernel_with_shared_arrays(name: str, players: int, shared: int = SHARED) -> Kernel:
    layout, sizes = sizes_for(name, players)
    form = formed(layout, WATCHING, sizes)
    return cuda.kernel(*form, WHOLE, profiled(layout, sizes), shared)


@pytest.mark.full
@pytest.mark.parametrize(
    "name, players",
    sample([("tic_tac_toe", 2), ("kuhn_poker", 2), ("little_whist", 4), ("othello", 2)], test=4),
)
def test_records_are_equal_with_much_in_shared_memory(name: str, players: int) -> None:
    made = kernel_with_shared_arrays(name, players)
    assert 0 < made.shared_bytes * made.block <= SHARED
    done = run(made).launch(5, 17, 40, BUDGET)
    assert not done.stopped
    assert done.records.tobytes() == wanted(name, players, 5, 17, 40)


@pytest.mark.full
@pytest.mark.parametrize(
    "name, players", sample([("pedlars", 3), ("walhalla+french", 3), ("voluspa", 3)], full=3)
)
def test_records_are_equal_with_all_movable_arrays_in_shared_memory(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name_of in ("_BESIDE", "_TOGETHER"):
        monkeypatch.setattr(cuda, name_of, (getattr(cuda, name_of)[0], 0))
    made = kernel_with_shared_arrays(name, players, ALL)
    assert made.shared_bytes > 500
    done = run(made).launch(5, 17, 30, BUDGET)
    assert not done.stopped
    assert done.records.tobytes() == wanted(name, players, 5, 17, 30)


def test_nothing_is_moved_if_little_fits() -> None:
    assert not kernel_with_shared_arrays("tic_tac_toe", 2, shared=8 * cuda._BESIDE[0]).shared_bytes


def test_looks_are_counted_as_they_are_made() -> None:
    layout, sizes = sizes_for("tic_tac_toe", 2)
    accesses = profiled(layout, sizes).accesses
    plan = formed(layout, WATCHING, sizes)[0].plan
    named = {name: accesses.get(stretch, 0) for name, stretch in plan.columns}
    assert named["state.mask"] > 40 * 7  # in 40 games of 7 marks and more
    assert not named["scratch.keys"]  # nothing is ever shuffled


@pytest.mark.full
@pytest.mark.parametrize(
    "name, players, alike",
    [("walhalla", 4, True), ("othello", 2, True), ("connect_four", 2, False), ("pig", 2, False)],
)
def test_games_are_alike_if_they_go_through_long_loops_equally_often(
    name: str, players: int, alike: bool
) -> None:
    assert profiled(*sizes_for(name, players)).alike == alike


@pytest.mark.full
def test_only_in_games_that_are_alike_and_long_threads_may_wait_for_each_other() -> None:
    assert kernel_with_shared_arrays("othello", 2).sync_modes == (
        FREE_RUNNING,
        LOCKSTEP,
        SOFT_BARRIERS,
    )
    assert kernel_with_shared_arrays("little_whist", 4).sync_modes == (FREE_RUNNING, LOCKSTEP)
    assert "soft_barrier(HERE);" in kernel_with_shared_arrays("othello", 2).source
    assert "soft_barrier(HERE);" not in kernel_with_shared_arrays("connect_four", 2).source


def test_what_is_looked_at_most_is_chosen_as_far_as_there_is_room() -> None:
    layout, sizes = sizes_for("tic_tac_toe", 2)
    compiled, form = formed(layout, WATCHING, sizes)
    accesses, plan = profiled(layout, sizes).accesses, compiled.plan
    some, more = (shared_memory.choose(form, plan, accesses, room) for room in (64, 4096))
    assert some.shared.size <= 64 < more.shared.size
    assert 0 < some.shared.part < more.shared.part <= 1

    def per_byte(room: tuple[int, int]) -> float:
        return accesses.get(room, 0) / (room[1] - room[0])

    hottest = max(more.numbers, key=per_byte)
    assert hottest in some.numbers


def test_nothing_looks_any_more_where_something_was() -> None:
    layout, sizes = sizes_for("kuhn_poker", 2)
    compiled, form = formed(layout, WATCHING, sizes)
    choice = shared_memory.choose(form, compiled.plan, profiled(layout, sizes).accesses, 4096)
    shared_memory.move(form, compiled.plan, choice)
    rooms = MemoryRegions(compiled.plan)
    everything = [each for function in form.functions for each in statements(function.body)]
    found = [place for each in everything for place in accesses_of(each)]
    assert any(place.offset >= shared_memory.SHARED_BASE for place in found)
    assert not [place for place in found if rooms.of(place) in choice.numbers]
    filled = [
        [int(part.value) for part in each.parts() if isinstance(part, Const)]
        for each in everything
        if isinstance(each, Copy)
    ]
    whole = [numbers for numbers in filled if len(numbers) == 3]
    assert any(to >= shared_memory.SHARED_BASE for to, _, _ in whole)
    over = {room for to, _, size in whole for room in rooms.over(to, to + size)}
    assert not over & choice.numbers.keys()


@pytest.mark.full
def test_an_array_whose_entry_0_would_lie_far_off_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of a type are numbered from the last of the type before it on."""
    layout, sizes = sizes_for("walhalla", 3)
    compiled, form = formed(layout, WATCHING, sizes)
    accesses, plan = profiled(layout, sizes).accesses, compiled.plan
    (coast,) = (stretch for name, stretch in plan.columns if name == "state.coast")
    assert coast in shared_memory.choose(form, plan, accesses, 4096).numbers
    monkeypatch.setattr(shared_memory, "BEHIND", 0)
    assert coast not in shared_memory.choose(form, plan, accesses, 4096).numbers
