"""The kernel for cards plays the same games: here one thread after the other, on the processor.

The text that a card is given is compiled by a C++ compiler, which knows all but what only cards can
do. So layouts of memory, checks, faults and the handing out of games are tested without a card.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lawspeaker import ir
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.ir.types import NUMBER
from lawspeaker.machines.compiled import Instance, compile_module, formed
from lawspeaker.machines.native import card
from lawspeaker.machines.native.card import NONE, Kernel
from lawspeaker.outside import cards, native
from lawspeaker.outside.cards import CardGames, Launched, NoCard, Program, stopped_games
from lawspeaker.outside.loading import load
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout
from tests.compiled.test_games import runs_away
from tests.native.common import module, needs_compiler, wanted
from tests.reference import games

CHECKED = "-DCHECKED"
BUDGET = MOST_STEPS


@cache
def compiler() -> str:
    found = shutil.which(os.environ.get("CXX") or "c++")
    if found is None:
        pytest.skip("there is no C++ compiler here")
    return found


@cache
def emulated(source: str, *flags: str) -> ctypes.CDLL:
    options = ("-x", "c++", "-std=c++17", "-O0", "-w", "-fPIC", "-shared", "-DEMULATED", *flags)
    return native._loaded(native._compiled([compiler()], source, options))


class Emulated:
    """A card of a few threads."""

    def __init__(self, threads: int = 40, flags: tuple[str, ...] = (CHECKED,)) -> None:
        self.threads = threads
        self.flags = flags
        self.loaded: list[Kernel] = []

    def load(self, made: Kernel) -> Program:
        needs_compiler()
        self.loaded.append(made)
        return EmulatedProgram(self, made)


class EmulatedProgram:
    def __init__(self, device: Emulated, made: Kernel) -> None:
        self.device, self.made = device, made
        self.library = emulated(made.source, *device.flags)
        self.print = 0

    def launch(self, seed: int, first: int, count: int, budget: int) -> Launched:
        following = np.zeros(1, np.uint32)
        tables = (ctypes.c_char * len(self.made.tables)).in_dll(self.library, "tables")
        ctypes.memmove(tables, self.made.tables, len(self.made.tables))
        records = np.zeros((self.made.words, count), np.uint32)
        total = np.zeros(1, np.uint64)
        playing = np.full(self.device.threads, NONE, np.uint32)
        arrays = (following, playing, records, total)
        self.library.play(
            ctypes.c_uint64(seed),
            *map(ctypes.c_uint32, (first, count, budget)),
            *(ctypes.c_void_p(each.ctypes.data) for each in arrays),
            ctypes.c_uint32(self.device.threads),
        )
        self.print = int(total[0])
        begun = min(count, int(following[0]))
        return Launched(begun, records.T.copy(), stopped_games(playing), 0.1)


def made_for(name: str, players: int) -> Kernel:
    layout = Layout(load(name).program, players)
    instance = Instance(module(name, players))
    for _ in instance.records(9, 0, 100):
        pass
    sizes = card.needed(instance)
    return card.kernel(*formed(layout, stepping=False, watching=True, sizes=sizes))


@pytest.mark.parametrize("flags", [(CHECKED,), ()], ids=" ".join)
@pytest.mark.parametrize("name, players", [("tic_tac_toe", 2), ("kuhn_poker", 2)])
def test_records_are_equal_in_every_layout(name: str, players: int, flags: tuple[str, ...]) -> None:
    done = Emulated(flags=flags).load(made_for(name, players)).launch(5, 17, 60, BUDGET)
    assert done.begun == 60
    assert not done.stopped
    assert done.records.tobytes() == wanted(name, players, 5, 17, 60)


@pytest.mark.slow
@pytest.mark.parametrize("name, players", [("walhalla+french", 3), ("voluspa", 3), ("othello", 2)])
def test_records_of_large_games_are_equal(name: str, players: int) -> None:
    done = Emulated().load(made_for(name, players)).launch(5, 17, 30, BUDGET)
    assert done.records.tobytes() == wanted(name, players, 5, 17, 30)


def test_a_sum_stands_for_all_records() -> None:
    program = Emulated().load(made_for("tic_tac_toe", 2))
    assert isinstance(program, EmulatedProgram)
    program.launch(5, 0, 50, BUDGET)
    one = program.print
    program.launch(5, 0, 50, BUDGET)
    assert program.print == one != 0
    program.launch(6, 0, 50, BUDGET)
    assert program.print != one


def test_what_a_game_writes_lies_before_what_it_reads() -> None:
    made = made_for("little_whist", 4)
    assert made.own < 1 << 14
    layout = Layout(load("little_whist").program, 4)
    sizes = card.small(64, 64, 64, 480)
    plan = formed(layout, stepping=False, watching=True, sizes=sizes)[0].plan
    assert plan.arena < plan.sets < plan.records < plan.state < plan.frames < plan.options
    assert plan.options_end <= plan.image


# ---------------------------------------------------------------- many games


def test_games_of_a_card_are_those_of_the_compiled_machine() -> None:
    played = CardGames(load("tic_tac_toe").program, 2, Emulated())
    found = b"".join(played.records(3, 100, 9000))
    assert found == wanted("tic_tac_toe", 2, 3, 100, 9000)
    assert played.columns == module("tic_tac_toe", 2).columns


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
    small = Instance(compile_module(Layout(program, 2), stepping=False, watching=True))
    with pytest.raises(RuleFault) as expected:
        [*small.records(1, 0, 1)]
    made = formed(
        Layout(program, 2),
        stepping=False,
        watching=True,
        sizes=card.small(0, 0, 0, small.compiled.record_size),
    )
    done = Emulated(threads=3).load(card.kernel(*made)).launch(1, 0, 10, 20_000)
    assert done.begun == 3  # each ended its thread
    assert [*done.stopped] == [0, 1, 2]
    assert "too many steps" in str(expected.value)


def test_without_a_card_it_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "_device", [])
    with pytest.raises(NoCard, match="graphics card"):
        cards.card()


def test_a_game_that_needs_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "LARGEST", 1000)
    with pytest.raises(NoCard, match="too many for a card"):
        CardGames(load("tic_tac_toe").program, 2, Emulated())


def test_a_card_is_told_nothing_that_only_other_compilers_know() -> None:
    """NVRTC has few built-in functions and no headers of the system."""
    instance = Instance(module("tic_tac_toe", 2))
    made = formed(instance.layout, stepping=False, sizes=card.needed(instance))
    command = [compiler(), "-x", "c++", "-E", "-P", "-DCHECKED", "-"]
    source = card.kernel(*made).source
    told = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"__builtin_\w+", told)) == {"__builtin_unreachable"}
    assert "memcpy" not in told
