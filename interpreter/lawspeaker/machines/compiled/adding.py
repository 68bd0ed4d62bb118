"""The host's side of sums: plays games with a module for sums, and reads what they add up to.

    inside.add_up(seed, first, count)    plays games; the numbers of those that were not added
    inside.totals()                      the sums by name, which are 0 again then
    inside.another()                     the same module with memory of its own

Whatever runs such a module is an `AddsUp`: wasmtime (`Instance`) or machine code of a C compiler.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from struct import unpack
from typing import Self

from lawspeaker.machines.compiled.plan import Plan
from lawspeaker.machines.compiled.sum_room import AT_ONCE, LONG
from lawspeaker.position.fault import OutOfRoom, RuleFault


class AddsUp(ABC):
    """Runs a module that adds games up. It belongs to one thread at a time."""

    plan: Plan

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
        last, odd = first + count, self.plan.game_sums.odd
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
        room = self.plan.game_sums
        content = self._read(room.totals, room.totals + room.bytes)
        self._write(room.totals, bytes(room.bytes))
        found = unpack(f"<{room.bytes // LONG}q", content)
        return {name: found[each] for name, each in room.words.items()}

    def _current(self) -> int:
        """The number of the playout, or of the game, that was in flight last."""
        at = self.plan.tree.current.offset
        return int.from_bytes(self._read(at, at + 4), "little")
