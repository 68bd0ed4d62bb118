"""The host's side of sums: plays games with a module for sums, and reads what they add up to.

    inside.add_up(seed, first, count)    plays games; the numbers of those that were not added
    inside.totals()                      the sums by name, which are 0 again then
    inside.another()                     the same module with memory of its own

Whatever runs such a module is an `AddsUp`: an `Instance`, a module that was kept (`kept_sums`), or
machine code of a C compiler.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from struct import unpack
from typing import Self

from lawspeaker.machines.sum_room import AT_ONCE, LONG
from lawspeaker.position.fault import OutOfRoom, RuleFault


@dataclass(frozen=True, slots=True)
class SumPlaces:
    """The number of players, and where in the memory of a module lie the number of a fault, the
    number of the game in flight, the games that do not fit, and the sums (`sum_room`)."""

    players: int
    fault: int
    current: int
    odd: int
    totals: int
    words: Mapping[str, tuple[int, int]]


def signed(word: int) -> int:
    """A word of 64 bits as the host passes it."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


class AddsUp(ABC):
    """Runs a module that adds games up. It belongs to one thread at a time."""

    @property
    @abstractmethod
    def sum_places(self) -> SumPlaces: ...

    @abstractmethod
    def play(self, seed: int, first: int, count: int) -> None:
        """Plays games `first`, `first` + 1, … of a simulation with this seed, in one call."""

    @abstractmethod
    def another(self) -> Self:
        """The same module with memory of its own, for another thread."""

    @abstractmethod
    def _read(self, start: int, end: int) -> bytes: ...

    @abstractmethod
    def _write(self, at: int, content: bytes) -> None: ...

    def add_up(self, seed: int, first: int, count: int) -> list[int]:
        """Plays games and adds them to the totals. Returns the numbers of those that were not
        added: they break off, or do not fit."""
        left_out: list[int] = []
        last, odd = first + count, self.sum_places.odd
        while first < last:
            some = min(AT_ONCE, last - first)
            try:
                self.play(seed, first, some)
                first += some
            except (RuleFault, OutOfRoom):
                first = 1 + self._current()
                left_out.append(first - 1)
            (count,) = unpack("<i", self._read(odd, odd + 4))
            left_out += unpack(f"<{count}i", self._read(odd + 4, odd + 4 + 4 * count))
        return left_out

    def totals(self) -> dict[str, tuple[int, ...]]:
        """The sums over all games that were added, by their names; then they are 0 again."""
        places = self.sum_places
        at, size = places.totals, LONG * max(end for _, end in places.words.values())
        content = self._read(at, at + size)
        self._write(at, bytes(size))
        found = unpack(f"<{size // LONG}q", content)
        return {name: found[first:end] for name, (first, end) in places.words.items()}

    def _current(self) -> int:
        """The number of the playout, or of the game, that was in flight last."""
        at = self.sum_places.current
        return int.from_bytes(self._read(at, at + 4), "little")
