"""Plays whole games on the GPU, one per thread.

A game is compiled with memory regions sized by sample games on the CPU, written as CUDA
(`machines/native/cuda`), and played by thousands of threads. CuPy (extra `gpu`) does the rest, in
`gpu_driver`: it brings NVRTC, so no toolkit has to be installed, and caches binaries on disk.

A game that stops on the GPU does not affect others. The compiled machine plays it again: a fault
of the rules is reported as everywhere; if only a region was too small, the game finishes there,
and with many such games the regions grow. So records always equal those of the compiled machine.
A launch takes little more than a second, since a GPU that also draws the screen is limited to
that: long games are played in slices.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.base.counts import not_for
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled import Instance, formed
from lawspeaker.machines.compiled.compile.compiler import encoded
from lawspeaker.machines.compiled.runtime.plan import Sizes
from lawspeaker.machines.native.cuda import in_turns, kernel, needed
from lawspeaker.machines.native.kernel import SLICES, TURNS, WHOLE, Kernel
from lawspeaker.machines.native.memory_profile import profiled
from lawspeaker.machines.purpose import WATCHING, Purpose
from lawspeaker.machines.sum_layout import LOWEST, MOST_GAMES
from lawspeaker.match.game import Game
from lawspeaker.match.option_bounds import most_options
from lawspeaker.outside.gpu_driver import SECONDS, CupyDevice, Device, Launched, NoGpu
from lawspeaker.outside.gpu_driver import program as program_of
from lawspeaker.outside.modules import ModuleFolder, cache_folder
from lawspeaker.outside.native import Processor
from lawspeaker.outside.vectors import VectorEnv
from lawspeaker.position.fault import OutOfMemory, RuleFault
from lawspeaker.position.layout import Layout, layout_for
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.module_sums import tally_of
from lawspeaker.study.lab.tally import Tally, tally

SAMPLE = 200
"""Number of sample games on the CPU that determine region sizes."""
LONG = 0.001
"""Seconds per game on a CPU above which games are played in slices.

A GPU thread is about a thousand times slower, so such a game takes a second there.
"""
LARGEST = 1 << 18
"""Maximum bytes of memory per thread."""
MOST_BYTES = 1 << 29
"""Maximum bytes of records per launch."""
_FIRST, _FASTER = 4096, 8
_TOO_MANY = 50
"""If more than one game in this many stops, the memory regions are enlarged."""
MOST_TOLD = 64
"""Default limit on the options that a vector environment describes."""
_KEPT = 16
_FEW, _LONG_ENOUGH = 20, 1.0
"""Minimum number of sample games, and the seconds after which sampling stops."""


class CardGames:
    """Plays games of one program on a GPU."""

    def __init__(
        self, program: ir.Program, players: int, device: Device, budget: int = MOST_STEPS
    ) -> None:
        self.program, self.layout = program, layout_for(program, players)
        self.budget = budget
        self.instance: Instance = playing_instance(program, players, WATCHING)
        self._device = device
        self.use = SLICES if seconds_for(self.instance) > LONG else WHOLE
        self._sizes = needed_in_turns(self.layout) if self.use == SLICES else needed(self.instance)
        self._load()

    def _load(self) -> None:
        sliced = self.use == SLICES
        compiled, module = formed(self.layout, Purpose(watching=True, in_turns=sliced), self._sizes)
        try:
            seen = None if sliced else profiled(self.layout, self._sizes)
            made = kernel(compiled, module, self.use, seen, self._device.shared)
        except RecursionError:
            raise NoGpu("the rules are nested too deep for a card") from None
        if made.own > LARGEST:
            raise NoGpu(f"a game needs {made.own:,} bytes of memory, too many for a card")
        self._made, self._program = made, program_of(self._device.load(made))
        self._pace = _FIRST

    @property
    def columns(self) -> dict[str, slice]:
        return self.instance.columns

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        """Yields records of games between random players, as `Instance.records`."""
        end, most = first + count, max(1, MOST_BYTES // self.instance.compiled.record_size)
        while first < end:
            some = min(self._pace, most, end - first)
            done = self._program.launch(seed, first, some, self.budget)
            rows = done.records[: done.begun]
            if done.stopped:
                rows = self._mended(seed, first, rows, done.stopped)
            self._keep_pace(done)
            first += done.begun
            yield rows.tobytes()

    def play(self, seed: int) -> int:
        """Plays one launch of games with this seed and discards the records; returns how many."""
        nothing = np.zeros(0, np.int64)
        done = self._program.launch(seed, 0, self._pace, self.budget, rows=nothing)
        self._keep_pace(done)
        return done.begun

    @property
    def sums_up(self) -> bool:
        """Whether the kernel can sum games up itself."""
        return bool(self._made.sums)

    def tallies(self, seed: int, first: int, count: int) -> Iterator[Tally]:
        """Yields tallies of the same games, summed on the GPU. Raises `NoCard` if it cannot do
        so.
        """
        end, players = first + count, self.layout.players
        places = self._made.sums
        while first < end:
            some = min(self._pace, MOST_GAMES, end - first)
            done = self._program.launch(seed, first, some, self.budget, summed=True)
            assert done.sums is not None
            words = {name: done.sums[each].tolist() for name, each in places.items()}
            found = tally_of(words, players, LOWEST)
            for at in sorted({*done.stopped, *done.odd}):
                number = first + at
                bots = ("random",) * players
                own = play_games(self.program, players, seed, range(number, number + 1), bots)
                found += tally(own)
            self._keep_pace(done)
            first += done.begun
            yield found

    def _mended(
        self, seed: int, first: int, rows: NDArray[np.uint32], stopped: Sequence[int]
    ) -> NDArray[np.uint32]:
        """Replays stopped games on the CPU. Raises RuleFault if a rule caused the stop."""
        rows = rows.copy()
        for at in stopped:
            again = b"".join(self.instance.records(seed, first + at, 1))
            rows[at] = np.frombuffer(again, np.uint32)
        if len(stopped) * _TOO_MANY > len(rows):
            self._sizes = larger(self._sizes)
            self._load()
        return rows

    def _keep_pace(self, done: Launched) -> None:
        """Sets the number of games per launch to fit the launch time."""
        slices = 8 if self.use == SLICES else 1
        wanted = done.begun * slices * SECONDS / max(done.seconds, 1e-6)
        self._pace = max(_FIRST, int(min(wanted, _FASTER * self._pace)))


def seconds_for(instance: Instance) -> float:
    """Measures CPU seconds per game on a sample, which also shows the region sizes needed."""
    began = time.process_time()
    for played in range(1, SAMPLE + 1):
        _play_one(instance, played)
        if played >= _FEW and time.process_time() - began > _LONG_ENOUGH:
            break
    return (time.process_time() - began) / played


def _play_one(instance: Instance, number: int) -> None:
    """Plays one game; faults are ignored here, as callers that need them detect them."""
    with suppress(RuleFault, OutOfMemory):
        instance.play(0, number, 1)


def needed_in_turns(layout: Layout) -> Sizes:
    """Region sizes for resumable games, which materialise every question."""
    compiled, module = formed(layout, Purpose(in_turns=True))
    compiled.code = encoded(module, inlined=False)
    instance = Instance(compiled)
    for number in range(_FEW):
        _play_one(instance, number)
    watched = formed(layout, Purpose(watching=True, in_turns=True))[0]
    return in_turns(replace(needed(instance), records=watched.record_size))


def larger(sizes: Sizes) -> Sizes:
    """Region sizes after growth by a factor of four."""
    return replace(sizes, arena=4 * sizes.arena, options=4 * sizes.options, sets=4 * sizes.sets)


_device: list[CupyDevice] = []
_games: LruCache[CardGames] = LruCache(_KEPT)


def vector_env(
    game: Game,
    players: int | None,
    games: int,
    machine: str,
    most: int | None,
    device: Device | None,
) -> VectorEnv:
    """Implements `lawspeaker.vector_env`; `device` overrides the device that `machine` names."""
    count = game.players[-1] if players is None else players
    if count not in game.players:
        raise ValueError(not_for(game.name, game.players, count))
    if machine not in ("auto", "native", "gpu"):
        raise ValueError(f"machine is auto, native or gpu, not {machine}")
    place = device or _place(machine)
    layout = layout_for(game.program, count)
    loaded = place.load(turns_kernel(layout))
    told = min(most_options(layout), MOST_TOLD) if most is None else most
    return VectorEnv(loaded, games, layout.sides, told, MOST_STEPS)


def _place(machine: str) -> Device:
    """Returns the GPU if there is one and `machine` allows it, else the CPU."""
    if machine != "native":
        try:
            return gpu()
        except NoGpu:
            if machine == "gpu":
                raise
    return Processor(kept=ModuleFolder(cache_folder()))


def turns_kernel(layout: Layout) -> Kernel:
    """Builds the kernel for games that wait for answers."""
    sizes = needed_in_turns(layout)
    form = formed(layout, Purpose(in_turns=True), sizes)
    try:
        made = kernel(*form, TURNS)
    except RecursionError:
        raise NoGpu("the rules are nested too deep for a card") from None
    if made.slot > LARGEST:
        raise NoGpu(f"a game needs {made.slot:,} bytes of memory, too many for a card")
    return made


def gpu() -> CupyDevice:
    """Returns this computer's GPU. Raises `NoCard`."""
    if not _device:
        _device.append(CupyDevice())
    return _device[0]


def card_games(program: ir.Program, players: int) -> CardGames:
    """Returns the cached games of a program on this computer's GPU. Raises `NoCard`."""
    device = gpu()
    return _games.get((id(program), players), lambda: CardGames(program, players, device))
