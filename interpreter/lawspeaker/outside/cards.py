"""Whole games on a graphics card. An edge.

A game is compiled with rooms as small as some games on the processor showed them to be needed,
written for cards (`machines/native/card`), and played by thousands of threads at once. CuPy does
the rest (the extra `gpu`): it brings NVRTC, so that no toolkit has to be installed, keeps what was
compiled on disk, and its arrays are those that PyTorch and JAX take over without copying.

A game that stops on the card costs nobody else anything. The compiled machine plays it again: if it
is the rules' fault, that is told as everywhere; if only the rooms were too small, it goes on there,
and with many such games the rooms grow. So records are those of the other machines in any case. No
launch takes much longer than a second, since a card that also draws the screen has no longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lawspeaker import ir
from lawspeaker.base.cache import Kept
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled import Instance, formed
from lawspeaker.machines.compiled.plan import Sizes
from lawspeaker.machines.native.card import NONE, Kernel, kernel, needed
from lawspeaker.position.fault import NoMachine
from lawspeaker.position.layout import layout_for

FLAGS = ("-std=c++17", "-DCHECKED", "-w")
"""Of names that a kernel does not need there is no word."""
SAMPLE = 200
"""So many games on the processor show what room a game needs."""
LARGEST = 1 << 18
"""The most bytes that a thread may have for itself."""
SECONDS = 0.5
"""What a launch should take."""
MOST_BYTES = 1 << 29
"""The most bytes of records that are made at once."""
_FIRST, _FASTER = 4096, 8
_TOO_MANY = 50
"""One stopped game in so many: the rooms are too small."""
_KEPT = 16


class NoCard(NoMachine):
    """There is no graphics card that can be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Launched:
    """What came of a launch: how many of the games were begun, a row of words for each, which of
    them stopped (counted from the first), and how long it took."""

    begun: int
    records: NDArray[np.uint32]
    stopped: Sequence[int]
    seconds: float


class Program(Protocol):
    """A kernel that has been compiled and loaded."""

    def launch(self, seed: int, first: int, count: int, budget: int) -> Launched: ...


class Device(Protocol):
    """Something that can play many games at once."""

    def load(self, made: Kernel) -> Program: ...


def stopped_games(playing: NDArray[np.uint32]) -> list[int]:
    """The games that threads were still playing when they ended."""
    return sorted(map(int, playing[playing != NONE]))


class CardGames:
    """A game on a card."""

    def __init__(
        self, program: ir.Program, players: int, device: Device, budget: int = MOST_STEPS
    ) -> None:
        self.layout = layout_for(program, players)
        self.budget = budget
        self.instance: Instance = playing_instance(program, players, watching=True)
        for _ in self.instance.records(0, 0, SAMPLE):
            pass
        self._device = device
        self._sizes = needed(self.instance)
        self._load()

    def _load(self) -> None:
        compiled, module = formed(self.layout, stepping=False, watching=True, sizes=self._sizes)
        try:
            made = kernel(compiled, module)
        except RecursionError:
            raise NoCard("the rules are nested too deep for a card") from None
        if made.own > LARGEST:
            raise NoCard(f"a game needs {made.own:,} bytes of memory, too many for a card")
        self._program = self._device.load(made)
        self._pace = _FIRST

    @property
    def columns(self) -> dict[str, slice]:
        return self.instance.columns

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        """Games between random players, as `Instance.records`."""
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

    def _mended(
        self, seed: int, first: int, rows: NDArray[np.uint32], stopped: Sequence[int]
    ) -> NDArray[np.uint32]:
        """Plays games that stopped once more, on the processor. Raises RuleFault where a rule was
        at fault."""
        rows = rows.copy()
        for at in stopped:
            again = b"".join(self.instance.records(seed, first + at, 1))
            rows[at] = np.frombuffer(again, np.uint32)
        if len(stopped) * _TOO_MANY > len(rows):
            self._sizes = _larger(self._sizes)
            self._load()
        return rows

    def _keep_pace(self, done: Launched) -> None:
        """As many games at once as fit into the time of a launch."""
        wanted = done.begun * SECONDS / max(done.seconds, 1e-6)
        self._pace = max(_FIRST, int(min(wanted, _FASTER * self._pace)))


def _larger(sizes: Sizes) -> Sizes:
    return replace(sizes, arena=4 * sizes.arena, options=4 * sizes.options, sets=4 * sizes.sets)


# ---------------------------------------------------------------- CuPy


class CupyDevice:
    """The first card of this computer."""

    THREADS, UNDER_WAY = 128, 512
    """The threads of a block, and the games under way on each multiprocessor."""

    def __init__(self) -> None:
        try:
            import cupy
        except ImportError:
            raise NoCard("a graphics card needs CuPy: pip install 'lawspeaker[gpu]'") from None
        self.cupy: Any = cupy
        try:
            properties = cupy.cuda.runtime.getDeviceProperties(0)
        except Exception as error:
            raise NoCard(f"there is no graphics card that CUDA can use: {error}") from None
        self.blocks = int(properties["multiProcessorCount"]) * self.UNDER_WAY // self.THREADS

    def load(self, made: Kernel) -> Program:
        try:
            return _CupyProgram(self, made)
        except Exception as error:
            raise NoCard(f"the card cannot run this game: {error}") from None


class _CupyProgram:
    def __init__(self, device: CupyDevice, made: Kernel) -> None:
        self.device, self.made, cupy = device, made, device.cupy
        module = cupy.RawModule(code=made.source, options=FLAGS, backend="nvrtc")
        self.kernel = module.get_function("play")
        tables = cupy.asarray(np.frombuffer(made.tables, np.uint8))
        module.get_global("tables").copy_from_device(tables.data, tables.nbytes)

    def launch(self, seed: int, first: int, count: int, budget: int) -> Launched:
        cupy, words = self.device.cupy, self.made.words
        try:
            following = cupy.zeros(1, cupy.uint32)
            records = cupy.zeros((words, count), cupy.uint32)
            playing = cupy.full(self.device.blocks * self.device.THREADS, NONE, cupy.uint32)
            start, end = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            self.kernel(
                (self.device.blocks,),
                (self.device.THREADS,),
                (
                    *(np.uint64(seed & (1 << 64) - 1), np.uint32(first), np.uint32(count)),
                    *(np.uint32(budget), following, playing, records, np.uint64(0)),
                ),
            )
            end.record()
            end.synchronize()
            begun = min(count, int(following[0]))
            rows = cupy.ascontiguousarray(records.T).get()
            stopped = stopped_games(playing.get())
            seconds = cupy.cuda.get_elapsed_time(start, end) / 1000
        except Exception as error:
            raise NoCard(f"the card gave up: {error}") from None
        return Launched(begun, rows, stopped, seconds)


_device: list[CupyDevice] = []
_games: Kept[CardGames] = Kept(_KEPT)


def card() -> CupyDevice:
    """The card of this computer. Raises `NoCard`."""
    if not _device:
        _device.append(CupyDevice())
    return _device[0]


def card_games(program: ir.Program, players: int) -> CardGames:
    """A game on the card of this computer, made when first asked for. Raises `NoCard`."""
    device = card()
    return _games.get((id(program), players), lambda: CardGames(program, players, device))
