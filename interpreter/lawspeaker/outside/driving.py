"""Programs for cards, loaded and called with arrays. An edge, which knows nothing of rules.

A `Loaded` program has the arrays of where it runs (`xp`: those of CuPy on a card, those of NumPy
for the same program on the processor) and a way to call its kernel. What is done with it is the
same on both: whole games (`Whole`), long ones in slices (`Sliced`), or tables that wait for answers
(`vectors`). Each owns the arrays that it hands to a kernel, and lets go of them only after it is
done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lawspeaker.machines.native.kernel import COPIES, FREELY, NONE, ODD, SLICES, TURNS, Kernel
from lawspeaker.position.fault import NoMachine

FLAGS = ("-std=c++17", "-DCHECKED", "-w")
"""Of names that a kernel does not need there is no word."""
PLAIN = ("--ptxas-options=-O0",)
"""For tables. What is the same for 32 neighbours a card's assembler keeps once for all of them. It
relies on their having come together again, but after calls that go deep in some of them they have
not always: whoever was first put something else there while others still needed it. At this level
it keeps nothing like that, so it does not matter who is where. A step of small games takes a fourth
longer, one of large ones half as long again."""
SECONDS = 0.5
"""What a launch should take: a card that also draws the screen has hardly more time."""
_CHOICES = 8
"""So many choices are made in a long game between two looks at the clock, if these take no longer
than a launch should; else fewer."""
_LATE = 3
"""A launch that takes so many times as long as it should is too long."""
_ROUNDS, _TRIED = 4, 3
"""So many games one after the other show how quickly they are played, if that is tried so often."""
_TOGETHER = 32
"""So many threads of a card go together."""
_STACK = 1 << 15
"""Bytes for calls that go deep, a thread."""


class NoCard(NoMachine):
    """There is no graphics card that can be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Launched:
    """What came of a launch: how many of the games were begun, a row of words for each, which of
    them stopped (counted from the first), how long it took, how long the longest launch of it took,
    the sum that stands for all records, what was added up, but for the `odd` games, and how many
    launches it were."""

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
    """A kernel that has been compiled and loaded. `threads`: how many run at once."""

    made: Kernel
    threads: int

    @property
    def xp(self) -> Any: ...

    def call(self, threads: int, *given: Any) -> float:
        """Calls it with numbers and arrays, nothing for None; gives back how long it took. Raises
        `NoCard`."""

    def tell(self, at: int, content: bytes) -> None:
        """Writes into its tables. Raises `NoCard`."""


class Program(Protocol):
    """Plays whole games."""

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
        """`summed`: there are sums, and no records. `rows`: only the records of these games are
        wanted, counted from the first. `printed`: a sum stands for all records."""


class Device(Protocol):
    """Something that can run kernels. `shared`: how many bytes the threads of a block may share."""

    @property
    def shared(self) -> int: ...

    def load(self, made: Kernel) -> Loaded: ...


def program(loaded: Loaded) -> Program:
    """How a loaded program plays whole games."""
    return Sliced(loaded) if loaded.made.use == SLICES else Whole(loaded)


def stopped_games(playing: NDArray[np.uint32]) -> list[int]:
    """The games that threads were still playing when they ended."""
    return sorted(map(int, playing[playing != NONE]))


def fetched(array: Any) -> NDArray[Any]:
    """An array as one of NumPy."""
    return array if isinstance(array, np.ndarray) else array.get()


class Whole:
    """Each game in one go. How the threads of a block go best depends on the game, and on the card:
    the first launches find out. What is played is the same."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self._paces: dict[int, list[float]] = {way: [] for way in loaded.made.ways}

    def _going(self) -> int:
        """The ways take turns until enough is known. A card that was idle is slow at first, so the
        best pace of each counts."""
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
    """What games add up to, and the numbers of those that do not fit."""

    def __init__(self, loaded: Loaded) -> None:
        xp = loaded.xp
        if not loaded.made.sums:
            raise NoCard("games of so many players cannot be added up on a card")
        words = max(each.stop for each in loaded.made.sums.values())
        self.arrays = xp.zeros((COPIES, words), xp.uint64), xp.zeros(1 + ODD, xp.uint32)

    def told(self, done: Launched) -> Launched:
        sums, odd = map(fetched, self.arrays)
        if int(odd[0]) > ODD:
            raise NoCard("too many games do not fit into what a card adds up")
        total = sums.view(np.int64).sum(axis=0)
        return replace(done, sums=total, odd=sorted(map(int, odd[1 : 1 + int(odd[0])])))


class Sliced:
    """Long games: some choices in one launch, some more in the next, as many as fit its time.
    `seconds`: what a launch should take."""

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
                *(np.uint32(budget), np.uint32(FREELY), following, playing, records, total),
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
    """The first card of this computer."""

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
        self.name = properties["name"].decode()
        self.multiprocessors = int(properties["multiProcessorCount"])
        self.shared = int(properties["sharedMemPerBlockOptin"])

    def load(self, made: Kernel, binary: Path | None = None) -> Loaded:
        """`binary`: what was compiled elsewhere."""
        try:
            return _OnCard(self, made, binary)
        except Exception as error:
            raise NoCard(f"the card cannot run this game: {error}") from None


def flags(made: Kernel) -> tuple[str, ...]:
    """How a program is compiled for a card."""
    return (*FLAGS, *PLAIN) if made.use == TURNS else FLAGS


class _OnCard:
    def __init__(self, device: CupyDevice, made: Kernel, binary: Path | None) -> None:
        self.made, self.xp, self.block = made, device.cupy, made.block
        block = made.block
        self.threads = device.multiprocessors * max(1, made.under_way // block) * block
        cupy = device.cupy
        if made.use == SLICES:  # what is put aside takes half of the free memory at the most
            free, _ = cupy.cuda.runtime.memGetInfo()
            room = int(free) // 2 // made.slot // block * block
            self.threads = max(block, min(self.threads, room))
        if made.deep:
            cupy.cuda.runtime.deviceSetLimit(0, _STACK)  # the limit of the stack
        if binary is not None:
            module = cupy.RawModule(path=str(binary))
        else:
            module = cupy.RawModule(code=made.source, options=flags(made), backend="nvrtc")
        self._module = module
        self._kernel = module.get_function(KERNELS[made.use])
        self._near = made.near * block
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
            raise NoCard(f"the card gave up: {error}") from None

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
            raise NoCard(f"the card gave up: {error}") from None


KERNELS = {"whole": "play", "slices": "go_on", "turns": "turns", "trials": "trials"}
"""What the kernel of each use is called."""
