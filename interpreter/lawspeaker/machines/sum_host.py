"""Host side of modules for sums: plays games and reads the accumulated sums.

    inside.add_up(seed, first, count)    plays games; returns the numbers of those not added
    inside.totals()                      returns the sums by name and resets them to 0
    inside.another()                     the same module with its own memory

Implementations of `AddsUp`: an `Instance`, a cached module (`sum_cache`), or machine code of a C
compiler.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from struct import unpack
from typing import Self

from lawspeaker.machines.sum_layout import AT_ONCE, LONG
from lawspeaker.position.fault import OutOfMemory, RuleFault


@dataclass(frozen=True, slots=True)
class SumPlaces:
    """Addresses in the memory of a module: the fault number, the number of the game in flight, the
    games that do not fit, and the sums (`sum_layout`); also the number of players."""

    players: int
    fault: int
    current: int
    odd: int
    totals: int
    words: Mapping[str, tuple[int, int]]


def signed(word: int) -> int:
    """Converts a word of 64 bits to the signed number that the host passes."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


class AddsUp(ABC):
    """Interface of back ends that add up games. Not thread-safe: one thread at a time."""

    @property
    @abstractmethod
    def sum_places(self) -> SumPlaces: ...

    @abstractmethod
    def play(self, seed: int, first: int, count: int) -> None:
        """Plays games `first`, `first` + 1, … with this seed, in one call."""

    @abstractmethod
    def another(self) -> Self:
        """Returns the same module with its own memory, for another thread."""

    @abstractmethod
    def _read(self, start: int, end: int) -> bytes: ...

    @abstractmethod
    def _write(self, at: int, content: bytes) -> None: ...

    def add_up(self, seed: int, first: int, count: int) -> list[int]:
        """Plays games and adds them to the totals. Returns the numbers of those that were not
        added: they fault, or do not fit."""
        left_out: list[int] = []
        last, odd = first + count, self.sum_places.odd
        while first < last:
            some = min(AT_ONCE, last - first)
            try:
                self.play(seed, first, some)
                first += some
            except (RuleFault, OutOfMemory):
                first = 1 + self._current()
                left_out.append(first - 1)
            (count,) = unpack("<i", self._read(odd, odd + 4))
            left_out += unpack(f"<{count}i", self._read(odd + 4, odd + 4 + 4 * count))
        return left_out

    def totals(self) -> dict[str, tuple[int, ...]]:
        """Returns the sums of all added games by name, and resets them to 0."""
        places = self.sum_places
        at, size = places.totals, LONG * max(end for _, end in places.words.values())
        content = self._read(at, at + size)
        self._write(at, bytes(size))
        found = unpack(f"<{size // LONG}q", content)
        return {name: found[first:end] for name, (first, end) in places.words.items()}

    def _current(self) -> int:
        """Returns the number of the playout, or of the game, that was in flight last."""
        at = self.sum_places.current
        return int.from_bytes(self._read(at, at + 4), "little")
