"""Loads kernels and launches them with arrays; knows nothing of rules.

A `Loaded` kernel has the array module of its device (`xp`: CuPy on a GPU, NumPy for the same
program on the CPU) and a way to call it. The launch strategies are the same on both: whole games
(`Whole`), long ones in slices (`Sliced`), or games that wait for answers (`vectors`). Each owns
the arrays that it passes to a kernel, and keeps them alive until the kernel is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lawspeaker.machines.native.kernel import COPIES, FREE_RUNNING, NONE, ODD, SLICES, TURNS, Kernel
from lawspeaker.position.fault import NoMachine

FLAGS = ("-std=c++17", "-DCHECKED", "-w")
"""Flags for NVRTC; warnings about unused names are off."""
PLAIN = ("--ptxas-options=-O0",)
"""Extra flags for interactive kernels: ptxas without optimisation.

ptxas keeps warp-uniform values in one register shared by the 32 threads of a warp. It assumes
that they have reconverged, but after deep calls in divergent branches they may not have: the
first thread then overwrites a register that others still need. At -O0 it keeps no such values. A
step of small games takes a quarter longer, one of large games half as long again.
"""
SECONDS = 0.5
"""Target seconds per launch: a GPU that also draws the screen has hardly more."""
_CHOICES = 8
"""Choices per game between two clock checks, if they fit into a launch; else fewer."""
_LATE = 3
"""A launch that exceeds its target time by this factor is too long."""
_ROUNDS, _TRIED = 4, 3
"""A timing needs this many games per thread in sequence; each schedule is timed so many times."""
_TOGETHER = 32
"""Threads per warp."""
_STACK = 1 << 15
"""Stack bytes per thread for kernels with deep calls."""


class NoGpu(NoMachine):
    """No usable GPU; the message says why."""


@dataclass(frozen=True, slots=True)
class Launched:
    """Result of a launch.

    `begun` games were started, `records` has a row for each, `stopped` are the indices of those
    that stopped, `seconds` is the total time and `longest` that of the longest launch, `print` is
    a checksum of all records, `sums` are totals without the `odd` games, `launches` counts kernel
    launches.
    """

    begun: int
    records: NDArray[np.uint32]
    stopped: Sequence[int]
    seconds: float
    longest: float = 0.0
    print: int = 0
    sums: NDArray[np.int64] | None = None
    odd: Sequence[int] = ()
    launches: int = 1


class Loaded(Protocol):
    """A compiled and loaded kernel; `threads` is how many run at once."""

    made: Kernel
    threads: int

    @property
    def xp(self) -> Any: ...

    def call(self, threads: int, *given: Any) -> float:
        """Launches it with numbers and arrays (None: null pointer); returns the seconds. Raises
        `NoCard`.
        """

    def tell(self, at: int, content: bytes) -> None:
        """Writes into its constant tables. Raises `NoCard`."""


class DeviceGames(Protocol):
    """Protocol for playing whole games on a device."""

    def launch(
        self,
        seed: int,
        first: int,
        count: int,
        budget: int,
        *,
        summed: bool = False,
        rows: NDArray[np.int64] | None = None,
        printed: bool = False,
    ) -> Launched:
        """Plays games. `summed`: returns sums and no records. `rows`: returns only the records
        with these indices. `printed`: returns a checksum of all records.
        """


class Device(Protocol):
    """Protocol for devices that run kernels; `shared` is the shared memory per block, in bytes."""

    @property
    def shared(self) -> int: ...

    def load(self, made: Kernel) -> Loaded: ...


def program(loaded: Loaded) -> DeviceGames:
    """Selects the launch strategy of a loaded kernel for whole games."""
    return Sliced(loaded) if loaded.made.use == SLICES else Whole(loaded)


def stopped_games(playing: NDArray[np.uint32]) -> list[int]:
    """The games that threads were still playing when they exited."""
    return sorted(map(int, playing[playing != NONE]))


def fetched(array: Any) -> NDArray[Any]:
    """Copies an array to NumPy."""
    return array if isinstance(array, np.ndarray) else array.get()


class Whole:
    """Plays each game in one launch.

    The best synchronisation schedule within a block depends on the game and the GPU: the first
    launches measure the candidates. Results are the same with each.
    """

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self._paces: dict[int, list[float]] = {way: [] for way in loaded.made.sync_modes}

    def _going(self) -> int:
        """Chooses the schedule for the next launch, round-robin until each is measured.

        An idle GPU is slow at first, so the best rate of each counts.
        """
        least = min(self._paces, key=lambda way: len(self._paces[way]))
        if len(self._paces[least]) < _TRIED:
            return least
        return max(self._paces, key=lambda way: max(self._paces[way]))

    def launch(
        self,
        seed: int,
        first: int,
        count: int,
        budget: int,
        *,
        summed: bool = False,
        rows: NDArray[np.int64] | None = None,
        printed: bool = False,
    ) -> Launched:
        loaded, xp = self.loaded, self.loaded.xp
        following = xp.zeros(1, xp.uint32)
        total = xp.zeros(1, xp.uint64) if printed else None
        wanted = not summed and (rows is None or len(rows) > 0)
        records = xp.zeros((loaded.made.words, count), xp.uint32) if wanted else None
        sums = _Sums(loaded) if summed else None
        playing = xp.full(loaded.threads, NONE, xp.uint32)
        going = self._going()
        seconds = loaded.call(
            loaded.threads,
            *(np.uint64(seed & (1 << 64) - 1), np.uint32(first), np.uint32(count)),
            *(np.uint32(budget), np.uint32(going), following, playing, records, total),
            *((None, None) if sums is None else sums.arrays),
            np.uint32(loaded.threads),
        )
        begun = min(count, int(following[0]))
        if begun >= _ROUNDS * loaded.threads and len(self._paces[going]) < _TRIED:
            self._paces[going].append(begun / max(seconds, 1e-9))
        found = _rows(xp, records, loaded.made.words, rows)
        stopped = stopped_games(fetched(playing))
        done = Launched(begun, found, stopped, seconds, seconds, _first(total))
        return done if sums is None else sums.told(done)


def _first(array: Any) -> int:
    return 0 if array is None else int(array[0])


def _rows(xp: Any, records: Any, words: int, rows: Any) -> NDArray[np.uint32]:
    if records is None:
        return np.zeros((0, words), np.uint32)
    some = records if rows is None else records[:, xp.asarray(rows)]
    return fetched(xp.ascontiguousarray(some.T))


class _Sums:
    """Accumulators of summed games, and the numbers of those that overflow them."""

    def __init__(self, loaded: Loaded) -> None:
        xp = loaded.xp
        if not loaded.made.sums:
            raise NoGpu("games of so many players cannot be added up on a card")
        words = max(each.stop for each in loaded.made.sums.values())
        self.arrays = xp.zeros((COPIES, words), xp.uint64), xp.zeros(1 + ODD, xp.uint32)

    def told(self, done: Launched) -> Launched:
        sums, odd = map(fetched, self.arrays)
        if int(odd[0]) > ODD:
            raise NoGpu("too many games do not fit into what a card adds up")
        total = sums.view(np.int64).sum(axis=0)
        return replace(done, sums=total, odd=sorted(map(int, odd[1 : 1 + int(odd[0])])))


class Sliced:
    """Plays long games in slices: per launch as many choices as fit into `seconds`."""

    def __init__(self, loaded: Loaded, seconds: float = SECONDS) -> None:
        self.loaded = loaded
        self.seconds = seconds

    def launch(
        self,
        seed: int,
        first: int,
        count: int,
        budget: int,
        *,
        summed: bool = False,
        rows: NDArray[np.int64] | None = None,
        printed: bool = False,
    ) -> Launched:
        loaded, xp = self.loaded, self.loaded.xp
        following = xp.zeros(1, xp.uint32)
        total = xp.zeros(1, xp.uint64) if printed else None
        wanted = not summed and (rows is None or len(rows) > 0)
        records = xp.zeros((loaded.made.words, count), xp.uint32) if wanted else None
        sums = _Sums(loaded) if summed else None
        threads = min(loaded.threads, -(-count // _TOGETHER) * _TOGETHER)
        playing = xp.full(threads, NONE, xp.uint32)
        left = xp.zeros(threads, xp.uint32)
        aside = xp.zeros((loaded.made.slot // 8, threads), xp.uint64)
        stopped: list[int] = []
        choices = max(loaded.made.players, _CHOICES)
        seconds, longest, launches = 0.0, 0.0, 0
        while True:
            took = loaded.call(
                threads,
                *(np.uint64(seed & (1 << 64) - 1), np.uint32(first), np.uint32(count)),
                *(np.uint32(budget), np.uint32(FREE_RUNNING), following, playing, records, total),
                *((None, None) if sums is None else sums.arrays),
                *(np.uint32(choices), np.uint64(round(self.seconds * 1e9))),
                *(aside, left, np.uint32(threads)),
            )
            seconds, longest, launches = seconds + took, max(longest, took), launches + 1
            if took > _LATE * self.seconds:
                choices = max(loaded.made.players, choices // 2)
            games, well = fetched(playing), fetched(left)
            if not well.all():
                lost = well == 0
                stopped += stopped_games(games[lost])
                games = games.copy()
                games[lost] = NONE
                playing = xp.asarray(games)
            if int(following[0]) >= count and (games == NONE).all():
                break
        found = _rows(xp, records, loaded.made.words, rows)
        done = Launched(
            count, found, sorted(stopped), seconds, longest, _first(total), launches=launches
        )
        return done if sums is None else sums.told(done)


# ---------------------------------------------------------------- CuPy


class CupyDevice:
    """The first GPU of this computer, through CuPy."""

    def __init__(self) -> None:
        try:
            import cupy
        except ImportError:
            raise NoGpu("a graphics card needs CuPy: pip install 'lawspeaker[gpu]'") from None
        self.cupy: Any = cupy
        try:
            properties = cupy.cuda.runtime.getDeviceProperties(0)
        except Exception as error:
            raise NoGpu(f"there is no graphics card that CUDA can use: {error}") from None
        self.name = properties["name"].decode()
        self.multiprocessors = int(properties["multiProcessorCount"])
        self.shared = int(properties["sharedMemPerBlockOptin"])

    def load(self, made: Kernel, binary: Path | None = None) -> Loaded:
        """Compiles and loads a kernel; `binary` is one that was compiled elsewhere."""
        try:
            return _OnCard(self, made, binary)
        except Exception as error:
            raise NoGpu(f"the card cannot run this game: {error}") from None


def flags(made: Kernel) -> tuple[str, ...]:
    """Compiler flags of a kernel for a GPU."""
    return (*FLAGS, *PLAIN) if made.use == TURNS else FLAGS


class _OnCard:
    def __init__(self, device: CupyDevice, made: Kernel, binary: Path | None) -> None:
        self.made, self.xp, self.block = made, device.cupy, made.block
        block = made.block
        self.threads = device.multiprocessors * max(1, made.in_flight // block) * block
        cupy = device.cupy
        if made.use == SLICES:  # suspended games may take half of the free memory
            free, _ = cupy.cuda.runtime.memGetInfo()
            room = int(free) // 2 // made.slot // block * block
            self.threads = max(block, min(self.threads, room))
        if made.deep:
            cupy.cuda.runtime.deviceSetLimit(0, _STACK)  # cudaLimitStackSize
        if binary is not None:
            module = cupy.RawModule(path=str(binary))
        else:
            module = cupy.RawModule(code=made.source, options=flags(made), backend="nvrtc")
        self._module = module
        self._kernel = module.get_function(KERNELS[made.use])
        self._near = made.shared_bytes * block
        if self._near:
            self._kernel.max_dynamic_shared_size_bytes = self._near
        self.tell(0, made.tables)

    def tell(self, at: int, content: bytes) -> None:
        try:
            given = self.xp.asarray(np.frombuffer(content, np.uint8))
            place = self._module.get_global("tables") + at
            place.copy_from_device(given.data, given.nbytes)
            self.xp.cuda.get_current_stream().synchronize()
        except Exception as error:
            raise NoGpu(f"the card gave up: {error}") from None

    def call(self, threads: int, *given: Any) -> float:
        cupy = self.xp
        passed = tuple(np.uint64(0) if each is None else each for each in given)
        try:
            start, end = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            self._kernel((-(-threads // self.block),), (self.block,), passed, shared_mem=self._near)
            end.record()
            end.synchronize()
            return float(cupy.cuda.get_elapsed_time(start, end) / 1000)
        except Exception as error:
            raise NoGpu(f"the card gave up: {error}") from None


KERNELS = {"whole": "play", "slices": "go_on", "turns": "turns", "trials": "trials"}
"""Entry point name of each kind of kernel."""
